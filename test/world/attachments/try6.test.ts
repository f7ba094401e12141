import { it } from "vitest";
import { addAttachment, ropeModel } from "../../../src/index";
import { inWorld } from "../worlds";
for (const backend of ["cpu", "webgpu"] as const)
it("soft " + backend, () => inWorld(backend, {}, async (world) => {
  world.gravity = [0, -9.81, 0];
  const line = (y0: number, n: number) => Float64Array.from({ length: 3 * n }, (_, i) => (i % 3 === 1 ? y0 - Math.floor(i / 3) * 0.05 : 0));
  const make = (y0: number, pins?: number[]) => world.addBody(ropeModel({ positions: line(y0, 11), radius: 0.005, youngsModulus: 1e7, density: 1000 }), { pins, airDensity: 0, damping: 2 });
  const a = make(0, [0]), b = make(-0.5);
  const t = addAttachment(world, { body: a, vertices: [10], to: { body: b, vertices: [0] }, breakingForce: 1e9, compliance: 1e-3 });
  for (let k = 1; k <= 30; k++) { world.step(1 / 60); if (k % 10 === 0 || k < 4) { const x = await a.readPositions(), y = await b.readPositions(); console.log(backend, k, x[31] - y[1], t.force, a.options.substeps, b.model.masses[0]); } }
}));
