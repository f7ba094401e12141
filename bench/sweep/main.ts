// npm run sweep -- SCENE --grid key=v1,v2 --seeds N [--redis URL] [--workers N] [--out DIR]

import { sweepCommand } from "./command";

const interrupt = new AbortController();
// Once: who asks again means it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
const code = await sweepCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  log: process.stderr,
  signal: interrupt.signal,
});
process.stdout.write("", () => process.exit(code));
