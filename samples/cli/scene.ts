// npm run --silent scene -- NAME [--set key=value ...] [--frames N] [--backend cpu|reference|webgpu|auto] [--png FILE] [--json]

import { scenes } from "../scenes/index";
import { sceneCommand } from "./command";

const code = await sceneCommand(process.argv.slice(2), scenes, {
  print: (line) => process.stdout.write(`${line}\n`),
  log: process.stderr,
});
// Dawn's threads would keep the process alive; the output is flushed first.
process.stdout.write("", () => process.exit(code));
