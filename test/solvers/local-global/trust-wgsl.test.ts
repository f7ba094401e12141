/** Frames of local-global bodies that cannot be trusted, on the GPU: energies and accounts against f64, and what they cost. */
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { kineticEnergy } from "../../../samples/metrics";
import { shaders, structs } from "../../../src/generated/shaders";
import type { GpuContext } from "../../../src/gpu/device";
import { Kernel } from "../../../src/gpu/kernel";
import { readBuffer } from "../../../src/gpu/readback";
import { StructWriter } from "../../../src/gpu/struct";
import { boxTetrahedra, type BodyModel, clothModel, gridMesh, solidModel, type World } from "../../../src/index";
import { localGlobalSolid } from "../../../src/models/local-global/local-global";
import { principalModels } from "../../../src/materials/solid-material";
import { elasticEnergy } from "../../../src/solvers/local-global/body/energy";
import type { LocalGlobalModel } from "../../../src/solvers/local-global/model";
import { elementTables, type TabledBody } from "../../../src/solvers/local-global/gpu/tables";
import { wholeQuads } from "../../../src/solvers/local-global/gpu/quad-tables";
import { ACCOUNT_BYTES } from "../../../src/solvers/local-global/gpu/trust/trust-buffers";
import { GpuTrust } from "../../../src/solvers/local-global/gpu/trust/trust-stage";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { frameTime, inWorld } from "../../world/worlds";

const solver = "local-global";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

/** @returns elastic energy by the kernels [J] */
async function energyOnGpu(model: LocalGlobalModel, x: Float64Array): Promise<number> {
  const tables = elementTables([{ model } as TabledBody]);
  const start = new Float32Array(4 * wholeQuads(model.particleCount));
  for (let i = 0; i < x.length; i++) start[4 * Math.floor(i / 3) + (i % 3)] = x[i];
  const name = "local-global/trust/energy";
  let sum = 0;
  for (const kind of tables.kinds) {
    const uniform = new StructWriter(structs.LocalGlobalElements, 1);
    const { of, columns, ...numbers } = kind;
    uniform.put(0, numbers);
    const entry =
      of === "hyperelastic" ? "stretchEnergies" : columns === 1 ? "meanCurvatureEnergies" : "curvatureEnergies";
    const data = {
      start,
      keptPositions: start,
      corners: new Uint8Array(tables.corners),
      elements: new Uint8Array(tables.elements),
      materials: new Uint8Array(tables.materials.bytes),
      kind: new Uint8Array(uniform.bytes),
      energies: 4 * tables.elementCount,
      keptEnergies: 4 * tables.elementCount,
    };
    const read = await runKernel(context, name, shaders[name], entry, data, kind.elementCount, [
      "energies",
      "keptEnergies",
    ]);
    expect(read.energies).toEqual(read.keptEnergies);
    const energies = new Float32Array(read.energies, 4 * kind.firstElement, kind.elementCount);
    sum += energies.reduce((total, energy) => total + energy, 0);
  }
  return sum;
}

/** Positions in which a body is strained by a tenth, and far from the origin. */
function strained({ positions }: BodyModel, seed: number): Float64Array {
  const random = new RandomGeometry(seed);
  const size = Math.max(...positions) - Math.min(...positions);
  return positions.map((x, i) => 1.1 * x + random.between(-0.01, 0.01) * size + (i % 3));
}

describe("elastic energies on the GPU are those of f64", () => {
  it.each(principalModels)("of %s", async (model) => {
    const material = { model, youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 };
    const body = localGlobalSolid({ ...boxTetrahedra({ size: [0.2, 0.1, 0.3], cells: [3, 2, 3] }), material } as never);
    const x = strained(body, 1);
    expectWithin("relative error", Math.abs((await energyOnGpu(body, x)) / elasticEnergy(body, x) - 1), 2e-5);
  });

  it("of a sheet that bends, flat and curved at rest", async () => {
    for (const bent of [0, 0.5]) {
      const mesh = gridMesh({ width: 0.3, height: 0.3, columns: 5, rows: 5 });
      const restPositions = mesh.positions.map((x, i) => (i % 3 === 1 ? bent * mesh.positions[i - 1] ** 2 : x));
      const body = clothModel({
        solver,
        ...mesh,
        restPositions,
        fabric: "denim",
      } as never) as unknown as LocalGlobalModel;
      const x = strained(body, 2);
      expectWithin("relative error", Math.abs((await energyOnGpu(body, x)) / elasticEnergy(body, x) - 1), 1e-4);
    }
  });
});

