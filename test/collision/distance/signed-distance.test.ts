import { describe, expect, it } from "vitest";
import type { PrimitiveKind } from "../../../src/collision/distance/primitives";
import { compileShape, type Primitive } from "../../../src/collision/distance/primitives";
import { nearestOfHull } from "../../../src/collision/distance/nearest-of-hull";
import { distanceAt, signedDistance } from "../../../src/collision/distance/signed-distance";
import { RandomGeometry } from "../random";
import { SHAPES, samplePrimitive } from "../samples";

const kinds = Object.keys(SHAPES) as (keyof typeof PrimitiveKind)[];
const scratch = new Float64Array(3);
const distance = (primitive: Primitive, p: readonly number[]): number =>
  signedDistance(primitive, p[0], p[1], p[2], scratch);
const gradientAt = (primitive: Primitive, p: readonly number[]): number[] => {
  distance(primitive, p);
  return Array.from(scratch);
};
const away = (a: readonly number[], b: readonly number[]): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

const isExact = (kind: string): boolean => ["sphere", "box", "capsule", "cylinder"].includes(kind);

/** Points anywhere near, at special places, and close to the surface. */
function* points(primitive: Primitive, seed: number): Generator<readonly number[]> {
  const geometry = new RandomGeometry(seed);
  yield* [
    [0, 0, 0],
    [0.3, 0, 0],
    [0, 0.3, 0],
    [0, 0, -0.3],
    [1.2, 0, 0],
    [0, -1.2, 0],
    [-0.5, 0.5, 0.5],
    [3, 3, 3],
  ];
  for (let n = 0; n < 600; n++) {
    const p = geometry.vector(1.5);
    yield p;
    const phi = distance(primitive, p);
    const step = phi - geometry.between(-0.02, 0.02);
    yield p.map((value, axis) => value - step * scratch[axis]);
  }
}

describe.each(kinds)("signed distance of a %s", (kind) => {
  const primitive = samplePrimitive(kind);

  it("has a gradient of unit length", () => {
    for (const p of points(primitive, 1)) expect(Math.hypot(...gradientAt(primitive, p))).toBeCloseTo(1, 12);
  });

  it("never changes faster than place", () => {
    const geometry = new RandomGeometry(2);
    // A trilinear interpolant of distances can be steeper near a ridge, but not more than √3, and on a ball hardly at
    // all.
    const most = kind === "grid" ? 1.02 : 1;
    for (const p of points(primitive, 3)) {
      const q = p.map((value, axis) => value + geometry.between(-0.1, 0.1) * (axis + 1));
      const change = Math.abs(distance(primitive, p) - distance(primitive, q));
      expect(change).toBeLessThanOrEqual(most * away(p, q) + 1e-12);
    }
  });

  it("has the gradient of finite differences where it is smooth", () => {
    let smooth = 0;
    let all = 0;
    const h = 1e-6;
    for (const p of points(primitive, 4)) {
      // Far from a mesh the values are bounds of distances.
      if (kind === "grid" && Math.abs(distance(primitive, p)) > 0.1) continue;
      const gradient = gradientAt(primitive, p);
      const differences = [0, 1, 2].map((axis) => {
        const moved = (step: number): number[] => p.map((value, i) => (i === axis ? value + step : value));
        return (distance(primitive, moved(h)) - distance(primitive, moved(-h))) / (2 * h);
      });
      const steepness = Math.hypot(...differences);
      all++;
      // If branches meet, the differences see both; far from a heightfield it is a bound, less steep than a distance.
      if (Math.abs(steepness - 1) > (kind === "grid" ? 0.2 : 1e-4)) continue;
      smooth++;
      const cosine = differences.reduce((sum, d, axis) => sum + (d / steepness) * gradient[axis], 0);
      // On the border of two cells of a grid the interpolant has a kink, small if the cells are.
      expect(cosine).toBeGreaterThan(kind === "grid" ? 0.99 : 1 - 1e-7);
    }
    expect(smooth / all).toBeGreaterThan(kind === "heightfield" ? 0.5 : 0.9);
  });

  it("leads to the surface along the gradient from points close to it", () => {
    for (const p of points(primitive, 5)) {
      const phi = distance(primitive, p);
      if (Math.abs(phi) > 0.015) continue;
      const gradient = gradientAt(primitive, p);
      const q = p.map((value, axis) => value - phi * gradient[axis]);
      // Past an edge of a hull another plane may be the higher one, by the sine of a small angle.
      expect(Math.abs(distance(primitive, q))).toBeLessThan(isExact(kind) ? 1e-9 : 2e-3);
    }
  });
});

