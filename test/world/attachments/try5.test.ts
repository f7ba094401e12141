import { it } from "vitest";
import { addAttachment, clothModel, gridMesh, ropeModel } from "../../../src/index";
import { inWorld, run } from "../worlds";
const xs: Record<string, Float32Array> = {};
for (const compliance of [0, 1e-3])
for (const backend of ["cpu", "webgpu"] as const)
it("cloths " + backend + compliance, () => inWorld(backend, {}, async (world) => {
  world.gravity = [0, -9.81, 0];
  const make = (cx: number, k: number, pins: number[]) => world.addBody(clothModel({ ...gridMesh({ width: 1, height: 1, columns: 6, rows: 6, center: [cx, 0, 0] }), fabric: k ? "denim" : "cotton" }), { pins, airDensity: 0 });
  const a = make(-0.5, 0, [0, 6]), b = make(0.5, 1, []);
  const right = [0, 1, 2, 3, 4, 5, 6].map((r) => 7 * r + 6), left = right.map((v) => v - 6);
  const rope = world.addBody(ropeModel({ positions: Float64Array.from({ length: 33 }, (_, i) => i % 3 === 0 ? 1 + Math.floor(i / 3) * 0.05 : i % 3 === 2 ? -0.5 : 0), radius: 0.005, youngsModulus: 1e7, density: 1000 }), { airDensity: 0 });
  const t = addAttachment(world, { body: a, vertices: right, to: { body: b, vertices: left }, breakingForce: 1e9, compliance });
  const corner = [...b.model.masses.keys()].find((v) => Math.abs(b.model.positions[3 * v] - 1) < 1e-9 && Math.abs(b.model.positions[3 * v + 2] + 0.5) < 1e-9)!;
  addAttachment(world, { body: rope, vertices: [0], to: { body: b, vertices: [corner] }, compliance });
  run(world, 12);
  const x = await a.readPositions(), y = await b.readPositions(), z = await rope.readPositions();
  console.log(backend, compliance, "force", t.force, "gap", Math.max(...right.map((r, k) => Math.hypot(x[3 * r] - y[3 * left[k]], x[3 * r + 1] - y[3 * left[k] + 1]))), Math.hypot(z[0] - y[3 * corner], z[1] - y[3 * corner + 1]));
  const all = Float32Array.from([...x, ...y, ...z]);
  if (backend === "cpu") xs[compliance] = all; else console.log("difference", Math.max(...all.map((v, i) => Math.abs(v - xs[compliance][i]))));
}));
