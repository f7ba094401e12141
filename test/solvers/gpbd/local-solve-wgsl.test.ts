import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shaders, structs } from "../../../src/generated/shaders";
import type { GpuContext } from "../../../src/gpu/device";
import type { ReflectedModule } from "../../../src/gpu/kernel";
import { StructWriter } from "../../../src/gpu/struct";
import { elementKinds } from "../../../src/solvers/gpbd/elements";
import { solveElement } from "../../../src/solvers/gpbd/local-solve";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { randomElement, type RandomElement } from "./elements";
import { kindOf, objective } from "./local-objective";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});
afterAll(() => context.device.destroy());

const count = 1234;
const dt = Math.fround(1 / 600);

type Kind = "stvk-membrane" | "neo-hookean-membrane" | "dihedral-bending" | "isometric-bending";
const kinds: Kind[] = ["stvk-membrane", "neo-hookean-membrane", "dihedral-bending", "isometric-bending"];

/** Elements of one material and time step, with numbers that f32 knows. */
function elementsOf(kind: Kind, seed: number, damping: number): RandomElement[] {
  const random = new RandomGeometry(seed);
  const { material } = randomElement(kind, random);
  material[material.length - 1] = damping;
  return Array.from({ length: count }, () => {
    const sample = randomElement(kind, random, 0.05, 0.1);
    const { element, rest } = sample;
    for (const values of [element.start, element.tracked, rest]) values.set(values.map(Math.fround));
    for (let c = 0; c < 12; c++) element.x[c] = element.start[c] + Math.fround(element.x[c] - element.start[c]);
    element.w.set(element.w.map((w) => dt * dt * Math.fround(w / dt ** 2)));
    return { ...sample, material: material.map(Math.fround), dt };
  });
}

/** Displacements Δd that a kernel finds, 12 numbers an element. */
async function solveOnGpu(kind: Kind, samples: RandomElement[], newtonIterations: number): Promise<Float32Array> {
  const { arity } = elementKinds[kind].strain;
  const vectors = (): Float32Array<ArrayBuffer> => new Float32Array(4 * arity * count);
  const [start, displacement, tracked] = [vectors(), vectors(), vectors()];
  const elements =
    arity === 3 ? new StructWriter(structs.MembraneElement, count) : new StructWriter(structs.HingeElement, count);
  samples.forEach(({ element, rest }, e) => {
    const vertices: number[] = [];
    for (let corner = 0; corner < arity; corner++) {
      const at = arity * e + corner;
      vertices.push(at);
      for (let c = 0; c < 3; c++) {
        start[4 * at + c] = element.start[3 * corner + c];
        displacement[4 * at + c] = element.x[3 * corner + c] - element.start[3 * corner + c];
        tracked[4 * at + c] = element.tracked[3 * corner + c];
      }
      displacement[4 * at + 3] = element.w[corner] / dt ** 2;
    }
    elements.set(e, "vertices", vertices);
    if (arity === 3) {
      const membrane = elements as StructWriter<typeof structs.MembraneElement>;
      membrane.set(e, "inverse", rest.subarray(0, 4));
      membrane.set(e, "area", rest[4]);
    } else (elements as StructWriter<typeof structs.HingeElement>).set(e, "rest", rest);
  });
  const material =
    arity === 3 ? new StructWriter(structs.MembraneMaterial, 1) : new StructWriter(structs.HingeMaterial, 1);
  const numbers = samples[0].material;
  material.set(0, "damping", numbers[numbers.length - 1]);
  if (arity === 3)
    (material as StructWriter<typeof structs.MembraneMaterial>).set(0, "coefficients", numbers.subarray(0, 4));
  const step = new StructWriter(structs.StepParameters, 1);
  step.set(0, "h", dt);
  step.set(0, "relaxation", 1);
  const range = new StructWriter(structs.ElementRange, 1);
  range.set(0, "count", count);
  range.set(0, "loadTracked", 1);
  range.set(0, "storeTracked", 1);
  range.set(0, "interval", 1);
  const before = displacement.slice();
  const data = {
    start,
    displacement,
    tracked,
    elements: new Uint8Array(elements.bytes),
    material: new Uint8Array(material.bytes),
    step: new Uint8Array(step.bytes),
    range: new Uint8Array(range.bytes),
  };
  const name = `gpbd/${kind}` as const;
  const module: ReflectedModule = shaders[name];
  const constants = "newtonIterations" in module.overrides ? { newtonIterations } : undefined;
  const read = await runKernel(context, name, module, "gaussSeidel", data, count, ["displacement"], constants);
  const after = new Float32Array(read.displacement);
  const found = new Float32Array(12 * count);
  for (let e = 0; e < count; e++)
    for (let c = 0; c < 3 * arity; c++) {
      const at = 4 * (arity * e + Math.floor(c / 3)) + (c % 3);
      found[12 * e + c] = after[at] - before[at];
    }
  return found;
}

