import { beforeAll, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { boxTetrahedra, gridMesh, clothModel, solidModel, World } from "../../src/index";
import { addCross } from "../../src/solvers/local-global/body/turning";
import { testContext } from "../gpu/context";

let gpu: GPU;
let context: GpuContext;
beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
  context = await testContext();
});

const bar = (scale: number, youngsModulus: number) =>
  solidModel({
    solver: "local-global",
    ...boxTetrahedra({ size: [0.6 * scale, 0.2 * scale, 0.1 * scale], cells: [4, 2, 1] }),
    material: { youngsModulus, poissonRatio: 0.3, density: 1000, model: "arap" },
    elements: "linear",
  });
const sheet = () =>
  clothModel({ solver: "local-global", ...gridMesh({ width: 0.5, height: 0.3, columns: 5, rows: 3 }) });

/** Angular momentum about the origin, and kinetic energy. */
function motionOf(masses: Float64Array, x: ArrayLike<number>, v: ArrayLike<number>) {
  const momentum = new Float64Array(3);
  let energy = 0;
  masses.forEach((mass, i) => {
    addCross(mass, x, 3 * i, v, 3 * i, momentum);
    energy += 0.5 * mass * (v[3 * i] ** 2 + v[3 * i + 1] ** 2 + v[3 * i + 2] ** 2);
  });
  return { momentum, energy };
}

// Implicit Euler alone leaves a fifth of it after two seconds at 20 rad/s.
it.each([
  ["cpu", 20, "bar", () => bar(1, 1e8)],
  ["cpu", 20, "bar of a hundredth", () => bar(0.01, 1e5)],
  ["cpu", 5, "soft bar", () => bar(1, 1e6)],
  ["cpu", 20, "sheet", sheet],
  ["webgpu", 20, "bar", () => bar(1, 1e8)],
] as const)(
  "bodies that nothing touches keep their angular momentum: %s, %d rad/s, %s",
  async (backend, rate, _, make) => {
    const world = await World.create({ backend, gpu, device: context.device, gravity: [0, 0, 0], snapshotInterval: 0 });
    const body = world.addBody(make(), { airDensity: 0 });
    const { masses, positions } = body.model;
    const spin = [0.3, 1, 0.2].map((part) => part * rate);
    const velocities = new Float64Array(positions.length);
    for (let i = 0; i < positions.length; i += 3) addCross(1, spin, 0, positions, i, velocities, i);
    body.writeState({ positions: positions.slice(), velocities });
    const before = motionOf(masses, positions, velocities);
    const size = Math.hypot(...before.momentum);
    for (let frame = 0; frame < (backend === "cpu" ? 60 : 20); frame++) world.step(1 / 60);
    const state = await body.readState();
    const { momentum, energy } = motionOf(masses, state.positions, state.velocities);
    const within = backend === "cpu" ? 1e-10 : 2e-5;
    for (let c = 0; c < 3; c++) expect(Math.abs(momentum[c] - before.momentum[c]) / size).toBeLessThan(within);
    expect(energy / before.energy).toBeLessThan(1.03);
    expect(energy / before.energy).toBeGreaterThan(0.85);
    world.dispose();
  },
);
