import { beforeAll, describe, expect, it } from "vitest";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { NO_VERTEX } from "../../../src/geometry/surface/incidence";
import type { GpuContext } from "../../../src/gpu/device";
import type { MembraneModel } from "../../../src/models/gpbd/cloth";
import { CpuGpbdSolver } from "../../../src/solvers/gpbd/cpu/cpu-solver";
import { termLayout, type GpbdModel } from "../../../src/solvers/gpbd/model";
import { defaultOptions, type GpbdMethod, type GpbdOptions } from "../../../src/solvers/gpbd/options";
import type { PinTable } from "../../../src/solvers/deformable";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { gridCloth, verticesWhere } from "../../world/cloths";
import { GpuRun } from "./gpu-frame";

/*
 * Paper 1, section 3.2: at any point of the algorithm x = x̃ + Σ dᵢ. Contact adds the displacements by
 * obstacles: x = x̃ + Σ dᵢ + contact.
 */

const dt = 1 / 100;
const gravity = [0.3, -9.81, 0] as const;
const membranes: MembraneModel[] = ["stvk", "neo-hookean", "springs"];
const methods: GpbdMethod[] = ["gauss-seidel", "jacobi", "hybrid"];
const cases = methods.flatMap((method) => [1, 1.5].map((relaxation) => ({ method, relaxation })));

interface Setup {
  readonly model: GpbdModel;
  readonly velocities: Float64Array;
  readonly colliders: ColliderSet;
  readonly pins: PinTable;
}

/** A small cloth, thrown about, that lies on a sphere and is pulled at one corner. */
function setup(membrane: MembraneModel): Setup {
  const model = gridCloth(
    { width: 0.4, height: 0.5, columns: 8, rows: 10, center: [0, 0.1, 0] },
    { membrane, bending: membrane === "springs" ? "isometric" : "dihedral", fabric: "denim" },
  );
  const random = new RandomGeometry(91);
  const velocities = Float64Array.from({ length: 3 * model.particleCount }, () => random.between(-0.4, 0.4));
  const colliders = new ColliderSet();
  colliders.add({ type: "sphere", radius: 0.1 });
  colliders.update();
  const pinned = new Uint8Array(model.particleCount);
  const targets = model.positions.slice();
  const [corner] = verticesWhere(model.positions, (x, _y, z) => x < -0.19 && z < -0.24);
  pinned[corner] = 1;
  targets[3 * corner] -= 0.01;
  return { model, velocities, colliders, pins: { pinned, targets, changed: true } };
}

function optionsOf(partial: Partial<GpbdOptions>): GpbdOptions {
  return { ...defaultOptions, friction: 0.4, damping: 0.3, airDensity: 0, faceContacts: false, ...partial };
}

/** Adds the tracked displacements of one term to `sum`, n × 3. */
function addTracked(model: GpbdModel, term: number, tracked: ArrayLike<number>, sum: Float64Array): void {
  const { indices, elementCount, kind } = model.terms[term];
  for (let slot = 0; slot < elementCount * termLayout[kind].arity; slot++)
    if (indices[slot] !== NO_VERTEX) for (let c = 0; c < 3; c++) sum[3 * indices[slot] + c] += tracked[3 * slot + c];
}

