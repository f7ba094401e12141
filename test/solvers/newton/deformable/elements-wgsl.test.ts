import { beforeAll, describe, expect, it } from "vitest";
import { constants, shaders, structs } from "../../../../src/generated/shaders";
import type { GpuContext } from "../../../../src/gpu/device";
import { StructWriter } from "../../../../src/gpu/struct";
import { addBendingStress, bendingSprings, ropeBending } from "../../../../src/solvers/newton/deformable/bending-set";
import { segmentSet, tetrahedronSet, triangleSet } from "../../../../src/solvers/newton/deformable/element-sets";
import { ElementPoint, type ElementSet } from "../../../../src/solvers/newton/deformable/elements";
import { flatInertias } from "../../../../src/solvers/newton/deformable/flat-inertias";
import type { FemModel } from "../../../../src/solvers/newton/deformable/fem-model";
import { gridMesh, clothModel } from "../../../../src/index";
import { springQuads } from "../../../../src/solvers/newton/gpu/spring-quads";
import { ElementTable } from "../../../../src/solvers/newton/gpu/soft-elements";
import { expectWithin } from "../../../figures";
import { testContext } from "../../../gpu/context";
import { runKernel } from "../../../gpu/run-kernel";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const count = 517;
const h = 1 / 64;
/** part of the elastic forces that acts */
const SHARE = 0.75;
const module = shaders["newton/deformable/elements"];
const stateSize = structs.FemNodeState.size / 4;
const workSize = structs.FemElementWork.size / 4;
const stiffnessAt = structs.FemElementWork.fields.stiffness.offset / 4;

/** Numbers in [−1, 1) from a seed. */
function randoms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Elements far from the origin, each with its own corners: at rest, and at the start of a step in motion. */
function scattered(corners: number, seed: number): { rest: Float64Array; start: Float64Array; u: Float64Array } {
  const random = randoms(seed);
  const size = 3 * corners * count;
  const [rest, start, u] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (let e = 0; e < count; e++) {
    const wild = e % 3 === 0 ? 1 : e % 3 === 1 ? 0.2 : 0.003;
    for (let a = 0; a < corners; a++)
      for (let k = 0; k < 3; k++) {
        const i = 3 * (corners * e + a) + k;
        rest[i] = 0.01 * ((k + 1 === a ? 1 : 0) + 0.2 * random());
        start[i] = rest[i] + 0.01 * wild * random() + (k === 0 ? 3 : 0);
        u[i] = (0.005 * wild * random()) / h;
      }
  }
  return { rest, start, u };
}

function modelOf(particles: number, elements: ElementSet[], bending: FemModel["bending"] = []): FemModel {
  const positions = new Float64Array(3 * particles);
  const masses = new Float64Array(particles).fill(1);
  const faces = new Uint32Array(0);
  return {
    solver: "newton",
    name: "scattered",
    particleCount: particles,
    positions,
    masses,
    faces,
    friction: 0,
    elements,
    bending,
  };
}

/** Runs the kernels on the elements of a model. */
async function evaluate(
  model: FemModel,
  start: Float64Array,
  u: Float64Array,
  isProjected: boolean,
): Promise<{ works: Float32Array; damping: Float32Array }> {
  const table = new ElementTable();
  table.append(model, (p) => p);
  table.update(model, 0, table.records.count, SHARE);
  const n = model.particleCount;
  const states = new Float32Array(stateSize * n);
  const { position, low, u: speed } = structs.FemNodeState.fields;
  for (let p = 0; p < n; p++)
    for (let k = 0; k < 3; k++) {
      const x = start[3 * p + k];
      states[stateSize * p + position.offset / 4 + k] = x;
      states[stateSize * p + low.offset / 4 + k] = x - Math.fround(x);
      states[stateSize * p + speed.offset / 4 + k] = u[3 * p + k]!;
    }
  const step = new StructWriter(structs.FemStep, 1);
  step.set(0, "h", h);
  step.set(0, "elements", table.records.count);
  step.set(0, "isDamped", table.isDamped ? 1 : 0);
  const controls = new StructWriter(structs.FemBodyControl, 1);
  controls.set(0, "isProjected", isProjected ? 1 : 0);
  const elements = table.records.f32.slice(0, table.records.byteLength / 4);
  const soft = new Uint8Array(step.bytes);
  const shared = { soft, elements, driven: table.driven };
  const blocks = 4 * 12 * 10 * table.records.count;
  let damping = new Float32Array(blocks / 4);
  if (table.isDamped) {
    const data = { ...shared, nodeStates: states, dampingBlocks: blocks };
    const read = await runKernel(
      context,
      "newton/deformable/elements",
      module,
      "dampElements",
      data,
      table.records.count,
      ["dampingBlocks"],
    );
    damping = new Float32Array(read.dampingBlocks);
  }
  const data = {
    ...shared,
    nodeStates: states,
    dampingBlocks: damping,
    softNodes: new Uint8Array(structs.FemNode.size * n),
    bodyControls: new Uint8Array(controls.bytes),
    softControl: new Uint32Array([constants.SOFT_GOES_ON, 0, 0, 0]),
    elementWorks: structs.FemElementWork.size * table.records.count,
  };
  const read = await runKernel(
    context,
    "newton/deformable/elements",
    module,
    "evaluateElements",
    data,
    table.records.count,
    ["elementWorks"],
  );
  return { works: new Float32Array(read.elementWorks), damping };
}

