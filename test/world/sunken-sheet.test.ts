import { expect, it } from "vitest";
import { RandomGeometry } from "../collision/random";
import { gridCloth, verticesWhere } from "./cloths";
import { backends, inWorld } from "./worlds";

it.each(backends)("a sheet that is pinned inside a ball is put out of it, and not thrown: %s", async (backend) => {
  for (const size of backend === "cpu" ? [0.01, 1, 10] : [1]) {
    const random = new RandomGeometry(3);
    const sheet = gridCloth({ width: 2 * size, height: 1.3 * size, columns: 7, rows: 5, plane: "xy" });
    const pins = verticesWhere(sheet.positions, (x) => x < -0.9 * size);
    for (const substeps of [1, 5, 20])
      await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
        world.addCollider({ type: "sphere", radius: size, center: [0, 0, random.between(-0.1, 0.1) * size] });
        const body = world.addBody(sheet, { pins, substeps, airDensity: 0 });
        let furthest = 0;
        for (let frame = 0; frame < 12; frame++) {
          world.step(1 / 60);
          for (const x of await body.readPositions()) furthest = Math.max(furthest, Math.abs(x));
        }
        expect(furthest).toBeGreaterThan(0.5 * size);
        expect(furthest).toBeLessThan(6 * size);
      });
  }
});
