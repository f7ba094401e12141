import { describe, expect, it } from "vitest";
import { gpbdRod, type RodModel } from "../../src/models/gpbd/rod";
import type { BodyState } from "../../src/solvers/deformable";
import { CpuRodStretch, stretchTerm } from "../../src/solvers/gpbd/rods/rod-stretch";
import { expectWithin } from "../figures";
import { inWorld, run, type BackendName } from "./worlds";

const GRAVITY = 9.81;

/** The rope of a single line of code: only place and thickness are given. */
function rope(length: number, edges: number, direction: readonly number[], closed = false): RodModel {
  const positions = Array.from({ length: edges + 1 }, (_, i) => direction.map((d) => (d * i * length) / edges)).flat();
  const ring = Array.from({ length: edges }, (_, i) => {
    const [angle, radius] = [(2 * Math.PI * i) / edges, length / (2 * Math.PI)];
    return [radius * Math.sin(angle), -radius * Math.cos(angle) + radius, 0];
  }).flat();
  return gpbdRod({ positions: closed ? ring : positions, radius: 0.01, density: 1000, damping: 1e-3, closed });
}

/** Lengths of the edges relative to rest. */
function stretches({ positions, rods }: RodModel, x: ArrayLike<number>): number[] {
  const lengthOf = (of: ArrayLike<number>, e: number): number => {
    const [a, b] = [3 * rods.edges[2 * e], 3 * rods.edges[2 * e + 1]];
    return Math.hypot(of[b] - of[a], of[b + 1] - of[a + 1], of[b + 2] - of[a + 2]);
  };
  return Array.from({ length: rods.edges.length / 2 }, (_, e) => lengthOf(x, e) / lengthOf(positions, e));
}

/** A rope with `load` times its own mass at its end. */
function loaded(model: RodModel, load: number): RodModel {
  const masses = model.masses.slice();
  masses[masses.length - 1] += load * masses.reduce((sum, m) => sum + m, 0);
  return { ...model, masses };
}

describe.each(["cpu", "webgpu"] as BackendName[])("a rope as it comes: %s", (backend) => {
  it("stays as long as it is where edges turn far in a substep", async () => {
    const model = rope(1, 30, [1, 0, 0]);
    const edge = 1 / 30;
    const velocities = model.positions.map((_, i) => (i % 3 === 1 ? (Math.floor(i / 3) % 3) - 1 : 0) * edge * 60);
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { substeps: 1, airDensity: 0 });
      body.writeState({ positions: model.positions, velocities });
      run(world, 1);
      const worst = stretches(model, await body.readPositions()).reduce(
        (most, s) => Math.max(most, Math.abs(s - 1)),
        0,
      );
      expectWithin("largest strain", worst, 0.01);
    });
  });

  it.each([
    { length: 0.2, edges: 10, load: 1 },
    { length: 2, edges: 100, load: 1 },
    { length: 20, edges: 200, load: 2 },
  ])("bears its own weight and a load: %o", async ({ length, edges, load }) => {
    const model = loaded(rope(length, edges, [0, -1, 0]), load);
    const positions = await inWorld(backend, { gravity: [0, -GRAVITY, 0] }, async (world) => {
      const body = world.addBody(model, { pins: [0] });
      run(world, 30);
      return body.readPositions();
    });
    const all = stretches(model, positions);
    expectWithin("stretch of an edge", Math.max(...all) - 1, 0.005);
    expectWithin("stretch of all", all.reduce((sum, s) => sum + s, 0) / edges - 1, 0.002);
  });

  it("bears a hundred times its mass, by the stretch of its fibres", async () => {
    const model = loaded(rope(2, 50, [0, -1, 0]), 100);
    const positions = await inWorld(backend, { gravity: [0, -GRAVITY, 0] }, async (world) => {
      const body = world.addBody(model, { pins: [0], damping: 20 });
      run(world, 60);
      return body.readPositions();
    });
    // ρ g L (½ + load) / E
    const expected = (1000 * GRAVITY * 2 * 100.5) / 1e9;
    const mean = stretches(model, positions).reduce((sum, s) => sum + s, 0) / 50 - 1;
    expectWithin("stretch over that of elasticity", Math.abs(mean / expected - 1), 0.05);
  });

  it("hangs as a ring, too", async () => {
    const model = rope(2, 60, [], true);
    const positions = await inWorld(backend, { gravity: [0, GRAVITY, 0] }, async (world) => {
      const body = world.addBody(model, { pins: [0] });
      run(world, 30);
      return body.readPositions();
    });
    expectWithin("stretch of an edge", Math.max(...stretches(model, positions)) - 1, 0.005);
  });
});

