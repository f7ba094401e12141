// npm run sweep -- SCENE --grid key=v1,v2 --seeds N [--redis URL] [--workers N] [--out DIR]
// npm run sweep -- worker --redis URL [--workers N]

const [first, ...rest] = process.argv.slice(2);
const interrupt = new AbortController();
// Once: who asks again means it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
const around = {
  print: (line: string) => process.stdout.write(`${line}\n`),
  log: process.stderr,
  signal: interrupt.signal,
};
// A worker starts in half the time without the scenes.
const code =
  first === "worker"
    ? await (await import("./worker-command")).workerCommand(rest, around)
    : await (await import("./command")).sweepCommand(process.argv.slice(2), around);
process.stdout.write("", () => process.exit(code));

export {};
