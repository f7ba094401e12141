import { beforeAll, describe, expect, it } from "vitest";
import { resolveParameters } from "../../../samples/parameters";
import type { ParameterValue } from "../../../samples/scene";
import { scenes } from "../../../samples/scenes/index";
import { shaders, structs } from "../../../src/generated/shaders";
import type { GpuContext } from "../../../src/gpu/device";
import { boxTetrahedra, solidModel, World } from "../../../src/index";
import { ContactProjection } from "../../../src/solvers/local-global/contact/contact-projection";
import { ContactSolver } from "../../../src/solvers/local-global/contact/contact-solver";
import { defaultLocalGlobalOptions } from "../../../src/solvers/local-global/options";
import { openGate } from "../../../src/solvers/local-global/gpu/contact/pass-gate";
import { type WideBuffers, wideBytes, WideSolve } from "../../../src/solvers/local-global/gpu/contact/wide-solve";
import { readBuffer } from "../../../src/gpu/readback";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { type ContactProblem, lastProblem, packProblem, triples } from "./contact-problem";

const h = 1 / 60;

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

/** The contacts of a scene after some frames. */
async function problemOf(
  name: string,
  frames: number,
  values: Readonly<Record<string, ParameterValue>>,
): Promise<ContactProblem> {
  const scene = scenes.find((candidate) => candidate.name === name)!;
  const world = await World.create({ backend: "cpu" });
  const parameters = resolveParameters(scene, values);
  const instance = await scene.build(world, parameters);
  for (let frame = 1; frame <= frames; frame++) {
    instance.beforeStep?.(world.time, h);
    world.step(h);
  }
  return lastProblem(world);
}

/** The contacts of a bar with a held end that has come down on a ball. */
async function heldProblem(frames: number): Promise<ContactProblem> {
  const world = await World.create({ backend: "cpu" });
  world.addCollider({ type: "sphere", radius: 0.2, center: [0.1, -0.255, 0.02] });
  const shape = boxTetrahedra({ size: [0.6, 0.1, 0.2], cells: [6, 1, 2] });
  const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, friction: 0.5 };
  const body = world.addBody(solidModel({ solver: "local-global", ...shape, elements: "linear", material }));
  const x = body.model.positions;
  body.pin([...body.model.masses.keys()].filter((i) => x[3 * i] < -0.19));
  for (let frame = 0; frame < frames; frame++) world.step(h);
  return lastProblem(world);
}

/** @param how solves by one workgroup or in several dispatches per round, with G or by way of S */
async function solve(
  problem: ContactProblem,
  z: Float64Array,
  newtonIterations: number,
  { isStored = true, isWide = false } = {},
) {
  const settings = { newtonIterations, constraintIterations: 24, ncp: 1, isGuarded: 1, isLast: 1 };
  const data = packProblem(problem, z, settings, isStored);
  const read = isWide
    ? await solveWide(problem, data)
    : await runKernel(
        context,
        "local-global/contact/solve",
        shaders["local-global/contact/solve"],
        "solveContacts",
        data,
        1,
        ["contacts", "works", "control"],
      );
  const { count } = problem.contacts;
  const control = new Float32Array(read.control);
  return {
    z: triples(read.contacts, structs.SoftContact, "z", count),
    delta: triples(read.works, structs.SoftContactWork, "delta", count),
    error: control[structs.ContactControl.fields.error.offset / 4],
  };
}

/** Encodes more rounds than needed. */
async function solveWide({ contacts, delassus }: ContactProblem, data: ReturnType<typeof packProblem>) {
  const { ContactControl, ContactNode, ContactColumn, ContactStep, WideContacts } = structs;
  const nodes = data.nodes.byteLength / ContactNode.size;
  const vertices = data.contactColumns.byteLength / ContactColumn.size;
  const touched = delassus.parts.reduce((sum, part) => sum + part.vertices.length, 0);
  new DataView(data.control.buffer).setUint32(ContactControl.fields.isWide.offset, 1, true);
  const step = new Uint8Array(16 * Math.ceil(ContactStep.size / 16));
  step.set(data.contactStep);
  const all = { ...data, ...wideBytes(contacts.count, nodes), wide: WideContacts.size, contactStep: step };
  const names = ["contacts", "works", "control"] as const;
  return withoutGpuErrors(context, async () => {
    const usage = (name: string): number => (name === "contactStep" ? GPUBufferUsage.UNIFORM : 0);
    const buffers = Object.fromEntries(
      Object.entries(all).map(([name, content]) => [name, context.createBuffer(name, content, usage(name))]),
    );
    const encoder = context.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const sizes = { contacts: contacts.count, touched, vertices, nodes };
    new WideSolve(context, buffers as unknown as WideBuffers).encode(
      openGate,
      openGate,
      pass,
      600,
      sizes,
      new Uint32Array(1),
    );
    pass.end();
    context.device.queue.submit([encoder.finish()]);
    const read: Record<string, ArrayBuffer> = {};
    for (const name of names) read[name] = await readBuffer(context, buffers[name]);
    for (const buffer of Object.values(buffers)) buffer.destroy();
    expect(new DataView(read.control).getUint32(ContactControl.fields.haltedAt.offset, true)).toBe(0);
    return read;
  });
}

