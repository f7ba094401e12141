import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { ProximityCastResult } from "@babylonjs/core/Physics/proximityCastResult";
import { ShapeCastResult } from "@babylonjs/core/Physics/shapeCastResult";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import {
  PhysicsShapeBox,
  PhysicsShapeContainer,
  PhysicsShapeMesh,
  PhysicsShapeSphere,
  type PhysicsShape,
} from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ShapeData } from "../../plugin/shape/shape-data";
import { expectRefusal, makeBody, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const UP = Quaternion.Identity();
const at = (x: number, y = 0, z = 0): Vector3 => new Vector3(x, y, z);
const ball = (radius = 0.5): PhysicsShapeSphere => new PhysicsShapeSphere(Vector3.Zero(), radius, t.scene);
const box = (size = 1): PhysicsShapeBox => new PhysicsShapeBox(Vector3.Zero(), UP, at(size, size, size), t.scene);
const put = (shape: PhysicsShape, position: Vector3) => makeBody(t.scene, PhysicsMotionType.STATIC, shape, position);

function cast(shape: PhysicsShape, startPosition: Vector3, endPosition: Vector3, more = {}) {
  const [input, hit] = [new ShapeCastResult(), new ShapeCastResult()];
  const query = { shape, rotation: UP, startPosition, endPosition, shouldHitTriggers: false, ...more };
  t.plugin.shapeCast(query, input, hit);
  return { input, hit };
}

function near(shape: PhysicsShape, position: Vector3, maxDistance: number, more = {}) {
  const [input, hit] = [new ProximityCastResult(), new ProximityCastResult()];
  const query = { shape, position, rotation: UP, maxDistance, shouldHitTriggers: false, ...more };
  t.plugin.shapeProximity(query, input, hit);
  return { input, hit };
}

function nearPoint(position: Vector3, maxDistance: number, more = {}): ProximityCastResult {
  const result = new ProximityCastResult();
  t.plugin.pointProximity({ position, maxDistance, collisionFilter: {}, shouldHitTriggers: false, ...more }, result);
  return result;
}

describe("shape cast", () => {
  it("tells how far a shape can go, and where it touches what", () => {
    const first = put(box(), at(3));
    put(box(), at(6));
    const { input, hit } = cast(ball(), at(0), at(10));
    expect(hit.hasHit && input.hasHit).toBe(true);
    expect(hit.hitFraction).toBeCloseTo(0.2, 6);
    expect(input.hitFraction).toBe(hit.hitFraction);
    expect(hit.body).toBe(first);
    expect(hit.shape).toBe(first.shape);
    expect(hit.hitPoint.subtract(at(2.5)).length()).toBeLessThan(1e-5);
    expect(hit.hitNormal.x).toBeCloseTo(-1, 9);
    expect(input.hitNormal.x).toBeCloseTo(1, 9);
    expect(input.body).toBeUndefined();
  });

  it("starts touching, misses, ignores a body, and minds masks of both shapes", () => {
    const target = put(box(), at(3));
    expect(cast(ball(), at(2.6), at(5)).hit.hitFraction).toBe(0);
    expect(cast(ball(), at(0), at(1.9)).hit.hasHit).toBe(false);
    expect(cast(ball(), at(0), at(10), { ignoreBody: target }).hit.hasHit).toBe(false);
    const picky = ball();
    picky.filterCollideMask = 4;
    target.shape!.filterMembershipMask = 2;
    expect(cast(picky, at(0), at(10)).hit.hasHit).toBe(false);
    target.shape!.filterMembershipMask = 6;
    expect(cast(picky, at(0), at(10)).hit.hasHit).toBe(true);
  });

  it("lands on a mesh, with the triangle", () => {
    const ground = CreateGround("ground", { width: 4, height: 4, subdivisions: 3 }, t.scene);
    put(new PhysicsShapeMesh(ground, t.scene), at(0, 1, 0));
    const { hit } = cast(box(0.5), at(0.3, 3, 0.4), at(0.3, -1, 0.4));
    expect(hit.hitFraction).toBeCloseTo(1.75 / 4, 6);
    expect(hit.hitNormal.y).toBeCloseTo(1, 9);
    expect(hit.triangleIndex).toBeGreaterThanOrEqual(0);
  });

  it("refuses shapes without an inside, and places that are none", () => {
    const ground = CreateGround("ground", { width: 4, height: 4 }, t.scene);
    const mesh = new PhysicsShapeMesh(ground, t.scene);
    expectRefusal(() => cast(mesh, at(0), at(1)), "unsupported", "convex");
    expectRefusal(() => cast(ball(), at(NaN), at(1)), "non-finite", "startPosition");
    expectRefusal(() => cast(ball(), at(0), at(Infinity)), "non-finite", "endPosition");
    const gone = ball();
    gone.dispose();
    expectRefusal(() => cast(gone, at(0), at(1)), "disposed");
  });
});

describe("proximity", () => {
  it("of a shape gives the closest points of both", () => {
    put(box(), at(5));
    const target = put(box(), at(3, 0.2));
    const { input, hit } = near(ball(), at(0), 4);
    expect(hit.body).toBe(target);
    expect(hit.hitDistance).toBeCloseTo(2, 9);
    expect(input.hitPoint.subtract(at(0.5)).length()).toBeLessThan(1e-9);
    expect(hit.hitPoint.subtract(at(2.5)).length()).toBeLessThan(1e-9);
    expect(hit.hitNormal.x).toBeCloseTo(-1, 9);
    expect(near(ball(), at(0), 1.9).hit.hasHit).toBe(false);
    expect(near(ball(), at(2.2, 0.2), 0).hit.hitDistance).toBeCloseTo(-0.2, 9);
    expectRefusal(() => near(ball(), at(0), -1), "invalid-argument", "maxDistance");
  });

  it("of a point is negative inside, and minds filters", () => {
    const shape = ball(1);
    shape.filterMembershipMask = 2;
    const target = put(shape, at(3));
    const out = nearPoint(at(1), 2);
    expect(out.hitDistance).toBeCloseTo(1, 12);
    expect(out.hitPoint.x).toBeCloseTo(2, 12);
    expect(out.hitNormal.x).toBeCloseTo(-1, 12);
    expect(nearPoint(at(2.5), 0).hitDistance).toBeCloseTo(-0.5, 12);
    expect(nearPoint(at(1), 0.5).hasHit).toBe(false);
    expect(nearPoint(at(1), 2, { collisionFilter: { collideWith: 1 } }).hasHit).toBe(false);
    expect(nearPoint(at(1), 2, { collisionFilter: { collideWith: 2 } }).hasHit).toBe(true);
    expect(nearPoint(at(1), 2, { ignoreBody: target }).hasHit).toBe(false);
    expectRefusal(() => nearPoint(at(NaN), 1), "non-finite", "position");
  });
});

describe("queries", () => {
  it("see triggers only when asked to", () => {
    const shape = ball();
    (shape._pluginData as ShapeData).isTrigger = true;
    put(shape, at(3));
    expect(t.physics.raycast(at(0), at(9)).hasHit).toBe(false);
    expect(t.physics.raycast(at(0), at(9), { shouldHitTriggers: true }).hasHit).toBe(true);
    expect(cast(ball(), at(0), at(9)).hit.hasHit).toBe(false);
    expect(cast(ball(), at(0), at(9), { shouldHitTriggers: true }).hit.hasHit).toBe(true);
    expect(nearPoint(at(0), 9).hasHit).toBe(false);
    expect(nearPoint(at(0), 9, { shouldHitTriggers: true }).hasHit).toBe(true);
  });

  it("tell the parts of containers by their masks, and hit each of them once", () => {
    const container = new PhysicsShapeContainer(t.scene);
    const [left, right] = [ball(), ball()];
    left.filterMembershipMask = 1;
    right.filterMembershipMask = 2;
    container.addChild(left, at(-1), UP);
    container.addChild(right, at(1), UP);
    put(container, at(5));
    const all = t.physics.raycastMulti(at(0), at(10));
    expect(all.map((hit) => Math.round(1e6 * hit.hitDistance) / 1e6)).toEqual([3.5, 5.5]);
    expect(t.physics.raycast(at(0), at(10), { collideWith: 2 }).hitDistance).toBeCloseTo(5.5, 9);
  });

  it("follow bodies that move, change their shape, or go", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball(), at(3));
    const hits = (x: number): boolean => nearPoint(at(x), 0).hasHit;
    expect(hits(3)).toBe(true);
    body.setLinearVelocity(at(6));
    t.run(30);
    expect(hits(3)).toBe(false);
    expect(nearPoint(body.transformNode.position, 0).body).toBe(body);
    body.shape = box(4);
    const beside = body.transformNode.position.add(at(1.9));
    expect(nearPoint(beside, 0).hasHit).toBe(true);
    body.dispose();
    expect(nearPoint(beside, 0).hasHit).toBe(false);
  });
});
