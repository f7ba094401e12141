import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../../../src/index";
import { backends, inWorld, run } from "../../../world/worlds";

// A body at rest has no energy, but its guard must still allow the energy that gravity gives it.
describe.each(backends)("a guarded solid that falls from rest on %s", (backend) => {
  it.each([0.001, 1, 1000])("falls as a free body: size %s m", async (size) => {
    await inWorld(backend, { gravity: [0, -9.81 * size, 0] }, async (world) => {
      const cube = boxTetrahedra({ size: [size, size, size], cells: [2, 2, 2] });
      const material = { youngsModulus: 1e5 * size * size, poissonRatio: 0.3, density: 1000 };
      const body = world.addBody(solidModel({ ...cube, material }), { airDensity: 0 });
      run(world, 30);
      const { positions, velocities } = await body.readState();
      for (let i = 1; i < positions.length; i += 3) {
        expect((body.model.positions[i] - positions[i]) / size).toBeCloseTo(0.5 * 9.81 * 0.25, 1);
        expect(-velocities[i] / size).toBeCloseTo(9.81 * 0.5, 3);
      }
    });
  });

  it("is blown away where nothing else moves it", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const cube = boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] });
      const model = solidModel({ ...cube, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 10 } });
      const body = world.addBody(model, { wind: [10, 0, 0] });
      run(world, 30);
      const { velocities } = await body.readState();
      for (let i = 0; i < velocities.length; i += 3) expect(velocities[i]).toBeGreaterThan(0.5);
    });
  });
});
