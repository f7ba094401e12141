import { beforeAll, expect, it } from "vitest";
import { buildIncidence, NO_VERTEX } from "../../../src/geometry/surface/incidence";
import type { GpuContext } from "../../../src/gpu/device";
import {
  planPatches,
  type Patch,
  type PatchInput,
  type SweptElements,
} from "../../../src/solvers/gpbd/fused/patch-plan";
import { scheduleOf } from "../../../src/solvers/gpbd/fused/patch-schedule";
import { PatchedCloth } from "../../../src/solvers/gpbd/fused/patched-cloth";
import { termLayout, type GpbdModel } from "../../../src/solvers/gpbd/model";
import { gridCloth } from "../../world/cloths";

function swept(model: GpbdModel, k: number, isAtOnce: boolean): SweptElements {
  const { kind, indices, colours, elementCount } = model.terms[k];
  return { indices, arity: termLayout[kind].arity, colours: isAtOnce ? Uint32Array.of(0, elementCount) : colours };
}

/** A number between 0 and 1 that depends on all bits of what it is made from. */
const mixed = (...values: number[]): number => {
  const x = Math.sin(values.reduce((sum, value, i) => sum + (12.9898 + 78.233 * i) * value, 1)) * 43758.5453;
  return x - Math.floor(x);
};

/** A substep, with functions in which every number matters in place of physics. */
class Substep {
  constructor(
    private readonly input: PatchInput,
    /** whether bending is shared out */
    private readonly isShared: boolean,
  ) {}

  predict(values: Float64Array, particles: Iterable<number>): void {
    for (const p of particles) values[p] = mixed(values[p], p);
  }

  /** Elements that move their vertices at once, of one color after another. */
  sweep(values: Float64Array, { indices, arity }: SweptElements, lists: readonly (readonly number[])[]): void {
    for (const list of lists)
      for (const e of list) {
        const vertices = [...indices.subarray(arity * e, arity * (e + 1))].filter((v) => v !== NO_VERTEX);
        const all = vertices.map((v) => values[v]);
        vertices.forEach((v, i) => (values[v] = mixed(...all, i, e)));
      }
  }

  bend(values: Float64Array, lists: readonly (readonly number[])[], particles: Iterable<number>): void {
    const bending = this.input.bending!;
    if (!this.isShared) return this.sweep(values, bending, lists);
    this.gather(values, bending, lists[0], particles);
  }

  touch(values: Float64Array, faces: readonly number[], particles: Iterable<number>): void {
    const { faces: indices } = this.input;
    const shares = this.sharesOf(values, { indices, arity: 3, colours: Uint32Array.of() }, faces);
    const { offsets, entries } = buildIncidence(indices, values.length);
    const at = (p: number): number[] => [...entries.subarray(offsets[p], offsets[p + 1])];
    // A push depends on all faces at the corners of its own.
    for (const p of particles)
      for (const entry of at(p))
        for (const v of indices.subarray(entry - (entry % 3), entry - (entry % 3) + 3))
          for (const other of at(v)) values[p] += shares.get(other) ?? NaN;
  }

  private sharesOf(values: Float64Array, { indices, arity }: SweptElements, list: readonly number[]) {
    const shares = new Map<number, number>();
    for (const e of list) {
      const vertices = [...indices.subarray(arity * e, arity * (e + 1))];
      const all = vertices.filter((v) => v !== NO_VERTEX).map((v) => values[v]);
      vertices.forEach((_, i) => shares.set(arity * e + i, mixed(...all, i, e)));
    }
    return shares;
  }

  private gather(values: Float64Array, of: SweptElements, list: readonly number[], particles: Iterable<number>) {
    const { indices } = of;
    const shares = this.sharesOf(values, of, list);
    const { offsets, entries } = buildIncidence(indices, values.length);
    // A missing share is no number, and shows.
    for (const p of particles)
      for (let i = offsets[p]; i < offsets[p + 1]; i++) values[p] += shares.get(entries[i]) ?? NaN;
  }
}

const everything = ({ colours }: SweptElements): number[][] =>
  Array.from(colours.subarray(1), (end, c) => Array.from({ length: end - colours[c] }, (_, i) => colours[c] + i));

function stepWhole(input: PatchInput, isShared: boolean, bends: readonly boolean[], values: Float64Array): void {
  const substep = new Substep(input, isShared);
  const particles = [...values.keys()];
  for (const isBending of bends) {
    substep.predict(values, particles);
    substep.sweep(values, input.membrane, everything(input.membrane));
    if (isBending) substep.bend(values, everything(input.bending!), particles);
    if (input.withFaces) substep.touch(values, [...Array(input.faces.length / 3).keys()], particles);
  }
}

