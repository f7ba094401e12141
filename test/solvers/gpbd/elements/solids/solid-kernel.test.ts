import { beforeAll, describe, expect, it } from "vitest";
import { boxTetrahedra } from "../../../../../src/geometry/tetrahedra/tet-mesh";
import type { SolidMaterial } from "../../../../../src/materials/solid-material";
import { defineEnergy } from "../../../../../src/materials/defined-energy/define-energy";
import { withEnergy } from "../../../../../src/models/gpbd/with-energy";
import { gpbdSolid } from "../../../../../src/models/gpbd/soft-body";
import { createCpuScratch, createCpuState, createCpuTopology } from "../../../../../src/solvers/gpbd/cpu/cpu-state";
import { CpuSweep } from "../../../../../src/solvers/gpbd/cpu/cpu-sweep";
import { SolidMemory } from "../../../../../src/solvers/gpbd/elements/solids/solid-kernel";
import { solidSolve, type SolidSolve } from "../../../../../src/solvers/gpbd/elements/solids/solid-solve";
import type { GpbdModel } from "../../../../../src/solvers/gpbd/model";
import { defaultOptions } from "../../../../../src/solvers/gpbd/options";
import { RandomGeometry } from "../../../../collision/random";
import { largestDifference } from "../../../../world/cloths";
import { inWorld, frameTime } from "../../../../world/worlds";

const h = 1 / 1200;
const CELL = 0.1;
/** Two pinned corners leave an element's matrix all but singular, which enlarges rounding. */
const ROUNDING = 3e-8 * CELL;
/** Difference of f32 after a sweep, as a part of the largest displacement that it makes, and beside that. */
const SINGLE = 5e-3;
const SINGLE_ROUNDING = 1e-7 * CELL;

const solidOf = (
  material: SolidMaterial,
  cells: readonly [number, number, number] = [3, 2, 3],
  elements: "linear" | "quadratic" = "linear",
): GpbdModel => {
  const mesh = boxTetrahedra({ size: [CELL * cells[0], CELL * cells[1], CELL * cells[2]], cells });
  return gpbdSolid({ ...mesh, material, elements });
};

/** Linear tetrahedra, and a bar of quadratic ones, whose edges are half as long: cells, elements and noise. */
const meshes = [
  [[3, 2, 3], "linear", 1],
  [[5, 1, 1], "quadratic", 0.5],
] as const;

/** A body somewhere in its motion, far from the origin. */
class Subject {
  readonly state;
  readonly scratch;
  private readonly sweep;
  private readonly topology;
  /** elements that the kernel left over */
  left = 0;

  /** @param noise distance of vertices from their places, in cells */
  constructor(
    readonly model: GpbdModel,
    noise: number,
    memory?: SolidMemory,
  ) {
    const random = new RandomGeometry(91);
    this.state = createCpuState(model);
    this.scratch = createCpuScratch(model);
    this.topology = createCpuTopology(model);
    const { positions } = this.state;
    const { start, w, tracked } = this.scratch;
    for (let i = 0; i < positions.length; i++) {
      start[i] = positions[i] += 50 + noise * CELL * random.between(-1, 1);
      positions[i] += 0.02 * noise * CELL * random.between(-1, 1);
    }
    model.masses.forEach((mass, p) => (w[p] = random.between(0, 1) < 0.2 ? 0 : (h * h) / mass));
    for (const d of tracked) for (let i = 0; i < d.length; i++) d[i] = 0.01 * noise * CELL * random.between(-1, 1);
    const sweep: SolidSolve["sweep"] =
      memory &&
      ((term, values, time, options, isCold, left) =>
        memory.sweep(term, values, time, options, isCold, (own, e) => {
          this.left++;
          left(own, e);
        }));
    this.sweep = new CpuSweep(model, this.state, this.scratch, { ...solidSolve, ...(sweep && { sweep }) });
  }

  run(sweeps = 1, relaxation = 1): void {
    const options = { ...defaultOptions, relaxation };
    for (let k = 0; k < sweeps; k++) this.sweep.run(0, this.topology.terms[0].offsets, options, h, k, 0.1);
  }

  /** Largest difference of positions [m] and of dᵢ [m]. */
  apart({ state, scratch }: Subject): number {
    return Math.max(
      largestDifference(state.positions, this.state.positions),
      largestDifference(scratch.tracked[0], this.scratch.tracked[0]),
    );
  }
}

