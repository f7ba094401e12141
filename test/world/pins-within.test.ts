import { expect, it } from "vitest";
import { clothModel, type DeformableBody, gridMesh, ropeModel, type World } from "../../src/index";
import { frameTime, inWorld } from "./worlds";

const GRAVITY = 9.81;
const FRAMES = 75;
/** Cells of the cloth and edges of the rope. */
const CELLS = 8;
const EDGES = 10;

/**
 * The largest speed of a free vertex while the first ones are pinned, over that of a fall over the size [1].
 *
 * @param held how many are pinned
 * @param sinking how far they have gone down [m]
 */
async function fastest(
  world: World,
  body: DeformableBody,
  size: number,
  held: number,
  sinking: (frame: number) => number,
): Promise<number> {
  const pins = Array.from({ length: held }, (_, p) => p);
  const { positions: x } = body.model;
  let most = 0;
  body.pin(pins);
  await world.whenReadyAsync();
  for (let frame = 1; frame <= FRAMES; frame++) {
    for (const p of pins) body.setPinTarget(p, x[3 * p], x[3 * p + 1] - sinking(frame), x[3 * p + 2]);
    world.step(frameTime);
    await world.settled();
    const { velocities: v } = await body.readState();
    for (let i = 3 * held; i < v.length; i += 3)
      most = Math.max(most, Math.sqrt(v[i] ** 2 + v[i + 1] ** 2 + v[i + 2] ** 2));
  }
  return most / Math.sqrt(2 * GRAVITY * size);
}

it.each([
  ["cpu", 0.1],
  ["cpu", 1],
  ["webgpu", 1],
] as const)("pins drag cloth into the ground, and nothing is shot on %s: %f m", async (backend, size) => {
  await inWorld(backend, {}, async (world) => {
    world.addCollider({ type: "box", halfExtents: [9 * size, size, 9 * size] }, { position: [0, -size, 0] });
    const mesh = gridMesh({ width: size, height: size, columns: CELLS, rows: CELLS, center: [0, 0.02 * size, 0] });
    const body = world.addBody(clothModel(mesh));
    expect(await fastest(world, body, size, CELLS + 1, (frame) => size * Math.min(1, frame / 40))).toBeLessThan(2);
  });
});

it.each([
  ["cpu", 0.1],
  ["cpu", 1],
  ["cpu", 10],
  ["webgpu", 1],
] as const)("a box that swallows the pin of a rope shoots nothing on %s: %f m", async (backend, size) => {
  await inWorld(backend, {}, async (world) => {
    world.addRigidBody({
      shape: { type: "box", halfExtents: [0.3 * size, 0.3 * size, 0.3 * size] },
      motion: "kinematic",
      position: [-0.8 * size, 0.02 * size, 0],
      linearVelocity: [size, 0, 0.03 * size],
    });
    const positions = Array.from({ length: 3 * EDGES + 3 }, (_, i) =>
      i % 3 === 1 ? (-size * (i - 1)) / 3 / EDGES : 0,
    );
    const body = world.addBody(ropeModel({ positions, radius: 0.01 * size, density: 1000 }));
    expect(await fastest(world, body, size, 1, () => 0)).toBeLessThan(2);
  });
});