const law = { mu: 3e4, lambda: 3e5 };
const tets = Uint32Array.from({ length: 4 * count }, (_, i) => i);
const kinds: [string, number, (rest: Float64Array) => ElementSet][] = [
  [
    "corotational tetrahedra",
    4,
    (rest) => tetrahedronSet({ positions: rest, tetrahedra: tets }, { ...law, energy: "corotational" }),
  ],
  [
    "stable neo-Hookean tetrahedra",
    4,
    (rest) =>
      tetrahedronSet({ positions: rest, tetrahedra: tets }, { ...law, energy: "stable-neo-hookean", damping: 0.01 }),
  ],
  ["triangles", 3, (rest) => triangleSet(rest, tets.subarray(0, 3 * count), { ...law, damping: 0.02 }, 1e-3)],
  ["segments", 2, (rest) => segmentSet(rest, tets.subarray(0, 2 * count), 1e6, 1e-4)],
];

const point = new ElementPoint();
const block = new Float64Array(9);

describe.each(kinds)("WGSL of %s", (_name, corners, make) => {
  it.each([true, false])("has forces and stiffness of the f64 reference, projected: %s", async (isProjected) => {
    const { rest, start, u } = scattered(corners, 11 + corners);
    // Validation would turn tetrahedra of negative volume round; some have it here, which swaps nothing else.
    const set = make(rest);
    for (let e = 0; e < count; e++) {
      set.volumes[e] = Math.abs(set.volumes[e]);
      set.activation[e] = e % 4 === 0 ? 2e4 : 0;
    }
    const { works, damping } = await evaluate(modelOf(corners * count, [set]), start, u, isProjected);
    const x = start.map((value, i) => value + h * u[i]);
    const inertias = flatInertias(set, new Float64Array(corners * count).fill(1));
    let [force, stiffness, damped, flat] = [0, 0, 0, 0];
    const out = new Float64Array(x.length);
    for (let e = 0; e < count; e++) {
      point.evaluate(set, e, start);
      point.prepareStiffness(set, false);
      const reference: Float64Array[] = [];
      for (let a = 0; a < corners; a++)
        for (let b = 0; b < corners; b++) {
          point.stiffness(set, a, b, block);
          reference.push(block.map((value) => h * SHARE * set.damping * set.volumes[e] * value));
        }
      point.evaluate(set, e, x, inertias[e] / (h * h));
      if (set.dimension === 3 && point.frame.s[2] < constants.FLAT_STRETCH) flat++;
      out.fill(0, 3 * corners * e, 3 * corners * (e + 1));
      point.addStress(set, e, out);
      for (let i = 3 * corners * e; i < 3 * corners * (e + 1); i++) out[i] *= h * SHARE;
      for (let a = 0; a < corners; a++)
        for (let b = 0; b < corners; b++)
          for (let k = 0; k < 9; k++)
            out[3 * (corners * e + a) + Math.floor(k / 3)] +=
              reference[corners * a + b][k] * u[3 * (corners * e + b) + (k % 3)];
      point.prepareStiffness(set, true, isProjected);
      let [size, worst, load, off, dampWorst, dampSize] = [0, 0, 0, 0, 0, 0];
      for (let a = 0; a < corners; a++) {
        for (let k = 0; k < 3; k++) {
          const expected = out[3 * (corners * e + a) + k];
          load = Math.max(load, Math.abs(expected));
          off = Math.max(off, Math.abs(works[workSize * e + 4 * a + k] - expected));
        }
        for (let b = 0; b <= a; b++) {
          point.stiffness(set, a, b, block);
          const pair = (a * (a + 1)) / 2 + b;
          for (let k = 0; k < 9; k++) {
            const added = reference[corners * a + b][k];
            const expected = h * h * SHARE * set.volumes[e] * block[k] + added;
            // Matrices of WGSL are columns of four numbers.
            const at = 4 * (k % 3) + Math.floor(k / 3);
            const seen = works[workSize * e + stiffnessAt + 12 * pair + at];
            size = Math.max(size, Math.abs(expected));
            worst = Math.max(worst, Math.abs(seen - expected));
            dampSize = Math.max(dampSize, Math.abs(added));
            dampWorst = Math.max(dampWorst, Math.abs(damping[12 * (10 * e + pair) + at] - added));
          }
        }
      }
      // Forces vanish at rest: their errors are relative to the forces of a strain of a hundredth.
      force = Math.max(force, off / Math.max(load, (0.01 * size * 0.01) / h));
      stiffness = Math.max(stiffness, worst / size);
      if (dampSize > 0) damped = Math.max(damped, dampWorst / dampSize);
    }
    expectWithin("force, as a part of the largest", force, 1e-4);
    expectWithin("stiffness, as a part of the largest", stiffness, 1e-4);
    expectWithin("damping, as a part of the largest", damped, 1e-4);
    expect(damped > 0).toBe(set.damping > 0);
    expect(flat > 50).toBe(set.dimension === 3);
  });
});

