import { describe, expect, it } from "vitest";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { deepestPoint } from "../../../src/collision/distance/deepest-point";
import { resolveFaceContact, shareFacePushes } from "../../../src/collision/contact/face-contact";
import type { PrimitiveKind } from "../../../src/collision/distance/primitives";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import { RandomGeometry } from "../random";
import { samplePrimitive, SHAPES } from "../samples";

const MATERIAL = { thickness: 0.005, friction: 0 };
const FACE = Uint32Array.of(0, 1, 2);
const scratch = new Float64Array(3);

/** Corners of an equilateral triangle in the plane y = height, `side` long, around a center. */
function triangle(side: number, height: number, x = 0, z = 0): Float64Array {
  const r = side / Math.sqrt(3);
  const corner = (angle: number): number[] => [x + r * Math.cos(angle), height, z + r * Math.sin(angle)];
  return Float64Array.from([0, 1, 2].flatMap((k) => corner((2 * Math.PI * k) / 3)));
}

const shifted = (points: Float64Array, by: readonly number[]): Float64Array =>
  points.map((value, i) => value + by[i % 3]);

interface Result {
  isHit: boolean;
  out: Float64Array;
  end: Float64Array;
}
function resolve(
  set: ColliderSet,
  end: Float64Array,
  start = end,
  weights: number[] = [1, 1, 1],
  material = MATERIAL,
): Result {
  const out = new Float64Array(9).fill(7);
  const isHit = resolveFaceContact(set, FACE, 0, end, start, weights, material, Float64Array.of(0, 1), out) >= 0;
  return { isHit, out, end: end.map((value, i) => value + out[i]) };
}

function setOf(...shapes: Parameters<ColliderSet["add"]>[0][]): ColliderSet {
  const set = new ColliderSet();
  for (const shape of shapes) set.add(shape);
  set.update();
  return set;
}

/** Least signed distance over a dense grid of points on a triangle. */
function least(points: Float64Array, distance: (x: number, y: number, z: number) => number, cells = 60): number {
  let most = Infinity;
  for (let i = 0; i <= cells; i++)
    for (let j = 0; i + j <= cells; j++) {
      const [a, b] = [i / cells, j / cells];
      const p = [0, 1, 2].map((k) => a * points[k] + b * points[3 + k] + (1 - a - b) * points[6 + k]);
      most = Math.min(most, distance(p[0], p[1], p[2]));
    }
  return most;
}

describe("deepestPoint", () => {
  it.each(Object.keys(SHAPES) as (keyof typeof PrimitiveKind)[])(
    "is about the least of a dense search in a %s",
    (kind) => {
      const primitive = samplePrimitive(kind);
      const geometry = new RandomGeometry(1);
      const distance = (x: number, y: number, z: number): number => signedDistance(primitive, x, y, z, scratch);
      let local = 0;
      let all = 0;
      for (let n = 0; n < 400; n++) {
        const center = geometry.vector(0.9);
        const corners = Float64Array.from(
          [0, 1, 2].flatMap(() => center.map((value) => value + geometry.between(-0.05, 0.05))),
        );
        const centroid = [0, 1, 2].map((k) => (corners[k] + corners[3 + k] + corners[6 + k]) / 3);
        const radius = Math.max(
          ...[0, 3, 6].map((i) => Math.hypot(...centroid.map((value, k) => value - corners[i + k]))),
        );
        const out = Float64Array.from([...centroid, 1 / 3, 1 / 3, 1 / 3, radius]);
        deepestPoint(primitive, corners, out);
        const phi = out[6];
        expect(phi).toBeCloseTo(distance(out[0], out[1], out[2]), 12);
        for (let k = 0; k < 3; k++)
          expect(out[k]).toBeCloseTo(out[3] * corners[k] + out[4] * corners[3 + k] + out[5] * corners[6 + k], 9);
        all++;
        if (phi - least(corners, distance) > 0.04 * radius) local++;
      }
      // If the distance is not convex (hills, a grid), the query may find a local minimum instead.
      expect(local / all).toBeLessThan(kind === "heightfield" || kind === "grid" ? 0.1 : 0.03);
    },
  );
});

