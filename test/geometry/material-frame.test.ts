import { describe, expect, it } from "vitest";
import { restTriangle, warpDirection } from "../../src/geometry/material-frame";
import type { Vec3 } from "../../src/math/types";
import { greenTriangle } from "../../src/solvers/gpbd/strains/green-triangle";
import { RandomGeometry } from "../collision/random";

type Corners = [Vec3, Vec3, Vec3];
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function triangles(seed: number, count: number): Corners[] {
  const random = new RandomGeometry(seed);
  return Array.from({ length: count }, () => [random.vector(1), random.vector(1), random.vector(1)] as Corners);
}

describe("warp direction", () => {
  it("is where u grows: texture coordinates rotated in the plane turn it", () => {
    const random = new RandomGeometry(31);
    for (const x of triangles(30, 200)) {
      // an orthonormal frame of the triangle's plane, turned by an angle, as texture coordinates
      const e1 = sub(x[1], x[0]);
      const length = Math.sqrt(dot(e1, e1));
      const s = e1.map((value) => value / length) as unknown as Vec3;
      const normal = cross(e1, sub(x[2], x[0]));
      const n = normal.map((value) => value / Math.sqrt(dot(normal, normal))) as unknown as Vec3;
      const t = cross(n, s);
      const angle = random.between(0, 2 * Math.PI);
      const u = s.map((value, c) => Math.cos(angle) * value + Math.sin(angle) * t[c]) as unknown as Vec3;
      const v = s.map((value, c) => -Math.sin(angle) * value + Math.cos(angle) * t[c]) as unknown as Vec3;
      const scale = random.between(0.1, 10);
      const uv = x.flatMap((corner) => [scale * dot(corner, u), scale * dot(corner, v)]);
      const warp = warpDirection(x, uv);
      expect(dot(warp, u)).toBeCloseTo(1, 9);
      // mirrored texture: u still points the same way
      const mirrored = uv.map((value, i) => (i % 2 === 1 ? -value : value));
      expect(dot(warpDirection(x, mirrored), u)).toBeCloseTo(1, 9);
    }
  });

  it("is a unit vector in the plane, with any texture coordinates or none", () => {
    const random = new RandomGeometry(33);
    const coordinates: (number[] | undefined)[] = [
      undefined,
      [0, 0, 0, 0, 0, 0],
      [0, 0, 1, 1, 2, 2],
      [NaN, 0, 1, 0, 0, 1],
      [0, 0, Infinity, 0, 0, 1],
    ];
    for (const x of triangles(32, 100))
      for (const uv of [...coordinates, Array.from({ length: 6 }, () => random.between(-1, 1))]) {
        const warp = warpDirection(x, uv);
        const normal = cross(sub(x[1], x[0]), sub(x[2], x[0]));
        expect(dot(warp, warp)).toBeCloseTo(1, 12);
        expect(Math.abs(dot(warp, normal)) / Math.sqrt(dot(normal, normal))).toBeLessThan(1e-9);
      }
  });

  it("is the x axis without texture, also where that is nearly the normal", () => {
    expect(
      warpDirection(
        [
          [0, 0, 0],
          [1, 0, 0],
          [0, 0, 1],
        ],
        undefined,
      ),
    ).toEqual([1, 0, 0]);
    const across = warpDirection(
      [
        [0, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      undefined,
    );
    expect(across[0]).toBeCloseTo(0, 12);
    expect(dot(across, across)).toBeCloseTo(1, 12);
  });
});

describe("rest triangle", () => {
  it("has its area, and no strain at rest, whichever way it lies and is woven", () => {
    const random = new RandomGeometry(34);
    for (const x of triangles(35, 300)) {
      const uv = Array.from({ length: 6 }, () => random.between(-1, 1));
      const { inverse, area } = restTriangle(x, warpDirection(x, uv));
      const normal = cross(sub(x[1], x[0]), sub(x[2], x[0]));
      expect(area).toBeCloseTo(Math.sqrt(dot(normal, normal)) / 2, 12);
      const s = new Float64Array(3);
      greenTriangle.strain(Float64Array.from(x.flat()), Float64Array.from(inverse), 0, s);
      expect(Math.max(...s.map(Math.abs))).toBeLessThan(1e-9);
    }
  });

  it("sees a stretch along the warp as E_uu and across it as E_vv", () => {
    for (const x of triangles(36, 100)) {
      const warp = warpDirection(x, undefined);
      const { inverse } = restTriangle(x, warp);
      const stretched = (factor: number, axis: Vec3): Float64Array =>
        Float64Array.from(
          x.flatMap((corner) => corner.map((value, c) => value + factor * dot(corner, axis) * axis[c])),
        );
      const normal = cross(sub(x[1], x[0]), sub(x[2], x[0]));
      const n = normal.map((value) => value / Math.sqrt(dot(normal, normal))) as unknown as Vec3;
      const s = new Float64Array(3);
      greenTriangle.strain(stretched(0.2, warp), Float64Array.from(inverse), 0, s);
      expect(s[0]).toBeCloseTo(0.5 * (1.44 - 1), 8);
      expect(Math.abs(s[1]) + Math.abs(s[2])).toBeLessThan(1e-8);
      greenTriangle.strain(stretched(0.2, cross(n, warp)), Float64Array.from(inverse), 0, s);
      expect(s[2]).toBeCloseTo(0.5 * (1.44 - 1), 8);
      expect(Math.abs(s[0]) + Math.abs(s[1])).toBeLessThan(1e-8);
    }
  });
});
