import { expect, it } from "vitest";
import { benchCommand } from "../../bench/command";
import type { RigidGpuResult } from "../../bench/rigid-gpu/suite";

it("the suite rigid-gpu tells the time of a step on the GPU beside that of the paper, and what was solved in it", async () => {
  const lines: string[] = [];
  const output = { print: (line: string) => lines.push(line), log: { isTTY: false, write: () => true } };
  const args = ["--suite", "rigid-gpu", "--sizes", "8", "--frames", "2", "--json"];
  expect(await benchCommand(args, output)).toBe(0);
  const { suite, adapter, rows } = JSON.parse(lines.at(-1)) as RigidGpuResult;
  expect([suite, rows.map(({ scene }) => scene)]).toEqual(["rigid-gpu", ["arch", "table-pile"]]);
  expect(adapter.length).toBeGreaterThan(0);
  expect(rows.map(({ size }) => size)).toEqual([20, 8]);
  for (const row of rows) {
    expect(row.msPerFrame).toBeGreaterThan(0);
    expect(row.contacts).toBeGreaterThan(0);
    expect(row.residual).toBeLessThan(1);
    expect(row.maxPenetration).toBeLessThan(2e-3);
    if (row.stages) {
      expect(Object.keys(row.stages)).toEqual(expect.arrayContaining(["rigid bodies", "rigid islands"]));
      expect(row.gpuMsPerStep).toBeGreaterThan(0);
      expect(row.gpuMsPerStep).toBeLessThan(row.msPerFrame);
    } else expect(row.gpuMsPerStep).toBeUndefined();
  }
});