describe("resolveFaceContact", () => {
  it("leaves a face alone that its vertices hold clear: on a table, on a ball, or far away", () => {
    const table = setOf({ type: "box", halfExtents: [1, 0.1, 1], center: [0, -0.1, 0] });
    for (const height of [0.005, 0.0045, 0.3]) {
      const { isHit, out } = resolve(table, triangle(0.03, height));
      expect(isHit).toBe(false);
      expect(Array.from(out)).toEqual(new Array(9).fill(0));
    }
    const ball = setOf({ type: "sphere", radius: 0.3 });
    const side = 0.03;
    // Vertices at the thickness: the middle of the face is lower by the sagitta.
    const height = Math.sqrt(0.305 ** 2 - side ** 2 / 3);
    expect(resolve(ball, triangle(side, height)).isHit).toBe(false);
  });

  it("lifts a face off a pole that stands between its vertices", () => {
    const pole = setOf({ type: "capsule", pointA: [0, -1, 0], pointB: [0, -0.003, 0], radius: 0.003 });
    const distance = (x: number, y: number, z: number): number => Math.hypot(x, y - Math.min(y, -0.003), z) - 0.003;
    for (const [x, z] of [
      [0, 0],
      [0.004, -0.002],
      [-0.003, 0.005],
    ]) {
      const before = triangle(0.05, 0.001, x, z);
      const { isHit, end } = resolve(pole, before, shifted(before, [0, 0.01, 0]));
      expect(isHit).toBe(true);
      expect(least(end, distance)).toBeGreaterThan(0.0025 * 0.9);
      expect(end[1]).toBeGreaterThan(before[1]);
    }
  });

  it("lifts a face off the corner and the edge of a box", () => {
    const set = setOf({ type: "box", halfExtents: [0.1, 0.1, 0.1], rotation: [0.3647, 0, 0.2798, 0.8881] });
    const primitive = set.primitives[0];
    const geometry = new RandomGeometry(2);
    let tested = 0;
    for (let n = 0; n < 300; n++) {
      // A face in a random plane that cuts a little into the box, most of them at an edge or a corner.
      const normal = geometry.direction();
      const u = [normal[1], -normal[0], 0].map((value) => value / Math.hypot(normal[0], normal[1]));
      const v = [
        normal[1] * u[2] - normal[2] * u[1],
        normal[2] * u[0] - normal[0] * u[2],
        normal[0] * u[1] - normal[1] * u[0],
      ];
      let support = 0;
      const foot = [0, 0, 0];
      for (let c = 0; c < 8; c++) {
        const corner = [c & 1 ? 0.1 : -0.1, c & 2 ? 0.1 : -0.1, c & 4 ? 0.1 : -0.1];
        const height = corner.reduce((sum, value, i) => sum + value * normal[i], 0);
        if (height > support) {
          support = height;
          corner.forEach((value, i) => (foot[i] = value));
        }
      }
      const at = (a: number, b: number): number[] =>
        foot.map((value, i) => value + a * u[i] + b * v[i] - 0.001 * normal[i]);
      const local = [...at(0.05, 0.01), ...at(-0.03, 0.04), ...at(-0.02, -0.05)];
      const world = Float64Array.from(local);
      for (let i = 0; i < 9; i += 3) world.set(turn([0.3647, 0, 0.2798, 0.8881], local.slice(i, i + 3)), i);
      const distance = (x: number, y: number, z: number): number => {
        const p = turn([-0.3647, 0, -0.2798, 0.8881], [x, y, z]);
        return signedDistance(primitive, p[0], p[1], p[2], scratch);
      };
      const away = turn(
        [0.3647, 0, 0.2798, 0.8881],
        normal.map((value) => 0.01 * value),
      );
      let result = resolve(set, world, shifted(world, away));
      for (let iteration = 0; iteration < 3; iteration++) result = resolve(set, result.end, shifted(world, away));
      tested++;
      expect(least(result.end, distance)).toBeGreaterThan(0.001);
    }
    expect(tested).toBe(300);
  });

  it("pushes across the face, or the edge, that a tip is under, not along the sides of the tip", () => {
    const [tip, around] = [
      [0, 0, 0],
      [0, 1, 2, 3].map((k) => [0.4 * Math.cos(1.57 * k), -1, 0.4 * Math.sin(1.57 * k)]),
    ];
    const set = setOf({ type: "convex-hull", positions: Float64Array.from([tip, ...around].flat()) });
    const random = new RandomGeometry(3);
    for (let n = 0; n < 100; n++) {
      // The tip is under the inside of the face, or under its edge, by up to twice the distance that it keeps.
      const [x, z] = [random.between(-0.006, 0.006), random.between(-0.006, 0.006)];
      const height = random.between(-0.0025, 0.002);
      const inside = resolve(set, triangle(0.05, height, x, z), triangle(0.05, 0.01, x, z));
      expect(inside.isHit).toBe(true);
      for (const i of [0, 3, 6]) {
        expect(inside.out[i + 1]).toBeGreaterThanOrEqual(0);
        expect(Math.abs(inside.out[i]) + Math.abs(inside.out[i + 2])).toBeLessThan(1e-9);
      }
      const onEdge = Float64Array.of(0.03, height, 0, -0.03, height, 0, 0, height - 0.02, 0.05);
      const { out } = resolve(set, shifted(onEdge, [x, 0, 0]), shifted(onEdge, [x, 0.01, 0]));
      for (const i of [0, 3, 6]) expect(Math.abs(out[i])).toBeLessThan(1e-9);
    }
  });

  it("stops a fast face at a pole across its way", () => {
    const set = setOf({ type: "capsule", pointA: [-1, 0, 0], pointB: [1, 0, 0], radius: 0.003 });
    for (const z of [0, 0.004, -0.006]) {
      const start = triangle(0.05, 0.05, 0, z);
      const end = shifted(start, [0, -10 / 60, 0]);
      const result = resolve(set, end, start);
      expect(result.isHit).toBe(true);
      // The point that met the pole is above it again.
      const axisAtPole = least(result.end, (_x, y, z_) => (Math.abs(z_) < 1e-3 ? -y : Infinity), 200);
      expect(-axisAtPole).toBeGreaterThan(0.003);
    }
  });

  it("moves vertices by weight, pinned ones not at all, and keeps the centre of mass where only masses differ", () => {
    const pole = setOf({ type: "capsule", pointA: [0, -1, 0], pointB: [0, -0.003, 0], radius: 0.003 });
    const before = triangle(0.05, 0.001, 0.002, 0.001);
    const start = shifted(before, [0, 0.01, 0]);
    const pinned = resolve(pole, before, start, [1, 0, 2]);
    expect(Array.from(pinned.out.subarray(3, 6))).toEqual([0, 0, 0]);
    expect(pinned.out[1]).toBeGreaterThan(0);
    expect(resolve(pole, before, start, [0, 0, 0]).isHit).toBe(false);
    // In proportion wᵢ bᵢ: a heavy vertex moves less.
    const even = resolve(pole, before, start, [1, 1, 1]).out;
    const uneven = resolve(pole, before, start, [1, 1, 0.5]).out;
    expect(uneven[7] / uneven[1]).toBeCloseTo((0.5 * even[7]) / even[1], 6);
  });

  it("throws no corner where the others are pinned inside an obstacle, whatever the size and the masses", () => {
    const random = new RandomGeometry(11);
    let hits = 0;
    for (let trial = 0; trial < 400; trial++) {
      const size = 10 ** random.between(-3, 1);
      const set = setOf({ type: "sphere", radius: size });
      const end = Float64Array.from({ length: 9 }, () => random.between(-size, size));
      const weights = [0, random.between(0, 1) < 0.5 ? 0 : 10 ** random.between(-3, 3), 10 ** random.between(-3, 3)];
      // Each corner is the free one: only beside the first does rounding leave less than zero.
      weights.unshift(...weights.splice(trial % 3));
      const material = { thickness: 0.01 * size, friction: 0.4 };
      const { out, isHit } = resolve(set, end, end, weights, material);
      hits += Number(isHit);
      for (const way of out) expect(Math.abs(way)).toBeLessThan(2.5 * size);
    }
    expect(hits).toBeGreaterThan(100);
  });

  it("rubs: the contact point slides back as far as friction times the push goes", () => {
    const pole = new ColliderSet();
    pole.add({ type: "sphere", radius: 0.003, center: [0, -0.003, 0] }, { friction: 0.5 });
    pole.update();
    const start = triangle(0.05, 0.005);
    const end = shifted(start, [0.001, -0.004, 0]);
    const slide = (friction: number): number => {
      const { out } = resolve(pole, end, start, [1, 1, 1], { thickness: 0.005, friction });
      return Math.max(...[0, 3, 6].map((i) => Math.abs(out[i])));
    };
    expect(slide(0.5)).toBeGreaterThan(slide(0) + 1e-5);
    expect(slide(5)).toBeGreaterThan(slide(0.5));
  });
});

