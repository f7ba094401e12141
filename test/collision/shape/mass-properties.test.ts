import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileShape } from "../../../src/collision/distance/primitives";
import { massProperties, massPropertiesOf } from "../../../src/collision/shape/mass-properties";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import { principalAxes } from "../../../src/geometry/principal-axes";
import type { Quat, Vec3 } from "../../../src/math/types";
import { randomHull, rotate } from "../narrow/reference";
import { RandomGeometry } from "../random";
import { ballMesh } from "../samples";

/** The tensor of inertia in the frame of the shape. */
function tensor(inertia: Vec3, rotation: Quat): number[] {
  const axes = [rotate(rotation, [1, 0, 0]), rotate(rotation, [0, 1, 0]), rotate(rotation, [0, 0, 1])];
  return Array.from({ length: 9 }, (_, i) =>
    axes.reduce((sum, axis, k) => sum + inertia[k] * axis[Math.floor(i / 3)] * axis[i % 3], 0),
  );
}

/** Mass properties from points in a box: stratified, so that a few thousand give three digits. */
function sampled(isInside: (p: Vec3) => boolean, half: number, density: number, cells = 40) {
  const random = new RandomGeometry(5);
  const cell = (2 * half) / cells;
  let mass = 0;
  const first = [0, 0, 0];
  const second = new Array<number>(9).fill(0);
  for (let i = 0; i < cells; i++)
    for (let j = 0; j < cells; j++)
      for (let k = 0; k < cells; k++) {
        const p = [i, j, k].map((n) => -half + (n + random.between(0, 1)) * cell) as [number, number, number];
        if (!isInside(p)) continue;
        const m = density * cell * cell * cell;
        mass += m;
        for (let r = 0; r < 3; r++) {
          first[r] += m * p[r];
          for (let c = 0; c < 3; c++) second[3 * r + c] += m * p[r] * p[c];
        }
      }
  const centre = first.map((value) => value / mass);
  const about = second.map((value, i) => value - mass * centre[Math.floor(i / 3)] * centre[i % 3]);
  const trace = about[0] + about[4] + about[8];
  return { mass, centre, tensor: about.map((value, i) => (i % 4 === 0 ? trace - value : -value)) };
}

function insideOf(shape: ColliderShape): (p: Vec3) => boolean {
  const primitives = compileShape(shape);
  return (p) =>
    primitives.some((primitive) => {
      const [x, y, z, w] = primitive.rotation;
      const d: Vec3 = [p[0] - primitive.position[0], p[1] - primitive.position[1], p[2] - primitive.position[2]];
      return signedDistance(primitive, ...rotate([-x, -y, -z, w], d), new Float64Array(3)) < 0;
    });
}

const close = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void => {
  for (let i = 0; i < expected.length; i++)
    expect(Math.abs(actual[i] - expected[i]), `${i}: ${actual[i]} for ${expected[i]}`).toBeLessThan(tolerance);
};

