import { expect, it } from "vitest";
import { ColliderSet } from "../../../../src/collision/obstacles/collider-set";
import { shaders } from "../../../../src/generated/shaders/guard";
import * as structs from "../../../../src/generated/structs";
import { boxTetrahedra, solidModel } from "../../../../src/index";
import { Kernel } from "../../../../src/gpu/kernel";
import { readBuffer } from "../../../../src/gpu/readback";
import { buildIncidence } from "../../../../src/geometry/surface/incidence";
import { packTetrahedra } from "../../../../src/solvers/gpbd/elements/solids/pack-solids";
import { turnBack } from "../../../../src/solvers/gpbd/guard/turn-back";
import type { GpbdModel } from "../../../../src/solvers/gpbd/model";
import { testContext } from "../../../gpu/context";

const UNKNOWN = 1e38;
const SOUND = 0xffffffff;

/** A cube of two cells with a corner pushed through it, opposite of those that are held or carried. */
function tangled() {
  const mesh = boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] });
  const material = { youngsModulus: 1e4, poissonRatio: 0.3, density: 1000 };
  const model = solidModel({ ...mesh, material, elements: "linear" }) as GpbdModel;
  const positions = Float64Array.from(mesh.positions);
  for (let c = 0; c < 3; c++) positions[positions.length - 3 + c] -= 0.8;
  const velocities = positions.map((_, i) => Math.fround(((i * 7) % 11) / 11 - 0.5));
  return { model, positions, velocities };
}

/** @param marks `w` of velocities: 1 of what is held, 2 of what is carried */
async function turnedOnGpu({ model, positions, velocities }: ReturnType<typeof tangled>, marks: ArrayLike<number>) {
  const context = await testContext();
  const n = model.particleCount;
  const [term] = model.terms;
  const vec4 = (from: ArrayLike<number>, w: (p: number) => number) =>
    Float32Array.from({ length: 4 * n }, (_, i) => (i % 4 < 3 ? from[3 * (i >> 2) + (i % 4)] : w(i >> 2)));
  const step = context.createUniformBuffer("step", structs.StepParameters.size);
  const { particleCount } = structs.StepParameters.fields;
  context.device.queue.writeBuffer(step, particleCount.offset, Uint32Array.of(n));
  const guard = new Float32Array(structs.GuardState.size / 4);
  guard[structs.GuardState.fields.budget.offset / 4] = 1;
  guard[structs.GuardState.fields.stored.offset / 4] = UNKNOWN;
  const { UNIFORM } = GPUBufferUsage;
  // A body may well give a carried particle another inverse mass than the particle's own.
  const inverse = (p: number): number => (marks[p] === 1 ? 0 : (marks[p] === 2 ? 50 : 1) / model.masses[p]);
  const buffers = {
    start: context.createBuffer(
      "start",
      vec4(positions, () => 0),
    ),
    velocity: context.createBuffer(
      "velocity",
      vec4(velocities, (p) => marks[p]),
    ),
    clearance: context.createBuffer("clearance", 4 * (n + 1)),
    guard: context.createBuffer("guard", guard, UNIFORM),
    displacement: context.createBuffer("displacement", vec4(positions, inverse)),
    frozenAt: context.createBuffer("frozen at", Uint32Array.of(SOUND), UNIFORM),
    elements: context.createBuffer("elements", new Uint8Array(packTetrahedra(term, buildIncidence(term.indices, n)))),
    colors: context.createBuffer("colors", Uint32Array.from(term.colours)),
    colliders: context.createBuffer("colliders", structs.ColliderPrimitive.size),
    colliderData: context.createBuffer("collider data", 16),
  };
  const kernel = Kernel.create(context, "guard/turn-back", shaders["guard/turn-back"], "turnBack", {
    ...buffers,
    step,
  });
  const encoder = context.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  kernel.dispatchWorkgroups(pass, 1, new Uint32Array(1));
  pass.end();
  context.device.queue.submit([encoder.finish()]);
  const read = async (buffer: GPUBuffer) =>
    [...new Float32Array(await readBuffer(context, buffer))].filter((_, i) => i % 4 < 3);
  return { positions: await read(buffers.start), velocities: await read(buffers.velocity) };
}

it.each([
  ["of a free body, in whose sweeps rounding grows", 0, 0.02],
  ["of one that pins hold", 1, 1e-4],
  ["of one that a rigid body carries, which has another mass there", 2, 1e-4],
])("turn-back.wgsl does as its twin: %s", async (_name, mark, tolerance) => {
  const cube = tangled();
  const marks = cube.model.masses.map((_, p) => (p < 9 ? mark : 0));
  const found = await turnedOnGpu(cube, marks);
  const before = cube.positions.slice();
  const inverseMasses = cube.model.masses.map((mass, p) => (marks[p] === 0 ? 1 / mass : 0));
  turnBack(cube.model, { ...cube, inverseMasses }, { colliders: new ColliderSet(), thickness: 0 });
  const most = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
    Array.from(a).reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i])), 0);
  expect(most(cube.positions, before)).toBeGreaterThan(0.3);
  expect(most(found.positions, cube.positions)).toBeLessThan(tolerance);
  expect(most(found.velocities, cube.velocities)).toBeLessThan(10 * tolerance);
  if (mark > 0) expect(most(found.positions.slice(0, 27), before)).toBeLessThan(1e-6);
});
