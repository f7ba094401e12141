// Runs a TypeScript program of this repository: node scripts/run-ts.mjs FILE [arguments ...]
//
// It installs missing packages and rebuilds stale shaders first. Standard output belongs to the program alone.

import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { generate } from "./generate.mjs";

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node scripts/run-ts.mjs FILE [arguments ...]");
  process.exit(2);
}

bootstrap();
try {
  await generate();
} catch (error) {
  console.error(error?.name === "ShaderError" ? `shaders: ${error.message}` : error);
  process.exit(1);
}

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const child = spawn(process.execPath, ["--import", tsx, path.resolve(ROOT, file), ...rest], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
});
