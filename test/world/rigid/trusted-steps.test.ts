import { describe, expect, it } from "vitest";
import type { RigidBodyOptions, Vec3 } from "../../../src/index";
import { families } from "../../../bench/stress/families/index";
import { play } from "../../../bench/stress/run";
import { World } from "../../../src/index";
import { turn } from "../../../src/math/quaternions";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";

const ground: RigidBodyOptions = {
  motion: "static",
  shape: { type: "box", halfExtents: [100, 100, 100] },
  position: [0, -100, 0],
};

/** Only air lies above the ground, and a box that another one hits from above in the next step. */
function struck(size: number, speed: number): RigidWorld {
  const world = new RigidWorld();
  const half = [size / 2, size / 2, size / 2] as const;
  const box = { type: "box", halfExtents: half } as const;
  world.addBody(ground);
  world.addBody({ shape: box, position: [0, 1.5 * size, 0] });
  const linearVelocity: Vec3 = [0, -speed * size, 0];
  world.addBody({ shape: box, position: [0.3 * size, 2.8 * size, 0.2 * size], density: 3000, linearVelocity });
  return world;
}

/** Lowest corner of any body [m]. */
function lowest({ bodies }: RigidWorld, size: number): number {
  let low = Infinity;
  for (const body of bodies.slice(1))
    for (let k = 0; k < 8; k++) {
      const sign = (bit: number): number => ((k >> bit) % 2 === 0 ? size / 2 : -size / 2);
      low = Math.min(low, body.position[1] + turn(body.rotation, [sign(0), sign(1), sign(2)])[1]);
    }
  return low;
}

describe("a step of rigid bodies that cannot be trusted", () => {
  it.each([
    [0.02, 60],
    [0.02, 300],
    [0.2, 60],
    [0.2, 300],
    [2, 100],
  ])("does not leave boxes of %f m, one of which is hit at %f sizes a second, in the ground", (size, speed) => {
    for (const rate of [30, 60, 240]) {
      const world = struck(size, speed);
      for (let frame = 0; frame < 20; frame++) {
        world.step(1 / rate);
        expect(lowest(world, size)).toBeGreaterThan(-0.3 * size);
      }
      world.dispose();
    }
  });

  it("is told of, and taken again alike from a snapshot", () => {
    const world = struck(0.2, 300);
    const start = world.snapshot();
    const other = struck(0.2, 300);
    other.restore(start);
    for (const one of [world, other]) for (let frame = 0; frame < 5; frame++) one.step(1 / 60);
    expect(world.stepsRepeated).toBeGreaterThan(0);
    expect(other.snapshot()).toEqual(world.snapshot());
  });

  it("is none in a pile that falls from a few sizes, nor at rest", () => {
    const world = new RigidWorld();
    world.addBody(ground);
    for (let k = 0; k < 12; k++)
      world.addBody({
        shape: { type: "box", halfExtents: [0.5, 0.5, 0.5] },
        position: [0.3 * (k % 3), 1 + 1.3 * k, 0.2 * (k % 2)],
      });
    for (let frame = 0; frame < 240; frame++) world.step(1 / 60);
    expect(world.stepsRepeated).toBe(0);
  });

  it("is an event of the world", async () => {
    const world = await World.create({ backend: "cpu" });
    let told = 0;
    world.onStepsRepeated.add((count) => (told += count));
    world.addRigidBody(ground);
    const shape = { type: "box", halfExtents: [0.1, 0.1, 0.1] } as const;
    world.addRigidBody({ shape, position: [0, 0.3, 0] });
    world.addRigidBody({ shape, position: [0.05, 0.6, 0], density: 3000, linearVelocity: [0, -60, 0] });
    for (let frame = 0; frame < 5; frame++) world.step(1 / 60);
    expect(told).toBe(world.rigid.stepsRepeated);
    expect(told).toBeGreaterThan(0);
    world.dispose();
  });

  it.each([0.01, 0.3, 5])("keeps angular momentum where bodies of %f m rub each other", (size) => {
    const world = new RigidWorld({ gravity: [0, 0, 0] });
    const shape = { type: "box", halfExtents: [size / 2, size / 2, size / 2] } as const;
    const still = world.addBody({ shape, friction: 1, density: 10_000 });
    const position: Vec3 = [-0.6 * size, 4 * size, 0.1 * size];
    const linearVelocity: Vec3 = [40 * size, -200 * size, 0];
    const thrown = world.addBody({ shape, friction: 1, position, linearVelocity });
    const angular = (): number => {
      let sum = 0;
      for (const { mass, centerOfMass: x, linearVelocity: v, angularVelocity: w } of [still, thrown])
        sum += mass * (x[0] * v[1] - x[1] * v[0]) + (mass * size * size * w[2]) / 6;
      return sum;
    };
    const before = angular();
    const scale = thrown.mass * size * 40 * size;
    for (let frame = 0; frame < 4; frame++) world.step(1 / 60);
    expect(still.linearVelocity[1]).toBeLessThan(-size);
    expect(Math.abs(angular() - before)).toBeLessThan(0.5 * scale);
  });

  it("does not leave joints open", () => {
    const size = 0.01;
    const world = new RigidWorld();
    world.addBody(ground);
    const links = Array.from({ length: 6 }, (_, k) =>
      world.addBody({
        shape: { type: "capsule", pointA: [-0.4 * size, 0, 0], pointB: [0.4 * size, 0, 0], radius: 0.1 * size },
        position: [k * size, 0.5 * size, 0],
        linearVelocity: [0, k % 2 === 0 ? -2000 * size : 300 * size, 1000 * size],
      }),
    );
    for (let k = 1; k < 6; k++)
      world.addJoint({
        type: "ball",
        bodyA: links[k - 1],
        bodyB: links[k],
        pivotA: [size / 2, 0, 0],
        pivotB: [-size / 2, 0, 0],
      });
    for (let frame = 0; frame < 20; frame++) {
      world.step(1 / 60);
      for (const joint of world.joints)
        expect(
          Math.hypot(...(["linearX", "linearY", "linearZ"] as const).map((axis) => joint.position(axis))),
        ).toBeLessThan(0.05 * size);
    }
  });

  it("does not throw what falls on something far lighter", async () => {
    const family = families.find(({ name }) => name === "heaps")!;
    expect((await play(family, 100)).broken).toBeUndefined();
  });

  it.each([0.1, 1, 80])("lets bodies of %f m drift on where nothing pulls or holds them", (size) => {
    const world = new RigidWorld({ gravity: [0, 0, 0] });
    const body = world.addBody({ shape: { type: "sphere", radius: size / 2 }, linearVelocity: [1e-4 * size, 0, 0] });
    const other = world.addBody({ shape: { type: "sphere", radius: size / 2 }, position: [0, 3 * size, 0] });
    for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
    expect(body.linearVelocity[0]).toBe(1e-4 * size);
    expect(other.isAsleep).toBe(true);
  });
});
