/** Elements of a body as the kernels of assembly/cloth-kernels.ts read them: blocks of four of a color. */
import { NO_VERTEX } from "../../../geometry/surface/incidence";
import { REST_CURVATURE, WEIGHTS } from "../strains/curvature-vectors";
import { termLayout, type EnergyTerm } from "../model";
import { RECORD } from "./cloth-memory";

export type PackedKind = "distance" | "stvk-membrane" | "isometric-bending" | "dihedral-bending";

const packedKinds: readonly string[] = [
  "distance",
  "stvk-membrane",
  "isometric-bending",
  "dihedral-bending",
] satisfies PackedKind[];

/** A term in blocks. */
export interface PackedTerm {
  readonly kind: PackedKind;
  readonly blocks: ArrayBuffer;
  /** vectors of a block */
  readonly stride: number;
  /** bytes of the blocks of each color */
  readonly colors: readonly number[];
  /** vertices of an element, at most */
  readonly places: number;
  /** number of elements at each particle */
  readonly valence: Float32Array;
  readonly material: Float64Array;
}

const LANES = 4;
/**
 * Weights below this part of the largest one of an element of bending are rounding, as of twist where the mesh lies along the threads. Products
 * of them would be below the smallest normal f32, with which processors take a hundred times as long.
 */
const DUST = 2 ** -24;
/** Vectors of a block of bending that a kernel fills in. */
const FACTORS = 7;

/** @returns undefined for a term that there is no kernel for */
export function packTerm(term: EnergyTerm, particleCount: number): PackedTerm | undefined {
  const { kind, energy, material } = term;
  if (!packedKinds.includes(kind) || energy) return undefined;
  const isBending = kind.endsWith("-bending");
  const { arity } = termLayout[kind];
  const places = isBending ? usedPlaces(term) : arity;
  // In vectors of four numbers, the last ones for what is at rest.
  const own = isBending ? 4 * places : arity;
  const atRest = kind === "distance" ? 2 : kind === "stvk-membrane" ? 5 : kind === "dihedral-bending" ? 9 : 0;
  const stride = own + atRest + (isBending ? FACTORS : 0);
  const counts = [...term.colours].slice(1).map((end, c) => Math.ceil((end - term.colours[c]) / LANES));
  const blocks = new ArrayBuffer(16 * stride * counts.reduce((sum, count) => sum + count, 0));
  const numbers = new Float32Array(blocks);
  const records = new Uint32Array(blocks);
  const valence = new Float32Array(particleCount);
  const { rest: restStride } = termLayout[kind];
  let at = 0;
  counts.forEach((count, c) => {
    for (let e = term.colours[c]; e < term.colours[c] + LANES * count; e++) {
      const isUsed = e < term.colours[c + 1];
      const block = at + LANES * stride * Math.floor((e - term.colours[c]) / LANES);
      const lane = block + ((e - term.colours[c]) % LANES);
      const rest = restStride * e;
      const least = isBending && isUsed ? DUST * largestWeight(term.rest, rest + WEIGHTS, 3 * places) : 0;
      for (let a = 0; a < places; a++) {
        const to = lane + LANES * (isBending ? 4 * a : a);
        const p = isUsed ? term.indices[arity * e + a] : NO_VERTEX;
        records[to] = RECORD * (p === NO_VERTEX ? particleCount : p);
        if (p === NO_VERTEX) continue;
        valence[p]++;
        for (let i = 0; isBending && i < 3; i++) {
          const weight = term.rest[rest + WEIGHTS + 3 * a + i];
          if (Math.abs(weight) > least) numbers[to + LANES * (i + 1)] = weight;
        }
      }
      if (!isUsed) continue;
      const from = kind === "dihedral-bending" ? rest + REST_CURVATURE : rest;
      for (let i = 0; i < atRest; i++) numbers[lane + LANES * (own + i)] = term.rest[from + i]!;
    }
    at += LANES * stride * count;
  });
  const colors = counts.map((count) => 16 * stride * count);
  return { kind: kind as PackedKind, blocks, stride, colors, places, valence, material };
}

function largestWeight(rest: Float64Array, from: number, count: number): number {
  let most = 0;
  for (let i = from; i < from + count; i++) most = Math.max(most, Math.abs(rest[i]));
  return most;
}

/** Most vertices of an element: three at least. */
function usedPlaces({ kind, indices }: EnergyTerm): number {
  const { arity } = termLayout[kind];
  let most = 3;
  for (let i = 0; i < indices.length; i++) if (indices[i] !== NO_VERTEX) most = Math.max(most, (i % arity) + 1);
  return most;
}