describe("a rope that is let go", () => {
  it.each([
    { length: 0.2, edges: 10, load: 0 },
    { length: 2, edges: 60, load: 1 },
    { length: 20, edges: 10, load: 0 },
    { length: 20, edges: 200, load: 5 },
  ])("never has more energy than at first, nor gets longer: %o", async ({ length, edges, load }) => {
    const model = loaded(rope(length, edges, [1, 0, 0]), load);
    const mass = model.masses.reduce((sum, m) => sum + m, 0);
    const energy = ({ positions: x, velocities: v }: BodyState): number =>
      model.masses.reduce(
        (sum, m, p) =>
          sum + m * (GRAVITY * x[3 * p + 1] + 0.5 * (v[3 * p] ** 2 + v[3 * p + 1] ** 2 + v[3 * p + 2] ** 2)),
        0,
      );
    await inWorld("cpu", { gravity: [0, -GRAVITY, 0] }, async (world) => {
      const body = world.addBody(model, { pins: [0], airDensity: 0 });
      for (let k = 0; k < 12; k++) {
        run(world, 5);
        const state = await body.readState();
        expectWithin("energy, of that of a fall", energy(state) / (mass * GRAVITY * length), 1e-3);
        expectWithin("stretch of an edge", Math.max(...stretches(model, state.positions)) - 1, 0.02);
      }
    });
  });
});

describe("the stretch of a chain that is solved at once", () => {
  const zigzag = (count: number, closed: boolean): RodModel => {
    const positions = Array.from({ length: count }, (_, i) => [
      Math.cos((5.5 * i) / count) + 0.05 * Math.sin(7 * i),
      Math.sin((5.5 * i) / count),
      0.1 * Math.cos(3 * i),
    ]).flat();
    return gpbdRod({ positions, radius: 0.01, density: 1000, closed, stretchStiffness: 3e3 });
  };

  it.each([
    { count: 2, closed: false, held: [] },
    { count: 30, closed: false, held: [0] },
    { count: 30, closed: false, held: [4, 5, 17] },
    { count: 3, closed: true, held: [] },
    { count: 30, closed: true, held: [] },
    { count: 30, closed: true, held: [0, 11] },
  ])("is that of the whole matrix: %o", ({ count, closed, held }) => {
    const model = zigzag(count, closed);
    const term = model.terms[stretchTerm(model)!];
    const x = model.positions.map((value, i) => value + 0.03 * Math.sin(11 * i));
    const w = Float64Array.from({ length: count }, (_, p) => (held.includes(p) ? 0 : 1e-5 * (1 + (p % 3))));
    // S, c and α of all edges
    const rows = Array.from({ length: term.elementCount }, (_, e) => {
      const [a, b] = [term.indices[2 * e], term.indices[2 * e + 1]];
      const d = [0, 1, 2].map((c) => x[3 * b + c] - x[3 * a + c]);
      const length = Math.hypot(...d);
      return { a, b, n: d.map((value) => value / length), gap: term.rest[2 * e] - length, alpha: term.rest[2 * e + 1] };
    });
    const row = new Float64Array(3 * count);
    const matrix = rows.map(({ a, b, n, alpha, gap }, i) => {
      row.fill(0);
      n.forEach((value, c) => {
        row[3 * a + c] -= w[a] * value;
        row[3 * b + c] += w[b] * value;
      });
      const own = rows.map((other) =>
        other.n.reduce((sum, value, c) => sum + value * (row[3 * other.b + c] - row[3 * other.a + c]), 0),
      );
      if (w[a] + w[b] === 0) own[i] = 1;
      else own[i] += alpha;
      return [...own, w[a] + w[b] === 0 ? 0 : gap];
    });
    const lambda = eliminate(matrix);
    const expected = x.slice();
    rows.forEach(({ a, b, n }, e) =>
      n.forEach((value, c) => {
        expected[3 * a + c] -= w[a] * value * lambda[e];
        expected[3 * b + c] += w[b] * value * lambda[e];
      }),
    );
    const tracked = new Float64Array(6 * term.elementCount);
    const before = x.slice();
    new CpuRodStretch(model.rods, term).sweep(term, x, w, tracked, true);
    x.forEach((value, i) => expect(value).toBeCloseTo(expected[i], 12));
    // x = x̃ + Σ dᵢ
    term.indices.forEach((p, corner) => {
      for (let c = 0; c < 3; c++) before[3 * p + c] += tracked[3 * corner + c];
    });
    x.forEach((value, i) => expect(value).toBeCloseTo(before[i], 12));
  });

  it.each([
    { edges: 1200, closed: false },
    { edges: 40, closed: true },
    { edges: 700, closed: true },
  ])("is the same on both backends: %o", async ({ edges, closed }) => {
    const model = rope(0.02 * edges, edges, [1, 0, 0], closed);
    const [cpu, gpu] = await Promise.all(
      (["cpu", "webgpu"] as const).map((backend) =>
        inWorld(backend, { gravity: [0, -GRAVITY, 0] }, async (world) => {
          const body = world.addBody(model, { pins: [0, 7], substeps: 8, iterations: 2, airDensity: 0 });
          run(world, 4);
          return body.readPositions();
        }),
      ),
    );
    const worst = gpu.reduce((most, value, i) => Math.max(most, Math.abs(value - cpu[i])), 0);
    expectWithin("distance of the backends over the length of the rope", worst / (0.02 * edges), 1e-4);
  });
});

/** Gauss's elimination of rows with the right-hand side at their end. */
function eliminate(matrix: number[][]): number[] {
  const n = matrix.length;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const factor = matrix[j][i] / matrix[i][i];
      for (let k = i; k <= n; k++) matrix[j][k] -= factor * matrix[i][k];
    }
  return matrix.map((row, i) => row[n] / row[i]);
}
