import { expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../src/index";
import { frameTime, inWorld } from "./worlds";
it.each(["cpu", "webgpu"] as const)("rests %s", { timeout: 100000 }, async (backend) => {
  await inWorld(backend, {}, async (world) => {
    const size = 0.03;
    let told = 0;
    world.onStepsRepeated.add((count) => (told += count));
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [50, 1, 50] }, position: [0, -1, 0] });
    const mesh = boxTetrahedra({ size: [size, size, size], cells: [4, 4, 4], center: [0, 0.6 * size, 0] });
    const material = { model: "stable-neo-hookean", youngsModulus: 1e4, poissonRatio: 0.4, density: 1000 } as const;
    const body = world.addBody(solidModel({ solver: "local-global", ...mesh, material }));
    const x = body.model.positions;
    body.writeState({ positions: Float64Array.from(x), velocities: Float64Array.from(x, (_, i) => (i % 3 === 1 ? -10 : 0)) });
    for (let frame = 0; frame < 12; frame++) {
      const t = performance.now();
      world.step(frameTime);
      const { positions, velocities } = await body.readState();
      const lowest = Math.min(...Array.from(positions).filter((_, i) => i % 3 === 1));
      let ke = 0;
      velocities.forEach((v, i) => (ke += 0.5 * body.model.masses[Math.floor(i / 3)] * v * v));
      console.log(backend, frame, "lowest", lowest.toFixed(5), "ke", ke.toFixed(5), "told", told, (performance.now() - t).toFixed(0));
    }
    expect(told).toBeGreaterThan(0);
  });
});