describe.each(kinds)("update of one %s element in WGSL", (kind) => {
  it.each([
    [1, 0],
    [1, 2e-3],
    [6, 0],
    [6, 2e-3],
  ])("is the reference with %i Newton iterations and a damping time of %f s", async (newtonIterations, damping) => {
    const samples = elementsOf(kind, 81, damping);
    const found = await solveOnGpu(kind, samples, newtonIterations);
    const errors = samples.map((sample, e) => {
      const { element, rest, material } = sample;
      solveElement(kindOf(sample), rest, 0, material, dt, newtonIterations, element);
      let [difference, size] = [0, 1e-9];
      for (let c = 0; c < 12; c++) {
        size = Math.max(size, Math.abs(element.displacement[c]), Math.abs(element.x[c] - element.start[c]));
        difference = Math.max(difference, Math.abs(element.displacement[c] - found[12 * e + c]));
      }
      return difference / size;
    });
    errors.sort((a, b) => a - b);
    // A line search that stops one halving earlier or later in f32 is another step, not a wrong one: see below. A single
    // step of a membrane shows the shift that keeps its f32 matrix invertible: corners here differ in mass a thousandfold.
    const bound = newtonIterations === 1 && kind.endsWith("membrane") ? 1e-2 : 1e-4;
    expectWithin(`${kind}, 95 of 100 elements, relative`, errors[Math.floor(0.95 * count)], bound);
  });

  it("never makes (19) larger than f32 can tell", async () => {
    const samples = elementsOf(kind, 82, 1e-3);
    const found = await solveOnGpu(kind, samples, 3);
    let worst = -Infinity;
    samples.forEach((sample, e) => {
      const before = objective(sample, kindOf(sample), new Float64Array(12));
      const after = objective(sample, kindOf(sample), found.subarray(12 * e, 12 * e + 12));
      worst = Math.max(worst, (after - before) / before);
    });
    expectWithin(`growth of (19) for ${kind}, relative`, worst, 1e-5);
  });

  it("leaves pinned corners where they are and stays finite for collapsed elements", async () => {
    const samples = elementsOf(kind, 83, 1e-3);
    samples.forEach(({ element }, e) => {
      // every third to a point, every third to a line; corners keep their w
      for (const values of [element.x, element.start])
        for (let c = 0; c < 12; c++) {
          if (e % 3 === 0) values[c] = values[c % 3];
          if (e % 3 === 1 && c % 3 > 0) values[c] = values[c % 3];
        }
    });
    const found = await solveOnGpu(kind, samples, 4);
    expect(found.every(Number.isFinite)).toBe(true);
    let pinned = 0;
    samples.forEach(({ element }, e) => {
      for (let c = 0; c < 12; c++)
        if (element.w[Math.floor(c / 3)] === 0) {
          pinned++;
          expect(Math.abs(found[12 * e + c])).toBe(0);
        }
    });
    expect(pinned).toBeGreaterThan(1000);
  });
});
