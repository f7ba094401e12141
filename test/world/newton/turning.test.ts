import { expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../../src/index";
import { softEnergy } from "../soft-energy";
import { inWorld } from "./worlds";

// Iterations that began with the present velocities ended far from the solution: such bodies had up to 765 times their energy.
it.each([
  { turn: 0.3, size: 2, timeStep: 1 / 30 },
  { turn: 0.48, size: 0.02, timeStep: 1 / 120 },
  { turn: 2, size: 0.2, timeStep: 1 / 60 },
])(
  "a nearly incompressible solid of the Newton solver gains nothing as it turns: $turn rad a step, $size m",
  async ({ turn, size, timeStep }) => {
    const rate = turn / timeStep;
    // as stiff beside its motion at any size
    const youngsModulus = 1e7 * (size / 0.02 / (60 * timeStep)) ** 2;
    const model = solidModel({
      solver: "newton",
      ...boxTetrahedra({ size: [size, size, 2 * size], cells: [2, 2, 4] }),
      material: { model: "stable-neo-hookean", youngsModulus, poissonRatio: 0.499, density: 1000 },
    });
    const { positions: x } = model;
    await inWorld({ gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { airDensity: 0 });
      const velocities = new Float64Array(x.length);
      for (let i = 0; i < x.length; i += 3)
        [-x[i + 1], x[i] - 0.3 * x[i + 2], 0.3 * x[i + 1]].forEach((v, c) => (velocities[i + c] = rate * v));
      body.writeState({ positions: Float64Array.from(x), velocities });
      let { kinetic: before } = await softEnergy(body, 0);
      for (let frame = 1; frame <= 8; frame++) {
        world.step(timeStep);
        const { kinetic } = await softEnergy(body, 0);
        expect(kinetic, `frame ${frame}`).toBeLessThan(1.001 * before);
        before = kinetic;
      }
    });
  },
);
