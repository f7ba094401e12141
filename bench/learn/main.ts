// npm run learn -- TASK [--seed FIRST] [--seeds N] [--full] [--out DIR]

import { learnCommand } from "./command";

const code = await learnCommand(process.argv.slice(2), {
  print: (line: string) => process.stdout.write(`${line}\n`),
  log: process.stderr,
});
process.stdout.write("", () => process.exit(code));
