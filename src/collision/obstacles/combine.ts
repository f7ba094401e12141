import { invalid } from "../../errors";

/** Rule that combines two coefficients, as Babylon's `PhysicsMaterialCombineMode`. */
export type CombineMode = "geometric-mean" | "minimum" | "maximum" | "arithmetic-mean" | "multiply";

/**
 * Combine modes in the order of their numbers in the shaders (shaders/collision/contact/friction.wgsl). The later one
 * of two modes wins.
 */
export const combineModes: readonly CombineMode[] = [
  "geometric-mean",
  "minimum",
  "maximum",
  "arithmetic-mean",
  "multiply",
];

/** @throws PliantError `invalid-argument` for an unknown mode */
export function checkCombineMode(object: string, mode: CombineMode): CombineMode {
  if (!combineModes.includes(mode)) throw invalid(object, mode, `must be one of ${combineModes.join(", ")}`);
  return mode;
}

/** Combines the coefficients of two surfaces by the number of a mode. */
export function combineBy(mode: number, a: number, b: number): number {
  switch (combineModes[mode]) {
    case "minimum":
      return Math.min(a, b);
    case "maximum":
      return Math.max(a, b);
    case "arithmetic-mean":
      return 0.5 * (a + b);
    case "multiply":
      return a * b;
    default:
      // exact if both are equal
      return a === b ? a : Math.sqrt(a * b);
  }
}

/** Combines the coefficients of two surfaces that have modes of their own, into the first one: V8 may allocate numbers that are passed. */
export function combine(both: Float64Array, modeA: CombineMode, modeB: CombineMode): void {
  both[0] = combineBy(Math.max(combineModes.indexOf(modeA), combineModes.indexOf(modeB)), both[0], both[1]);
}
