import { beforeAll, describe, expect, it } from "vitest";
import { fabrics } from "../../src/materials/fabric";
import type { MembraneModel } from "../../src/models/gpbd/cloth";
import type { BodyState } from "../../src/solvers/deformable";
import { expectWithin } from "../figures";
import { unbalancedForce } from "./balance";
import { gridCloth, largestDifference, verticesWhere } from "./cloths";
import { backends, inWorld, run } from "./worlds";

/** Soft enough for a few iterations to find the balance of forces. */
const fabric = { ...fabrics.denim, stretchWarp: 400, stretchWeft: 250, shear: 90 };

/** A square whose border hangs in a frame, so that it sags: its rest state is unique. */
function hammock(membrane: MembraneModel) {
  const model = gridCloth({ width: 0.5, height: 0.5, columns: 6, rows: 6 }, { membrane, fabric });
  const pins = verticesWhere(model.positions, (x, _y, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.249);
  return { model, pins };
}

const stepping = { substeps: 12, iterations: 8, damping: 12, airDensity: 0 };

describe.each(["stvk", "neo-hookean", "springs"] as const)("a %s cloth that sags in a frame", (membrane) => {
  const { model, pins } = hammock(membrane);
  let reference: BodyState;
  let sag: number;
  beforeAll(async () => {
    reference = await inWorld("cpu", {}, async (world) => {
      const body = world.addBody(model, { ...stepping, method: "gauss-seidel", pins });
      run(world, 60);
      return body.readState();
    });
    sag = -Math.min(...reference.positions.filter((_, i) => i % 3 === 1));
  });

  it("comes to rest where forces balance", () => {
    expect(sag).toBeGreaterThan(0.01);
    expectWithin("speed left over [m/s]", Math.max(...Array.from(reference.velocities, Math.abs)), 2e-3);
    const left = unbalancedForce(model, pins, Float64Array.from(reference.positions));
    expectWithin("force left over on a particle, of its weight", left, 0.05);
  });

  const all = backends.flatMap((backend) =>
    (["gauss-seidel", "jacobi", "hybrid"] as const).map((method) => ({ backend, method })),
  );
  // On a GPU each method with one membrane: other tests compare the kernels of the others with the reference.
  const ofGpu = { stvk: "jacobi", "neo-hookean": "hybrid", springs: "gauss-seidel" };
  const others = all.filter(({ backend, method }) => backend === "cpu" || method === ofGpu[membrane]);
  it.each(others)("stays there with $method on $backend: the rest state is the same", async ({ backend, method }) => {
    await inWorld(backend, {}, async (world) => {
      // means converge more slowly than sweeps in place
      const iterations = method === "jacobi" ? 3 * stepping.iterations : stepping.iterations;
      const body = world.addBody(model, { ...stepping, iterations, method, pins });
      body.writeState(reference);
      // longer than a period of the sag's swing: 2π √(sag / g)
      run(world, 15);
      const { positions } = await body.readState();
      expectWithin(
        "distance from the reference, of the sag",
        largestDifference(positions, reference.positions) / sag,
        0.01,
      );
    });
  });
});