/** The same in f64, see `LocalGlobalGroup.solveContacts`. */
function reference({ contacts, delassus, free, scale }: ContactProblem, z: Float64Array, most: number) {
  const solver = new ContactSolver();
  contacts.z.set(z);
  let error = solver.judge(contacts, delassus, free);
  for (let steps = 0; steps < most && error > 1e-10; steps++) {
    solver.step(contacts, delassus, free, scale, defaultLocalGlobalOptions);
    let next = solver.judge(contacts, delassus, free);
    for (let k = 0; k < 2 && !(next < error); k++) {
      solver.halve(contacts);
      next = solver.judge(contacts, delassus, free);
    }
    if (!(next < error)) {
      solver.undo(contacts);
      error = solver.judge(contacts, delassus, free);
      next = new ContactProjection().run(contacts, delassus, free, solver, 24, error, 1e-10);
    }
    error = next;
  }
  return { z: contacts.z.slice(0, delassus.size), error };
}

const cases = [
  ["soft-stick-slip", 40, { cells: 2 }],
  ["rigid-on-soft", 60, { cells: 2 }],
  ["cloth-on-knives", 60, { cells: 8 }],
  ["a held bar", 12, {}],
] as const;

describe.each(cases)("contacts of %s after %i frames", (name, frames, values) => {
  let problem: ContactProblem;
  beforeAll(async () => {
    problem = name === "a held bar" ? await heldProblem(frames) : await problemOf(name, frames, values);
  });

  it("W z is that of the reference to 1e-5", async () => {
    const { contacts, delassus, free } = problem;
    const z = contacts.z.slice();
    const expected = new Float64Array(delassus.size);
    delassus.multiply(z, expected);
    const { delta } = await solve(problem, z, 0);
    const wide = await solve(problem, z, 0, { isWide: true });
    const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    let worst = 0;
    for (const own of [delta, wide.delta])
      for (let i = 0; i < delassus.size; i++) worst = Math.max(worst, Math.abs(own[i] - free[i] - expected[i]));
    expect(worst).toBeLessThan(1e-5 * largest);
  });

  // one body
  if (name !== "rigid-on-soft")
    it("W z is the same by way of S", async () => {
      const z = problem.contacts.z.slice();
      const stored = await solve(problem, z, 0);
      const { delta } = await solve(problem, z, 0, { isStored: false });
      const wide = await solve(problem, z, 0, { isStored: false, isWide: true });
      const largest = stored.delta.reduce((most, value, i) => Math.max(most, Math.abs(value - problem.free[i])), 0);
      for (const own of [delta, wide.delta])
        own.forEach((value, i) => expect(Math.abs(value - stored.delta[i])).toBeLessThan(1e-5 * largest));
    });

  // W stored, and for one body by way of S
  const ways = (name === "rigid-on-soft" ? [true] : [true, false]).flatMap((isStored) => [
    { isStored, isWide: false },
    { isStored, isWide: true },
  ]);
  it.each(ways)(
    "is solved from nothing as far as in f64, or to 2e-4 of what is pushed (W stored: $isStored, many dispatches: $isWide)",
    async (how) => {
      const start = problem.contacts.z.slice();
      const nothing = new Float64Array(start.length);
      const gpu = await solve(problem, nothing, 10, how);
      const cpu = reference(problem, nothing, 10);
      problem.contacts.z.set(start);
      const push = Math.sqrt(cpu.z.reduce((sum, z, i) => sum + (z * problem.delassus.diagonal[i]) ** 2, 0));
      expect(gpu.error).toBeLessThan(1.01 * cpu.error + 2e-4 * push);
      // to the accuracy of either solve: an error in the gaps is larger in the forces if W is badly conditioned, as for a sheet
      const left = sensitivity(problem, cpu.z) * (gpu.error + cpu.error);
      expect(Math.abs(normalSum(gpu.z) - normalSum(cpu.z))).toBeLessThan(left + 1e-6 * normalSum(cpu.z));
    },
  );
});

function normalSum(z: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < z.length; i += 3) sum += z[i];
  return sum;
}

/** Largest change of the sum of normal forces with the gaps of touching contacts: the length of W⁻¹ 1 on its rows [N s / m]. */
function sensitivity({ contacts, delassus }: ContactProblem, z: Float64Array): number {
  const rows: number[] = [];
  for (let i = 0; i < z.length; i += 3) {
    if (!(z[i] > 0)) continue;
    rows.push(i);
    if (Math.hypot(z[i + 1], z[i + 2]) < 0.999 * contacts.friction[i / 3] * z[i]) rows.push(i + 1, i + 2);
  }
  const unit = new Float64Array(delassus.size);
  const column = new Float64Array(delassus.size);
  const matrix = rows.map((row) => {
    unit.fill(0)[row] = 1;
    delassus.multiply(unit, column);
    return rows.map((other) => column[other]);
  });
  const y = rows.map((row) => (row % 3 === 0 ? 1 : 0));
  // Gaussian elimination of a symmetric positive definite matrix
  for (let k = 0; k < rows.length; k++)
    for (let i = k + 1; i < rows.length; i++) {
      const factor = matrix[i][k] / matrix[k][k];
      for (let j = k; j < rows.length; j++) matrix[i][j] -= factor * matrix[k][j];
      y[i] -= factor * y[k];
    }
  for (let k = rows.length - 1; k >= 0; k--) {
    for (let j = k + 1; j < rows.length; j++) y[k] -= matrix[k][j] * y[j];
    y[k] /= matrix[k][k];
  }
  return Math.hypot(...y);
}
