// SwiftShader reads its settings from a file in the working directory.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Makes a folder with settings for SwiftShader.
 *
 * @param threads a whole number, as PLIANT_ADAPTER_THREADS has it
 * @throws Error if it is none
 */
export function swiftShaderSettings(threads: string): string {
  if (!/^[1-9]\d*$/.test(threads))
    throw new Error(`PLIANT_ADAPTER_THREADS is "${threads}"; it has to be a whole number`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-"));
  fs.writeFileSync(path.join(folder, "SwiftShader.ini"), `[Processor]\nThreadCount=${threads}\n`);
  return folder;
}

/** Waits for `start` in another working directory, which processes that it starts keep. */
export async function inFolder<T>(folder: string, start: () => Promise<T>): Promise<T> {
  const home = process.cwd();
  process.chdir(folder);
  try {
    return await start();
  } finally {
    process.chdir(home);
  }
}
