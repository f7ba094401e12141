import { describe, expect, it } from "vitest";
import { convexHullPlanes } from "../../../src/collision/shape/convex-hull";
import { quickhull } from "../../../src/collision/hull/quickhull";
import type { Convex } from "../../../src/collision/narrow/shapes/convex";
import { hullOf } from "../../../src/collision/narrow/shapes/hull-faces";
import { massProperties } from "../../../src/collision/shape/mass-properties";
import { PliantError } from "../../../src/errors";
import { expectRefused } from "../../refusal";
import { RandomGeometry } from "../random";
import { KINDS, pointSet } from "./point-sets";

/** PLIANT_HULLS=1000 tries that many of each kind. */
const runs = Number(process.env["PLIANT_HULLS"] ?? 25);

function sizeOf(points: ArrayLike<number>): number {
  const extents = [0, 1, 2].map((k) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < points.length; i += 3) [low, high] = [Math.min(low, points[i]), Math.max(high, points[i])];
    return high - low;
  });
  return Math.hypot(...extents);
}

/** Directed edges of loops; throws if one is passed twice. */
function sidesOf(loops: readonly (readonly number[])[]): Set<string> {
  const sides = new Set<string>();
  for (const loop of loops)
    loop.forEach((corner, k) => {
      const side = `${corner},${loop[(k + 1) % loop.length]}`;
      if (sides.has(side)) throw new Error(`side ${side} twice`);
      sides.add(side);
    });
  return sides;
}

function expectClosed(loops: readonly (readonly number[])[], label: string): void {
  const sides = sidesOf(loops);
  const open = [...sides].filter((side) => !sides.has(side.split(",").reverse().join(",")));
  expect(open, label).toEqual([]);
  const corners = new Set(loops.flat());
  expect(corners.size - sides.size / 2 + loops.length, label).toBe(2);
}

const loopsOf = ({ faceStart, faceVertices, faceCount }: Convex): number[][] =>
  Array.from({ length: faceCount }, (_, f) => [...faceVertices.subarray(faceStart[f], faceStart[f + 1])]);

/** Largest distance of `points` above one of the planes. */
function furthestOut(
  points: ArrayLike<number>,
  planes: readonly { normal: readonly number[]; through: readonly number[] }[],
): number {
  let most = -Infinity;
  for (const { normal: n, through: o } of planes)
    for (let i = 0; i < points.length; i += 3)
      most = Math.max(most, n[0] * (points[i] - o[0]) + n[1] * (points[i + 1] - o[1]) + n[2] * (points[i + 2] - o[2]));
  return most;
}

const at = (points: ArrayLike<number>, i: number): number[] => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];

describe.each(Object.keys(KINDS))("hulls of points of the kind: %s", (kind) => {
  it("are closed, with all points inside, as triangles and as faces", () => {
    let flat = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const label = `${kind}, seed ${seed}`;
      const given = pointSet(kind, seed);
      const size = sizeOf(given);
      const { points, facets } = quickhull(given, "hull");
      if (points !== given) flat++;
      expectClosed(
        facets.map(({ corners }) => corners),
        label,
      );
      const corners = new Set(facets.flatMap((facet) => facet.corners));
      expect(facets.length, label).toBe(2 * corners.size - 4);
      expect(facets.length, label).toBeLessThanOrEqual(2 * (points.length / 3) - 4);
      const planes = facets.map(({ normal, corners: [a] }) => ({ normal, through: at(points, a) }));
      expect(furthestOut(points, planes), label).toBeLessThan(1e-6 * size);
      facets.forEach((facet, f) => {
        expect(facet.area, label).toBeGreaterThan(0);
        expect(Math.hypot(...facet.normal), label).toBeCloseTo(1, 12);
        for (const across of facet.neighbours) expect(facets[across].neighbours, label).toContain(f);
      });

      const convex = hullOf(given);
      expectClosed(loopsOf(convex), label);
      expect(convex.edgeCount, label).toBe(convex.vertexCount + convex.faceCount - 2);
      const faces = Array.from(convex.faceOffsets, (offset, f) => {
        const normal = [...convex.faceNormals.subarray(3 * f, 3 * f + 3)];
        return { normal, through: normal.map((x) => offset * x) };
      });
      expect(furthestOut(points, faces), label).toBeLessThan(1e-6 * size);
      const { volume } = massProperties({ type: "convex-hull", positions: given }, 1);
      expect(volume, label).toBeGreaterThan(0);
    }
    // Half of some kinds are so thin that they count as flat.
    expect(flat).toBeLessThanOrEqual(runs / 2);
  });
});