describe("mass properties", () => {
  it("have the closed forms", () => {
    const ball = massProperties({ type: "sphere", radius: 0.5, center: [1, 2, 3] }, 10);
    close(
      ball.inertia,
      [0.4, 0.4, 0.4].map((f) => f * ball.mass * 0.25),
      1e-12,
    );
    close(ball.centre, [1, 2, 3], 1e-12);
    expect(ball.mass).toBeCloseTo((10 * 4 * Math.PI * 0.125) / 3, 12);
    const box = massProperties({ type: "box", halfExtents: [0.5, 1, 1.5] }, 2);
    expect(box.mass).toBeCloseTo(12, 12);
    close(box.inertia, [13, 10, 5], 1e-12);
    expect(box.rotation).toEqual([0, 0, 0, 1]);
    const rod = massProperties({ type: "cylinder", pointA: [0, 0, 0], pointB: [0, 2, 0], radius: 0.5 }, 1);
    expect(rod.volume).toBeCloseTo(Math.PI / 2, 12);
    close(
      rod.inertia,
      [(3 * 0.25 + 4) / 12, 0.125, (3 * 0.25 + 4) / 12].map((f) => f * rod.mass),
      1e-12,
    );
    const corner = massProperties({ type: "convex-hull", positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] }, 6);
    expect(corner.mass).toBeCloseTo(1, 12);
    close(corner.centre, [0.25, 0.25, 0.25], 1e-12);
    // ∫ x² = 1/10 and ∫ x y = 1/20 of a unit mass; minus the center's.
    const off = -(1 / 20 - 1 / 16);
    close(tensor(corner.inertia, corner.rotation), [0.075, off, off, off, 0.075, off, off, off, 0.075], 1e-12);
  });

  it.each<[string, ColliderShape, number]>([
    ["capsule", { type: "capsule", pointA: [0.2, -0.3, 0.1], pointB: [0.5, 0.4, -0.2], radius: 0.25 }, 0.8],
    ["hull", randomHull(new RandomGeometry(3), 15), 0.8],
    [
      "container of turned and scaled children",
      {
        type: "container",
        children: [
          { shape: { type: "box", halfExtents: [0.2, 0.1, 0.3] }, position: [0.4, 0, 0], rotation: [0.6, 0, 0, 0.8] },
          { shape: { type: "sphere", radius: 0.2 }, position: [-0.5, 0.1, 0], scale: [1.4, 1.4, 1.4] },
        ],
      },
      0.9,
    ],
    ["mesh", { type: "mesh", ...ballMesh(0.5, 3) }, 0.6],
  ])("of a %s are those of sampled points", (_, shape, half) => {
    const exact = massProperties(shape, 100);
    const about = sampled(insideOf(shape), half, 100);
    expect(Math.abs(exact.mass / about.mass - 1)).toBeLessThan(0.02);
    close(exact.centre, about.centre, 0.005);
    const size = Math.max(...exact.inertia);
    close(tensor(exact.inertia, exact.rotation), about.tensor, 0.04 * size);
  });

  it("do not depend on the frame", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (seed) => {
        const random = new RandomGeometry(seed);
        const shape = randomHull(random, 12);
        const [position, rotation] = [random.vector(2), random.rotation()];
        const before = massProperties(shape, 7);
        const after = massProperties({ type: "container", children: [{ shape, position, rotation }] }, 7);
        expect(after.mass).toBeCloseTo(before.mass, 9);
        const centre = rotate(rotation, before.centre);
        close(after.centre, [centre[0] + position[0], centre[1] + position[1], centre[2] + position[2]], 1e-9);
        close([...after.inertia].sort(), [...before.inertia].sort(), 1e-9);
      }),
      { numRuns: 50 },
    );
  });

  it("of parts add up, each with its density", () => {
    const ball: ColliderShape = { type: "sphere", radius: 0.5 };
    const shift = (x: number) => ({ a: [1, 0, 0, 0, 1, 0, 0, 0, 1], t: [x, 0, 0] as const });
    const pair = massPropertiesOf([
      { shape: ball, density: 1, map: shift(-1) },
      { shape: ball, density: 3, map: shift(1) },
    ]);
    const one = massProperties(ball, 1);
    expect(pair.mass).toBeCloseTo(4 * one.mass, 12);
    expect(pair.volume).toBeCloseTo(2 * one.mass, 12);
    close(pair.centre, [0.5, 0, 0], 1e-12);
    // Steiner: 1 · 1.5² + 3 · 0.5² = 3 of the ball's mass.
    close(
      [...pair.inertia],
      [4 * 0.1, 4 * 0.1 + 3, 4 * 0.1 + 3].map((f) => f * one.mass),
      1e-9,
    );
  });

  it("refuses what has no mass", () => {
    const ball: ColliderShape = { type: "sphere", radius: 1 };
    expect(() => massProperties(ball, 0)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
    expect(() => massProperties(ball, NaN)).toThrow(expect.objectContaining({ code: "non-finite" }));
    const nothing: ColliderShape = { type: "container", children: [] };
    expect(() => massProperties(nothing, 1)).toThrow(expect.objectContaining({ code: "degenerate-geometry" }));
  });
});

describe("principal axes", () => {
  it("diagonalise", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 6, maxLength: 6 }), (v) => {
        const a = [v[0], v[1], v[2], v[1], v[3], v[4], v[2], v[4], v[5]];
        const { moments, rotation } = principalAxes(a);
        close(tensor(moments, rotation), a, 1e-12 * 20);
        expect(Math.hypot(...rotation)).toBeCloseTo(1, 14);
      }),
    );
  });
});