describe("pushes of faces that share vertices", () => {
  /** Six faces around a vertex, and six beyond every second edge of these. */
  const faces = [
    ...[1, 2, 3, 4, 5, 6].flatMap((k) => [0, k, 1 + (k % 6)]),
    ...[1, 3, 5].flatMap((k) => [k, 6 + k, k + 1, k + 1, 6 + k, 7 + k]),
  ];

  it("gain no energy, and no momentum but that of their impulses", () => {
    const random = new RandomGeometry(5);
    let most = 0;
    for (let trial = 0; trial < 500; trial++) {
      const w = Float64Array.from({ length: 13 }, () => random.between(0.5, 2));
      const before = Float64Array.from({ length: 13 }, () => random.between(-1, 1));
      const pushes = new Float64Array(3 * faces.length);
      const pushed: number[] = [];
      for (let f = 0; f < faces.length / 3; f++) {
        // A point of the face stops where it is, along y; on an edge in every third face.
        const b = [random.between(0, 1), random.between(0, 1), f % 3 === 0 ? 0 : random.between(0, 1)];
        const point = (of: (corner: number) => number): number => of(0) * b[0] + of(1) * b[1] + of(2) * b[2];
        const way = point((k) => before[faces[3 * f + k]]);
        if (way >= 0 || random.between(0, 1) < 0.3) continue;
        pushed.push(f);
        const sum = point((k) => w[faces[3 * f + k]] * b[k]);
        b.forEach((value, k) => (pushes[9 * f + 3 * k + 1] = (-way * w[faces[3 * f + k]] * value) / sum));
      }
      const alone = pushes.slice();
      const counts = new Float64Array(13);
      shareFacePushes(faces, pushed, pushed.length, pushes, counts);
      expect(counts.every((count) => count === 0)).toBe(true);
      const after = before.slice();
      const energy = (of: Float64Array): number => of.reduce((total, u, p) => total + (u * u) / w[p], 0);
      for (const f of pushed) {
        const parts = [1, 4, 7]
          .map((k) => pushes[9 * f + k] / alone[9 * f + k])
          .filter((part) => Number.isFinite(part));
        for (const part of parts) expect(part).toBeCloseTo(parts[0], 12);
        expect(parts[0]).toBeLessThanOrEqual(1);
        if (pushed.length === 1) expect(parts[0]).toBe(1);
        for (let k = 0; k < 3; k++) after[faces[3 * f + k]] += pushes[9 * f + 3 * k + 1];
      }
      most = Math.max(most, energy(after) / energy(before));
    }
    expect(most).toBeLessThanOrEqual(1);
  });
});

/** v turned by a quaternion of nearly unit length. */
function turn(q: readonly number[], v: readonly number[]): number[] {
  const n = Math.hypot(...q);
  const [x, y, z, w] = q.map((value) => value / n);
  const t = [y * v[2] - z * v[1] + w * v[0], z * v[0] - x * v[2] + w * v[1], x * v[1] - y * v[0] + w * v[2]];
  return [v[0] + 2 * (y * t[2] - z * t[1]), v[1] + 2 * (z * t[0] - x * t[2]), v[2] + 2 * (x * t[1] - y * t[0])];
}
