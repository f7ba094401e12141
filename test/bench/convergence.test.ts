import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { benchCommand } from "../../bench/command";
import { bars, extensionReports } from "../../bench/convergence/extension";
import { linearProblem } from "../../bench/convergence/figures";
import { linearMethods } from "../../bench/convergence/linear-methods";
import { type Problem, problemOf } from "../../bench/convergence/problem";
import type { ConvergenceResult } from "../../bench/convergence/suite";
import { arch } from "../../samples/scenes/arch";
import { heavyStack } from "../../samples/scenes/stacks";

/** The stack as it was built, and after rounding has made it uneven. */
let built: Problem;
let settled: Problem;
let blocks: Problem;

beforeAll(async () => {
  built = await problemOf(heavyStack, 0);
  settled = await problemOf(heavyStack, 40);
  blocks = await problemOf(arch, 20);
});

afterAll(() => {
  for (const problem of [built, settled, blocks]) problem.dispose();
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

describe("complementarity preconditioners on the heavy stack", () => {
  it("effective mass is ten times nearer than identity after 20 iterations with Fischer-Burmeister", () => {
    // After that rounding makes it uneven.
    for (let step = 0; step < 8; step++) {
      const [identity, scaled, effective] = (["identity", "time-step", "effective-mass"] as const).map(
        (preconditioner) => built.solve({ ncp: "fischer-burmeister", preconditioner, newtonIterations: 20 }).errors[20],
      );
      expect(effective).toBeLessThan(identity / 10);
      expect(scaled).toBeLessThan(identity);
      expect(effective).toBeLessThan(scaled * 1.1);
      built.advance();
    }
  });

  it("with the minimum map it is so for most steps of an uneven stack", () => {
    const ratios: number[] = [];
    for (let step = 0; step < 15; step++) {
      const [identity, effective] = (["identity", "effective-mass"] as const).map(
        (preconditioner) => settled.solve({ ncp: "minimum-map", preconditioner, newtonIterations: 20 }).errors[20],
      );
      ratios.push(identity / effective);
      settled.advance();
    }
    expect(median(ratios)).toBeGreaterThan(10);
  });
});

it("identity is far behind on the arch, and h² is not", () => {
  const [identity, scaled, effective] = (["identity", "time-step", "effective-mass"] as const).map(
    (preconditioner) => blocks.solve({ ncp: "fischer-burmeister", preconditioner, newtonIterations: 20 }).errors[20],
  );
  expect(identity).toBeGreaterThan(100 * effective);
  expect(identity).toBeGreaterThan(100 * scaled);
});

describe("methods for one linear problem", () => {
  it("the residual of conjugate residuals is monotone, that of conjugate gradients is not", () => {
    for (const problem of [settled, blocks]) {
      const rises = (method: "pcr" | "pcg"): number => {
        const [residuals] = linearProblem(problem, method, 80).linear;
        const floor = 1e-11 * residuals[0];
        return residuals.filter((value, k) => k > 0 && value > floor && value > residuals[k - 1] * (1 + 1e-9)).length;
      };
      expect(rises("pcr")).toBe(0);
      expect(rises("pcg")).toBeGreaterThan(0);
    }
  });

  it("Krylov methods end where relaxation has hardly begun", () => {
    const after = (problem: Problem, method: "jacobi" | "gauss-seidel" | "pcg" | "pcr"): number => {
      const [residuals] = linearProblem(problem, method, 120).linear;
      return residuals.at(-1) / residuals[0];
    };
    expect(after(settled, "jacobi")).toBeGreaterThan(0.1);
    expect(after(settled, "gauss-seidel")).toBeGreaterThan(0.1);
    expect(after(settled, "pcr")).toBeLessThan(1e-8);
    expect(after(settled, "pcg")).toBeLessThan(1e-8);
    expect(after(blocks, "pcr")).toBeLessThan(0.1 * after(blocks, "gauss-seidel"));
    expect(after(blocks, "pcr")).toBeLessThan(after(blocks, "pcg"));
  });
});

it("a Newton solve with conjugate residuals converges where relaxation stagnates", async () => {
  const stack = await problemOf(heavyStack, 0);
  const error = (problem: Problem, linearMethod: "jacobi" | "gauss-seidel" | "pcr"): number =>
    problem
      .solve({ ncp: "fischer-burmeister", linearMethod: linearMethods[linearMethod], newtonIterations: 40 })
      .errors.at(-1);
  expect(error(stack, "pcr")).toBeLessThan(1e-10);
  expect(error(stack, "jacobi")).toBeGreaterThan(1e-4);
  expect(error(stack, "gauss-seidel")).toBeGreaterThan(1e-2);
  for (const method of ["jacobi", "gauss-seidel"] as const)
    expect(error(blocks, "pcr")).toBeLessThan(0.01 * error(blocks, method));
  stack.dispose();
});

it("a step of bars at nearly twice their length falls with geometric stiffness, and swings without (figure 12)", async () => {
  const [none, diagonal, elements] = await extensionReports(["none", "diagonal", "elements"]);
  for (let bar = 0; bar < bars.length; bar++) {
    const [first, ...rest] = diagonal[bar].residuals;
    expect(rest.at(-1)).toBeLessThan(1e-8 * first);
    expect(Math.max(...rest)).toBeLessThan(0.1 * first);
    // quadratic convergence: a few iterations, and then rounding
    expect(elements[bar].residuals[5]).toBeLessThan(1e-11 * first);
    expect(none[bar].residuals.at(-1)).toBeGreaterThan(1e5 * rest.at(-1));
  }
  const swinging = none[bars.indexOf("corotational")].residuals.slice(15);
  expect(Math.min(...swinging)).toBeGreaterThan(none[0].residuals[0]);
});

it("the command draws all figures and prints their numbers", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "pliant-convergence-"));
  try {
    const lines: string[] = [];
    const code = await benchCommand(
      ["--suite", "convergence", "--frames", "2", "--out", path.join(folder, "run.json"), "--json"],
      { print: (line) => lines.push(line), log: { write: () => undefined } },
    );
    expect(code).toBe(0);
    const { suite, rows, files } = JSON.parse(lines.at(-1)) as ConvergenceResult;
    expect(suite).toBe("convergence");
    expect(new Set(rows.map((row) => row.scene))).toEqual(
      new Set(["arch", "table-pile", "heavy-stack", ...bars.map((bar) => `material-extension, ${bar}`)]),
    );
    for (const { firstResidual, residualAt20, lowestResidual, size } of rows) {
      expect(Number.isFinite(residualAt20)).toBe(true);
      expect(firstResidual).toBeGreaterThan(0);
      expect(lowestResidual).toBeLessThanOrEqual(firstResidual);
      expect(size).toBeGreaterThan(0);
    }
    expect(files).toHaveLength(10);
    for (const file of files) expect((await fs.stat(path.join(folder, file))).size).toBeGreaterThan(4000);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
});
