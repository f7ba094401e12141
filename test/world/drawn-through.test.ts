import { expect, it } from "vitest";
import {
  addAttachment,
  clothModel,
  type DeformableBody,
  gridMesh,
  ropeModel,
  type RigidBodyOptions,
} from "../../src/index";
import { frameTime, inWorld } from "./worlds";

const GRAVITY = 9.81;
const CELLS = 6;
const EDGES = 20;

const sheet = (size: number) =>
  clothModel(gridMesh({ width: size, height: size, columns: CELLS, rows: CELLS, center: [0, 0.7 * size, 0] }));

const rope = (size: number) =>
  ropeModel({
    positions: Array.from({ length: EDGES + 1 }, (_, i) => [0, 0.7 * size, size * (i / EDGES - 0.5)]).flat(),
    radius: 0.01 * size,
    density: 1000,
  });

/** Largest distance of a vertex from the first one, over the size. */
function stretchOf(x: ArrayLike<number>, size: number): number {
  let most = 0;
  for (let i = 0; i < x.length; i += 3) most = Math.max(most, Math.abs(x[i + 2] - x[2]));
  return most / size;
}

// The holder of the edge goes through a wall at some speed [m/s]; all else is in sizes.
it.each([
  ["cpu", "sheet", "pins", 1, 2, 0.1],
  ["cpu", "sheet", "pins", 0.1, 1, 0.1],
  ["cpu", "sheet", "a body", 10, 5, 0.5],
  ["cpu", "sheet", "a body", 10, 9.7, 0.1],
  ["cpu", "rope", "pins", 1, 3, 0.02],
  ["cpu", "rope", "a body", 1, 1, 0.1],
  ["cpu", "rope", "a body", 10, 10, 0.3],
  ["webgpu", "sheet", "pins", 1, 2, 0.1],
  ["webgpu", "rope", "pins", 0.1, 1, 0.3],
] as const)(
  "on %s a %s is drawn through a wall by %s, keeps its length, and does not snap: %f m at %f m/s, wall of %f",
  async (backend, kind, by, size, speed, thick) => {
    await inWorld(backend, {}, async (world) => {
      const model = kind === "sheet" ? sheet(size) : rope(size);
      const { positions: x } = model;
      const near = kind === "sheet" ? Array.from({ length: CELLS + 1 }, (_, p) => p) : [0];
      const way = -Math.sign(x.at(-1)! - x[2]);
      const wall: RigidBodyOptions = {
        motion: "static",
        shape: { type: "box", halfExtents: [2 * size, 2 * size, 0.5 * thick * size] },
        position: [0, 0, x[2] + 0.2 * way * size],
      };
      world.addRigidBody(wall);
      const body: DeformableBody = world.addBody(model);
      if (by === "pins") body.pin(near);
      else {
        const at = [x[0], x[1], x[2]] as const;
        const rigid = world.addRigidBody({ motion: "kinematic", position: at, linearVelocity: [0, 0, way * speed] });
        addAttachment(world, { body, vertices: near, to: { rigid } });
      }
      await world.whenReadyAsync();
      let [stretch, fastest] = [0, 0];
      const frames = Math.ceil((1.5 * size) / speed / frameTime);
      for (let frame = 1; frame <= frames; frame++) {
        for (const p of by === "pins" ? near : [])
          body.setPinTarget(p, x[3 * p], x[3 * p + 1], x[3 * p + 2] + way * speed * frame * frameTime);
        world.step(frameTime);
        await world.settled();
        const state = await body.readState();
        stretch = Math.max(stretch, stretchOf(state.positions, size));
        for (let i = 3 * near.length; i < state.velocities.length; i += 3)
          fastest = Math.max(fastest, Math.hypot(...state.velocities.subarray(i, i + 3)));
      }
      expect(stretch).toBeLessThan(1.2);
      expect(fastest).toBeLessThan(4 * (speed + Math.sqrt(2 * GRAVITY * size)));
    });
  },
);
