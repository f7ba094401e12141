import { it } from "vitest";
import { clothModel, gridMesh, icosphereMesh } from "../../src/index";
import { inWorld, frameTime } from "./worlds";
it.each(["cpu", "cpu", "cpu"] as const)("x %s", async (backend) => {
  await inWorld(backend, {}, async (world) => {
    world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
    world.addBody(clothModel({ solver: "local-global", ...gridMesh({ width: 0.3, height: 0.3, columns: 4, rows: 4, center: [0.003, 0.006, 0.006] }), fabric: "denim" }));
    world.addBody(clothModel({ ...icosphereMesh({ radius: 0.1, subdivisions: 2, center: [0, 0.116, 0] }), fabric: "denim" }), { pressure: 500, substeps: 30 });
    for (let k = 0; k < 4; k++) {
      process.stderr.write(`${backend} ${k}\n`);
      world.step(frameTime);
      await world.settled();
    }
  });
});
