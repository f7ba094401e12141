import { describe, expect, it } from "vitest";
import type { SurfaceBounds } from "../../../../src/collision/surface/surface-bounds";
import type { SurfaceContact } from "../../../../src/collision/surface/surface-contact";
import { DisjointSets } from "../../../../src/math/disjoint-sets";
import { HeldBack } from "../../../../src/solvers/gpbd/surfaces/held-back";
import type { CpuGroupedSolver } from "../../../../src/solvers/gpbd/surfaces/surface-group";

const H = 1 / 1200;

interface Particle {
  readonly mass: number;
  /** before the substep, and as everything but the limits has it at its end [m/s] */
  readonly before: number;
  readonly after: number;
}

/** Bodies of particles that move along y. The first `count` of the second body are held back by the first particle of the first one. */
function heldBack(bodies: readonly (readonly Particle[])[], count: number) {
  const all = bodies.flat();
  const n = all.length;
  const partStart = [0, bodies[0].length, n];
  const first = bodies[0].length;
  const lists = (values: (p: Particle) => number) =>
    Float64Array.from({ length: 3 * n }, (_, i) => (i % 3 === 1 ? values(all[Math.floor(i / 3)]) : 0));
  const start = new Float64Array(3 * n);
  const way = lists(({ after }) => H * after);
  const x = way.slice();
  const holder = new Int32Array(n).fill(-1);
  const pairs: number[] = [];
  for (let v = first; v < first + count; v++) {
    x[3 * v + 1] = 0;
    holder[v] = pairs.length / 4;
    // an edge of the first body against one of the second
    pairs.push(0, 1, v, n - 1);
  }
  const velocities = lists(({ before }) => before);
  const solvers = bodies.map((_, k) => ({
    state: { velocities: velocities.slice(3 * partStart[k], 3 * partStart[k + 1]) },
  }));
  const mesh = {
    particleCount: n,
    vertices: Uint32Array.from(all, (_, p) => p),
    partOf: Uint32Array.from(all, (_, p) => (p < first ? 0 : 1)),
    partStart,
  };
  const held = new HeldBack(
    solvers as unknown as CpuGroupedSolver[],
    { mesh, pairs: { vertices: Uint32Array.from(pairs) } } as unknown as SurfaceContact,
    { holder } as unknown as SurfaceBounds,
  );
  const w = Float64Array.from(all, ({ mass }) => H ** 2 / mass);
  held.share({ way, x, start, w }, H, new DisjointSets(2));
  const speeds = all.map((_, p) => (x[3 * p + 1] - start[3 * p + 1] - held.kept[3 * p + 1]) / H);
  const momentum = (values: (p: number) => number) => all.reduce((sum, { mass }, p) => sum + mass * values(p), 0);
  return { speeds, momentum: momentum((p) => speeds[p]), had: momentum((p) => all[p].after) };
}

describe("momentum of particles that surfaces hold back", () => {
  for (const ratio of [1, 100, 1e4])
    for (const count of [1, 3, 12])
      it(`is that of blows without bounce: ${count} of ${ratio} times the mass`, () => {
        const light = Array.from({ length: 4 }, () => ({ mass: 0.001, before: 0, after: 0 }));
        const heavy = Array.from({ length: 20 }, () => ({ mass: 0.001 * ratio, before: -5, after: -5 }));
        const { speeds, momentum, had } = heldBack([light, heavy], count);
        expect(momentum / had).toBeCloseTo(1, 12);
        // With all of its mass in each blow the light one got the sum of their speeds. One of twenty has what the others share.
        for (const speed of speeds) expect(Math.abs(speed)).toBeLessThan(5 * (1 + 1 / 20));
        expect(speeds[0]).toBeLessThan(-0.1);
      });

  it("does not grow where elements pull at what cannot follow", () => {
    const still = Array.from({ length: 40 }, () => ({ mass: 0.001, before: 0, after: 0 }));
    // Elements pull one of them at 20 m/s a substep, and the others the other way.
    const pulled = Array.from({ length: 20 }, (_, p) => ({ mass: 0.001, before: 0, after: p === 0 ? -20 : 20 / 19 }));
    const { speeds, momentum } = heldBack([still, pulled], 1);
    expect(Math.abs(momentum)).toBeLessThan(1e-12);
    for (const speed of speeds) expect(Math.abs(speed)).toBeLessThan(2);
  });
});