/** Like shaders/fused/patches.wgsl; what a patch does not take is no number. */
function stepPatch(
  input: PatchInput,
  isShared: boolean,
  bends: readonly boolean[],
  patch: Patch,
  before: Float64Array,
  after: Float64Array,
): void {
  const substep = new Substep(input, isShared);
  const values = new Float64Array(before.length).fill(NaN);
  const first = (list: readonly number[], count: number): readonly number[] => list.slice(0, count);
  for (const p of first(patch.particles, patch.substeps[0].taken)) values[p] = before[p];
  patch.substeps.forEach(({ taken, held, finished, faces, membranes, bendings }, k) => {
    substep.predict(values, first(patch.particles, taken));
    const sweptLists = patch.membranes.map((list, c) => first(list, membranes[c]));
    substep.sweep(values, input.membrane, sweptLists);
    const bendLists = patch.bendings.map((list, c) => first(list, bendings[c]));
    if (bends[k]) substep.bend(values, bendLists, first(patch.particles, held));
    if (input.withFaces) substep.touch(values, first(patch.faces, faces), first(patch.particles, finished));
  });
  for (const p of first(patch.particles, patch.owned)) after[p] = values[p];
}

const model = gridCloth({ width: 2, height: 0.5, columns: 40, rows: 10 });

it.each([
  { bends: [false, false, false], isShared: true, withFaces: false },
  { bends: [false, true, false], isShared: true, withFaces: true },
  { bends: [true], isShared: false, withFaces: true },
  { bends: [true, true], isShared: true, withFaces: false },
])("patches find the very numbers of all the sheet: %o", ({ bends, isShared, withFaces }) => {
  const { positions, faces, particleCount } = model;
  const input = { positions, faces, membrane: swept(model, 0, false), bending: swept(model, 1, isShared), withFaces };
  const patches = planPatches(input, bends, 60, 1000)!;
  expect(patches.length).toBeGreaterThan(3);
  expect(patches.flatMap(({ particles, owned }) => particles.slice(0, owned)).sort((a, b) => a - b)).toEqual([
    ...Array(particleCount).keys(),
  ]);
  const before = Float64Array.from({ length: particleCount }, (_, p) => mixed(p));
  const whole = before.slice();
  stepWhole(input, isShared, bends, whole);
  const pieces = new Float64Array(particleCount).fill(NaN);
  for (const patch of patches) stepPatch(input, isShared, bends, patch, before, pieces);
  expect(pieces).toEqual(whole);
  // Else they would be no patches.
  expect(Math.min(...patches.map(({ particles }) => particles.length))).toBeLessThan(particleCount);
});

it("refuses sheets whose elements reach too far", () => {
  const { positions, faces } = model;
  const input = { positions, faces, membrane: swept(model, 0, false), bending: undefined, withFaces: false };
  expect(planPatches(input, [false], 60, 50)).toBeUndefined();
});

it.each([
  { substeps: 97, bending: 9, air: 24, most: 4, turn: 0 },
  { substeps: 97, bending: 9, air: 24, most: 4, turn: 4 },
  { substeps: 130, bending: 13, air: 32, most: 4, turn: 5 },
  { substeps: 26, bending: 2, air: 6, most: 4, turn: 0 },
  { substeps: 12, bending: 1, air: 3, most: 1, turn: 0 },
  { substeps: 7, bending: 0, air: 0, most: 4, turn: 0 },
  { substeps: 1, bending: 1, air: 1, most: 4, turn: 0 },
])(
  "cuts a frame of $substeps substeps, $most at a time, in turns of $turn",
  ({ substeps, bending, air, most, turn }) => {
    const chunks = scheduleOf(substeps, bending, air, most, turn);
    const all = chunks.flatMap(({ bends }) => bends);
    expect(all).toEqual(Array.from({ length: substeps }, (_, s) => bending > 0 && s % bending === 0));
    let next = 0;
    for (const { first, substeps: count, blows, bends, isOpen } of chunks) {
      expect(first).toBe(next);
      expect(bends.length).toBe(count);
      expect(blows).toBe(air > 0 && first % air === 0);
      for (let s = first + 1; air > 0 && s < first + count; s++) expect(s % air).not.toBe(0);
      expect(count).toBeLessThanOrEqual(most);
      next += count;
      expect(isOpen).toBe(turn > 0 && (next % turn === 0 || next === substeps));
      if (turn > 0) expect(Math.floor((next - 1) / turn)).toBe(Math.floor(first / turn));
    }
    expect(next).toBe(substeps);
    expect(chunks.length).toBeLessThan(most === 1 ? substeps + 1 : Math.max(2, 0.7 * substeps));
  },
);

let fine: GpbdModel;
beforeAll(() => {
  fine = gridCloth({ width: 1, height: 1, columns: 64, rows: 64 });
});

it("a frame of 97 substeps of a sheet of 64 segments takes 29 dispatches", () => {
  const terms = fine.terms.map((_, k) => ({
    ...swept(fine, k, k === 1),
    isAtOnce: k === 1,
    interval: k === 1 ? 9 : 1,
    places: 6,
    elements: new Uint8Array(),
    incidence: { offsets: Uint32Array.of(), entries: Uint32Array.of() },
  }));
  const setup = { substeps: 97, terms, withFaces: false, airInterval: 25, most: 4, turn: 0 };
  const patched = new PatchedCloth({} as GpuContext, fine, setup, new Map());
  let plans = 1;
  while (!patched.prepare()) plans++;
  expect(patched.isImpossible).toBe(false);
  expect(plans).toBeLessThan(10);
  expect(patched.dispatches).toBe(29);
});
