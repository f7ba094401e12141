import { describe, expect, it } from "vitest";
import { gridMesh } from "../../../../src/geometry/grid";
import { icosphereMesh } from "../../../../src/geometry/icosphere";
import { fabrics } from "../../../../src/materials/fabric";
import { gpbdCloth } from "../../../../src/models/gpbd/cloth";
import { enclosedVolume } from "../../../../src/solvers/gpbd/pressure/inflation";
import type { GpbdOptions } from "../../../../src/solvers/gpbd/options";
import { largestDifference } from "../../../world/cloths";
import { backends, inWorld, run, type BackendName } from "../../../world/worlds";

const radius = 0.2;
const sphere = icosphereMesh({ radius, subdivisions: 2, center: [3, -1, 2] });
const model = gpbdCloth({ ...sphere, fabric: "rubber-sheet" });
const restVolume = enclosedVolume(model.positions, model.faces);
const free: Partial<GpbdOptions> = { airDensity: 0, substeps: 20 };

/** A box of 2 × 1 × 1 m with its corner far from the origin. */
const box = {
  positions: [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].flatMap((z) => [100 + 2 * x, y - 50, z]))),
  indices: [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3],
};

/** Two sheets sewn together: a bag that has no volume at rest. */
function bag(): { positions: number[]; indices: number[] } {
  const { positions, indices } = gridMesh({ width: 0.4, height: 0.4, columns: 6, rows: 6 });
  const isSeam = (v: number): boolean => [0, 2].some((c) => Math.abs(positions[3 * v + c]) > 0.199);
  const lower = Array.from({ length: positions.length / 3 }, (_, v) => v);
  const places = [...positions];
  const upper = lower.map((v) => {
    if (isSeam(v)) return v;
    places.push(positions[3 * v], 1e-3, positions[3 * v + 2]);
    return places.length / 3 - 1;
  });
  const under = Array.from({ length: indices.length / 3 }, (_, f) => [0, 2, 1].map((c) => indices[3 * f + c])).flat();
  return { positions: places, indices: [...under, ...Array.from(indices, (v) => upper[v])] };
}

/** Inflates a sphere of uneven shape that turns and flies, and returns its state and its momenta. */
async function fly(backend: BackendName | "reference", options: Partial<GpbdOptions>, frames: number) {
  return inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
    const body = world.addBody(model, { ...free, ...options });
    const positions = model.positions.map((x, i) => x * [1.1, 0.9, 1][i % 3] + 0.01 * Math.sin(40 * x + i));
    const velocities = positions.map((_, i) => [1 + positions[i + 1], 0.5 - positions[i - 1], 0.2][i % 3]);
    body.writeState({ positions, velocities });
    const before = momenta({ positions, velocities });
    run(world, frames);
    const after = await body.readState();
    const change = momenta(after).map((value, k) => value - before[k]);
    return { state: after, change, volume: await body.readVolume() };
  });
}

interface Motion {
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
}

/** Angular momentum of the sphere at 1 rad/s: ²⁄₃ m r² [kg m²/s]. */
const unit = (2 / 3) * radius ** 2 * model.masses.reduce((sum, m) => sum + m, 0);

/** Momentum, linear [kg m/s] and angular [kg m²/s] about a place. */
function momenta({ positions, velocities }: Motion, [a, b, c]: readonly number[] = [3, -1, 2]): number[] {
  const sum = [0, 0, 0, 0, 0, 0];
  model.masses.forEach((m, p) => {
    const [x, y, z] = [positions[3 * p] - a, positions[3 * p + 1] - b, positions[3 * p + 2] - c];
    const [u, v, w] = [0, 1, 2].map((c) => velocities[3 * p + c]);
    [u, v, w, y * w - z * v, z * u - x * w, x * v - y * u].forEach((value, k) => (sum[k] += m * value));
  });
  return sum;
}

describe("volume", () => {
  it("is that of a box, wherever it is", () => {
    expect(enclosedVolume(box.positions, box.indices)).toBeCloseTo(2, 10);
    expect(enclosedVolume(box.positions, box.indices.toReversed())).toBeCloseTo(-2, 10);
  });

  it("of a geodesic sphere nears that of the ball with the square of the edges", () => {
    const missing = [1, 2, 3].map((subdivisions) => {
      const { positions, indices } = icosphereMesh({ radius, subdivisions });
      return 1 - enclosedVolume(positions, indices) / ((4 / 3) * Math.PI * radius ** 3);
    });
    expect(missing[2]).toBeLessThan(0.01);
    for (const k of [0, 1]) expect(missing[k] / missing[k + 1]).toBeCloseTo(4, 0);
  });
});

