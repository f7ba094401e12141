import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../src/index";
import type { SolidLaw } from "../../src/materials/solid-material";
import type { SolidElements } from "../../src/models/solid-elements";
import { expectWithin } from "../figures";
import { createWorld, frameTime, type BackendName } from "./worlds";

const DENSITY = 1000;

/** A bar of square section that is clamped at one end and bends by a fiftieth of its length, as Euler and Bernoulli have it, and by its shear. */
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
  readonly model?: SolidLaw;
  readonly elements?: SolidElements;
  readonly warmStart?: number;
  /** how often it is stopped; more than once finds its place of rest more exactly, and takes as much longer; default 1 */
  readonly stops?: number;
}

/** Deflection of the end over that of the closed form, with the substeps that the body takes by itself. */
async function deflection(backend: BackendName, bar: Bar): Promise<number> {
  const { ratio, cells, along, thickness, youngsModulus, poissonRatio, pattern, model, elements, stops = 1 } = bar;
  const length = ratio * thickness;
  const bent = 0.02 * length;
  // q L² / (2 k G A), with the k of Cowper
  const sheared = (bent * (12 + 11 * poissonRatio)) / (15 * ratio ** 2);
  const expected = bent + sheared;
  // ρ g L⁴ / (8 E I / A) with I / A = t² / 12
  const gravity = (bent * youngsModulus * thickness ** 2) / (1.5 * DENSITY * length ** 4);
  const world = await createWorld(backend, { gravity: [0, -gravity, 0] });
  const size = [length, thickness, thickness] as const;
  const mesh = boxTetrahedra({ size, cells: [along, cells, cells], center: [length / 2, 0, 0], pattern });
  const material = { youngsModulus, poissonRatio, density: DENSITY, model };
  const solid = solidModel({ ...mesh, elements, material });
  const x = solid.positions;
  const pins = [...solid.masses.keys()].filter((p) => x[3 * p] < 1e-9 * length);
  const body = world.addBody(solid, { pins, warmStart: bar.warmStart, airDensity: 0 });
  // It begins in the shape that Euler and Bernoulli give it, sections at right angles to it.
  const places = x.slice();
  for (let p = 0; p < solid.particleCount; p++) {
    const at = x[3 * p] / length;
    places[3 * p] += (x[3 * p + 1] * bent * at * (12 - 12 * at + 4 * at * at)) / (3 * length);
    places[3 * p + 1] -= (bent * at * at * (6 - 4 * at + at * at)) / 3;
  }
  body.writeState({ positions: places, velocities: new Float64Array(x.length) });
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
} as const;
const warm = { ...soft, warmStart: 0.99, elements: "auto" } as const;
const bars: readonly Bar[] = [
  { ...warm, ratio: 10, cells: 1, along: 10, model: "neo-hookean" },
  { ...warm, ratio: 10, cells: 1, along: 6, model: "corotational", pattern: "alternating" },
  {
    ...warm,
    ratio: 12,
    cells: 1,
    along: 8,
    poissonRatio: 0.3,
    pattern: "mirrored",
    model: "stvk",
    thickness: 0.01,
    youngsModulus: 1e4,
  },
];

/** Most tetrahedra that are quadratic by default. */
const MOST = 240;
const patterns = ["parallel", "mirrored", "alternating"] as const;
const usual: readonly Bar[] = [10, 20, 40].flatMap((ratio) =>
  [1, 2].flatMap((cells) =>
    [0, 0.3, 0.4, 0.45].map((poissonRatio, k) => {
      const along = Math.min(ratio * cells, MOST / (6 * cells * cells));
      return { ...soft, ratio, cells, along, poissonRatio, pattern: patterns[(ratio / 10 + cells + k) % 3] };
    }),
  ),
);

/**
 * A clamp keeps its section from getting thicker and thinner, of which the closed form does not know: a fine bar ten times as long as thick
 * bends 3 % less by that at ν 0.4, 4 % at 0.45. If the cell at the clamp is a tenth of the bar it is up to 6 and 10 %, with any solver.
 */
const boundOf = ({ along, poissonRatio }: Bar): number => (poissonRatio > 0.3 && along === 10 ? 0.1 : 0.05);

describe("a bar of GPBD, one or two cells thick", () => {
  it.each(usual)(
    "bends as the closed form has it by default: $ratio, $cells, $along $pattern, ν $poissonRatio",
    async (bar) => {
      const found = await deflection("cpu", bar);
      expectWithin(`deflection of a default bar, gpbd, ${bar.ratio}:1, off by`, Math.abs(found - 1), boundOf(bar));
    },
  );

  it.each(bars)(
    "bends as the closed form has it: $ratio, $cells, $along $pattern, $model, $thickness m",
    async (bar) => {
      const found = await deflection("cpu", bar);
      expectWithin(`deflection of a bar, gpbd, ${bar.ratio}:1, off by`, Math.abs(found - 1), 0.05);
    },
  );

  it("does so in f32, too", async () => {
    const bar: Bar = { ...soft, ratio: 10, cells: 1, along: 5 };
    expectWithin("deflection of a bar, gpbd on webgpu, off by", Math.abs((await deflection("webgpu", bar)) - 1), 0.05);
  });

  it("bends far too little with linear elements", async () => {
    expect(await deflection("cpu", { ...bars[0], elements: "linear" })).toBeLessThan(0.6);
  });
});
