import { describe, expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import { pair } from "../../samples/scenes/pair";
import { sharedDevice } from "../world/worlds";

type Pair = readonly [lower: string, upper: string];

const strike = async ([lower, upper]: Pair, backend: "cpu" | "webgpu" = "cpu") => {
  const parameters = { trial: "impact", lower, upper };
  const device = backend === "webgpu" ? await sharedDevice() : undefined;
  return (await runScene(pair, { parameters, frames: 30, backend, device })).metrics;
};

// All other pairs of `npm run --silent scene -- pair --set trial=impact` pass, too, except for those of docs/measurements/contact.md.
describe("what strikes something in free space keeps momentum, and gets no energy of nothing", () => {
  it.each<Pair>([
    ["box", "mechanism"],
    ["box", "gpbd-solid"],
    ["gpbd-solid", "mesh"],
    ["hull", "rope"],
    ["mesh", "cloth"],
    ["mechanism", "gpbd-solid"],
    ["gpbd-solid", "mechanism"],
    ["rope", "mechanism"],
    ["cloth", "sheet"],
    ["sheet", "local-global-solid"],
    ["rope", "balloon"],
    ["gpbd-solid", "newton-solid"],
    ["newton-solid", "newton-solid"],
    ["local-global-solid", "newton-solid"],
  ])("%s, struck by %s", async (...both) => {
    const metrics = await strike(both);
    expect(metrics.momentumError).toBeLessThan(1e-6);
    const isSolidWithRigid = both.includes("gpbd-solid") && (both.includes("box") || both.includes("mesh"));
    expect(metrics.angularError).toBeLessThan(isSolidWithRigid ? 1e-6 : 1e-3);
    if (!both.includes("balloon")) expect(metrics.energyRatio).toBeLessThan(1);
    expect(metrics.maxPenetration).toBeLessThan(1e-3);
    expect(metrics.crossings).toBe(0);
  });
});

// docs/measurements/contact.md has all pairs that were measured.
describe("on webgpu", () => {
  it.each<Pair>([
    ["cloth", "box"],
    ["cloth", "capsule"],
    ["gpbd-solid", "mesh"],
    ["rope", "box"],
    ["box", "cloth"],
    ["heightfield", "gpbd-solid"],
    // The box was shown where it was before the last push, 1.7 mm deep.
    ["local-global-solid", "box"],
  ])("%s bears %s at rest", async (lower, upper) => {
    const parameters = { lower, upper };
    const { metrics } = await runScene(pair, { parameters, backend: "webgpu", device: await sharedDevice() });
    expect(metrics.weightError).toBeLessThan(1e-3);
    expect(metrics.drift).toBeLessThan(1e-3);
    expect(metrics.maxPenetration).toBeLessThan(1e-3);
    expect(metrics.crossings).toBe(0);
  });

  it.each<Pair>([
    ["cloth", "mesh"],
    ["gpbd-solid", "box"],
    ["mechanism", "gpbd-solid"],
    ["mechanism", "cloth"],
    ["rope", "hull"],
  ])("%s, struck by %s, keeps momentum, and gets no energy of nothing", async (lower, upper) => {
    const metrics = await strike([lower, upper], "webgpu");
    expect(metrics.momentumError).toBeLessThan(1e-4);
    expect(metrics.angularError).toBeLessThan(upper === "box" ? 1e-4 : 2e-3);
    expect(metrics.energyRatio).toBeLessThan(1);
    expect(metrics.maxPenetration).toBeLessThan(1e-3);
    expect(metrics.crossings).toBe(0);
  });
});

type Slope = readonly [upper: string, lower: string, angle: number, tolerance: number];

// docs/measurements/contact.md has all pairs.
describe("what lies on a ramp sticks and slides as Coulomb's law has it", () => {
  it.each<Slope>([
    ["box", "static", 5, 1e-3],
    ["hull", "box", 35, 1e-3],
    ["capsule", "mechanism", 20, 1e-3],
    ["mechanism", "box", 20, 1e-3],
    ["cloth", "static", 20, 0.02],
    ["cloth", "mechanism", 35, 0.02],
    ["rope", "static", 20, 0.02],
  ])("%s on %s, at %f°", async (upper, lower, angle, tolerance) => {
    for (const grip of [tolerance, -tolerance]) {
      const parameters = { trial: "ramp", upper, lower, angle, grip };
      const { metrics } = await runScene(pair, { parameters, backend: "cpu" });
      if (grip > 0) expect(Math.abs(metrics.slid!)).toBeLessThan(1e-4);
      else expect(Math.abs(metrics.gain! / metrics.expectedGain! - 1)).toBeLessThan(0.05);
    }
  });
});

// Sweeps over the many contacts of two meshes undid each other: the upper ring crept by 5 mm/s.
it.each([0.1, 1, 10])("a ring comes to rest on another one, of %f times the mass", async (heavier) => {
  const { metrics } = await runScene(pair, { parameters: { upper: "mesh", lower: "mesh", heavier }, backend: "cpu" });
  expect(metrics.weightError).toBeLessThan(1e-9);
  expect(metrics.drift).toBeLessThan(1e-6);
  expect(metrics.maxPenetration).toBeLessThan(1e-4);
});

// Each link by itself would be pushed without the others until the frame is over: it drifted by 21 mm/s on cloth. So the CPU steps
// what a mechanism pushes in worlds on WebGPU.
describe.each(["cpu", "webgpu"] as const)("a mechanism comes to rest on what is soft, on %s", (backend) => {
  it.each(["gpbd-solid", "balloon", "cloth", "rope"])("on %s", async (lower) => {
    const device = backend === "webgpu" ? await sharedDevice() : undefined;
    const { metrics } = await runScene(pair, { parameters: { upper: "mechanism", lower }, backend, device });
    expect(metrics.weightError).toBeLessThan(1e-5);
    // in f32 it creeps
    expect(metrics.drift).toBeLessThan(backend === "cpu" ? 1e-5 : 5e-5);
    expect(metrics.maxPenetration).toBeLessThan(1e-4);
  });
});