describe.each(backends)("pressure on %s", (backend) => {
  it("of the stiffest filling leaves it the volume it has to have, and everything finite", async () => {
    const { volume, state } = await fly(backend, { volume: 1.2 * restVolume, bulkModulus: 1e10 }, 6);
    expect(Math.abs(volume / (1.2 * restVolume) - 1)).toBeLessThan(2e-3);
    expect(Math.max(...state.velocities)).toBeLessThan(50);
  });

  it("can be changed while it runs, and sucks where it is below that outside", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { ...free, damping: 10 });
      run(world, 2);
      expect(await body.readVolume()).toBeCloseTo(restVolume, 6);
      body.pressure = 2000;
      expect(body.pressure).toBe(2000);
      run(world, 10);
      expect(await body.readVolume()).toBeGreaterThan(1.05 * restVolume);
      body.pressure = -200;
      run(world, 10);
      expect(await body.readVolume()).toBeLessThan(restVolume);
    });
  });

  it("fills a bag that was flat", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(gpbdCloth({ ...bag(), fabric: "cotton" }), { ...free, pressure: 200, damping: 10 });
      run(world, 20);
      // the largest volume of a square bag with side a is near 0.2 a³
      expect(await body.readVolume()).toBeGreaterThan(0.1 * 0.4 ** 3);
    });
  });
});

it.each([
  { size: 5e-3, part: 0.5, areaDensity: 1.4, substeps: undefined },
  { size: 0.2, part: 0.3, areaDensity: 0.05, substeps: undefined },
  { size: 0.2, part: 0.3, areaDensity: 0.05, substeps: 8 },
])("swells, but does not burst, at $size m, with $part of the skin's stiffness, $substeps substeps", async (one) => {
  const { size, part, areaDensity, substeps } = one;
  const fabric = { ...fabrics["rubber-sheet"], areaDensity };
  const small = gpbdCloth({ ...icosphereMesh({ radius: size / 2, subdivisions: 2 }), fabric });
  await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const pressure = (part * fabric.stretchWarp) / size;
    const body = world.addBody(small, { pressure, ...(substeps ? { substeps } : {}) });
    run(world, 3);
    const volume = (await body.readVolume()) / enclosedVolume(small.positions, small.faces);
    expect(volume).toBeGreaterThan(1.0001);
    expect(volume).toBeLessThan(2.5);
  });
});

describe.each([
  ["reference", 1e-12, 1e-9],
  // rounding of speeds in f32
  ["cpu", 2e-7, 1e-5],
  ["webgpu", 1e-5, 1e-4],
] as const)("momentum of a body under pressure on %s", (backend, linear, angular) => {
  it.each([{ substeps: 20 }, { substeps: 20, iterations: 2 }, { substeps: 20, warmStart: 0.5 }])(
    "stays with %o",
    async (options) => {
      const { change, volume } = await fly(backend, { pressure: 3000, ...options }, 3);
      expect(largestDifference(change.slice(0, 3), [0, 0, 0])).toBeLessThan(linear);
      expect(Math.hypot(...change.slice(3))).toBeLessThan(angular * unit);
      expect(volume).toBeGreaterThan(1.05 * restVolume);
    },
  );

  it("stays about a pin", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { ...free, pressure: 3000, pins: [5] });
      run(world, 10);
      const state = await body.readState();
      const place = [...model.positions.slice(15, 18)];
      expect(Math.hypot(...momenta(state, place).slice(3))).toBeLessThan(angular * unit);
    });
  });
});

it("is the same on both backends, and to the bit from run to run", async () => {
  const gas = { pressure: 4000, sealed: true };
  const reference = await fly("cpu", gas, 4);
  const found = await fly("webgpu", gas, 4);
  expect(largestDifference(found.state.positions, reference.state.positions)).toBeLessThan(2e-4 * radius);
  const again = await fly("webgpu", gas, 4);
  expect(again.state.positions).toEqual(found.state.positions);
});

it("refuses a surface that is not closed, and what is no pressure, and changes nothing then", async () => {
  await inWorld("cpu", {}, async (world) => {
    const sheet = gpbdCloth(gridMesh({ width: 1, height: 1, columns: 2, rows: 2 }));
    expect(() => world.addBody(sheet, { name: "sheet", pressure: 10 })).toThrow(
      /"sheet" edge \d+-\d+: must be between/,
    );
    const body = world.addBody(sheet, { name: "sheet" });
    expect(() => (body.pressure = 10)).toThrow(/edge/);
    expect(body.pressure).toBe(0);
    const ball = world.addBody(model, { name: "ball", pressure: 10 });
    expect(() => (ball.pressure = NaN)).toThrow(/"ball".pressure: must be a finite number/);
    expect(ball.pressure).toBe(10);
    const flat = gpbdCloth({ ...bag(), fabric: "cotton" });
    flat.positions.forEach((_, i) => i % 3 === 1 && (flat.positions[i] = 0));
    expect(() => world.addBody(flat, { sealed: true })).toThrow(/needs a volume at rest/);
    expect(world.bodies).toEqual([body, ball]);
  });
});
