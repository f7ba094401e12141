import { it } from "vitest";
import { addAttachment, clothModel, gridMesh, solidModel, boxTetrahedra } from "../../../src/index";
import { inWorld, run } from "../worlds";

const isChain = (ratio: number) => ratio;
it("lg cloth with box", () => inWorld("cpu", {}, async (world) => {
  world.gravity = [0, -9.81, 0];
  for (const ratio of [0.01, 1, 100]) {
    const a = world.addBody(clothModel({ solver: "local-global", ...gridMesh({ width: 0.2, height: 1, columns: 2, rows: 10, center: [0, -0.5, 0] , plane: "xy" } as never), fabric: "denim" }), { airDensity: 0, damping: 1 } as never);
    const p = a.model.positions;
    const top = [...a.model.masses.keys()].filter((v) => Math.abs(p[3 * v + 1] - Math.max(...[...a.model.masses.keys()].map((k) => p[3 * k + 1]))) < 1e-6);
    const low = [...a.model.masses.keys()].filter((v) => Math.abs(p[3 * v + 1] - Math.min(...[...a.model.masses.keys()].map((k) => p[3 * k + 1]))) < 1e-6);
    a.pin(top.length < 10 ? top : [0]);
    const m = a.model.masses.reduce((s, v) => s + v, 0);
    const y = p[3 * low[0] + 1];
    const box = world.addRigidBody({ shape: { type: "box", halfExtents: [0.1, 0.05, 0.05] } as never, mass: isChain(ratio) * m, position: [0, y - 0.05, 0] });
    const t = addAttachment(world, { body: a, vertices: low, to: { rigid: box }, breakingForce: 1e9 });
    const t0 = performance.now();
    run(world, 200);
    const x = await a.readPositions();
    console.log("lg cloth", top.length, low.length, ratio, x[3 * low[0] + 1], "box", box.position, box.linearVelocity, "f/w", low.length * t.force! / (9.81 * ratio * m), (performance.now() - t0) / 200);
    t.dispose(); a.dispose(); box.dispose();
  }
}));
for (const backend of ["cpu"] as const)
it("lg momentum", () => inWorld(backend, {}, async (world) => {
  world.gravity = [0, 0, 0];
  const mesh = boxTetrahedra({ size: [0.3, 0.3, 0.3], cells: [2, 2, 2], center: [0, 0, 0] });
  const mesh2 = boxTetrahedra({ size: [0.3, 0.3, 0.3], cells: [2, 2, 2], center: [-0.3, 0, 0] });
  const a = world.addBody(solidModel({ solver: "local-global", ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } }));
  const b = world.addBody(solidModel({ solver: "local-global", ...mesh2, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } }));
  const box = world.addRigidBody({ shape: { type: "box", halfExtents: [0.15, 0.15, 0.15] } as never, mass: 5, position: [0.3, 0, 0] });
  const face = [...a.model.masses.keys()].filter((p) => a.model.positions[3 * p] > 0.149);
  const left = [...a.model.masses.keys()].filter((p) => a.model.positions[3 * p] < -0.149);
  const other = left.map((v) => [...b.model.masses.keys()].find((q) => [0, 1, 2].every((c) => Math.abs(b.model.positions[3 * q + c] - a.model.positions[3 * v + c]) < 1e-9))!);
  addAttachment(world, { body: a, vertices: face, to: { rigid: box } });
  addAttachment(world, { body: a, vertices: left, to: { body: b, vertices: other } });
  box.linearVelocity = [0, 1, 0.3]; box.angularVelocity = [1, 2, 0];
  const mom = async () => {
    const c = box.centerOfMass, u = box.linearVelocity, w = box.angularVelocity, I = 5 * 0.3 * 0.3 / 6;
    const p = [0, 1, 2].map((k) => 5 * u[k]), l = [0, 1, 2].map((k) => I * w[k] + 5 * (c[(k + 1) % 3] * u[(k + 2) % 3] - c[(k + 2) % 3] * u[(k + 1) % 3]));
    for (const s of [a, b]) { const { positions: x, velocities: v } = await s.readState();
    s.model.masses.forEach((m, i) => { for (let k = 0; k < 3; k++) { p[k] += m * v[3 * i + k]; const [e, d] = [(k + 1) % 3, (k + 2) % 3]; l[k] += m * (x[3 * i + e] * v[3 * i + d] - x[3 * i + d] * v[3 * i + e]); } }); }
    return { p, l };
  };
  const before = await mom();
  const t0 = performance.now();
  run(world, 60);
  console.log(face.length, before, await mom(), box.angularVelocity, (performance.now() - t0) / 60);
  const x = (await a.readState()).positions, y = (await b.readState()).positions;
  console.log("gap", Math.max(...left.map((v, k) => Math.hypot(...[0, 1, 2].map((c) => x[3 * v + c] - y[3 * other[k] + c])))));
}));
