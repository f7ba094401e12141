import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Proximity, pointDistance, shapeDistance } from "../../../src/collision/query/proximity";
import { QuerySpace } from "../../../src/collision/query/query-space";
import { castShape, ShapeCastHit } from "../../../src/collision/query/shape-cast";
import { compileRigidShape } from "../../../src/collision/narrow/shapes/compile-shape";
import { compileShape } from "../../../src/collision/distance/primitives";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import type { Quat, Vec3 } from "../../../src/math/types";
import {
  add,
  CONVEX_KINDS,
  dot,
  length,
  moved,
  place,
  randomConvex,
  rotate,
  sampledSeparation,
  separationAlong,
  subtract,
} from "../narrow/reference";
import { RandomGeometry } from "../random";
import { ballMesh } from "../samples";

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const UPRIGHT: Quat = [0, 0, 0, 1];
const vector = (a: Float64Array): Vec3 => [a[0], a[1], a[2]];
const pick = <T>(random: RandomGeometry, list: readonly T[]): T => list[Math.floor(random.between(0, list.length))];

describe("shape cast", () => {
  it("stops where convex shapes touch, and not before", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const a = place(randomConvex(pick(random, CONVEX_KINDS), random), random.vector(3), random.rotation());
        const b = place(randomConvex(pick(random, CONVEX_KINDS), random), random.vector(1), random.rotation());
        const way = add(subtract(b.position, a.position), random.vector(1));
        const out = new ShapeCastHit();
        const hit = castShape(a.compiled, a.pose, 0, way, b.compiled, b.pose, 0, out);
        const gap = (t: number): number => {
          const there = moved(a, add(a.position, way, t));
          return sampledSeparation(b, there, random, 60);
        };
        if (!hit) {
          for (let i = 0; i <= 12; i++) expect(gap(i / 12)).toBeGreaterThan(-1e-6);
          return;
        }
        expect(out.fraction).toBeGreaterThanOrEqual(0);
        expect(out.fraction).toBeLessThanOrEqual(1);
        const there = moved(a, add(a.position, way, out.fraction));
        if (out.fraction === 0) {
          expect(gap(0)).toBeLessThan(1e-5);
          return;
        }
        // They touch there, with that normal, and the point is on both.
        expect(Math.abs(separationAlong(b, there, vector(out.normal)))).toBeLessThan(1e-4);
        expect(dot(vector(out.normal), way)).toBeLessThan(1e-9);
        for (let i = 0; i < 8; i++) expect(gap((out.fraction * i) / 8)).toBeGreaterThan(-1e-5);
      }),
      { numRuns: 80 },
    );
  });

  it("of a ball at a mesh and a heightfield agrees with a ray at a surface moved out", () => {
    const flat: ColliderShape = {
      type: "heightfield",
      sizeX: 4,
      sizeZ: 4,
      samplesX: 6,
      samplesZ: 6,
      heights: new Array<number>(36).fill(0.5),
    };
    const floor = place(flat);
    const ball = place({ type: "sphere", radius: 0.25 }, [0.3, 2.5, 0.2]);
    const out = new ShapeCastHit();
    expect(castShape(ball.compiled, ball.pose, 0, [0.5, -4, 0.1], floor.compiled, floor.pose, 0, out)).toBe(true);
    expect(out.fraction).toBeCloseTo((2.5 - 0.75) / 4, 6);
    expect(vector(out.normal)[1]).toBeCloseTo(1, 9);
    expect(out.point[1]).toBeCloseTo(0.5, 6);
    expect(out.triangleB).toBeGreaterThanOrEqual(0);
    const globe = place({ type: "mesh", ...ballMesh(0.5, 4) }, [0, 0, 0]);
    expect(castShape(ball.compiled, ball.pose, 0, [-0.3, -5, -0.2], globe.compiled, globe.pose, 0, out)).toBe(true);
    expect(Math.abs(length(add(ball.position, [-0.3, -5, -0.2], out.fraction)) - 0.75)).toBeLessThan(0.005);
  });

  it("starts touching: nothing of the way is free", () => {
    const a = place({ type: "box", halfExtents: [0.5, 0.5, 0.5] }, [0, 0.9, 0]);
    const b = place({ type: "box", halfExtents: [0.5, 0.5, 0.5] });
    const out = new ShapeCastHit();
    expect(castShape(a.compiled, a.pose, 0, [0, -1, 0], b.compiled, b.pose, 0, out)).toBe(true);
    expect(out.fraction).toBe(0);
    expect(vector(out.normal)).toEqual([0, 1, 0]);
  });
});