/** Distance by closest points, known in closed form or by dense sampling. */
describe("signed distance against brute force", () => {
  it("is exact for ball, capsule, cylinder and box outside: no surface point is closer, one is as close", () => {
    const geometry = new RandomGeometry(11);
    for (const kind of ["sphere", "capsule", "cylinder", "box"] as const) {
      const primitive = samplePrimitive(kind);
      const { boundsMin: low, boundsMax: high } = primitive;
      const inside: number[][] = [];
      while (inside.length < 4000) {
        const p = [0, 1, 2].map((axis) => geometry.between(low[axis], high[axis]));
        if (distance(primitive, p) <= 0) inside.push(p);
      }
      for (let n = 0; n < 60; n++) {
        const p = geometry.vector(1.5);
        const phi = distance(primitive, p);
        if (phi <= 0) continue;
        expect(Math.min(...inside.map((q) => away(p, q)))).toBeGreaterThanOrEqual(phi - 1e-12);
        const foot = p.map((value, axis) => value - phi * gradientAt(primitive, p)[axis]);
        expect(Math.abs(distance(primitive, foot))).toBeLessThan(1e-12);
      }
    }
  });

  it("tells the depth of a ball that fits inside", () => {
    const geometry = new RandomGeometry(12);
    for (const kind of ["sphere", "capsule", "cylinder", "box", "hull"] as const) {
      const primitive = samplePrimitive(kind);
      for (let n = 0; n < 400; n++) {
        const p = geometry.vector(0.6);
        const depth = -distance(primitive, p);
        if (depth <= 0) continue;
        const within = geometry.direction().map((d, axis) => p[axis] + 0.999 * depth * d);
        expect(distance(primitive, within)).toBeLessThan(0);
        const beyond = p.map((value, axis) => value + 1.001 * depth * gradientAt(primitive, p)[axis]);
        expect(distance(primitive, beyond)).toBeGreaterThan(0);
      }
    }
  });

  it("pushes a point in a thin plate out of the near side", () => {
    const [plate] = compileShape({ type: "box", halfExtents: [1, 0.005, 1] });
    expect(distance(plate, [0.3, 0.004, -0.2])).toBeCloseTo(-0.001, 12);
    expect(Array.from(scratch)).toEqual([0, 1, 0]);
    expect(distance(plate, [0.3, -0.004, -0.2])).toBeCloseTo(-0.001, 12);
    expect(Array.from(scratch)).toEqual([0, -1, 0]);
  });
});

describe("convex hull", () => {
  const half: [number, number, number] = [0.5, 0.3, 0.7];
  const corners = Array.from({ length: 8 }, (_, c) => [0, 1, 2].map((k) => ((c >> k) & 1 ? half[k] : -half[k])));
  const [hull] = compileShape({ type: "convex-hull", positions: corners.flat() });
  const [box] = compileShape({ type: "box", halfExtents: half });

  it("of a box's corners is the box: equal inside and above faces, and no more than the distance elsewhere", () => {
    const geometry = new RandomGeometry(21);
    for (let n = 0; n < 2000; n++) {
      const p = geometry.vector(1.2);
      const exact = distance(box, p);
      const bound = distance(hull, p);
      const outside = p.filter((value, axis) => Math.abs(value) > half[axis]).length;
      if (outside <= 1) expect(bound).toBeCloseTo(exact, 12);
      expect(bound).toBeLessThanOrEqual(exact + 1e-12);
      // The bevels of edges (at most 80° between planes) and of corners keep the bound close.
      if (exact > 0) expect(bound).toBeGreaterThanOrEqual(0.7 * exact);
      expect(bound > 0).toBe(exact > 0);
    }
  });
});

