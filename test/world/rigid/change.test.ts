import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RigidWorld, type RigidBodyChanges, type RigidBody, type ColliderShape } from "../../../src/index";
import { expectRefused } from "../../refusal";

const frame = 1 / 60;

const shapes = fc.constantFrom<ColliderShape>(
  { type: "sphere", radius: 0.3 },
  { type: "box", halfExtents: [0.2, 0.3, 0.1] },
  { type: "capsule", pointA: [0, -0.2, 0], pointB: [0.1, 0.2, 0], radius: 0.15 },
  {
    type: "container",
    children: [
      { shape: { type: "box", halfExtents: [0.2, 0.1, 0.2] } },
      { shape: { type: "sphere", radius: 0.2 }, position: [0.3, 0.1, 0] },
    ],
  },
);
const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const changes: fc.Arbitrary<RigidBodyChanges> = fc.record({
  shape: shapes,
  motion: fc.constantFrom("static", "kinematic", "dynamic"),
  mass: fc.option(number(0.1, 100), { nil: undefined }),
  centerOfMass: fc.option(fc.tuple(number(-0.1, 0.1), number(-0.1, 0.1), number(-0.1, 0.1)), { nil: undefined }),
  friction: number(0, 1),
  restitution: number(0, 0.5),
  gravityFactor: number(0.5, 1),
  linearDamping: number(0, 2),
  maxLinearSpeed: number(1, 100),
});

const addFloor = (world: RigidWorld): void =>
  void world.addBody({ motion: "static", shape: { type: "box", halfExtents: [5, 0.5, 5] }, position: [0, -0.5, 0] });

const add = (world: RigidWorld, options: RigidBodyChanges): RigidBody =>
  world.addBody({ ...options, position: [0, 0.5, 0], rotation: [0, 0, 0.6, 0.8] });

function poses(world: RigidWorld, frames: number): number[] {
  for (let k = 0; k < frames; k++) world.step(frame);
  return [...world.poses.subarray(0, 7 * world.bodies.length)];
}

describe("a body that is changed", () => {
  it("moves as one that was so from the start, to the bit", () => {
    const property = fc.property(changes, changes, (before, after) => {
      const [made, changed] = [new RigidWorld(), new RigidWorld()];
      [made, changed].forEach(addFloor);
      add(made, after);
      add(changed, before).change(after);
      expect(poses(changed, 30)).toEqual(poses(made, 30));
    });
    fc.assert(property, { numRuns: 40 });
  });

  it("stays where it is, and keeps its velocity, in the middle of its motion", () => {
    const property = fc.property(changes, changes, (before, after) => {
      const world = new RigidWorld();
      addFloor(world);
      const body = add(world, { ...before, motion: "dynamic" });
      poses(world, 20);
      const { position, rotation, linearVelocity, angularVelocity } = body;
      body.change({ ...after, motion: "dynamic" });
      expect(body.position).toEqual(position);
      expect(body.rotation).toEqual(rotation);
      expect(body.linearVelocity).toEqual(linearVelocity);
      expect(body.angularVelocity).toEqual(angularVelocity);
      expect(body.isAsleep).toBe(false);
    });
    fc.assert(property, { numRuns: 40 });
  });

  it("is held by its joints at the same place, wherever its mass is", () => {
    const world = new RigidWorld();
    const post = world.addBody({ motion: "static" });
    const arm = world.addBody({ shape: { type: "box", halfExtents: [0.5, 0.05, 0.05] }, position: [0.5, 0, 0] });
    world.addJoint({ type: "ball", bodyA: post, bodyB: arm, pivotB: [-0.5, 0, 0] });
    poses(world, 30);
    arm.change({ mass: 40, centerOfMass: [0.4, 0.02, 0], inertiaRotation: [0, 0.6, 0, 0.8], inertia: [1, 2, 2.5] });
    for (let k = 0; k < 60; k++) {
      world.step(frame);
      const [qx, qy, qz, qw] = arm.rotation;
      // place of the pivot: x − R (0.5, 0, 0)
      const x = [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + qw * qz), 2 * (qx * qz - qw * qy)];
      const away = Math.hypot(...arm.position.map((value, c) => value - 0.5 * x[c]));
      expect(away).toBeLessThan(1e-3);
    }
  });

  it("wakes with what lies on it, which falls when it is no longer there", () => {
    const world = new RigidWorld();
    addFloor(world);
    const box: ColliderShape = { type: "box", halfExtents: [0.2, 0.2, 0.2] };
    const [lower, upper] = [0.2, 0.6].map((y) => world.addBody({ shape: box, position: [0, y, 0] }));
    poses(world, 120);
    expect([lower.isAsleep, upper.isAsleep]).toEqual([true, true]);
    lower.change({ shape: { type: "box", halfExtents: [0.2, 0.1, 0.2] } });
    poses(world, 120);
    expect(lower.position[1]).toBeCloseTo(0.1, 3);
    expect(upper.position[1]).toBeCloseTo(0.4, 3);
    lower.change({ collideWith: 0, motion: "static" });
    poses(world, 120);
    expect(upper.position[1]).toBeCloseTo(0.2, 3);
  });

  it("is as it was where a change is refused", () => {
    const world = new RigidWorld();
    const body = add(world, { shape: { type: "sphere", radius: 0.3 }, mass: 2 });
    const before = { ...body.options };
    const refused = (options: RigidBodyChanges, message: RegExp): void =>
      expectRefused(() => body.change(options), "invalid-argument", message);
    refused({ mass: -1 }, /mass/);
    refused({ friction: 0.1, surfaces: [{}, {}] }, /surfaces/);
    refused({ mass: 3, motion: "still" as "static" }, /motion/);
    refused({ name: "other" } as RigidBodyChanges, /name/);
    expect(body.options).toEqual(before);
    expect(body.mass).toBe(2);
  });
});
