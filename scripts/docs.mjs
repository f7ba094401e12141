// npm run docs: API documentation into dist/docs.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { buildShaders } from "./build-shaders.mjs";

bootstrap();
await buildShaders();

const entries = ["src/index.ts", "plugin/index.ts"].filter((file) => fs.existsSync(path.join(ROOT, file)));
if (entries.length === 0) {
  console.error("docs: no entry point exists yet, skipped");
} else {
  const typedoc = path.join(ROOT, "node_modules/typedoc/bin/typedoc");
  const inputs = entries.flatMap((file) => ["--entryPoints", file]);
  const result = spawnSync(process.execPath, [typedoc, ...inputs], { cwd: ROOT, stdio: "inherit" });
  process.exitCode = result.status ?? 1;
}
