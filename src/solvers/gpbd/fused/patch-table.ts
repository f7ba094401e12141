import { buildIncidence, NO_VERTEX } from "../../../geometry/surface/incidence";
import * as layout from "../../../generated/shaders/constants-fused";
import type { Patch, PatchCounts, PatchInput, SweptElements } from "./patch-plan";

/** Entries of a patch's record. */
const RECORD = layout.partOwned + 1;

/** Patches as shaders/fused/patches.wgsl has them. */
export interface PackedPatches {
  /** the place of each patch's record, then records and lists */
  readonly words: Uint32Array;
  /** entries of the scratch buffer after those of the patches */
  readonly scratchEnd: number;
}

/** Elements whose shares their particles add up. */
interface Shared {
  readonly elements: SweptElements;
  readonly lists: readonly (readonly number[])[];
  /** particles that do so */
  readonly count: number;
}

/**
 * @param scratchFirst first entry of the scratch buffer that is free for the patches
 * @param isShared whether membranes, and bending, are swept all at once
 */
export function packPatches(
  input: PatchInput,
  patches: readonly Patch[],
  scratchFirst: number,
  isShared: { readonly membrane: boolean; readonly bending: boolean },
): PackedPatches {
  const particleCount = input.positions.length / 3;
  const { membrane, bending } = input;
  const faces: SweptElements = { indices: input.faces, arity: 3, colours: Uint32Array.of(0, input.faces.length / 3) };
  const around = new Map(
    [membrane, ...(bending ? [bending] : []), faces].map((elements) => [
      elements,
      buildIncidence(elements.indices, particleCount),
    ]),
  );
  const words: number[] = Array.from({ length: patches.length }, () => 0);
  const local = new Uint32Array(particleCount);
  let scratch = scratchFirst;
  const reserve = (entries: number): number => (scratch += entries) - entries;

  /** Elements of all colors: corners in the patch, with the number in the body before or after them. */
  const addElements = (
    { indices, arity }: SweptElements,
    lists: readonly (readonly number[])[],
    order: "first" | "last" | "none",
  ) => {
    const at = words.length;
    for (const e of lists.flat()) {
      if (order === "first") words.push(e);
      for (let i = arity * e; i < arity * (e + 1); i++)
        words.push(indices[i] === NO_VERTEX ? NO_VERTEX : local[indices[i]]);
      if (order === "last") words.push(e);
    }
    return at;
  };

  /** For each of the first particles where its entries begin, in the order of the whole body. */
  const addRows = (particles: readonly number[], { elements, lists, count }: Shared): number => {
    const { offsets, entries } = around.get(elements)!;
    const { arity } = elements;
    const placeOf = new Map(lists.flat().map((element, i) => [element, i]));
    const at = words.length;
    for (let p = 0; p <= count; p++) words.push(0);
    for (let p = 0; p < count; p++) {
      words[at + p] = words.length;
      const q = particles[p];
      for (let i = offsets[q]; i < offsets[q + 1]; i++) {
        const place = placeOf.get(Math.floor(entries[i] / arity));
        if (place !== undefined) words.push(arity * place + (entries[i] % arity));
      }
    }
    words[at + count] = words.length;
    return at;
  };

  const most = (substeps: readonly PatchCounts[], of: (counts: PatchCounts) => number): number =>
    Math.max(...substeps.map(of));

  patches.forEach((patch, which) => {
    const { particles, substeps } = patch;
    particles.forEach((q, p) => (local[q] = p));
    const record = words.length;
    words[which] = record;
    for (let i = 0; i < RECORD; i++) words.push(0);
    const set = (part: number, value: number): void => void (words[record + part] = value);
    const add = (list: readonly number[]): number => {
      const at = words.length;
      for (const value of list) words.push(value);
      return at;
    };
    set(layout.partOwned, patch.owned);
    set(layout.partParticles, add(particles));
    set(layout.partMembranes, addElements(membrane, patch.membranes, "last"));
    if (bending) set(layout.partBendings, addElements(bending, patch.bendings, "first"));
    set(layout.partFaces, addElements(faces, [patch.faces], "none"));
    if (isShared.membrane) {
      const count = most(substeps, ({ swept }) => swept);
      set(layout.partMembraneRows, addRows(particles, { elements: membrane, lists: patch.membranes, count }));
    }
    if (bending && isShared.bending) {
      const count = most(substeps, ({ bendings, held }) => (bendings.some((length) => length > 0) ? held : 0));
      set(layout.partBendingRows, addRows(particles, { elements: bending, lists: patch.bendings, count }));
    }
    const count = input.withFaces ? most(substeps, ({ pushed }) => pushed) : 0;
    set(layout.partFaceRows, addRows(particles, { elements: faces, lists: [patch.faces], count }));
    set(
      layout.partCounts,
      add(
        substeps.flatMap((counts) => {
          const of: number[] = [];
          of[layout.countTaken] = counts.taken;
          of[layout.countSwept] = counts.swept;
          of[layout.countHeld] = counts.held;
          of[layout.countFinished] = counts.finished;
          of[layout.countFaces] = counts.faces;
          return [...of, ...counts.membranes, ...counts.bendings];
        }),
      ),
    );
    const firsts = (lists: readonly (readonly number[])[]): number[] => {
      let first = 0;
      return lists.map(({ length }) => (first += length) - length);
    };
    set(layout.partColors, add([...firsts(patch.membranes), ...firsts(patch.bendings)]));
    set(layout.partState, reserve(3 * particles.length));
    const shares = Math.max(
      isShared.membrane ? 3 * patch.membranes.flat().length : 0,
      bending && isShared.bending ? bending.arity * patch.bendings.flat().length : 0,
    );
    set(layout.partShares, reserve(shares));
    set(layout.partFacePushes, reserve(3 * patch.faces.length));
  });
  return { words: Uint32Array.from(words), scratchEnd: scratch };
}