describe("hulls", () => {
  it("are what the points say: corners, faces and volume of a box of any proportions, with thousands of points on it", () => {
    const random = new RandomGeometry(5);
    for (const half of [
      [1, 1, 1],
      [1, 1, 1e-4],
      [1, 1e-4, 1e-4],
    ]) {
      const points: number[] = [];
      for (let c = 0; c < 8; c++) points.push(...half.map((h, k) => ((c >> k) & 1 ? h : -h)));
      for (let n = 0; n < 3000; n++) {
        const p = random.vector(1);
        points.push(...half.map((h, k) => Math.fround(h * (k === n % 3 ? (n & 1 ? 1 : -1) : p[k]))));
      }
      const convex = hullOf(points);
      expect([convex.vertexCount, convex.faceCount]).toEqual([8, 6]);
      const { volume } = massProperties({ type: "convex-hull", positions: points }, 1);
      expect(volume / (8 * half[0] * half[1] * half[2])).toBeCloseTo(1, 3);
    }
  });

  it("of ten thousand points take about as many facets as there are corners", () => {
    const random = new RandomGeometry(6);
    const points = Array.from({ length: 10000 }, () => random.direction()).flat();
    const { facets } = quickhull(points, "ball");
    const corners = new Set(facets.flatMap((facet) => facet.corners)).size;
    expect(facets.length).toBe(2 * corners - 4);
    expect(corners).toBeGreaterThan(9900);
    expectClosed(
      facets.map((facet) => facet.corners),
      "ball",
    );
  });

  it("of flat points are thin, whichever way they lie", () => {
    const random = new RandomGeometry(7);
    for (let n = 0; n < 20; n++) {
      const [u, v, o] = [random.direction(), random.direction(), random.vector(5)];
      const points = Array.from({ length: 30 }, () => {
        const [s, t] = [random.between(-1, 1), random.between(-1, 1)];
        return o.map((value, i) => value + s * u[i] + t * v[i]);
      }).flat();
      const convex = hullOf(points);
      expectClosed(loopsOf(convex), `flat ${n}`);
      // Its thickness is 2e-4 of its size.
      const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const scale = 1 / Math.hypot(...normal);
      const along = Array.from({ length: convex.vertexCount }, (_, i) =>
        at(convex.vertices, i).reduce((sum, x, k) => sum + scale * normal[k] * (x - o[k]), 0),
      );
      expect(Math.max(...along) - Math.min(...along)).toBeCloseTo(2e-4 * sizeOf(points), 5);
    }
  });

  it("of a line or of one point are refused, and it is said which it is", () => {
    const line = Array.from({ length: 9 }, (_, i) => [i, 2 * i, -3 * i + 1e-7]).flat();
    const point = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3];
    for (const make of [(p: number[]) => hullOf(p, "crate"), (p: number[]) => convexHullPlanes(p, "crate")]) {
      expectRefused(() => make(line), "degenerate-geometry", /crate.*one line/);
      expectRefused(() => make(point), "degenerate-geometry", /crate.*one point/);
    }
    expect(() => hullOf(line)).toThrow(PliantError);
  });

  it("have no more corners than is asked for, those that stick out most", () => {
    const random = new RandomGeometry(8);
    const points = Array.from({ length: 2000 }, () => random.direction()).flat();
    let before = 0;
    for (const maxVertices of [4, 8, 64, 256]) {
      const convex = hullOf(points, "ball", maxVertices);
      expect(convex.vertexCount).toBeLessThanOrEqual(maxVertices);
      expect(convex.vertexCount).toBeGreaterThan(0.9 * maxVertices);
      expectClosed(loopsOf(convex), `${maxVertices}`);
      const { volume } = massProperties({ type: "convex-hull", positions: points, maxVertices }, 1);
      expect(volume).toBeGreaterThan(before);
      before = volume;
    }
    expect(before / ((4 / 3) * Math.PI)).toBeGreaterThan(0.95);
    const planes = convexHullPlanes(points, "ball", 64);
    expect(planes.length / 4).toBeLessThan(2 * 64);
    const wrong = { type: "convex-hull", positions: points, maxVertices: 3 } as const;
    expectRefused(() => massProperties(wrong, 1), "invalid-argument", /maxVertices/);
  });
});
