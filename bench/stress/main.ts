// npm run stress -- [--seeds N] [--family NAME] [--minutes M] [--seed S] [--backend cpu|webgpu|all]

import { stressCommand } from "./command";

const code = await stressCommand(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
// Dawn's threads would keep the process alive; what was printed is flushed first.
process.stdout.write("", () => process.exit(code));
