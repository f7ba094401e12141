import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rayShape } from "../../../src/collision/query/ray-shape";
import { compileShape } from "../../../src/collision/distance/primitives";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { heightfieldTriangles } from "../../../src/collision/shape/tessellation";
import type { Vec3 } from "../../../src/math/types";
import {
  add,
  CONVEX_KINDS,
  dot,
  length,
  place,
  type PlacedShape,
  randomConvex,
  rotate,
  subtract,
} from "../narrow/reference";
import { RandomGeometry } from "../random";
import { ballMesh, HILLS } from "../samples";

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** Signed distance of a world point from the shape, by the distance functions for cloth. */
function distanceTo(s: PlacedShape, p: Vec3, gradient = new Float64Array(3)): number {
  const [x, y, z, w] = s.rotation;
  const inShape = rotate([-x, -y, -z, w], subtract(p, s.position));
  const [primitive] = compileShape(s.shape);
  const [qx, qy, qz, qw] = primitive.rotation;
  const local = rotate([-qx, -qy, -qz, qw], subtract(inShape, primitive.position));
  const d = signedDistance(primitive, ...local, gradient);
  gradient.set(rotate(s.rotation, rotate(primitive.rotation, [gradient[0], gradient[1], gradient[2]])));
  return d;
}

const cast = (s: PlacedShape, origin: Vec3, direction: Vec3, far: number) =>
  rayShape(s.compiled, s.pose, 0, origin, direction, far);

describe.each(CONVEX_KINDS)("rays at a %s", (kind) => {
  it("enter where the signed distance first becomes zero, with its gradient as normal", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const s = place(randomConvex(kind, random), random.vector(1), random.rotation());
        const origin = random.vector(3);
        const aim = subtract(add(s.position, random.vector(0.8)), origin);
        const direction = add([0, 0, 0], aim, 1 / length(aim));
        const far = random.between(1, 8);
        const hit = cast(s, origin, direction, far);
        if (distanceTo(s, origin) < 0) {
          expect(hit).toBeUndefined();
          return;
        }
        const free = hit?.distance ?? far;
        for (let i = 0; i < 32; i++)
          expect(distanceTo(s, add(origin, direction, (free * i) / 32))).toBeGreaterThan(-1e-7);
        if (!hit) return;
        expect(length(subtract(hit.point, add(origin, direction, hit.distance)))).toBeLessThan(1e-12);
        expect(Math.abs(distanceTo(s, hit.point))).toBeLessThan(1e-7);
        expect(dot(hit.normal, direction)).toBeLessThanOrEqual(1e-9);
        expect(length(hit.normal)).toBeCloseTo(1, 9);
        // The distance decreases by the ray's progress along the normal.
        const step = 1e-5;
        const fall = distanceTo(s, add(hit.point, hit.normal, step));
        expect(fall).toBeCloseTo(step, 6);
        expect([hit.part, hit.triangle]).toEqual([0, -1]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("rays at triangles", () => {
  const ball = ballMesh(0.5, 3);
  const hills = heightfieldTriangles(HILLS);
  it.each<[string, ColliderShape, { positions: ArrayLike<number>; indices: ArrayLike<number> }]>([
    ["mesh", { type: "mesh", ...ball }, ball],
    ["heightfield", HILLS, hills],
  ])("of a %s hit what testing all of them hits", (_, shape, { positions, indices }) => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const s = place(shape, random.vector(1), random.rotation());
        const origin = add(s.position, random.direction(), random.between(0.1, 3));
        const aim = subtract(add(s.position, random.vector(0.9)), origin);
        const direction = add([0, 0, 0], aim, 1 / length(aim));
        const hit = cast(s, origin, direction, 6);
        let nearest = 6;
        const at = (t: number, k: number): Vec3 => {
          const i = 3 * indices[3 * t + k];
          return add(rotate(s.rotation, [positions[i], positions[i + 1], positions[i + 2]]), s.position);
        };
        for (let t = 0; t < indices.length / 3; t++) {
          const distance = plainRay(origin, direction, at(t, 0), at(t, 1), at(t, 2));
          if (distance >= 0) nearest = Math.min(nearest, distance);
        }
        if (nearest === 6) {
          expect(hit).toBeUndefined();
          return;
        }
        expect(hit!.distance).toBeCloseTo(nearest, 9);
        const own = plainRay(origin, direction, at(hit!.triangle, 0), at(hit!.triangle, 1), at(hit!.triangle, 2));
        expect(own).toBeCloseTo(nearest, 9);
        expect(dot(hit!.normal, direction)).toBeLessThan(0);
      }),
      { numRuns: 150 },
    );
  });
});

/** Intersects the plane first, then tests the point in the triangle by areas; −1 for a miss. */
function plainRay(o: Vec3, d: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  const cross = (u: Vec3, v: Vec3): Vec3 => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const n = cross(subtract(b, a), subtract(c, a));
  const t = dot(n, subtract(a, o)) / dot(n, d);
  const p = add(o, d, t);
  const inside = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([u, v]) => dot(n, cross(subtract(v, u), subtract(p, u))) >= 0);
  return inside && t >= 0 ? t : -1;
}
