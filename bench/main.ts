// npm run --silent bench -- [--suite NAME] [--sizes 32,64,128] [--frames N] [--backend cpu,reference,webgpu] [--out FILE] [--json]

import { benchCommand } from "./command";

const code = await benchCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  log: process.stderr,
});
// Dawn's threads would keep the process alive; the output is flushed first.
process.stdout.write("", () => process.exit(code));
