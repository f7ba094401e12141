import { describe, expect, it } from "vitest";
import type { MembraneModel } from "../../src/models/gpbd/cloth";
import type { GpbdMethod } from "../../src/solvers/gpbd/options";
import { gridCloth, verticesWhere } from "../world/cloths";
import { backends, frameTime, inWorld, type BackendName } from "../world/worlds";

/** A cloth that falls on a sphere and a thin plate while it is pulled at a corner and blown at: bytes of its state. */
async function run(backend: BackendName, method: GpbdMethod, membrane: MembraneModel): Promise<string> {
  return inWorld(backend, {}, async (world) => {
    const model = gridCloth(
      { width: 0.8, height: 0.6, columns: 17, rows: 11, center: [0, 0.31, 0] },
      { membrane, bending: "dihedral" },
    );
    world.addCollider({ type: "sphere", radius: 0.3 });
    const plate = world.addCollider({ type: "box", halfExtents: [0.3, 0.004, 0.3] }, { position: [0.4, 0.2, 0] });
    const corner = verticesWhere(model.positions, (x, _y, z) => x < -0.39 && z < -0.29);
    const body = world.addBody(model, { method, pins: corner, substeps: 5, iterations: 2, wind: [1, 0, 2] });
    for (let frame = 0; frame < 16; frame++) {
      body.setPinTarget(corner[0], -0.4, 0.31 + 0.002 * frame, -0.3);
      plate.setPose([0.4, 0.2 + 0.001 * frame, 0]);
      world.step(frameTime);
    }
    const { positions, velocities } = await body.readState();
    return [positions, velocities]
      .map((values) => Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64"))
      .join();
  });
}

describe.each(backends)("two runs on %s", (backend) => {
  it.each([
    { method: "gauss-seidel", membrane: "stvk" },
    { method: "jacobi", membrane: "neo-hookean" },
    { method: "hybrid", membrane: "springs" },
  ] as const)("end in the same bytes: $method, $membrane", async ({ method, membrane }) => {
    const first = await run(backend, method, membrane);
    expect((await run(backend, method, membrane)) === first, "same bytes").toBe(true);
  });
});
