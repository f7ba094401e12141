import { describe, expect, it } from "vitest";
import { expectRefused } from "../../refusal";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { complaintsOf } from "./random-scene";
import { floorWorld, run, spinEnergy } from "./worlds";

describe("an axis with one limit and friction", () => {
  it("lets the body slide against the friction, down to the limit", () => {
    const world = new RigidWorld();
    const post = world.addBody({ motion: "static" });
    const [mass, friction] = [2, 5];
    const sled = world.addBody({ shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] }, mass });
    const axes = { linearX: { mode: "limited", max: 0.3, friction } } as const;
    const joint = world.addJoint({
      type: "slider",
      bodyA: post,
      bodyB: sled,
      axisA: [0, -1, 0],
      axisB: [0, -1, 0],
      axes,
    });
    const time = 0.2;
    run(world, time);
    const acceleration = 9.81 - friction / mass;
    expect(joint.position("linearX")).toBeCloseTo(0.5 * acceleration * time * (time + 1 / 60), 3);
    expect(world.dynamics.broken).toEqual([]);
    run(world, 1);
    expect(joint.position("linearX")).toBeCloseTo(0.3, 5);
  });

  it("is refused limits that leave no place", () => {
    const world = new RigidWorld();
    const [bodyA, bodyB] = [world.addBody(), world.addBody()];
    for (const axes of [
      { linearX: { mode: "limited", min: Infinity, max: Infinity } },
      { linearX: { mode: "limited", min: -Infinity, max: -Infinity } },
    ] as const)
      expectRefused(() => world.addJoint({ type: "slider", bodyA, bodyB, axes }), "invalid-argument", /can be reached/);
    expect(world.joints).toHaveLength(0);
  });
});

describe("what happens to one body", () => {
  it("does not change what the contacts of the last step tell of others", () => {
    const world = floorWorld();
    const box = { type: "box", halfExtents: [0.5, 0.5, 0.5] } as const;
    const bodies = [-4, 0, 4].map((x) => world.addBody({ shape: box, position: [x, 0.5, 0], mass: 2 + x / 4 }));
    run(world, 0.1);
    const [first, ...others] = bodies;
    const wrenches = (): number[] =>
      others.flatMap((body) => {
        const wrench = new Float64Array(6);
        body.contactWrenchToRef(wrench);
        return [...wrench];
      });
    const before = wrenches();
    expect(before[1]).toBeCloseTo((2 * 9.81) / 60, 6);
    first.dispose();
    expect(wrenches()).toEqual(before);
    const { pairs } = world;
    const named = Array.from({ length: pairs.count }, (_, k) => world.bodies[pairs.bodyB[k]]);
    expect(named).toEqual(others);
  });

  it("does not reach others by the floor on which both lie, even where its numbers end", () => {
    const world = floorWorld();
    const box = { type: "box", halfExtents: [0.5, 0.5, 0.5] } as const;
    const [first, second] = [-3, 3].map((x) => world.addBody({ shape: box, position: [x, 0.5, 0] }));
    run(world, 0.1);
    // No call lets such a number in; it stands for a failed solve.
    world.dynamics.bodies.state.force[6 * first.record.slot] = NaN;
    world.step(1 / 60);
    expect(world.dynamics.broken).toEqual([first.record.slot]);
    run(world, 0.5);
    expect(complaintsOf(world)).toEqual([]);
    expect(second.position[1]).toBeCloseTo(0.5, 5);
    expect(first.position[0]).toBeCloseTo(-3, 5);
  });

  it("does not throw others further than their greatest speed, whatever it weighs and however hard it is hit", () => {
    const world = floorWorld();
    const shape = { type: "sphere", radius: 0.2 } as const;
    const masses = [1e-3, 1e3, 1e-3, 1, 1e3];
    const balls = masses.map((mass, k) => world.addBody({ shape, mass, position: [0.05 * k, 0.3 + 0.1 * k, 0] }));
    for (const ball of balls) ball.applyImpulse([1e9, -1e9, 1e7], [0.1, 0, 0]);
    run(world, 1, 1 / 60, () => expect(complaintsOf(world)).toEqual([]));
  });
});

describe("a body that spins without measure", () => {
  it.each([1e3, 1e5, 1e9, 1e15])("at %d rad/s answers at once and gains no energy", (speed) => {
    const world = new RigidWorld();
    world.gravity = [0, 0, 0];
    const body = world.addBody({
      shape: { type: "box", halfExtents: [0.1, 0.2, 0.4] },
      mass: 1,
      angularVelocity: [0.6 * speed, 0.2 * speed, 0.77 * speed],
      maxAngularSpeed: 1e16,
    });
    const start = spinEnergy(body);
    run(world, 0.2);
    expect(complaintsOf(world)).toEqual([]);
    expect(spinEnergy(body)).toBeLessThanOrEqual(1.01 * start);
  });
});

describe("a club with its middle of mass near one end", () => {
  it.each([0.1, 1, 10])("is stopped by a plate that its light end hits, size %d", (size) => {
    for (const phase of [0, 0.6, 1.2]) {
      const world = new RigidWorld();
      world.gravity = [0, 0, 0];
      // The middle of mass is at the origin, and the light end goes around it at 1.9 m: further than it is from the middle of the box.
      const club = world.addBody({
        shape: { type: "box", halfExtents: [size, 0.03 * size, 0.03 * size] },
        mass: 1,
        inertia: [0.1 * size ** 2, size ** 2, size ** 2],
        centerOfMass: [0.9 * size, 0, 0],
        position: [-0.9 * size * Math.cos(phase), -0.9 * size * Math.sin(phase), 0],
        rotation: [0, 0, Math.sin(phase / 2), Math.cos(phase / 2)],
        angularVelocity: [0, 0, 35],
      });
      const shape = { type: "box", halfExtents: [0.02 * size, 0.9 * size, size] } as const;
      world.addBody({ motion: "static", shape, position: [0, -1.4 * size, 0] });
      let turned = phase;
      run(world, 1 / 3, 1 / 60, () => {
        const [, , z, w] = club.rotation;
        const angle = 2 * Math.atan2(z, w);
        turned = angle + 2 * Math.PI * Math.round((turned - angle) / (2 * Math.PI));
        // It meets the plate at a quarter of a turn, and its other end then passes on this side of it.
        expect(turned).toBeLessThan(1.5 * Math.PI);
      });
    }
  });
});
