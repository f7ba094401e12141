import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convexHullPlanes } from "../../../src/collision/shape/convex-hull";
import { RandomGeometry } from "../random";

/** Value of the highest plane at a point. */
function highest(planes: Float64Array, p: readonly number[]): number {
  let most = -Infinity;
  for (let i = 0; i < planes.length; i += 4) {
    most = Math.max(most, planes[i] * p[0] + planes[i + 1] * p[1] + planes[i + 2] * p[2] - planes[i + 3]);
  }
  return most;
}

describe("convexHullPlanes", () => {
  it("holds every point, and each plane touches one", () => {
    const coordinate = fc.double({ min: -10, max: 10, noNaN: true });
    const point = fc.tuple(coordinate, coordinate, coordinate);
    fc.assert(
      fc.property(fc.array(point, { minLength: 8, maxLength: 60 }), (points) => {
        // Corners of a small cube keep the hull from being flat.
        for (let c = 0; c < 8; c++) points.push([c & 1, (c >> 1) & 1, c >> 2]);
        const planes = convexHullPlanes(points.flat());
        points.forEach((p) => expect(highest(planes, p)).toBeLessThan(1e-9));
        for (let i = 0; i < planes.length; i += 4) {
          const plane = planes.subarray(i, i + 4);
          expect(Math.hypot(plane[0], plane[1], plane[2])).toBeCloseTo(1, 9);
          expect(Math.max(...points.map((p) => highest(plane, p)))).toBeCloseTo(0, 9);
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("is tight: a point outside is outside some plane", () => {
    const geometry = new RandomGeometry(2);
    const points = Array.from({ length: 200 }, () => geometry.direction());
    const planes = convexHullPlanes(points.flat());
    // The hull of points on the unit sphere has no point outside it.
    for (let n = 0; n < 2000; n++) {
      const direction = geometry.direction();
      expect(
        highest(
          planes,
          direction.map((value) => 1.0001 * value),
        ),
      ).toBeGreaterThan(0);
      // Support in a direction, found by bisection along the ray from inside, is at most that of the points in it.
      const support = Math.max(...points.map((p) => p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2]));
      expect(
        highest(
          planes,
          direction.map((value) => (support + 1e-6) * value),
        ),
      ).toBeGreaterThan(0);
    }
  });

  it("merges the triangles of a face, also with points on it and noise of f32", () => {
    const geometry = new RandomGeometry(3);
    const points: number[][] = [];
    for (let c = 0; c < 8; c++) points.push([c & 1, (c >> 1) & 1, c >> 2].map((v) => 2 * v - 1));
    for (let n = 0; n < 300; n++) {
      const p = geometry.vector(1);
      p[n % 3] = n % 2 ? 1 : -1;
      points.push(p);
    }
    const noisy = points.flat().map((value) => Math.fround(1.1 * value));
    const planes = convexHullPlanes(noisy);
    const faces = 6;
    const edges = 12;
    // One bevel per edge (90° between normals) and one per corner.
    expect(planes.length / 4).toBe(faces + edges + 8);
  });

  it("keeps close to a needle: the bound outside sharp ridges is not far from the distance", () => {
    // A wedge of 6° with its edge along z at x = 1.
    const planes = convexHullPlanes([1, 0, 1, 1, 0, -1, -1, 0.1, 1, -1, 0.1, -1, -1, -0.1, 1, -1, -0.1, -1]);
    expect(highest(planes, [1.1, 0, 0])).toBeGreaterThan(0.07);
    expect(highest(planes, [1.1, 0, 0])).toBeLessThanOrEqual(0.1);
  });
});
