import { expect, it } from "vitest";
import { readTar } from "../../scripts/environment/archive";

/** A ustar archive of one member. */
function tar(name: string, text: string, kind = "0"): Uint8Array {
  const archive = Buffer.alloc(512 + Math.ceil(text.length / 512) * 512 + 1024);
  archive.write(name, 0);
  archive.write("0000755\0", 100);
  archive.write(`${text.length.toString(8).padStart(11, "0")}\0`, 124);
  archive.write(kind, 156);
  archive.write("ustar\0", 257);
  archive.write(text, 512);
  return archive;
}

it("reads a file with its mode", () => {
  const text = "x".repeat(700);
  const [entry, ...rest] = readTar(tar("lib/a.so", text));
  expect(rest).toEqual([]);
  expect({ ...entry, data: Buffer.from(entry.data).toString() }).toEqual({
    name: "lib/a.so",
    mode: 0o755,
    isFolder: false,
    data: text,
  });
});

it("passes over links", () => {
  expect(readTar(tar("link", "", "2"))).toEqual([]);
});

it.each(["../out", "a/../../out", "/etc/out"])("refuses %s", (name) => {
  expect(() => readTar(tar(name, "x"))).toThrow("leaves its folder");
});