it("WGSL of bending has forces and stiffness of the f64 reference", async () => {
  const random = randoms(5);
  const cloth = clothModel({
    solver: "newton",
    ...gridMesh({ width: 1, height: 1, columns: 7, rows: 9 }),
    fabric: "denim",
  });
  const n = cloth.particleCount;
  const rope = ropeBending(
    Float64Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? (i / 3) * 0.01 : 0)),
    2e-3,
  );
  const rest = Float64Array.from({ length: 3 * (n + count) }, (_, i) => cloth.positions[i] ?? 0.01 * random());
  const beside = { ...rope, indices: rope.indices.map((p) => p + n) };
  const model = modelOf(n + count, [], [cloth.bending![0], beside]);
  const sets = model.bending!.map(bendingSprings);
  const start = rest.map((value) => value + 2e-3 * random());
  const u = rest.map(() => random());
  const { works } = await evaluate(model, start, u, true);
  const x = start.map((value, i) => value + h * u[i]);
  const [expected, seen] = [new Float64Array(x.length), new Float64Array(x.length)];
  for (const set of sets) addBendingStress(set, x, expected);
  // A over h² of the first coordinate, where A moves u
  const [wanted, moved] = [new Float64Array(n + count), new Float64Array(n + count)];
  for (const { indices, stiffness } of sets)
    stiffness.forEach((k, e) => {
      const [p, q] = [indices[2 * e], indices[2 * e + 1]];
      wanted[p] += k * (u[3 * p] - u[3 * q]);
      wanted[q] += k * (u[3 * q] - u[3 * p]);
    });
  let e = 0;
  for (const set of sets)
    for (const { corners } of springQuads(set)) {
      corners.forEach((p, a) => {
        for (let k = 0; k < 3; k++) seen[3 * p + k] += works[workSize * e + 4 * a + k] / (h * SHARE);
        corners.forEach((q, b) => {
          const [i, j] = [Math.max(a, b), Math.min(a, b)];
          const block = works[workSize * e + stiffnessAt + 12 * ((i * (i + 1)) / 2 + j)];
          moved[p] += (block / (h * h * SHARE)) * u[3 * q];
        });
      });
      e++;
    }
  expect(e).toBeLessThan(n * 3.5 + count);
  const apart = (a: Float64Array, b: Float64Array): number =>
    Math.max(...a.map((value, i) => Math.abs(value - b[i]))) / Math.max(...a.map(Math.abs));
  expectWithin("bending force, as a part of the largest", apart(expected, seen), 1e-6);
  expectWithin("bending stiffness, as a part of the largest", apart(wanted, moved), 1e-6);
});
