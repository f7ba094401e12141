import { expect, test } from "vitest";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";

// A wheel rolls 40 of its radii in a frame. The push out of the ground must act where it is by then, and its default greatest
// angular speed follows its size.
test.each([2e-4, 0.02, 2])("a wheel of radius %d m that rolls by many radii in a step goes on rolling", (radius) => {
  const world = new RigidWorld();
  const ground = { type: "box", halfExtents: [1e3 * radius, radius, 1e3 * radius] } as const;
  world.addBody({ motion: "static", shape: ground, position: [0, -radius, 0], friction: 1 });
  const dt = Math.sqrt(radius / 2e-4) / 60;
  const speed = (40 * radius) / dt;
  const wheel = world.addBody({
    shape: { type: "cylinder", pointA: [0, 0, -radius], pointB: [0, 0, radius], radius },
    position: [0, 0.99 * radius, 0],
    linearVelocity: [speed, 0, 0],
    angularVelocity: [0, 0, -speed / radius],
    friction: 1,
  });
  world.step(dt);
  expect(wheel.linearVelocity[0] / speed).toBeCloseTo(1, 2);
  expect((wheel.angularVelocity[2] * radius) / speed).toBeCloseTo(-1, 2);
});
