import { it } from "vitest";
import { addAttachment, clothModel, gridMesh, ropeModel, solidModel, boxTetrahedra, type DeformableBody } from "../../../src/index";
import { inWorld, run } from "../worlds";

it("newton rope with box", () => inWorld("cpu", {}, async (world) => {
  world.gravity = [0, -9.81, 0];
  const n = 11, l = 0.1;
  for (const ratio of [0.01, 1, 100]) {
    const a = world.addBody(ropeModel({ solver: "newton", positions: Float64Array.from({ length: 3 * n }, (_, i) => (i % 3 === 1 ? -Math.floor(i / 3) * l : 0)), radius: 0.005, youngsModulus: 1e8, density: 1000 }), { pins: [0] });
    const m = a.model.masses.reduce((s, v) => s + v, 0);
    const box = world.addRigidBody({ shape: { type: "box", halfExtents: [0.05, 0.05, 0.05] } as never, mass: ratio * m, position: [0, -1.05, 0] });
    const t = addAttachment(world, { body: a, vertices: [n - 1], to: { rigid: box }, breakingForce: 1e9 });
    const t0 = performance.now();
    run(world, 240);
    const x = await a.readPositions();
    console.log("newton rope", ratio, x[3 * n - 2], "box", box.position, box.linearVelocity, "f/w", t.force! / (9.81 * ratio * m), "strain expected", 9.81 * m * (ratio + 0.5) / (1e8 * Math.PI * 25e-6), (performance.now() - t0) / 240);
    t.dispose(); a.dispose(); box.dispose();
  }
}));
it("newton momentum", () => inWorld("cpu", {}, async (world) => {
  world.gravity = [0, 0, 0];
  for (const steps of [1, 8]) {
  const mesh = boxTetrahedra({ size: [0.3, 0.3, 0.3], cells: [2, 2, 2], center: [0, 0, 0] });
  const a = world.addBody(solidModel({ solver: "newton", ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } }));
  const box = world.addRigidBody({ shape: { type: "box", halfExtents: [0.15, 0.15, 0.15] } as never, mass: 5, position: [0.3, 0, 0] });
  const face = [...a.model.masses.keys()].filter((p) => a.model.positions[3 * p] > 0.149);
  const t = addAttachment(world, { body: a, vertices: face, to: { rigid: box } });
  box.linearVelocity = [0, 1, 0.3]; box.angularVelocity = [1, 2, 0];
  const mom = async () => {
    const { positions: x, velocities: v } = await a.readState();
    const c = box.centerOfMass, u = box.linearVelocity, w = box.angularVelocity, I = 5 * 0.3 * 0.3 / 6;
    const p = [0, 1, 2].map((k) => 5 * u[k]), l = [0, 1, 2].map((k) => I * w[k] + 5 * (c[(k + 1) % 3] * u[(k + 2) % 3] - c[(k + 2) % 3] * u[(k + 1) % 3]));
    a.model.masses.forEach((m, i) => { for (let k = 0; k < 3; k++) { p[k] += m * v[3 * i + k]; const [b, d] = [(k + 1) % 3, (k + 2) % 3]; l[k] += m * (x[3 * i + b] * v[3 * i + d] - x[3 * i + d] * v[3 * i + b]); } });
    return { p, l };
  };
  const before = await mom();
  run(world, 60);
  const after = await mom();
  const x = (await a.readState()).positions;
  console.log(face.length, before, after, box.angularVelocity);
  void x; void steps;
  t.dispose(); a.dispose(); box.dispose();
  }
}));
void clothModel; void gridMesh; type X = DeformableBody; void (0 as unknown as X);