describe("heightfield", () => {
  const primitive = samplePrimitive("heightfield");
  const { boundsMin, boundsMax } = primitive;

  it("is solid below the surface, inside its rectangle, down to its bottom", () => {
    const [px, py, pz] = primitive.position;
    expect([px, pz]).toEqual([0, 0]);
    expect(distance(primitive, [0, boundsMax[1] + 0.01, 0])).toBeGreaterThan(0);
    expect(distance(primitive, [0, boundsMin[1] + 0.05, 0])).toBeLessThan(0);
    expect(distance(primitive, [0, boundsMin[1] - 0.05, 0])).toBeCloseTo(0.05, 12);
    expect(distance(primitive, [boundsMax[0] + 0.05, boundsMin[1] + 0.05, 0])).toBeCloseTo(0.05, 12);
    expect(Number.isFinite(py)).toBe(true);
  });

  it("never tells more than the distance to points of its surface, and the distance itself close to it", () => {
    const geometry = new RandomGeometry(31);
    // Points on the surface, found by bisection along y.
    const surface: number[][] = [];
    for (let n = 0; n < 4000; n++) {
      const x = geometry.between(boundsMin[0], boundsMax[0]);
      const z = geometry.between(boundsMin[2], boundsMax[2]);
      let [low, high] = [boundsMin[1], boundsMax[1] + 0.1];
      for (let i = 0; i < 50; i++) {
        const middle = (low + high) / 2;
        if (distance(primitive, [x, middle, z]) > 0) high = middle;
        else low = middle;
      }
      surface.push([x, (low + high) / 2, z]);
    }
    for (let n = 0; n < 300; n++) {
      const p = geometry.vector(1.1);
      const phi = distance(primitive, p);
      const closest = Math.min(...surface.map((q) => away(p, q)));
      expect(Math.abs(phi)).toBeLessThanOrEqual(closest + 1e-9);
      const isAbove = p[1] > boundsMin[1] + 0.3 && phi > 0;
      if (isAbove && phi < 0.08 && Math.abs(p[0]) < 1.1 && Math.abs(p[2]) < 0.9)
        expect(phi).toBeGreaterThan(closest - 0.02);
    }
  });
});

it("knows the distance outside of a hull also beside its ridges", () => {
  const half = [0.4, 0.3, 0.2];
  const corners = Float64Array.from(
    { length: 24 },
    (_, i) => half[i % 3] * ((Math.floor(i / 3) >> (i % 3)) & 1 ? 1 : -1),
  );
  const [hull] = compileShape({ type: "convex-hull", positions: corners });
  const [box] = compileShape({ type: "box", halfExtents: half as never });
  const geometry = new RandomGeometry(5);
  const [told, exact] = [new Float64Array(4), new Float64Array(4)];
  let beside = 0;
  for (let n = 0; n < 500; n++) {
    const p = Float64Array.from(geometry.vector(0.7));
    distanceAt(box, p, 0, exact);
    distanceAt(hull, p, 0, told);
    if (!(exact[3] > 0)) continue;
    if (told[3] < 0.98 * exact[3]) beside++;
    nearestOfHull(hull, p, told);
    expect(Math.abs(told[3] - exact[3])).toBeLessThan(1e-3 * exact[3]);
    for (let c = 0; c < 3; c++) expect(Math.abs(told[c] - exact[c])).toBeLessThan(0.01);
  }
  expect(beside).toBeGreaterThan(100);
});
