import { it } from "vitest";
import { addAttachment, ropeModel, boxTetrahedra, solidModel, type DeformableBody, type RigidBody, mechanismModel, clothModel, gridMesh, type World } from "../../../src/index";
import { inWorld, run } from "../worlds";

async function momentum(bodies: DeformableBody[], boxes: [RigidBody, number, number][]) {
  const p = [0, 0, 0], l = [0, 0, 0];
  for (const [box, m0] of boxes) {
    const c = box.centerOfMass, u = box.linearVelocity, w = box.angularVelocity, { mass, inertia } = box.massProperties; void m0;
    for (let k = 0; k < 3; k++) { p[k] += mass * u[k]; l[k] += mass * (c[(k + 1) % 3] * u[(k + 2) % 3] - c[(k + 2) % 3] * u[(k + 1) % 3]); void inertia; void w; }
  }
  for (const s of bodies) { const { positions: x, velocities: v } = await s.readState();
    s.model.masses.forEach((m, i) => { if (s.isPinned(i)) return; for (let k = 0; k < 3; k++) { p[k] += m * v[3 * i + k]; const [e, d] = [(k + 1) % 3, (k + 2) % 3]; l[k] += m * (x[3 * i + e] * v[3 * i + d] - x[3 * i + d] * v[3 * i + e]); } }); }
  return { p, l };
}
const box = (world: World, mass: number, position: readonly [number, number, number], h = 0.05) => world.addRigidBody({ shape: { type: "box", halfExtents: [h, h, h] } as never, mass, position });

for (const backend of ["cpu", "webgpu"] as const)
it("gpbd rope with box " + backend, () => inWorld(backend, {}, async (world) => {
  world.gravity = [0, -9.81, 0];
  const n = 11, l = 0.1;
  for (const ratio of [0.01, 1, 100]) {
    const a = world.addBody(ropeModel({ positions: Float64Array.from({ length: 3 * n }, (_, i) => (i % 3 === 1 ? -Math.floor(i / 3) * l : 0)), radius: 0.005, youngsModulus: 1e8, density: 1000 }), { pins: [0], airDensity: 0, damping: 1 });
    const m = a.model.masses.reduce((s, v) => s + v, 0);
    const b = box(world, ratio * m, [0, -1.05, 0]);
    const t = addAttachment(world, { body: a, vertices: [n - 1], to: { rigid: b }, ...(backend === "cpu" && { breakingForce: 1e9 }) });
    for (let k = 0; k < 240; k++) { world.step(1 / 60); if (backend === "webgpu") await world.settled(); }
    const x = await a.readPositions();
    console.log(backend, "gpbd rope", ratio, x[3 * n - 2], "box", b.position, b.linearVelocity, "f/w", t.force! / (9.81 * ratio * m), "strain", 9.81 * m * (ratio + 0.5) / (1e8 * Math.PI * 25e-6), b.mass);
    t.dispose(); console.log(b.mass / m); a.dispose(); b.dispose();
  }
}));
it("gpbd solid momentum", () => inWorld("cpu", {}, async (world) => {
  world.gravity = [0, 0, 0];
  const mesh = boxTetrahedra({ size: [0.3, 0.3, 0.3], cells: [2, 2, 2], center: [0, 0, 0] });
  const a = world.addBody(solidModel({ ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } }), { airDensity: 0 });
  const b = box(world, 5, [0.3, 0, 0], 0.15);
  const face = [...a.model.masses.keys()].filter((p) => a.model.positions[3 * p] > 0.149);
  b.linearVelocity = [0, 1, 0.3]; b.angularVelocity = [1, 2, 0];
  const before = await momentum([a], [[b, 5, 0]]);
  addAttachment(world, { body: a, vertices: face, to: { rigid: b } });
  const mid = await momentum([a], [[b, 5, 0]]);
  run(world, 60);
  console.log(before, mid, await momentum([a], [[b, 5, 0]]));
}));
for (const solver of ["gpbd", "newton", "local-global"] as const)
it("link " + solver, () => inWorld("cpu", {}, async (world) => {
  world.gravity = [0, -9.81, 0];
  // a pendulum link on a hinge, cloth hangs on it
  const mech = world.addMechanism(mechanismModel({ name: "arm", links: [{ name: "arm", mass: 1, inertia: [0.01, 0.01, 0.01], joint: { type: "revolute", axis: [0, 0, 1] }, shapes: [{ shape: { type: "box", halfExtents: [0.05, 0.02, 0.02] }, position: [0, -0.1, 0] }] }] } as never));
  void mech; void clothModel; void gridMesh; void solver;
}));
