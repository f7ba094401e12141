import { describe, expect, it } from "vitest";
import { boxTetrahedra } from "../../src/index";
import { localGlobalSolid } from "../../src/models/local-global/local-global";
import { backends, frameTime, inWorld } from "./worlds";

interface Throw {
  readonly size: number;
  readonly speed: number;
  readonly youngsModulus: number;
  readonly cells: number;
}

const throws: Record<(typeof backends)[number], readonly Throw[]> = {
  cpu: [
    { size: 1, speed: 30, youngsModulus: 1e4, cells: 4 },
    { size: 0.1, speed: 10, youngsModulus: 1e3, cells: 4 },
    { size: 0.1, speed: 30, youngsModulus: 1e3, cells: 3 },
  ],
  webgpu: [{ size: 1, speed: 30, youngsModulus: 1e4, cells: 4 }],
};

describe.each(backends)("a local-global solid much softer than ρ v² that hits the ground: %s", (backend) => {
  it.each(throws[backend])("%o: leaves none of its inside in there", ({ size, speed, youngsModulus, cells }) =>
    inWorld(backend, {}, async (world) => {
      world.addRigidBody({
        motion: "static",
        shape: { type: "box", halfExtents: [50, 1, 50] },
        position: [0, -1, 0],
      });
      const mesh = boxTetrahedra({
        size: [size, size, size],
        cells: [cells, cells, cells],
        center: [0, 0.6 * size, 0],
      });
      const material = { model: "stable-neo-hookean", youngsModulus, poissonRatio: 0.45, density: 1000 } as const;
      const model = localGlobalSolid({ ...mesh, material });
      const body = world.addBody(model);
      await world.whenReadyAsync();
      const velocities = Float64Array.from(model.positions, (_, i) => (i % 3 === 1 ? -speed : 0));
      body.writeState({ positions: Float64Array.from(model.positions), velocities });
      for (let frame = 0; frame < 6; frame++) {
        world.step(frameTime);
        await world.settled();
        const { positions } = await body.readState();
        const lowest = Math.min(...Array.from(positions).filter((_, i) => i % 3 === 1));
        expect(lowest).toBeGreaterThan(-0.1 * size);
      }
    }),
  );
});
