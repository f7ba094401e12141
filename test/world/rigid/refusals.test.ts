import { describe, expect, it } from "vitest";
import { expectRefused } from "../../refusal";
import type { PliantErrorCode } from "../../../src/errors";
import type { JointOptions } from "../../../src/world/rigid/rigid-joint";
import type { RigidBodyOptions } from "../../../src/world/rigid/body-options";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";

const box = { type: "box", halfExtents: [0.5, 0.5, 0.5] } as const;

/** A world in motion with a joint. */
function someWorld(): RigidWorld {
  const world = new RigidWorld();
  const hook = world.addBody({ motion: "static", position: [0, 3, 0] });
  const bob = world.addBody({ name: "bob", shape: box, position: [1, 3, 0] });
  world.addJoint({ type: "ball", bodyA: hook, bodyB: bob, pivotB: [-1, 0, 0] });
  for (let frame = 0; frame < 5; frame++) world.step(1 / 60);
  return world;
}

/** Everything that may be changed by mistake. */
const stateOf = (world: RigidWorld): string =>
  JSON.stringify([world.snapshot(), world.bodies.length, world.joints.length, world.gravity, world.dynamics.options]);

function expectUnchanged(world: RigidWorld, call: () => unknown, code: PliantErrorCode, message: RegExp): void {
  const before = stateOf(world);
  expectRefused(call, code, message);
  expect(stateOf(world)).toBe(before);
}

describe("a rigid body is refused with", () => {
  const hull = (positions: number[]): RigidBodyOptions => ({ shape: { type: "convex-hull", positions } });
  it.each<[string, RigidBodyOptions, PliantErrorCode, RegExp]>([
    ["no mass", { shape: box, mass: 0 }, "invalid-argument", /mass.*positive.*0/],
    ["negative mass", { shape: box, mass: -2 }, "invalid-argument", /mass.*-2/],
    ["NaN for a mass", { shape: box, mass: NaN }, "non-finite", /mass.*NaN/],
    ["an infinite mass", { shape: box, mass: Infinity }, "non-finite", /mass.*Infinity/],
    ["no density", { shape: box, density: 0 }, "invalid-argument", /density/],
    ["negative inertia", { mass: 1, inertia: [1, -1, 1] }, "invalid-argument", /inertia/],
    ["NaN in the inertia", { mass: 1, inertia: [1, NaN, 1] }, "non-finite", /inertia/],
    ["a box without extent", { shape: { type: "box", halfExtents: [1, 0, 1] } }, "invalid-argument", /halfExtents/],
    ["NaN extents", { shape: { type: "box", halfExtents: [1, NaN, 1] } }, "non-finite", /halfExtents/],
    ["a sphere of no radius", { shape: { type: "sphere", radius: 0 } }, "invalid-argument", /radius/],
    ["a NaN position", { shape: box, position: [0, NaN, 0] }, "non-finite", /position/],
    ["no rotation", { shape: box, rotation: [0, 0, 0, 0] }, "invalid-argument", /rotation/],
    ["NaN velocity", { shape: box, linearVelocity: [NaN, 0, 0] }, "non-finite", /linearVelocity/],
    ["negative friction", { shape: box, friction: -0.1 }, "invalid-argument", /friction/],
    ["a hull of two points", hull([0, 0, 0, 1, 0, 0]), "degenerate-geometry", /3 points/],
    ["a hull on a line", hull([0, 0, 0, 1, 1, 0, 2, 2, 0, 3, 3, 0, 0.5, 0.5, 0]), "degenerate-geometry", /one line/],
    ["an id that is taken", { shape: box, id: 0 }, "invalid-argument", /taken/],
  ])("%s", (_, options, code, message) => {
    const world = someWorld();
    expectUnchanged(world, () => world.addBody(options), code, message);
  });
});

