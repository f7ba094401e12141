import type { ArticulatedScratch } from "../../src/articulated/scratch";

/** out ← M x for one vector of nv numbers. Call it after `massMatrix`. */
export function multiplyMass(scratch: ArticulatedScratch, x: ArrayLike<number>, out: Float64Array): void {
  const { model, mass } = scratch;
  const { nv, supportStart, support } = model;
  out.fill(0);
  for (let k = 0; k < nv; k++) {
    let sum = mass[k * nv + k] * x[k];
    for (let at = supportStart[k]; at < supportStart[k + 1]; at++) {
      const j = support[at];
      sum += mass[k * nv + j] * x[j];
      out[j] += mass[k * nv + j] * x[k];
    }
    out[k] += sum;
  }
}