describe("proximity", () => {
  it("of shapes is the signed distance that sampling finds", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const a = place(randomConvex(pick(random, CONVEX_KINDS), random), random.vector(1), random.rotation());
        const b = place(randomConvex(pick(random, CONVEX_KINDS), random), random.vector(2), random.rotation());
        const out = new Proximity();
        expect(shapeDistance(a.compiled, a.pose, 0, b.compiled, b.pose, 0, 20, out)).toBe(true);
        expect(separationAlong(a, b, vector(out.normal))).toBeCloseTo(out.distance, 4);
        expect(sampledSeparation(a, b, random, 100)).toBeLessThanOrEqual(out.distance + 3e-5);
        const gap = dot(subtract(vector(out.pointB), vector(out.pointA)), vector(out.normal));
        expect(gap).toBeCloseTo(out.distance, 5);
      }),
      { numRuns: 80 },
    );
  });

  it("of a point is the signed distance of the obstacles of cloth", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const kind = pick(random, ["sphere", "box", "capsule", "cylinder"] as const);
        const s = place(randomConvex(kind, random), random.vector(1), random.rotation());
        const p = random.vector(2);
        const [x, y, z, w] = s.rotation;
        const [primitive] = compileShape(s.shape);
        const inShape = subtract(rotate([-x, -y, -z, w], subtract(p, s.position)), primitive.position);
        const [qx, qy, qz, qw] = primitive.rotation;
        const local = rotate([-qx, -qy, -qz, qw], inShape);
        const out = new Proximity();
        expect(pointDistance(...p, s.compiled, s.pose, 0, 10, out)).toBe(true);
        expect(out.distance).toBeCloseTo(signedDistance(primitive, ...local, new Float64Array(3)), 9);
        expect(length(subtract(add(p, vector(out.normal), out.distance), vector(out.pointB)))).toBeLessThan(1e-9);
        expect(pointDistance(...p, s.compiled, s.pose, 0, out.distance - 1e-6, new Proximity())).toBe(false);
      }),
      { numRuns: 120 },
    );
  });

  it("of a point at a mesh is that to the nearest triangle", () => {
    const globe = place({ type: "mesh", ...ballMesh(0.5, 4) }, [1, 2, 3]);
    const out = new Proximity();
    expect(pointDistance(1, 4, 3, globe.compiled, globe.pose, 0, 5, out)).toBe(true);
    expect(out.distance).toBeCloseTo(1.5, 6);
    expect(out.triangleB).toBeGreaterThanOrEqual(0);
    expect(vector(out.normal)[1]).toBeCloseTo(-1, 6);
    expect(pointDistance(1, 4, 3, globe.compiled, globe.pose, 0, 1.4, out)).toBe(false);
  });
});

describe("query space", () => {
  const ball = compileRigidShape({ type: "sphere", radius: 0.5 });

  function row(): QuerySpace {
    const space = new QuerySpace();
    for (let id = 0; id < 5; id++) space.set(id, ball, [2 * id, 0, 0], UPRIGHT, 1 << id, ~0);
    return space;
  }

  it("gives all hits of a ray, nearest first, or the first", () => {
    const space = row();
    const hits = space.raycastAll([-2, 0, 0], [1, 0, 0], 20);
    expect(hits.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    hits.forEach(({ distance }, id) => expect(distance).toBeCloseTo(1.5 + 2 * id, 12));
    expect(space.raycast([-2, 0, 0], [1, 0, 0], 20)!.id).toBe(0);
    expect(space.raycast([-2, 0, 0], [1, 0, 0], 1)).toBeUndefined();
    expect(space.raycast([10, 0, 0], [-1, 0, 0], 20)!.id).toBe(4);
  });

  it("heeds filters, moves and removals", () => {
    const space = row();
    const from = [-2, 0, 0] as const;
    expect(space.raycast(from, [1, 0, 0], 20, { collideWith: 0b100 })!.id).toBe(2);
    expect(space.raycast(from, [1, 0, 0], 20, { accepts: (id) => id > 2 })!.id).toBe(3);
    space.set(0, ball, [0, 5, 0], UPRIGHT);
    space.remove(1);
    expect(space.raycast(from, [1, 0, 0], 20)!.id).toBe(2);
    expect(space.raycast([0, 9, 0], [0, -1, 0], 20)!.distance).toBeCloseTo(3.5, 12);
    expect(space.has(1)).toBe(false);
    expect(space.count).toBe(4);
  });

  it("casts shapes and finds what is closest", () => {
    const space = row();
    const box = compileRigidShape({ type: "box", halfExtents: [0.25, 0.25, 0.25] });
    const cast = space.shapeCast(box, UPRIGHT, [4, 3, 0], [4, -3, 0])!;
    expect(cast.id).toBe(2);
    expect(cast.hit.fraction).toBeCloseTo((3 - 0.75) / 6, 6);
    const near = space.shapeProximity(box, [5, 1.2, 0], UPRIGHT, 2)!;
    expect(near.proximity.distance).toBeCloseTo(Math.hypot(0.75, 0.95) - 0.5, 9);
    expect(space.shapeProximity(box, [5, 4, 0], UPRIGHT, 1)).toBeUndefined();
    const point = space.pointProximity([6.2, 1, 0], 2)!;
    expect(point.id).toBe(3);
    expect(point.proximity.distance).toBeCloseTo(Math.hypot(0.2, 1) - 0.5, 12);
    expect(space.pointProximity([6, 0.1, 0], 0)!.proximity.distance).toBeCloseTo(-0.4, 12);
  });
});
