import { describe, expect, it } from "vitest";
import { icosphereMesh } from "../../../src/geometry/icosphere";
import { spreadToParts, subdivide } from "../../../src/geometry/triangles/subdivide";
import { weldVertices } from "../../../src/geometry/surface/weld";
import { cross, distance, norm, subtract } from "../../../src/math/vectors";
import type { Vec3 } from "../../../src/math/types";

interface Surface {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** Each triangle with its own vertices, like a mesh with only hard edges. */
function apart({ positions, indices }: Surface): Surface {
  const own = Array.from(indices, (v) => [0, 1, 2].map((c) => positions[3 * v + c])).flat();
  return { positions: own, indices: Uint32Array.from({ length: indices.length }, (_, i) => i) };
}

function scaled({ positions, indices }: Surface, ...by: [number, number, number]): Surface {
  return { positions: Float64Array.from(positions, (value, i) => by[i % 3] * value), indices };
}

const ball: Surface = icosphereMesh({ radius: 1, subdivisions: 1 });

/** Corners of triangle t. */
function corners({ positions, indices }: Surface, t: number): [Vec3, Vec3, Vec3] {
  const at = (k: number): Vec3 => [0, 1, 2].map((c) => positions[3 * indices[3 * t + k] + c]) as unknown as Vec3;
  return [at(0), at(1), at(2)];
}

function area(surface: Surface, t: number): number {
  const [a, b, c] = corners(surface, t);
  return 0.5 * norm(cross(subtract(b, a), subtract(c, a)));
}

/** Number of directed edges of a welded surface without an edge in the opposite direction. */
function openEdges({ positions, indices }: Surface): number {
  const { indices: welded } = weldVertices(positions, indices, 1e-9);
  const counts = new Map<string, number>();
  for (let i = 0; i < welded.length; i++) {
    const [a, b] = [welded[i], welded[i % 3 === 2 ? i - 2 : i + 1]];
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    counts.set(key, (counts.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  return [...counts.values()].filter((count) => count !== 0).length;
}

describe("triangles that are cut", () => {
  it.each([
    ["a ball", ball, 0.2],
    ["a ball of single triangles", apart(ball), 0.15],
    ["a flat, long one", apart(scaled(ball, 8, 0.05, 1)), 0.3],
    ["a tiny one", scaled(ball, 2e-4, 1e-4, 1e-4), 3e-5],
    ["a huge one", apart(scaled(ball, 300, 200, 100)), 45],
    ["one that is mirrored", scaled(ball, -1, 1, 1), 0.2],
  ])("stay closed, and are as large as before: %s", (_, surface, longest) => {
    const cut = subdivide(surface.positions, surface.indices, longest, 1e5)!;
    const finer = { positions: spreadToParts(cut, surface.positions, 3), indices: cut.indices };
    expect(cut.vertexCount).toBe(finer.positions.length / 3);
    expect(openEdges(surface)).toBe(0);
    expect(openEdges(finer)).toBe(0);
    for (let t = 0; t < surface.indices.length / 3; t++) {
      let sum = 0;
      let normal: Vec3 = [0, 0, 0];
      for (let part = cut.triangles[t]; part < cut.triangles[t + 1]; part++) {
        sum += area(finer, part);
        const [a, b, c] = corners(finer, part);
        for (const [p, q] of [
          [a, b],
          [b, c],
          [c, a],
        ] as const)
          expect(distance(p, q)).toBeLessThanOrEqual(longest * (1 + 1e-6));
        const own = cross(subtract(b, a), subtract(c, a));
        normal = [normal[0] + own[0] / 2, normal[1] + own[1] / 2, normal[2] + own[2] / 2];
      }
      // area vectors add up to the whole only if all parts lie in it and are wound alike
      const whole = area(surface, t);
      expect(Math.abs(sum / whole - 1)).toBeLessThan(1e-9);
      expect(Math.abs(norm(normal) / whole - 1)).toBeLessThan(1e-9);
    }
    // the old vertices stay the first
    for (let i = 0; i < surface.positions.length; i++) expect(finer.positions[i]).toBe(surface.positions[i]);
  });

  it("carry whatever is linear over them", () => {
    const { positions, indices } = apart(ball);
    const cut = subdivide(positions, indices, 0.3, 1e5)!;
    const linear = (x: ArrayLike<number>, v: number): number[] => [x[3 * v] - 2 * x[3 * v + 1], 3 * x[3 * v + 2] + 1];
    const count = positions.length / 3;
    const values = Array.from({ length: count }, (_, v) => linear(positions, v)).flat();
    const [places, spread] = [spreadToParts(cut, positions, 3), spreadToParts(cut, values, 2)];
    for (let v = 0; v < cut.vertexCount; v++)
      linear(places, v).forEach((value, c) => expect(spread[2 * v + c]).toBeCloseTo(value, 12));
  });

  it("are left alone where they are short enough, and given up where they would be too many", () => {
    const whole = subdivide(ball.positions, ball.indices, 10, 1e5)!;
    expect(whole.vertexCount).toBe(ball.positions.length / 3);
    expect(Array.from(whole.indices)).toEqual(Array.from(ball.indices));
    expect(subdivide(ball.positions, ball.indices, 1e-6, 1e4)).toBeUndefined();
  });
});
