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

// The common motion of the two, to which surfaces shorten displacements, took it below by up to three of its sizes.
describe("a light solid of gpbd that a fast one of another solver hits", () => {
  it.each([
    { solver: "newton", size: 0.02, rate: 500 },
    { solver: "newton", size: 0.2, rate: 1000 },
    { solver: "local-global", size: 0.02, rate: 1000 },
    { solver: "local-global", size: 0.2, rate: 500 },
  ] as const)("is not pressed into the ground: $solver, $size m, $rate sizes a second", async (run) => {
    const { solver, size, rate } = run;
    const speed = rate * size;
    await inWorld("cpu", {}, async (world) => {
      world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [99, 1, 99] }, position: [0, -1, 0] });
      const [below] = (["gpbd", solver] as const).map((kind, k) => {
        const mesh = boxTetrahedra({
          size: [size, size, size],
          cells: [1, 1, 1],
          center: [0.2 * size * k, size * (0.8 + 1.6 * k), 0],
        });
        const material = { youngsModulus: k ? 1e6 : 2e3, poissonRatio: 0.3, density: k ? 3000 : 500 };
        const model = solidModel({ solver: kind, ...mesh, material });
        const body = world.addBody(model);
        const way = k ? [0.9 * speed, -0.6 * speed, 0] : [-0.9 * speed, 0.5 * speed, 0];
        const velocities = model.positions.map((_, i) => way[i % 3]) as Float64Array;
        body.writeState({ positions: Float64Array.from(model.positions), velocities });
        return body;
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
