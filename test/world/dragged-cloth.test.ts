import { describe, expect, it } from "vitest";
import { addAttachment, clothModel, gridMesh, World } from "../../src/index";

const CELLS = 8;

/**
 * Largest speed of a vertex of a small sheet whose corner an animated body takes along, over that body's speed. Its cells are crushed to slivers by
 * the start, and the damping of their bending had no bound there.
 *
 * @param size [m]
 * @param speed [m/s]
 */
async function whip(size: number, speed: number, options: object): Promise<number> {
  const world = await World.create({ backend: "cpu", gravity: [0, 0, 0] });
  const mesh = gridMesh({ width: size, height: 2 * size, columns: CELLS, rows: CELLS, center: [0, 0, 0] });
  const body = world.addBody(clothModel(mesh), options);
  const { positions: x } = body.model;
  const near = Array.from({ length: x.length / 3 }, (_, p) => p).filter((p) => apart(x, p) < 0.3 * size);
  const holder = world.addRigidBody({
    motion: "kinematic",
    position: [x[0], x[1], x[2]],
    linearVelocity: [0, speed, 0],
  });
  addAttachment(world, { body, vertices: near, to: { rigid: holder } });
  await world.whenReadyAsync();
  let most = 0;
  for (let frame = 0; frame < 30; frame++) {
    world.step(1 / 60);
    await world.settled();
    const { velocities: v } = await body.readState();
    for (let i = 0; i < v.length; i += 3) most = Math.max(most, Math.hypot(v[i], v[i + 1], v[i + 2]));
  }
  world.dispose();
  return most / speed;
}

const apart = (x: ArrayLike<number>, p: number): number =>
  Math.hypot(x[3 * p] - x[0], x[3 * p + 1] - x[1], x[3 * p + 2] - x[2]);

describe("a small sheet on an animated body", () => {
  it.each([
    [0.001, 0.02],
    [0.001, 1],
    [0.01, 0.2],
    [0.1, 2],
  ])("is not thrown about: %f m at %f m/s", async (size, speed) => {
    expect(await whip(size, speed, {})).toBeLessThan(10);
  });

  it("is not either, swept in place and in f64", async () => {
    expect(await whip(0.001, 1, { method: "gauss-seidel" })).toBeLessThan(10);
    expect(await whip(0.001, 1, { iterations: 2 })).toBeLessThan(10);
  });
});
