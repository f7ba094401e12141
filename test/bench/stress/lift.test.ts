import { expect, test } from "vitest";
import { Lift, overlapEnergy } from "../../../bench/stress/lift";
import { ropeModel, World, type RigidBodyOptions, type Vec3 } from "../../../src/index";

const cube: RigidBodyOptions["shape"] = { type: "box", halfExtents: [0.5, 0.5, 0.5] };
const ground: RigidBodyOptions = {
  motion: "static",
  shape: { type: "box", halfExtents: [20, 1, 20] },
  position: [0, -1, 0],
};

async function liftOf(height: number, linearVelocity: Vec3): Promise<number> {
  const data = { size: 1, gravity: [0, -9.81, 0], timeStep: 1 / 60, frames: 60 } as const;
  const world = await World.create({ backend: "cpu" });
  world.addRigidBody(ground);
  const body = world.addRigidBody({ shape: cube, mass: 2, position: [0, height, 0], linearVelocity });
  await world.whenReadyAsync();
  const lift = new Lift(world, [body], data);
  for (let frame = 0; frame < data.frames; frame++) {
    world.step(data.timeStep);
    lift.look();
  }
  world.dispose();
  return lift.work;
}

test("a box that is pushed out of the ground gets its weight times the way, one that falls or flies nothing", async () => {
  // contacts let go a little below the surface
  expect(Math.abs((await liftOf(0.3, [0, 0, 0])) / (2 * 9.81 * 0.2) - 1)).toBeLessThan(0.15);
  expect(await liftOf(0.7, [0, 0, 0])).toBe(0);
  expect(await liftOf(1.5, [0, 5, 0])).toBe(0);
});

test("a rope in the ground has the energy of a fall by its depth, one above it none", () => {
  const scene = (y: number): Parameters<typeof overlapEnergy>[0] => {
    const model = ropeModel({ positions: [0, y, 0, 1, y, 0], radius: 0.02, density: 1000 });
    return {
      size: 1,
      gravity: [0, -9.81, 0],
      timeStep: 1 / 60,
      frames: 1,
      bodies: [ground],
      softs: [{ model }],
    };
  };
  const mass = scene(0).softs![0].model.masses.reduce((sum, m) => sum + m, 0);
  expect(overlapEnergy(scene(-0.1))).toBeCloseTo(mass * 9.81 * 0.12, 6);
  expect(overlapEnergy(scene(0.03))).toBe(0);
});