describe("calls on what is there are refused", () => {
  it("for numbers that are none", () => {
    const world = someWorld();
    const bob = world.bodies[1];
    expectUnchanged(world, () => bob.teleport([NaN, 0, 0]), "non-finite", /teleport/);
    expectUnchanged(world, () => bob.teleport([0, 0, 0], [0, 0, 0, 0]), "invalid-argument", /teleport/);
    expectUnchanged(world, () => (bob.linearVelocity = [0, Infinity, 0]), "non-finite", /linearVelocity/);
    expectUnchanged(world, () => bob.applyImpulse([0, 0, 0], [NaN, 0, 0]), "non-finite", /applyImpulse point/);
    expectUnchanged(world, () => bob.applyForce([NaN, 0, 0]), "non-finite", /applyForce/);
    expectUnchanged(world, () => bob.moveTo([0, 0, 0]), "invalid-argument", /kinematic/);
    expectUnchanged(world, () => (world.gravity = [0, NaN, 0]), "non-finite", /gravity/);
    expectUnchanged(world, () => world.step(0), "invalid-argument", /step/);
    expectUnchanged(world, () => world.step(NaN), "non-finite", /step/);
    expectUnchanged(world, () => world.configure({ smallSteps: -1 }), "invalid-argument", /smallSteps/);
  });

  it("for joints of a body with itself, with a stranger, of no kind or without an axis", () => {
    const world = someWorld();
    const [hook, bob] = world.bodies;
    const stranger = new RigidWorld().addBody({ mass: 1 });
    const add = (options: JointOptions) => () => world.addJoint(options);
    expectUnchanged(world, add({ type: "ball", bodyA: bob, bodyB: bob }), "invalid-argument", /bodyB.*bob/);
    expectUnchanged(world, add({ type: "ball", bodyA: hook, bodyB: stranger }), "invalid-argument", /its world/);
    const noKind = { type: "weld" as "ball", bodyA: hook, bodyB: bob };
    expectUnchanged(world, add(noKind), "invalid-argument", /joint\.type.*weld/);
    const noAxis: JointOptions = { type: "hinge", bodyA: hook, bodyB: bob, axisA: [0, 0, 0] };
    expectUnchanged(world, add(noAxis), "invalid-argument", /axis/);
    const noPivot: JointOptions = { type: "ball", bodyA: hook, bodyB: bob, pivotA: [NaN, 0, 0] };
    expectUnchanged(world, add(noPivot), "non-finite", /pivot/);
    const joint = world.joints[0];
    expectUnchanged(world, () => joint.configure("angularX", { min: 2, max: 1 }), "invalid-argument", /min/);
    expectUnchanged(world, () => joint.configure("angularX", { stiffness: NaN }), "non-finite", /stiffness/);
  });

  it("after dispose", () => {
    const world = someWorld();
    const bob = world.bodies[1];
    const joint = world.joints[0];
    bob.dispose();
    expect(joint.isDisposed).toBe(true);
    for (const call of [
      () => bob.position,
      () => bob.mass,
      () => bob.teleport([0, 0, 0]),
      () => (bob.angularVelocity = [0, 0, 0]),
      () => bob.applyTorque([1, 0, 0]),
      () => joint.position("angularX"),
      () => joint.configure("angularX", { friction: 1 }),
    ])
      expectUnchanged(world, call, "disposed", /was disposed/);
    bob.dispose();
    joint.dispose();
    const snapshot = world.snapshot();
    world.dispose();
    for (const call of [
      () => world.step(1 / 60),
      () => world.addBody({ mass: 1 }),
      () => world.addJoint({ type: "ball", bodyA: world.bodies[0], bodyB: world.bodies[0] }),
      () => (world.gravity = [0, 0, 0]),
      () => (world.quality = "fast"),
      () => world.configure({ smallSteps: 2 }),
      () => world.snapshot(),
      () => world.restore(snapshot),
    ])
      expectRefused(call, "disposed", /RigidWorld.*was disposed/);
    world.dispose();
  });
});