describe.each(membranes)("x = x̃ + Σ dᵢ after every iteration, %s cloth on the CPU", (membrane) => {
  it.each(cases)("$method, relaxation $relaxation, with contact of vertices and faces", ({ method, relaxation }) => {
    const { model, velocities, colliders, pins } = setup(membrane);
    const options = optionsOf({ method, relaxation, iterations: 4, substeps: 3, faceContacts: true });
    const h = dt / options.substeps;
    let worst = 0;
    let iterations = 0;
    let [moved, touched] = [0, 0];
    const solver = new CpuGpbdSolver(model, ({ state, scratch }, substep, iteration) => {
      iterations++;
      const expected = new Float64Array(3 * model.particleCount);
      for (let i = 0; i < expected.length; i++) {
        const p = Math.floor(i / 3);
        const pinShare = 1 / (options.substeps - substep);
        const decay = 1 / (1 + h * options.damping);
        expected[i] = scratch.start[i] + scratch.contact[4 * p + (i % 3)];
        if (pins.pinned[p] === 1) expected[i] += pinShare * (pins.targets[i] - scratch.start[i]);
        else expected[i] += h * decay * (state.velocities[i] + h * gravity[i % 3]);
        touched = Math.max(touched, Math.abs(scratch.contact[4 * p + 1]));
      }
      scratch.tracked.forEach((tracked, term) => {
        addTracked(model, term, tracked, expected);
        moved = Math.max(moved, ...tracked.map(Math.abs));
      });
      if (iteration === options.iterations - 1) addFacePushes(model, scratch.faceContact, expected);
      for (let i = 0; i < expected.length; i++) worst = Math.max(worst, Math.abs(state.positions[i] - expected[i]));
    });
    solver.writeState({ positions: model.positions.slice(), velocities });
    for (let frame = 1; frame <= 4; frame++) solver.step({ dt, frame, gravity, colliders }, options, pins);
    expect(iterations).toBe(4 * options.substeps * options.iterations);
    expect(moved).toBeGreaterThan(1e-5);
    expect(touched).toBeGreaterThan(1e-5);
    expectWithin(`|x − x̃ − Σ d − contact| on the CPU [m]`, worst, 1e-13);
  });
});

/** Pushes of faces are shared among those at a vertex, see `shareFacePushes`. */
function addFacePushes(model: GpbdModel, faceContact: ArrayLike<number>, sum: Float64Array): void {
  for (let i = 0; i < faceContact.length; i++) sum[3 * model.faces[Math.floor(i / 3)] + (i % 3)] += faceContact[i];
}

describe("x = x̃ + Σ dᵢ on the GPU", () => {
  let context: GpuContext;
  beforeAll(async () => {
    context = await testContext();
  });

  describe.each(membranes)("%s cloth", (membrane) => {
    it.each(cases)("$method, relaxation $relaxation, after 2 to 4 iterations", async ({ method, relaxation }) => {
      const { model, velocities, colliders, pins } = setup(membrane);
      const n = model.particleCount;
      const run = new GpuRun(context, model);
      run.solver.writeState({ positions: model.positions, velocities });
      let [worst, moved, touched] = [0, 0, 0];
      for (const [frame, iterations] of [2, 3, 4].entries()) {
        const options = optionsOf({ method, relaxation, iterations, substeps: 1 });
        const before = await run.solver.readState();
        await run.step({ dt, frame: frame + 1, gravity, colliders }, options, pins);
        const expected = new Float64Array(3 * n);
        const contact = await run.vectors(run.solver.lastSubstep.contact, n);
        for (let i = 0; i < expected.length; i++) {
          const p = Math.floor(i / 3);
          if (pins.pinned[p] === 1) expected[i] = pins.targets[i] - before.positions[i];
          else expected[i] = (dt / (1 + dt * options.damping)) * (before.velocities[i] + dt * gravity[i % 3]);
          expected[i] += contact[i];
        }
        touched = Math.max(touched, ...contact.map(Math.abs));
        for (const [term, { indices }] of model.terms.entries()) {
          const tracked = await run.vectors(run.solver.trackedDisplacements(term), indices.length);
          moved = Math.max(moved, ...tracked.map(Math.abs));
          addTracked(model, term, tracked, expected);
        }
        const displacement = await run.vectors(run.solver.lastSubstep.displacement, n);
        // the summed terms: f32 loses a fraction of the largest of them
        const size = Math.max(moved, ...displacement.map(Math.abs));
        for (let i = 0; i < expected.length; i++)
          worst = Math.max(worst, Math.abs(displacement[i] - expected[i]) / size);
      }
      run.dispose();
      expect(moved).toBeGreaterThan(1e-5);
      expect(touched).toBeGreaterThan(1e-5);
      expectWithin(`|x − x̃ − Σ d − contact| on the GPU, relative`, worst, 5e-6);
    });
  });
});
