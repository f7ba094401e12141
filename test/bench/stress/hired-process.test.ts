import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { HiredProcess } from "../../../bench/stress/hired-process";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-hired-"));
const file = path.join(folder, "player.mjs");
// Seed 1 answers, 2 does not, 3 ends the process.
fs.writeFileSync(
  file,
  `process.on("message", (task) => {
    if (task.seed === 1) process.send({ ...task, frames: 7, slowFrames: 0, isCut: false });
    if (task.seed === 2) for (;;);
    if (task.seed === 3) process.exit(5);
  });
  process.send("ready");`,
);
afterAll(() => fs.rmSync(folder, { recursive: true }));

const task = (seed: number) => ({ family: "heaps", seed, backend: "cpu" }) as const;

it("goes on in another process after a scene that ends it", async () => {
  const player = new HiredProcess(100_000, file);
  expect(await player.play(task(1))).toMatchObject({ frames: 7, seed: 1 });
  expect(await player.play(task(3))).toMatchObject({ seed: 3, broken: "ends its process: 5" });
  expect(await player.play(task(1))).toMatchObject({ frames: 7 });
  player.dismiss();
});

it("gives up a scene that does not answer", async () => {
  const player = new HiredProcess(100, file);
  for (let k = 0; k < 2; k++)
    expect(await player.play(task(2))).toMatchObject({ seed: 2, broken: "does not answer for 0.1 s" });
  player.dismiss();
});
