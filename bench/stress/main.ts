// npm run stress -- [--seeds N] [--family NAME] [--minutes M] [--seed S] [--backend cpu|webgpu|all] [--jobs J] [--json FILE]

import { stressCommand } from "./command";
import { HiredProcess } from "./hired-process";

const print = (line: string): unknown => process.stdout.write(`${line}\n`);
const code = await stressCommand(process.argv.slice(2), print, () => new HiredProcess());
// Dawn's threads would keep the process alive; the output is flushed first.
process.stdout.write("", () => process.exit(code));
