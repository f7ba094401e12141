import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../src/index";
import type { SolidLaw } from "../../src/materials/solid-material";
import type { SolidElements } from "../../src/models/solid-elements";
import { expectWithin } from "../figures";
import { createWorld, frameTime, type BackendName } from "./worlds";

const DENSITY = 1000;

/** A bar of square section that is clamped at one end and bends by a fiftieth of its length, as Euler and Bernoulli have it. */
interface Bar {
  /** length over thickness */
  readonly ratio: number;
  /** across the thickness, and along the bar */
  readonly cells: number;
  readonly along: number;
  /** [m] */
  readonly thickness: number;
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  readonly pattern: "parallel" | "mirrored" | "alternating";
  readonly model: SolidLaw;
  readonly elements?: SolidElements;
  /** how often it is stopped; more than once finds its place of rest more exactly, and takes as much longer; default 1 */
  readonly stops?: number;
}

/** Deflection of the end over that of the closed form, with the substeps that the body takes by itself. */
async function deflection(backend: BackendName, bar: Bar): Promise<number> {
  const { ratio, cells, along, thickness, youngsModulus, poissonRatio, pattern, model, elements, stops = 1 } = bar;
  const length = ratio * thickness;
  const expected = 0.02 * length;
  // ρ g L⁴ / (8 E I / A) with I / A = t² / 12
  const gravity = (expected * youngsModulus * thickness ** 2) / (1.5 * DENSITY * length ** 4);
  const world = await createWorld(backend, { gravity: [0, -gravity, 0] });
  const size = [length, thickness, thickness] as const;
  const mesh = boxTetrahedra({ size, cells: [along, cells, cells], center: [length / 2, 0, 0], pattern });
  const material = { youngsModulus, poissonRatio, density: DENSITY, model };
  const solid = solidModel({ ...mesh, elements: elements ?? "auto", material });
  const x = solid.positions;
  const pins = [...solid.masses.keys()].filter((p) => x[3 * p] < 1e-9 * length);
  const body = world.addBody(solid, { pins, warmStart: 0.99, airDensity: 0 });
  // A quarter of a swing takes it to where it would rest, all but for its faster swings: there it is stopped.
  const swing = (3.516 * Math.sqrt(youngsModulus / DENSITY / 12) * thickness) / length ** 2;
  const frames = Math.ceil(Math.PI / 2 / swing / frameTime);
  let found = 0;
  for (let quarter = 0; quarter < stops; quarter++) {
    for (let frame = 1; frame <= frames; frame++) {
      world.step(frameTime);
      if (backend === "webgpu" && frame % 4 === 0) await world.settled();
    }
    const { positions } = await body.readState();
    const ends = [...solid.masses.keys()].filter((p) => x[3 * p] > length * (1 - 1e-9));
    found = ends.reduce((total, p) => total + x[3 * p + 1] - positions[3 * p + 1], 0) / ends.length / expected;
    body.writeState({ positions, velocities: new Float64Array(positions.length) });
  }
  world.dispose();
  return found;
}

const soft = {
  thickness: 0.1,
  youngsModulus: 1e6,
  poissonRatio: 0,
  pattern: "parallel",
  model: "neo-hookean",
} as const;
const bars: readonly Bar[] = [
  { ...soft, ratio: 10, cells: 1, along: 10, stops: 2 },
  { ...soft, ratio: 10, cells: 1, along: 6, model: "corotational", pattern: "alternating" },
  { ...soft, ratio: 10, cells: 2, along: 6, model: "stable-neo-hookean" },
  {
    ...soft,
    ratio: 12,
    cells: 1,
    along: 8,
    poissonRatio: 0.3,
    pattern: "mirrored",
    model: "stvk",
    thickness: 0.01,
    youngsModulus: 1e4,
  },
  { ...soft, ratio: 40, cells: 1, along: 5 },
];

describe("a bar of GPBD, one or two cells thick", () => {
  it.each(bars)(
    "bends as the closed form has it: $ratio, $cells, $along $pattern, $model, $thickness m",
    async (bar) => {
      const found = await deflection("cpu", bar);
      expectWithin(`deflection of a bar, gpbd, ${bar.ratio}:1, off by`, Math.abs(found - 1), 0.05);
    },
  );

  it("does so in f32, too", async () => {
    const bar: Bar = { ...soft, ratio: 10, cells: 1, along: 5, stops: 2 };
    expectWithin("deflection of a bar, gpbd on webgpu, off by", Math.abs((await deflection("webgpu", bar)) - 1), 0.05);
  });

  it("bends far too little with linear elements", async () => {
    expect(await deflection("cpu", { ...bars[0], elements: "linear" })).toBeLessThan(0.6);
  });
});
