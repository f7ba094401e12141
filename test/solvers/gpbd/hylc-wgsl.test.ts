import { beforeAll, describe, expect, it } from "vitest";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { gridMesh } from "../../../src/geometry/grid";
import type { GpuContext } from "../../../src/gpu/device";
import { gpbdCloth, type ClothModel } from "../../../src/models/gpbd/cloth";
import type { FabricName } from "../../../src/materials/fabric";
import { CpuGpbdSolver } from "../../../src/solvers/gpbd/cpu/cpu-solver";
import { defaultOptions, type GpbdMethod, type GpbdOptions } from "../../../src/solvers/gpbd/options";
import type { PinTable } from "../../../src/solvers/deformable";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { GpuRun } from "./gpu-frame";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const colliders = new ColliderSet();
colliders.update();

/** A crumpled sheet of 5 cm with edges of 6 mm, pinned at a corner. */
function crumpled(fabric: FabricName): { model: ClothModel; positions: Float64Array; pins: PinTable } {
  const grid = gridMesh({ width: 0.05, height: 0.05, columns: 8, rows: 8 });
  const model = gpbdCloth({ ...grid, fabric });
  const random = new RandomGeometry(7);
  const positions = Float64Array.from(model.positions, (x, i) =>
    Math.fround(x * (i % 3 === 0 ? 1.1 : 0.95) + random.between(-1, 1) * (i % 3 === 1 ? 1.5e-3 : 4e-4)),
  );
  const pinned = new Uint8Array(model.particleCount);
  pinned[0] = 1;
  return { model, positions, pins: { pinned, targets: positions.slice(), changed: true } };
}

const optionsOf = (partial: Partial<GpbdOptions>): GpbdOptions => ({
  ...defaultOptions,
  airDensity: 0,
  faceContacts: false,
  ...partial,
});

describe("HYLC cloth in WGSL", () => {
  it.each<[FabricName, GpbdMethod, number, number]>([
    ["stockinette", "gauss-seidel", 1, 1],
    ["rib", "gauss-seidel", 3, 1],
    ["satin", "jacobi", 2, 2],
  ])("%s moves as the reference does: %s, %i iterations, %i Newton iterations", async (fabric, method, i, newton) => {
    const { model, positions, pins } = crumpled(fabric);
    const options = optionsOf({ method, iterations: i, newtonIterations: newton, substeps: 4 });
    const velocities = new Float64Array(positions.length);
    const [reference, run] = [new CpuGpbdSolver(model), new GpuRun(context, model)];
    reference.writeState({ positions, velocities });
    run.solver.writeState({ positions, velocities });
    const frame = { dt: 1e-3, frame: 1, gravity: [0, -9.81, 0] as const, colliders };
    reference.step(frame, options, { ...pins });
    await run.step(frame, options, { ...pins });
    const [wanted, found] = [await reference.readState(), await run.solver.readState()];
    run.dispose();
    let [difference, moved] = [0, 0];
    wanted.positions.forEach((x, k) => {
      difference = Math.max(difference, Math.abs(x - found.positions[k]));
      moved = Math.max(moved, Math.abs(x - positions[k]));
    });
    expect(moved).toBeGreaterThan(1e-4);
    expectWithin(`way of ${fabric} in four substeps, WGSL against reference, relative`, difference / moved, 2e-3);
    const corner = Array.from(found.positions.slice(0, 3), (x, c) => Math.abs(x - positions[c]));
    expect(Math.max(...corner)).toBeLessThan(1e-9);
  });

  it("stays finite where faces have collapsed", async () => {
    const { model, positions, pins } = crumpled("stockinette");
    for (let p = 0; p < model.particleCount; p++)
      for (let c = 0; c < 3; c++) if (p % 9 < 3 || (p % 9 === 5 && c > 0)) positions[3 * p + c] = positions[c];
    const run = new GpuRun(context, model);
    run.solver.writeState({ positions, velocities: new Float64Array(positions.length) });
    const frame = { dt: 1e-3, frame: 1, gravity: [0, 0, 0] as const, colliders };
    await run.step(frame, optionsOf({ substeps: 3 }), pins);
    const { positions: after } = await run.solver.readState();
    run.dispose();
    expect(after.every(Number.isFinite)).toBe(true);
  });
});
