import { describe, expect, it } from "vitest";
import { boxTetrahedra } from "../../src/index";
import { localGlobalSolid } from "../../src/models/local-global/local-global";
import { newtonSolid } from "../../src/models/newton/newton-soft-body";
import { type BackendName, frameTime, inWorld } from "./worlds";

interface Throw {
  readonly size: number;
  readonly speed: number;
  readonly youngsModulus: number;
  readonly cells: number;
}

const fast: Throw = { size: 1, speed: 30, youngsModulus: 1e4, cells: 4 };
const small: Throw = { size: 0.1, speed: 30, youngsModulus: 1e3, cells: 3 };

const builders = { "local-global": localGlobalSolid, newton: newtonSolid } as const;
const cases: readonly [BackendName, keyof typeof builders, readonly Throw[]][] = [
  ["cpu", "local-global", [fast, small, { ...small, speed: 10, cells: 4 }]],
  ["webgpu", "local-global", [fast]],
  // On a GPU the CPU looks for these contacts as well.
  ["cpu", "newton", [fast, small]],
];

describe.each(cases)("a solid much softer than ρ v² that hits the ground: %s %s", (backend, solver, throws) => {
  it.each(throws)("%o: leaves none of its inside in there", ({ size, speed, youngsModulus, cells }) =>
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
      const model = builders[solver]({ ...mesh, material });
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
