import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, type BodyModel, type TetMesh } from "../../src/index";
import type { BodyOptions } from "../../src/world/body";
import { expectWithin } from "../figures";
import { createWorld } from "./worlds";

const E = 1e6;
const DENSITY = 1000;

/** A bar of square section, clamped at one end, that according to Euler and Bernoulli bends by a fiftieth of its length. */
interface Bar {
  readonly ratio: number;
  readonly cells: number;
  readonly thickness: number;
  readonly pattern: "parallel" | "mirrored" | "alternating";
  /** whether the clamp holds only the vertices of the mesh, or those in the middles of edges too */
  readonly holds: "corners" | "all";
}

interface Solver {
  readonly model: (mesh: TetMesh) => BodyModel;
  readonly options: BodyOptions;
  readonly steps: number;
  /** [s] for a bar 0.1 m thick and 20 times as long */
  readonly step: number;
}

const stuff = { youngsModulus: E, poissonRatio: 0, density: DENSITY };
const solvers: Readonly<Record<string, Solver>> = {
  newton: {
    model: (mesh) => solidModel({ solver: "newton", ...mesh, material: { ...stuff, model: "corotational" } }),
    options: {},
    steps: 6,
    step: 20,
  },
  "local-global": {
    model: (mesh) => solidModel({ solver: "local-global", ...mesh, material: { ...stuff, model: "arap" } }),
    options: { iterations: 30, accelerate: true, airDensity: 0 },
    steps: 40,
    step: 0.5,
  },
};

/** Deflection of the end, relative to the closed form. */
async function deflection({ model: make, options, steps, step }: Solver, bar: Bar): Promise<number> {
  const { ratio, cells, thickness, pattern, holds } = bar;
  const length = ratio * thickness;
  const expected = 0.02 * length;
  // ρ g L⁴ / (8 E I / A) with I / A = t² / 12
  const gravity = (expected * E * thickness ** 2) / (1.5 * DENSITY * length ** 4);
  const world = await createWorld("cpu", { gravity: [0, -gravity, 0] });
  const size = [length, thickness, thickness] as const;
  const mesh = boxTetrahedra({ size, cells: [ratio * cells, cells, cells], center: [length / 2, 0, 0], pattern });
  const model = make(mesh);
  const x = model.positions;
  const last = holds === "all" ? model.particleCount : mesh.positions.length / 3;
  const pins = [...model.masses.keys()].filter((p) => p < last && x[3 * p] < 1e-9 * length);
  const body = world.addBody(model, { pins, ...options });
  for (let k = 0; k < steps; k++) world.step(step * (thickness / 0.1) * Math.max(1, (ratio / 20) ** 2));
  const { positions } = await body.readState();
  const ends = [...model.masses.keys()].filter((p) => x[3 * p] > length * (1 - 1e-9));
  const sum = ends.reduce((total, p) => total + x[3 * p + 1] - positions[3 * p + 1], 0);
  world.dispose();
  return sum / ends.length / expected;
}

const bar: Bar = { ratio: 20, cells: 1, thickness: 0.1, pattern: "parallel", holds: "corners" };
const bars: Readonly<Record<string, readonly Bar[]>> = {
  newton: [
    { ...bar, ratio: 10 },
    bar,
    { ...bar, ratio: 40 },
    { ...bar, cells: 2, holds: "all" },
    { ...bar, pattern: "alternating" },
    { ...bar, pattern: "mirrored", holds: "all" },
    { ...bar, thickness: 0.001 },
    { ...bar, thickness: 10 },
  ],
  "local-global": [
    { ...bar, ratio: 10, pattern: "mirrored" },
    bar,
    { ...bar, ratio: 40 },
    { ...bar, ratio: 10, cells: 2 },
  ],
};

describe.each(Object.keys(solvers))("a bar of the solver %s, one or two cells thick", (name) => {
  it.each(bars[name])("bends as the closed form has it: $ratio, $cells $pattern, $thickness m", async (of) => {
    const found = await deflection(solvers[name], of);
    expectWithin(`deflection of a bar, ${name}, ${of.ratio}:1, off by`, Math.abs(found - 1), 0.05);
  });
});

it("has linear elements where they are asked for, and for a solid that is thick or round", () => {
  const thick = boxTetrahedra({ size: [1, 1, 1], cells: [4, 4, 4] });
  const slender = boxTetrahedra({ size: [4, 1, 1], cells: [4, 1, 1] });
  const countOf = (mesh: TetMesh, elements?: "linear" | "quadratic"): number =>
    solidModel({ solver: "newton", ...mesh, material: stuff, elements }).particleCount;
  expect(countOf(thick)).toBe(thick.positions.length / 3);
  expect(countOf(thick, "quadratic")).toBeGreaterThan(thick.positions.length / 3);
  expect(countOf(slender, "linear")).toBe(slender.positions.length / 3);
  expect(countOf(slender)).toBeGreaterThan(slender.positions.length / 3);
  expect(() => countOf(slender, "cubic" as "linear")).toThrow(/elements.*must be one of auto, linear, quadratic/);
});
