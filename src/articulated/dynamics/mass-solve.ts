/**
 * Solves with the factor M = Lᵀ D L for many right-hand sides at once. A sweep handles four rows, and reads and writes
 * their common target row once instead of four times.
 */
import type { ArticulatedScratch } from "../scratch";

/** X ← M⁻¹ X. Call after `factorMassMatrix`. O(n · depth · columns). @param x nv × columns, row-major */
export function solveMassColumns(scratch: ArticulatedScratch, x: Float64Array, columns: number): void {
  const { nv } = scratch.model;
  // skip branches on which no right-hand side acts
  for (let k = nv - 1; k > 0; k--) if (!isZero(x, k * columns, columns)) scatter(scratch, x, columns, k, 0, columns);
  gatherAll(scratch, x, columns);
}

/**
 * out ← M⁻¹, nv × nv. Call after `factorMassMatrix`. The first half of the solve stays within the branches: entry (k, j)
 * is zero there unless one of k and j is an ancestor of the other.
 */
export function inverseMass(scratch: ArticulatedScratch, out: Float64Array): void {
  const { nv, relatedStart, related } = scratch.model;
  out.fill(0);
  for (let k = 0; k < nv; k++) out[k * nv + k] = 1;
  for (let k = nv - 1; k > 0; k--)
    for (let run = relatedStart[k]; run < relatedStart[k + 1]; run += 2)
      scatter(scratch, out, nv, k, related[run], related[run + 1]);
  gatherAll(scratch, out, nv);
}

function isZero(x: Float64Array, at: number, count: number): boolean {
  for (let c = 0; c < count; c++) if (x[at + c] !== 0) return false;
  return true;
}

/** Subtracts row k, times its factors, from the rows of its ancestors: one row and some columns of x ← L⁻ᵀ x. */
function scatter(
  { model, factor }: ArticulatedScratch,
  x: Float64Array,
  columns: number,
  k: number,
  from: number,
  to: number,
): void {
  const { nv, supportStart, support } = model;
  const row = k * columns;
  const L = k * nv;
  const end = supportStart[k + 1];
  let at = supportStart[k];
  for (; at + 3 < end; at += 4) {
    const l0 = factor[L + support[at]];
    const l1 = factor[L + support[at + 1]];
    const l2 = factor[L + support[at + 2]];
    const l3 = factor[L + support[at + 3]];
    const r0 = support[at] * columns;
    const r1 = support[at + 1] * columns;
    const r2 = support[at + 2] * columns;
    const r3 = support[at + 3] * columns;
    for (let c = from; c < to; c++) {
      const value = x[row + c];
      x[r0 + c] -= l0 * value;
      x[r1 + c] -= l1 * value;
      x[r2 + c] -= l2 * value;
      x[r3 + c] -= l3 * value;
    }
  }
  for (; at < end; at++) {
    const l0 = factor[L + support[at]];
    const r0 = support[at] * columns;
    for (let c = from; c < to; c++) x[r0 + c] -= l0 * x[row + c];
  }
}

/** x ← L⁻¹ D⁻¹ x */
function gatherAll({ model, factor, inversePivot }: ArticulatedScratch, x: Float64Array, columns: number): void {
  const { nv, supportStart, support } = model;
  for (let k = 0; k < nv; k++) {
    const row = k * columns;
    const L = k * nv;
    const end = supportStart[k + 1];
    let at = supportStart[k];
    let scale = inversePivot[k];
    for (; at + 3 < end; at += 4) {
      const l0 = factor[L + support[at]];
      const l1 = factor[L + support[at + 1]];
      const l2 = factor[L + support[at + 2]];
      const l3 = factor[L + support[at + 3]];
      const r0 = support[at] * columns;
      const r1 = support[at + 1] * columns;
      const r2 = support[at + 2] * columns;
      const r3 = support[at + 3] * columns;
      for (let c = 0; c < columns; c++)
        x[row + c] = scale * x[row + c] - (l0 * x[r0 + c] + l1 * x[r1 + c] + (l2 * x[r2 + c] + l3 * x[r3 + c]));
      scale = 1;
    }
    if (at === end && scale !== 1) for (let c = 0; c < columns; c++) x[row + c] *= scale;
    for (; at < end; at++) {
      const l0 = factor[L + support[at]];
      const r0 = support[at] * columns;
      for (let c = 0; c < columns; c++) x[row + c] = scale * x[row + c] - l0 * x[r0 + c];
      scale = 1;
    }
  }
}
