/**
 * The cost of an update of a tetrahedron: stable neo-Hookean, without damping and warm start, one iteration of Algorithm 1 and of Newton in
 * it, whose first step is accepted. Operations are counted by hand in the shaders: +, −, ×, ÷ and √ are one each; a dot product of three is
 * 5, a matrix times a vector 15, times a matrix 45, a determinant 14. Comparisons, choices and signs are free.
 */
import { structs } from "../../src/generated/shaders";
import { fitExponent } from "../exponent";
import type { Limits } from "./limits";
import type { Row } from "../rows";

/** shaders/solids/tetrahedron.wgsl, neo-hookean-solid.wgsl and math/packed6.wgsl, in their order. */
export const operations = {
  "masses and M": 9 + 6 + 4 * 9 + 3 * 6 + 2,
  "edges and F": 27 + 45,
  "whether F is inside out, and moved if so": 17 + 14 + 2 + 54,
  "strain and C": 39 + 9,
  "B + 2Vµ sym(EM)": 45 + 14,
  "N and the quadratic form": 24 + 13 + 81 + 15,
  "J − 1": 40,
  gradient: 9 + 13,
  Hessian: 3 + 105,
  "factor and solve, 6 × 6": 2 * 14 + 5 * 15 + 36 + 18 + 18,
  "invariants along the direction": 11 + 48 + 2 + 11 + 14 + 8 + 3,
  "line search": 2 + 31 + 6,
  "Δd from Λ": 3 + 14 + 45,
} as const;

/** After the solve: the data that goes to the vertices. */
export const scatter = {
  jacobi: 6 + 4 * (2 * 15 + 2 * 3 + 1 + 3 + 3 + 3) + 4 * 4,
  "gauss-seidel": 6 + 9 + 9 + 4 * (15 + 3 + 4),
} as const;

const VECTOR = 16;

/** Bytes that an update requests from memory, or caches. */
export const bytes = {
  /** element, positions at the start of the step, displacements */
  read: structs.TetElement.size + 8 * VECTOR,
  /** `gauss-seidel`: displacements; `jacobi`: shares, read again with their places by the gather */
  scatter: { jacobi: 4 * VECTOR + 4 * (VECTOR + 4), "gauss-seidel": 4 * VECTOR },
} as const;

export interface CostRow {
  readonly method: keyof typeof scatter;
  readonly size: number;
  readonly elements: number;
  /** per element */
  readonly operations: number;
  readonly bytes: number;
  /** for all elements, by timestamp queries [µs] */
  readonly microseconds: number;
  /** as parts of the adapter's speed with the simplest kernels */
  readonly shareOfArithmetic: number;
  readonly shareOfBandwidth: number;
  /** the larger of the two: 1 if the kernel is as fast as the adapter allows */
  readonly shareOfLimit: number;
  /** ratio to vertex block descent in table 4 of the paper, 113 µs, by way of that table's own GPBD, which does the same work */
  readonly timesVbdInPaper: number;
}

/** Table 4, on an RTX 4080 [µs]. */
const paper = { vbd: 113, "gauss-seidel": 629, jacobi: 102 } as const;

/** Operations of an update in total. */
export function operationsOf(method: keyof typeof scatter): number {
  return Object.values(operations).reduce((sum, count) => sum + count, scatter[method]);
}

/** One row for each measurement of a single step with one iteration on the GPU, see `suites.gpbd`. */
export function costRows(rows: readonly Row[], limits: Limits): CostRow[] {
  return rows.flatMap((row) => {
    const method = (["jacobi", "gauss-seidel"] as const).find((name) => row.settings === `1×1 iterations, ${name}`);
    const milliseconds = row.stages?.["stable-neo-hookean-tet"];
    if (method === undefined || milliseconds === undefined || row.size === null) return [];
    const elements = 6 * row.size ** 3;
    const [ofElement, moved] = [operationsOf(method), bytes.read + bytes.scatter[method]];
    const perSecond = elements / (milliseconds / 1000);
    const shareOfArithmetic = (ofElement * perSecond) / (1e9 * limits.arithmetic);
    const shareOfBandwidth = (moved * perSecond) / (1e9 * limits.bandwidth);
    return {
      method,
      size: row.size,
      elements,
      operations: ofElement,
      bytes: moved,
      microseconds: 1000 * milliseconds,
      shareOfArithmetic,
      shareOfBandwidth,
      shareOfLimit: Math.max(shareOfArithmetic, shareOfBandwidth),
      timesVbdInPaper: paper[method] / paper.vbd,
    };
  });
}

/** The result as a readable table. */
export function costLines(costs: readonly CostRow[], limits: Limits): string[] {
  return [
    `simplest kernels: ${limits.bandwidth.toFixed(1)} GB/s copied, ${limits.arithmetic.toFixed(1)} GFLOP/s`,
    ...costs.map(
      (row) =>
        `${row.method} ${row.size}³: ${row.operations} operations and ${row.bytes} bytes an element, ` +
        `${row.microseconds.toFixed(0)} µs a sweep: ${(100 * row.shareOfArithmetic).toFixed(0)} % of arithmetic, ` +
        `${(100 * row.shareOfBandwidth).toFixed(0)} % of bandwidth (paper: ${row.timesVbdInPaper.toFixed(2)} times VBD)`,
    ),
    ...(["jacobi", "gauss-seidel"] as const).flatMap((name) => {
      const rows = costs.filter(({ method }) => method === name);
      if (rows.length < 2) return [];
      const exponent = fitExponent(
        rows.map(({ elements }) => elements),
        rows.map(({ microseconds }) => microseconds),
      );
      return `${name}: time of a sweep grows as tetrahedra^${exponent.toFixed(2)} from ${rows[0].elements} to ${rows.at(-1).elements}`;
    }),
  ];
}
