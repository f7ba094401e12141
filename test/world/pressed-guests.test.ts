import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, type BodyModel, type Vec3 } from "../../src/index";
import { inWorld } from "./worlds";

/** Depth that may be below the ground, as a part of a size. */
const DEPTH = 0.1;
const FRAMES = 3;

/** A cube with its middle at a height. */
function cube(solver: "gpbd" | "newton" | "local-global", size: number, height: number, density: number): BodyModel {
  return solidModel({
    solver,
    ...boxTetrahedra({ size: [size, size, size], cells: [2, 2, 2], center: [0.2 * height, height, 0] }),
    material: { model: "stable-neo-hookean", youngsModulus: 1e6, poissonRatio: 0.3, density },
  });
}

describe("a solid that one of gpbd is thrown on", () => {
  const sizes = { newton: [2e-3, 2e-2, 0.2], "local-global": [2e-3, 1.976e-2, 2e-2, 2.024e-2, 2.036e-2, 0.2] } as const;
  const cases = (["newton", "local-global"] as const).flatMap((solver) =>
    sizes[solver].map((size) => ({ solver, size })),
  );
  it.each(cases)("is not pressed into the ground: $solver, $size m", async ({ solver, size }) => {
    await inWorld("cpu", {}, async (world) => {
      world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [50, 1, 50] }, position: [0, -1, 0] });
      const below = world.addBody(cube(solver, size, 0.8 * size, 1000));
      const model = cube("gpbd", size, 2.1 * size, 5000);
      const above = world.addBody(model);
      const way: Vec3 = [0.5, -100 * size, 0];
      above.writeState({
        positions: Float64Array.from(model.positions),
        velocities: model.positions.map((_, i) => way[i % 3]) as Float64Array,
      });
      for (let frame = 0; frame < FRAMES; frame++) {
        world.step(1 / 60);
        const { positions } = await below.readState();
        const lowest = Math.min(...positions.filter((_, i) => i % 3 === 1));
        expect(lowest / size, `frame ${frame}`).toBeGreaterThan(-DEPTH);
      }
    });
  });
});