function cube(center: readonly [number, number, number], youngsModulus = 3e6): BodyModel {
  const mesh = boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [2, 2, 2], center });
  return solidModel({ solver, ...mesh, material: { youngsModulus, poissonRatio: 0.3, density: 1000 } });
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** The stage of the worlds that are stepped from now on. */
function watchStage(): { readonly stage: GpuTrust | undefined } {
  const found: { stage: GpuTrust | undefined } = { stage: undefined };
  const begin = GpuTrust.prototype.begin;
  vi.spyOn(GpuTrust.prototype, "begin").mockImplementation(function (this: GpuTrust, ...args) {
    found.stage = this;
    begin.apply(this, args);
  });
  return found;
}

it("accounts of bodies are those of f64, where they meet and spin", { timeout: 60_000 }, async () => {
  const found = watchStage();
  await inWorld("webgpu", {}, async (world) => {
    world.addCollider({ type: "box", halfExtents: [5, 0.5, 5] }, { position: [0, -0.7, 0] });
    const bodies = [world.addBody(cube([0, 0, 0])), world.addBody(cube([0.1, 0.24, 0.05]))];
    const starts = bodies.map(({ model: { positions } }, b) => ({
      positions,
      velocities: positions.map((_, i) => [3 - 40 * (positions[i - (i % 3) + 1] - 0.24 * b), -5 * b, 1][i % 3]),
    }));
    bodies.forEach((body, b) => body.writeState(starts[b]));
    world.step(frameTime);
    await world.settled();
    const { context, state } = found.stage as unknown as {
      readonly context: GpuContext;
      readonly state: { readonly fixed: Readonly<Record<string, GPUBuffer>> };
    };
    const view = new DataView(await readBuffer(context, state.fixed.accounts));
    const { size, fields } = structs.BodyAccount;
    expect(ACCOUNT_BYTES).toBe(size);
    const at = (b: number, field: keyof typeof fields): number =>
      view.getFloat32(size * b + fields[field].offset, true);
    for (const [b, body] of bodies.entries()) {
      const { positions, velocities } = await body.readState();
      const { masses } = body.model;
      const mass = masses.reduce((sum, m) => sum + m, 0);
      let work = 0;
      for (let i = 1; i < positions.length; i += 3)
        work -= 9.81 * masses[(i - 1) / 3] * (positions[i] - starts[b].positions[i]);
      const before = kineticEnergy(starts[b].velocities, masses);
      expectWithin("mass", Math.abs(at(b, "mass") / mass - 1), 1e-5);
      expectWithin("kinetic energy before", Math.abs(at(b, "kineticStart") / before - 1), 1e-5);
      expectWithin("kinetic energy", Math.abs(at(b, "kineticNow") / kineticEnergy(velocities, masses) - 1), 1e-4);
      expectWithin("work of gravity", Math.abs(at(b, "work") - work), 1e-5 * before);
      // 20 rad/s about z are a third of a radian a step, which is not too far
      expect(view.getUint32(size * b + fields.parts.offset, true)).toBe(1);
    }
  });
});

it("a frame that is trusted has a tenth more dispatches at most", { timeout: 60_000 }, async () => {
  const count = { all: 0, trust: 0 };
  const note = (kernel: Kernel): void => {
    const { label } = kernel as unknown as { label: string };
    count.all++;
    if (/trust|pass-gate/.test(label)) count.trust++;
  };
  const { dispatchWorkgroups, dispatchIndirect } = Kernel.prototype;
  vi.spyOn(Kernel.prototype, "dispatchWorkgroups").mockImplementation(function (this: Kernel, ...args) {
    note(this);
    dispatchWorkgroups.apply(this, args);
  });
  vi.spyOn(Kernel.prototype, "dispatchIndirect").mockImplementation(function (this: Kernel, ...args) {
    note(this);
    dispatchIndirect.apply(this, args);
  });
  await inWorld("webgpu", {}, async (world: World) => {
    world.addCollider({ type: "box", halfExtents: [5, 0.5, 5] }, { position: [0, -0.601, 0] });
    world.addBody(cube([0, 0, 0]));
    for (let frame = 0; frame < 3; frame++) world.step(frameTime);
    await world.settled();
    count.all = count.trust = 0;
    world.step(frameTime);
    await world.settled();
    expect(count.trust).toBeGreaterThan(0);
    expect(count.trust).toBeLessThan(0.1 * (count.all - count.trust));
  });
});
