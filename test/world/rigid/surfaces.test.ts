import { describe, expect, it } from "vitest";
import { RigidWorld, type ColliderShape, type RigidBodyOptions } from "../../../src/index";
import { expectRefused } from "../../refusal";

const box = (x: number, y: number, z: number): ColliderShape => ({ type: "box", halfExtents: [x, y, z] });

/** A floor of two tiles, left and right of x = 0, with their tops at height 0. */
const tiles: ColliderShape = {
  type: "container",
  children: [
    { shape: box(5, 0.5, 5), position: [-5, -0.5, 0] },
    { shape: box(5, 0.5, 5), position: [5, -0.5, 0] },
  ],
};

describe("parts of a body", () => {
  it("have a friction of their own", () => {
    const world = new RigidWorld();
    const surfaces = [{ friction: 0 }, { friction: 0.5 }];
    world.addBody({ motion: "static", shape: tiles, frictionCombine: "multiply", surfaces });
    const slide = (x: number): number => {
      const brick = world.addBody({ shape: box(0.2, 0.1, 0.2), position: [x, 0.1, 0], friction: 1 });
      brick.linearVelocity = [0, 0, 2];
      for (let i = 0; i < 20; i++) world.step(1 / 60);
      return brick.linearVelocity[2];
    };
    expect(slide(-2)).toBeCloseTo(2, 9);
    // a third of a second of µ g
    expect(slide(2)).toBeCloseTo(2 - (0.5 * 9.81) / 3, 3);
  });

  it("hold with static friction, and slide with the other", () => {
    const world = new RigidWorld();
    const surface = { friction: 0.2, staticFriction: 0.6 };
    world.addBody({ motion: "static", shape: box(5, 0.5, 5), position: [0, -0.5, 0], ...surface });
    const brick = world.addBody({ shape: box(0.4, 0.1, 0.4), position: [0, 0.1, 0], mass: 1, ...surface });
    const push = (force: number): void => {
      for (let i = 0; i < 20; i++) {
        brick.applyForce([force, 0, 0], [brick.position[0], 0, 0]);
        world.step(1 / 60);
      }
    };
    push(0.55 * 9.81);
    expect(Math.abs(brick.linearVelocity[0])).toBeLessThan(1e-9);
    push(0.65 * 9.81);
    const before = brick.linearVelocity[0];
    push(0.65 * 9.81);
    expect((brick.linearVelocity[0] - before) / (0.45 * 9.81 * (20 / 60))).toBeCloseTo(1, 2);
  });

  it("choose whom they collide with, and tell of what they do not push", () => {
    const world = new RigidWorld();
    const surfaces = [{ membership: 2 }, { isTrigger: true }];
    world.addBody({ motion: "static", shape: tiles, surfaces });
    const drop = (x: number, collideWith: number): number => {
      const ball = world.addBody({ shape: { type: "sphere", radius: 0.2 }, position: [x, 0.3, 0], collideWith });
      let sensed = 0;
      for (let i = 0; i < 30; i++) {
        world.step(1 / 60);
        for (let k = 0; k < world.pairs.count; k++) sensed += world.pairs.isSensor[k];
      }
      const [, y] = ball.position;
      ball.dispose();
      return y > 0 ? 1 : -sensed;
    };
    expect(drop(-2, 2)).toBe(1);
    expect(drop(-2, 1)).toBe(-0);
    expect(drop(2, 1)).toBeLessThan(-10);
  });

  it("have to be told of in full", () => {
    const world = new RigidWorld();
    const add = (surfaces: RigidBodyOptions["surfaces"]) => () =>
      world.addBody({ motion: "static", shape: tiles, surfaces });
    expectRefused(add([{}]), "invalid-argument", /surfaces.*parts \(2\)/);
    expectRefused(add([{}, { restitution: -1 }]), "invalid-argument", /surfaces\[1\]\.restitution/);
    expect(world.bodies).toHaveLength(0);
  });
});

describe("a dynamic mesh", () => {
  it("has the mass of the solid inside, and comes to rest", () => {
    const world = new RigidWorld();
    world.addBody({ motion: "static", shape: box(5, 0.5, 5), position: [0, -0.5, 0] });
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
    // corner 4 a + 2 b + c
    const faces = [
      0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3,
    ];
    const positions = Float64Array.from(corners.flat(), (value) => 0.2 * value);
    const body = world.addBody({
      shape: { type: "mesh", positions, indices: Uint32Array.from(faces) },
      position: [0, 0.3, 0],
    });
    expect(body.mass).toBeCloseTo(1000 * 0.4 ** 3, 9);
    expect(body.massProperties.inertia[0]).toBeCloseTo((body.mass * 0.16) / 6, 9);
    for (let i = 0; i < 90; i++) world.step(1 / 60);
    expect(Math.abs(body.position[1] - 0.2)).toBeLessThan(2e-3);
  });
});

describe("sleep", () => {
  it("may be asked for, and lasts until something touches the body", () => {
    const world = new RigidWorld();
    const add = (y: number): ReturnType<RigidWorld["addBody"]> =>
      world.addBody({ shape: box(0.2, 0.2, 0.2), position: [0, y, 0] });
    const hanging = add(2);
    hanging.sleep();
    for (let i = 0; i < 10; i++) world.step(1 / 60);
    expect(hanging.position[1]).toBe(2);
    // one that arrives far away does not wake it
    world.addBody({ shape: box(0.2, 0.2, 0.2), position: [9, 0, 0] });
    world.step(1 / 60);
    expect(hanging.isAsleep).toBe(true);
    const falling = add(3);
    falling.linearVelocity = [0, -3, 0];
    for (let i = 0; i < 30; i++) world.step(1 / 60);
    expect(hanging.isAsleep).toBe(false);
    expect(hanging.position[1]).toBeLessThan(1.9);
  });
});
