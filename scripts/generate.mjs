// npm run shaders: makes src/generated, which is not committed.
//
//   node scripts/generate.mjs [--quiet]

import { pathToFileURL } from "node:url";
import { buildAssembly } from "./build-assembly.mjs";
import { buildShaders } from "./build-shaders.mjs";
import { buildWorker } from "./build-worker.mjs";

/**
 * @param {object} [options]
 * @param {(line: string) => void} [options.log]
 * @returns {Promise<void>} rejects with a ShaderError for a mistake in a shader
 */
export async function generate({ log } = {}) {
  await buildAssembly({ log });
  await buildWorker({ log });
  await buildShaders({ log });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const quiet = process.argv.includes("--quiet");
  try {
    await generate({ log: quiet ? undefined : (line) => console.error(line) });
  } catch (error) {
    if (error?.name !== "ShaderError") throw error;
    console.error(`shaders: ${error.message}`);
    process.exitCode = 1;
  }
}
