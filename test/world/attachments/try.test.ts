import { it } from "vitest";
import { addAttachment, clothModel, gridMesh, ropeModel, solidModel, boxTetrahedra, type DeformableBody } from "../../../src/index";
import { inWorld, run } from "../worlds";

async function momenta(bodies: DeformableBody[]) {
  const p = [0, 0, 0], l = [0, 0, 0]; let size = 0;
  for (const body of bodies) {
    const { positions: x, velocities: v } = await body.readState();
    body.model.masses.forEach((m, i) => {
      const [a, b, c] = [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
      const [u, w, t] = [v[3 * i], v[3 * i + 1], v[3 * i + 2]].map((k) => m * k);
      p[0] += u; p[1] += w; p[2] += t;
      l[0] += b * t - c * w; l[1] += c * u - a * t; l[2] += a * w - b * u;
      size += Math.hypot(u, w, t);
    });
  }
  return { p, l, size };
}

it("ropes", () => inWorld("cpu", {}, async (world) => {
  world.gravity = [0, -9.81, 0];
  const line = (y0: number, n: number) => Float64Array.from({ length: 3 * n }, (_, i) => (i % 3 === 1 ? y0 - Math.floor(i / 3) * 0.05 : 0));
  const make = (y0: number, density: number, pins?: number[]) => world.addBody(ropeModel({ positions: line(y0, 21), radius: 0.005, youngsModulus: 1e8, density }), { pins, airDensity: 0, damping: 2 });
  for (const ratio of [1, 100]) {
    const a = make(0, 1000, [0]);
    const b = make(-1, 1000 * ratio);
    const t = addAttachment(world, { body: a, vertices: [20], to: { body: b, vertices: [0] }, breakingForce: 1e9 });
    run(world, 240);
    const x = await a.readPositions(), y = await b.readPositions();
    const w = 9.81 * b.model.masses.reduce((s, m) => s + m, 0);
    console.log("rope", ratio, x[61], y[1], y[61], "force/weight", t.force! / w, a.options.substeps, a.pins.hung);
    t.dispose(); a.dispose(); b.dispose();
  }
}));

it("cloths in flight", () => inWorld("cpu", {}, async (world) => {
  world.gravity = [0, 0, 0];
  const make = (cx: number, k: number) => world.addBody(clothModel({ ...gridMesh({ width: 1, height: 1, columns: 6, rows: 6, center: [cx, 0, 0] }), fabric: k ? "denim" : "cotton" }), { airDensity: 0 });
  const a = make(-0.5, 0), b = make(0.5, 1);
  const right = [0, 1, 2, 3, 4, 5, 6].map((r) => 7 * r + 6), left = right.map((v) => v - 6);
  const t = addAttachment(world, { body: a, vertices: right, to: { body: b, vertices: left }, breakingForce: 1e9 });
  for (const body of [a, b]) {
    const v = new Float64Array(3 * body.particleCount).map((_, i) => Math.sin(7.3 * i) + (body === a ? [1, 0, 2][i % 3] : 0));
    body.writeState({ positions: body.model.positions, velocities: v });
  }
  const before = await momenta([a, b]);
  run(world, 60);
  const after = await momenta([a, b]);
  console.log(before, after, "p", Math.hypot(...before.p.map((v, i) => v - after.p[i])) / before.size, "l", Math.hypot(...before.l.map((v, i) => v - after.l[i])) / before.size, t.force);
  const x = (await a.readState()).positions, y = (await b.readState()).positions;
  console.log(Math.max(...right.map((r, k) => Math.hypot(x[3 * r] - y[3 * left[k]], x[3 * r + 1] - y[3 * left[k] + 1]))));
}));
void solidModel; void boxTetrahedra;
