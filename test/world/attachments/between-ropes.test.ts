/** Rigid bodies between ropes that are tied to them: nobody gives energy. */
import { expect, it } from "vitest";
import {
  addAttachment,
  type DeformableBody,
  type RigidBody,
  ropeModel,
  type Vec3,
  type World,
} from "../../../src/index";
import { inWorld } from "../worlds";
import { GRAVITY } from "./hanging";

/** A straight rope along the vertical, between two heights [m]. */
function ropeOf(world: World, a: number, b: number, size: number, isNewton = false): DeformableBody {
  const positions = Array.from({ length: 11 }, (_, i) => [0, a + ((b - a) * i) / 10, 0]).flat();
  const common = { positions, radius: 0.01 * size, density: 1000 };
  return world.addBody(ropeModel(isNewton ? { ...common, solver: "newton", youngsModulus: 1e8 * size } : common));
}

const tie = (world: World, body: DeformableBody, vertex: number, rigid: RigidBody) =>
  addAttachment(world, { body, vertices: [vertex], to: { rigid } });

const squared = ([x, y, z]: Vec3): number => x * x + y * y + z * z;

it.each([
  { radius: 0.003, density: 1000 },
  { radius: 0.0005, density: 8000 },
])("a box that turns between two ropes keeps its energy: radius $radius, density $density", ({ radius, density }) =>
  inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const half = 0.003;
    const shape = { type: "box", halfExtents: [half, half, half] } as const;
    const box = world.addRigidBody({ shape, density: 1000, angularVelocity: [30, 15, 0] });
    const ropes = [1, -1].map((side) => {
      const positions = Array.from({ length: 5 }, (_, i) => [0, side * (half + 0.007 * i), 0]).flat();
      const rope = world.addBody(ropeModel({ positions, radius, density }));
      tie(world, rope, 0, box);
      return rope;
    });
    await world.whenReadyAsync();
    const energy = async (): Promise<number> => {
      let sum = box.mass * squared(box.linearVelocity);
      sum += Math.max(...box.massProperties.inertia) * squared(box.angularVelocity);
      for (const rope of ropes) {
        const { velocities } = await rope.readState();
        // The box has the mass of the vertices that it carries.
        velocities.forEach((v, i) => (sum += i < 3 ? 0 : rope.model.masses[Math.floor(i / 3)] * v * v));
      }
      return sum / 2;
    };
    const before = await energy();
    for (let frame = 0; frame < 60; frame++) {
      world.step(1 / 60);
      expect(await energy()).toBeLessThan(1.05 * before);
    }
  }),
);

it("a ball is not thrown by the end of a rope that it comes off", () =>
  inWorld("cpu", { gravity: [0, -GRAVITY, 0] }, async (world) => {
    const size = 0.0074;
    const shape = { type: "box", halfExtents: [100 * size, size, 100 * size] } as const;
    world.addRigidBody({ motion: "static", shape, position: [0, -size, 0] });
    const positions = Array.from({ length: 5 }, (_, i) => [0, size * (1 + 0.75 * i), 0]).flat();
    const rope = world.addBody(ropeModel({ positions, radius: 0.16 * size, density: 8000 }));
    const ball = world.addRigidBody({
      shape: { type: "sphere", radius: 0.3 * size },
      mass: 1.5e-4,
      position: [0, 4.3 * size, 0],
    });
    const attachment = tie(world, rope, 4, ball);
    await world.whenReadyAsync();
    for (let frame = 0; frame < 3; frame++) world.step(1 / 30);
    attachment.dispose();
    const height = ball.position[1];
    for (let frame = 0; frame < 3; frame++) {
      world.step(1 / 30);
      expect(ball.position[1] - height).toBeLessThan(0.6 * size);
    }
  }));

it.each([1, 0.1])("a box holds a load on a rope of gpbd, and hangs on one of newton: size %f", (size) =>
  inWorld("cpu", { gravity: [0, -GRAVITY, 0] }, async (world) => {
    const shape = { type: "box", halfExtents: [0.1 * size, 0.1 * size, 0.1 * size] } as const;
    const top = world.addRigidBody({ motion: "static", shape, position: [0, 2.1 * size, 0] });
    const box = world.addRigidBody({ shape, mass: size ** 3, position: [0, 0.9 * size, 0] });
    const load = world.addRigidBody({ shape, mass: 10 * size ** 3, position: [0, -1.3 * size, 0] });
    const upper = ropeOf(world, 2 * size, size, size, true);
    const lower = ropeOf(world, 0.8 * size, -1.2 * size, size);
    tie(world, upper, 0, top);
    tie(world, upper, 10, box);
    tie(world, lower, 0, box);
    tie(world, lower, 10, load);
    await world.whenReadyAsync();
    for (let frame = 0; frame < 60; frame++) {
      world.step(1 / 60);
      if (frame < 40) continue;
      const { positions } = await upper.readState();
      const [x, y, z] = box.position;
      const apart: Vec3 = [positions[30] - x, positions[31] - y - 0.1 * size, positions[32] - z];
      expect(Math.sqrt(squared(apart)) / size).toBeLessThan(1e-5);
      expect(Math.sqrt(squared(load.linearVelocity) / (GRAVITY * size))).toBeLessThan(0.05);
    }
  }),
);

it.each([
  { size: 0.1, density: 300, dt: 1 / 240 },
  { size: 1, density: 300, dt: 1 / 60 },
  { size: 10, density: 300, dt: 1 / 60 },
  { size: 10, density: 8000, dt: 1 / 240 },
])("a turned box that is held still does not throw its rope: size $size, density $density", ({ size, density, dt }) =>
  inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const shape = { type: "box", halfExtents: [0.1 * size, 0.1 * size, 0.1 * size] } as const;
    const box = world.addRigidBody({ shape, density: 500, angularVelocity: [0, 0, 4] });
    const positions = Array.from({ length: 4 }, (_, i) => [0, size * (0.1 + 0.3 * i), 0]).flat();
    const rope = world.addBody(ropeModel({ positions, radius: 0.03 * size, density }));
    tie(world, rope, 0, box);
    await world.whenReadyAsync();
    const energy = async (): Promise<number> => {
      const { velocities } = await rope.readState();
      let sum = 0;
      // The box has the mass of the vertex that it carries.
      velocities.forEach((v, i) => (sum += i < 3 ? 0 : rope.model.masses[Math.floor(i / 3)] * v * v));
      return sum;
    };
    for (let time = 0; time < 0.4; time += dt) world.step(dt);
    const before = await energy();
    expect(before).toBeGreaterThan(0);
    // Its first edge lies within the box.
    box.change({ motion: "static" });
    for (let frame = 0; frame < 20; frame++) {
      world.step(dt);
      expect(await energy()).toBeLessThan(1.05 * before);
    }
  }),
);
