// Brotli-compressed tar archives, read without a system `tar`.

import fs from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";

const BLOCK = 512;

/** One member of a tar archive. */
export interface TarEntry {
  readonly name: string;
  readonly mode: number;
  readonly isFolder: boolean;
  readonly data: Uint8Array;
}

/**
 * Lists the files and folders of a tar archive (ustar; other kinds of members are passed over).
 *
 * @throws Error if a name points outside the folder that the archive is unpacked into.
 */
export function readTar(archive: Uint8Array): TarEntry[] {
  const text = (start: number, length: number): string => {
    const bytes = archive.subarray(start, start + length);
    const end = bytes.indexOf(0);
    return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString("utf8");
  };
  const entries: TarEntry[] = [];
  for (let at = 0; at + BLOCK <= archive.length;) {
    const plainName = text(at, 100);
    if (plainName === "") break;
    const prefix = text(at + 257, 5) === "ustar" ? text(at + 345, 155) : "";
    const name = path.posix.normalize(prefix === "" ? plainName : `${prefix}/${plainName}`);
    if (name.startsWith("..") || path.posix.isAbsolute(name))
      throw new Error(`archive member "${name}" leaves its folder`);
    const size = parseInt(text(at + 124, 12).trim() || "0", 8);
    const kind = text(at + 156, 1);
    const start = at + BLOCK;
    if (kind === "" || kind === "0" || kind === "5") {
      const mode = parseInt(text(at + 100, 8).trim() || "644", 8);
      entries.push({ name, mode, isFolder: kind === "5", data: archive.subarray(start, start + size) });
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

/** Unpacks a .tar.br file into a folder, which is made if it is missing. */
export function unpackTarBrotli(file: string, folder: string): void {
  for (const entry of readTar(brotliDecompressSync(fs.readFileSync(file)))) {
    const target = path.join(folder, entry.name);
    fs.mkdirSync(entry.isFolder ? target : path.dirname(target), { recursive: true });
    if (!entry.isFolder) fs.writeFileSync(target, entry.data, { mode: entry.mode });
  }
}

/** Unpacks a single executable from a .br file. */
export function unpackBrotli(file: string, target: string): void {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, brotliDecompressSync(fs.readFileSync(file)), { mode: 0o755 });
}
