import { describe, expect, it } from "vitest";
import { buildTriangleTree, closestTriangle } from "../../../src/geometry/triangles/bvh";
import { closestPointOnTriangle } from "../../../src/geometry/triangles/triangle";
import { buildWindingTree, windingNumber } from "../../../src/geometry/triangles/winding-number";
import { RandomGeometry } from "../../collision/random";
import { ballMesh } from "../../collision/samples";

const out = new Float64Array(6);

describe("closestPointOnTriangle", () => {
  const geometry = new RandomGeometry(1);
  const shapes = Array.from({ length: 60 }, (_, n) => {
    const corners = Array.from({ length: 3 }, () => geometry.vector(1));
    // Some slivers and some without area.
    if (n % 5 === 1) corners[2] = corners[0].map((v, i) => 0.3 * v + 0.7 * corners[1][i] + 1e-9) as (typeof corners)[0];
    if (n % 5 === 2) corners[2] = corners[1];
    return Float64Array.from(corners.flat());
  });

  it("is on the triangle, and no other point of it is closer", () => {
    for (const triangle of shapes) {
      for (let n = 0; n < 30; n++) {
        const p = geometry.vector(2);
        const squared = closestPointOnTriangle(triangle, 0, p[0], p[1], p[2], out);
        const [x, y, z, a, b, c] = out;
        expect(a + b + c).toBeCloseTo(1, 9);
        expect(Math.min(a, b, c)).toBeGreaterThanOrEqual(-1e-9);
        [x, y, z].forEach((value, i) => {
          expect(value).toBeCloseTo(a * triangle[i] + b * triangle[3 + i] + c * triangle[6 + i], 9);
        });
        expect(squared).toBeCloseTo(
          p.reduce((sum, value, i) => sum + (value - out[i]) ** 2, 0),
          12,
        );
        for (let m = 0; m < 30; m++) {
          let [u, v] = [geometry.between(0, 1), geometry.between(0, 1)];
          if (m < 3)
            [u, v] = [
              [0, 0],
              [1, 0],
              [0, 1],
            ][m];
          if (u + v > 1) [u, v] = [1 - u, 1 - v];
          const q = [0, 1, 2].map((i) => (1 - u - v) * triangle[i] + u * triangle[3 + i] + v * triangle[6 + i]);
          expect(p.reduce((sum, value, i) => sum + (value - q[i]) ** 2, 0)).toBeGreaterThanOrEqual(squared - 1e-9);
        }
      }
    }
  });
});

describe("closestTriangle", () => {
  it("finds what a search of all triangles finds, with any hint and bound", () => {
    const geometry = new RandomGeometry(2);
    const corners = Float64Array.from({ length: 9 * 300 }, () => geometry.between(-1, 1));
    const tree = buildTriangleTree(corners);
    for (let n = 0; n < 200; n++) {
      const p = geometry.vector(1.5);
      let least = Infinity;
      for (let t = 0; t < 300; t++)
        least = Math.min(least, closestPointOnTriangle(corners, 9 * t, p[0], p[1], p[2], out));
      for (const [within, hint] of [
        [Infinity, -1],
        [least, -1],
        [Infinity, n],
        [least, n],
      ]) {
        const found = closestTriangle(tree, p[0], p[1], p[2], within, hint, out);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(p.reduce((sum, value, i) => sum + (value - out[i]) ** 2, 0)).toBeCloseTo(least, 14);
        const triangle = tree.corners.subarray(9 * found, 9 * found + 9);
        expect(triangle).toEqual(corners.subarray(9 * tree.source[found], 9 * tree.source[found] + 9));
      }
      expect(closestTriangle(tree, p[0], p[1], p[2], 0.9 * least, -1, out)).toBe(-1);
    }
  });

  it("takes many triangles at one place", () => {
    const corners = Float64Array.from({ length: 9 * 1000 }, (_, i) => [0, 0, 0, 1, 0, 0, 0, 1, 0][i % 9]);
    const tree = buildTriangleTree(corners);
    expect(closestTriangle(tree, 0.2, 0.2, 3, Infinity, -1, out)).toBeGreaterThanOrEqual(0);
    expect(out[2]).toBe(0);
  });
});

describe("windingNumber", () => {
  const { positions, indices } = ballMesh(1, 4);
  const corners = Float64Array.from(indices.flatMap((v) => positions.slice(3 * v, 3 * v + 3)));
  const tree = buildTriangleTree(corners);
  const dipoles = buildWindingTree(tree);

  it("is 1 inside and 0 outside a closed surface", () => {
    const geometry = new RandomGeometry(3);
    for (let n = 0; n < 500; n++) {
      const p = geometry.vector(2);
      const radius = Math.hypot(...p);
      if (Math.abs(radius - 1) < 0.02) continue;
      expect(windingNumber(tree, dipoles, p[0], p[1], p[2])).toBeCloseTo(radius < 1 ? 1 : 0, 1);
    }
  });

  it("agrees with the sum of solid angles within two per cent", () => {
    const geometry = new RandomGeometry(4);
    // Half of the ball: a surface with a boundary, for which the value is no whole number.
    const half = Float64Array.from(
      Array.from({ length: corners.length / 9 }, (_, t) => corners.subarray(9 * t, 9 * t + 9))
        .filter((t) => t[1] + t[4] + t[7] > 0)
        .flatMap((t) => Array.from(t)),
    );
    const halfTree = buildTriangleTree(half);
    const halfDipoles = buildWindingTree(halfTree);
    // Infinite radii: nothing is far.
    const exact = halfDipoles.map((value, i) => (i % 7 === 6 ? Infinity : value));
    for (let n = 0; n < 300; n++) {
      const p = geometry.vector(1.5);
      const sum = windingNumber(halfTree, exact, p[0], p[1], p[2]);
      expect(Math.abs(windingNumber(halfTree, halfDipoles, p[0], p[1], p[2]) - sum)).toBeLessThan(0.02);
    }
  });
});
