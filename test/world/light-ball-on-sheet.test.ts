import { expect, test } from "vitest";
import { localGlobalCloth } from "../../src/models/local-global/local-global-fabric";
import { gridMesh } from "../../src/index";
import { inWorld, run } from "./worlds";

// Contacts of a sheet on the ground with a ball of a hundredth of a milligram contradict each other. They must not take the ground from it.
test("a ball that is lighter than a vertex falls on a sheet: it stays on the ground", () =>
  inWorld("cpu", {}, async (world) => {
    const size = 2.5e-3;
    const ground = { type: "box", halfExtents: [1, 10 * size, 1] } as const;
    world.addRigidBody({ motion: "static", shape: ground, position: [0, -10 * size, 0] });
    const shape = { type: "sphere", radius: 0.4 * size } as const;
    const ball = world.addRigidBody({ shape, density: 2.567, position: [0, 2.2 * size, 0] });
    const center = [0, 0.12 * size, 0] as const;
    const mesh = gridMesh({ width: 2 * size, height: 2 * size, columns: 2, rows: 2, center });
    const sheet = world.addBody(localGlobalCloth({ ...mesh, fabric: "cotton" }));
    await world.whenReadyAsync();
    for (let frame = 0; frame < 4; frame++) {
      run(world, 1);
      for (const [i, x] of (await sheet.readPositions()).entries()) if (i % 3 === 1) expect(x).toBeGreaterThan(0);
      expect(ball.centerOfMass[1]).toBeLessThan(2.2 * size);
    }
  }));
