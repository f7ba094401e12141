// npm run docs: API documentation into dist/docs.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { generate } from "./generate.mjs";

bootstrap();
await generate();

const typedoc = path.join(ROOT, "node_modules/typedoc/bin/typedoc");
const result = spawnSync(process.execPath, [typedoc], { cwd: ROOT, stdio: "inherit" });
process.exitCode = result.status ?? 1;
