import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../src/index";
import type { SolidLaw } from "../../src/materials/solid-material";
import { verticesWhere } from "./cloths";
import { inWorld, run } from "./worlds";

const CELLS = 6;

/** Largest distance from its middle that a point of a cube has after a second, over the cube's side. The cube hangs by corners of a side. */
function reach(model: SolidLaw, size: number): Promise<number> {
  return inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
    const mesh = boxTetrahedra({ size: [size, size, size], cells: [CELLS, CELLS, CELLS], center: [0, 0, 0] });
    // weight a unit of area is a fifth of Young's modulus at any size
    const material = { model, youngsModulus: 5e4 * size, poissonRatio: 0.45, density: 1000 };
    const corners = verticesWhere(
      mesh.positions,
      (x, y, z) => z > 0.49 * size && Math.min(Math.abs(x), Math.abs(y)) > (0.49 - 1 / CELLS) * size,
    );
    const cube = world.addBody(solidModel({ ...mesh, material }), { pins: corners });
    run(world, 60);
    const { positions } = await cube.readState();
    let most = 0;
    for (let i = 0; i < positions.length; i += 3)
      most = Math.max(most, Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
    return most / size;
  });
}

describe("a soft cube that hangs by four corners", () => {
  // Elements at the pins turned inside out, and all of it flew off as dust: 30 sides in a second.
  it.each<[SolidLaw, number]>([
    ["stable-neo-hookean", 0.4],
    ["stable-neo-hookean", 4],
    ["neo-hookean", 0.4],
  ])("holds together: %s, side of %d m", async (model, size) => {
    expect(await reach(model, size)).toBeLessThan(2.5);
  });
});
