import type { SparseInverseData } from "../../../math/sparse/sparse-inverse";
import { nodeModule } from "../../../tasks/port";
import { packInverse, unpackInverse } from "./packed";
import type { FactorStore } from "./factor-store";
import { surplus } from "./surplus";

/** The functions of Node's modules that are used; the engine is compiled without Node's types. */
interface Files {
  readFile(file: string): Promise<Uint8Array>;
  writeFile(file: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  utimes(file: string, accessed: Date, modified: Date): Promise<void>;
  mkdir(folder: string, options: { recursive: boolean }): Promise<unknown>;
  readdir(folder: string): Promise<string[]>;
  stat(file: string): Promise<{ readonly size: number; readonly mtimeMs: number }>;
  rm(path: string, options: { recursive?: boolean; force: boolean }): Promise<void>;
}

interface Paths {
  join(...parts: string[]): string;
}

interface Process {
  readonly pid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const EXTENSION = ".factor";

/** Factors as files of a folder: `babylon-pliant` where the system keeps caches of the user. */
export class FileStore implements FactorStore {
  private constructor(
    private readonly files: Files,
    private readonly paths: Paths,
    private readonly process: Process,
    private readonly folder: string,
    private readonly limit: number,
  ) {}

  /** @param limit of all files together [bytes] */
  static open(limit: number): FileStore | undefined {
    const files = nodeModule<Files>("fs/promises");
    const paths = nodeModule<Paths>("path");
    const os = nodeModule<{ homedir(): string }>("os");
    if (!files || !paths || !os) return undefined;
    const { process } = globalThis as unknown as { process: Process };
    const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
    const caches = XDG_CACHE_HOME || LOCALAPPDATA || paths.join(os.homedir(), ".cache");
    return new FileStore(files, paths, process, paths.join(caches, "babylon-pliant"), limit);
  }

  async read(key: string): Promise<SparseInverseData | undefined> {
    const file = this.pathOf(key);
    const inverse = unpackInverse(await this.files.readFile(file));
    const now = new Date();
    await this.files.utimes(file, now, now);
    return inverse;
  }

  async write(key: string, inverse: SparseInverseData): Promise<void> {
    const { files, folder } = this;
    await files.mkdir(folder, { recursive: true });
    // A rename never shows half a file to another process.
    const temporary = `${this.pathOf(key)}.${this.process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
    await files.writeFile(temporary, packInverse(inverse));
    await files.rename(temporary, this.pathOf(key));
    await this.tidy();
  }

  async clear(): Promise<void> {
    await this.files.rm(this.folder, { recursive: true, force: true });
  }

  private async tidy(): Promise<void> {
    const { files, paths, folder } = this;
    const names = (await files.readdir(folder)).filter((name) => name.endsWith(EXTENSION));
    const entries = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await files.stat(paths.join(folder, name));
        return { key: name, size, used: mtimeMs };
      }),
    );
    await Promise.all(surplus(entries, this.limit).map((name) => files.rm(paths.join(folder, name), { force: true })));
  }

  private pathOf(key: string): string {
    return this.paths.join(this.folder, key + EXTENSION);
  }
}
