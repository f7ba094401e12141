import { describe, expect, it } from "vitest";
import { boxTetrahedra, World } from "../../../src/index";
import { newtonSolid } from "../../../src/models/newton/newton-soft-body";

/**
 * A box is thrown at the top of a soft cube of 2³ cells, in units of the cube.
 *
 * @returns largest depth of its middle below the top, in sides of the box
 */
async function sinking(scale: number, side: number, speed: number, x: number, z: number): Promise<number> {
  const world = await World.create({ backend: "cpu", gravity: [0, -9.81 * scale, 0] });
  const half = (size: number) => [0.5 * size * scale, 0.5 * size * scale, 0.5 * size * scale] as const;
  world.addRigidBody({
    motion: "static",
    shape: { type: "box", halfExtents: half(4) },
    position: [0, -2 * scale, 0],
  });
  const mesh = boxTetrahedra({
    size: [0.24 * scale, 0.24 * scale, 0.24 * scale],
    cells: [2, 2, 2],
    center: [0, 0.12 * scale, 0],
  });
  const youngsModulus = 1e6 * scale * scale;
  const material = { model: "stable-neo-hookean", youngsModulus, poissonRatio: 0.3, density: 1000 } as const;
  world.addBody(newtonSolid({ ...mesh, material }));
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: half(side) },
    density: 500,
    position: [x * scale, (0.54 + side / 2) * scale, z * scale],
    linearVelocity: [0, -speed * scale, 0],
  });
  await world.whenReadyAsync();
  let least = Infinity;
  for (let frame = 0; frame < 12; frame++) {
    world.step(1 / 60);
    least = Math.min(least, box.centerOfMass[1] / scale - 0.24);
  }
  world.dispose();
  return -least / side;
}

describe("a box that goes further in a step than it is large", () => {
  it.each([0.1, 1, 10])("is met by particles and faces of a soft body, %f times as large", async (scale) => {
    for (const speed of [3.6, 10, 30]) expect(await sinking(scale, 0.02, speed, 0, 0)).toBeLessThan(0);
    for (const [x, z] of [
      [0, 0],
      [0.04, 0.03],
      [0.07, -0.05],
    ])
      expect(await sinking(scale, 0.1, 30, x, z)).toBeLessThan(0);
  });
});