describe("a sweep by the kernel and by the reference", () => {
  let memory: SolidMemory;
  let single: SolidMemory;
  beforeAll(async () => {
    memory = (await SolidMemory.load(false))!;
    single = (await SolidMemory.load())!;
  });

  const laws = ["stable-neo-hookean", "neo-hookean"] as const;
  const cases = laws.flatMap((model) =>
    [
      { youngsModulus: 1e3, poissonRatio: 0, density: 100, most: 0.25 },
      { youngsModulus: 1e6, poissonRatio: 0.45, density: 1000, most: 0.25 },
      { youngsModulus: 1e8, poissonRatio: 0.499, density: 2000, damping: 0.01, most: 0.002 },
    ].map((material) => ({ model, ...material })),
  );

  it.each(cases)("is the same for $model, E $youngsModulus, ν $poissonRatio", ({ most, ...material }) => {
    for (const [[cells, elements, scale], part] of meshes.flatMap((of) =>
      [0, 0.2, 1].map((part) => [of, part] as const),
    )) {
      const noise = part * scale * most;
      const [exact, fast] = [undefined, memory].map(
        (own) => new Subject(solidOf(material, cells, elements), noise, own),
      );
      exact.run(3, 0.9);
      fast.run(3, 0.9);
      expect(fast.apart(exact)).toBeLessThan(ROUNDING);
      expect(fast.left).toBeLessThan(0.2 * 3 * fast.model.terms[0].elementCount);
    }
  });

  it.each(cases)("is nearly so in f32 for $model, E $youngsModulus, ν $poissonRatio", ({ most, ...material }) => {
    for (const [[cells, elements, scale], part] of meshes.flatMap((of) =>
      [0.04, 0.2, 1].map((part) => [of, part] as const),
    )) {
      const noise = part * scale * most;
      const [exact, fast] = [undefined, single].map(
        (own) => new Subject(solidOf(material, cells, elements), noise, own),
      );
      const before = exact.state.positions.slice();
      exact.run();
      fast.run();
      const moved = largestDifference(exact.state.positions, before);
      expect(fast.apart(exact)).toBeLessThan(SINGLE * moved + SINGLE_ROUNDING);
      expect(fast.left).toBeLessThan(0.2 * fast.model.terms[0].elementCount);
    }
  });

  it.each(laws)("leaves flat, inverted and wild elements of %s to the reference", (model) => {
    const material = { model, youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 };
    const [exact, fast] = [undefined, memory].map((own) => new Subject(solidOf(material), 1.2, own));
    for (const { state } of [exact, fast]) state.positions.fill(50, 0, 12);
    exact.run(2);
    fast.run(2);
    expect(fast.left).toBeGreaterThan(20);
    expect(fast.apart(exact)).toBeLessThan(10 * ROUNDING);
  });

  it("serves bodies in turns, and larger ones than before", () => {
    const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 };
    const models = [solidOf(material, [1, 1, 1]), solidOf(material, [7, 6, 5]), solidOf(material)];
    const pairs = models.map((model) => [undefined, memory].map((own) => new Subject(model, 0.1, own)));
    for (let turn = 0; turn < 3; turn++) for (const pair of pairs) for (const subject of pair) subject.run();
    for (const [exact, fast] of pairs) expect(fast.apart(exact)).toBeLessThan(ROUNDING);
  });

  it("is the same for an energy of the user's own", () => {
    const ogden = defineEnergy({
      strain: "principal-stretches",
      energy: "m/a*(lambda1^a + lambda2^a + lambda3^a - 3) - m*log(J) + k/2*(J - 1)^2",
      parameters: { m: 4e4, a: 3, k: 1e5 },
    });
    const model = withEnergy(solidOf({ youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 }), ogden, 0.01);
    const [exact, fast] = [undefined, memory].map((own) => new Subject(model, 0.1, own));
    exact.run(2);
    fast.run(2);
    expect(fast.apart(exact)).toBeLessThan(ROUNDING);
    expect(fast.left).toBeLessThan(0.2 * 2 * model.terms[0].elementCount);
  });

  const others = (["stvk", "mooney-rivlin", "corotational", "arap"] as const).flatMap((model) => [
    { model, youngsModulus: 1e4, poissonRatio: 0.3, density: 1000 },
    { model, youngsModulus: 1e6, poissonRatio: 0.45, density: 1000, damping: 0.01 },
  ]);

  it.each(others)("is the same for $model, E $youngsModulus, ν $poissonRatio, damping $damping", (material) => {
    for (const [cells, elements, scale] of meshes) {
      const noise = 0.1 * scale;
      const [exact, fast] = [undefined, memory].map(
        (own) => new Subject(solidOf(material, cells, elements), noise, own),
      );
      exact.run(2, 0.9);
      fast.run(2, 0.9);
      expect(fast.apart(exact)).toBeLessThan(ROUNDING);
      expect(fast.left).toBeLessThan(0.2 * 2 * fast.model.terms[0].elementCount);
    }
  });
});

it("throws nearly the same jelly with backends cpu and reference", async () => {
  const played = await Promise.all(
    (["cpu", "reference"] as const).map((backend) =>
      inWorld(backend, {}, async (world) => {
        world.addCollider({ type: "box", halfExtents: [2, 1, 2] }, { position: [0, -1, 0] });
        const body = world.addBody(solidOf({ youngsModulus: 3e4, poissonRatio: 0.45, density: 1000 }));
        const positions = body.model.positions.map((x, i) => x + (i % 3 === 1 ? 0.2 : 0));
        body.writeState({ positions, velocities: positions.map((_, i) => [2, -5, 1][i % 3]) });
        for (let frame = 0; frame < 30; frame++) world.step(frameTime);
        return (await body.readState()).positions;
      }),
    ),
  );
  expect(largestDifference(played[0], played[1])).toBeLessThan(1e-3 * CELL);
});
