import { PliantError } from "../../errors";

/** How two coefficients make one, as Babylon's `PhysicsMaterialCombineMode`. */
export type CombineMode = "geometric-mean" | "minimum" | "maximum" | "arithmetic-mean" | "multiply";

/** In the order of their numbers in the shaders (shaders/collision/contact/friction.wgsl). Of two modes the one that comes later is taken. */
export const combineModes: readonly CombineMode[] = [
  "geometric-mean",
  "minimum",
  "maximum",
  "arithmetic-mean",
  "multiply",
];

/** @throws PliantError `invalid-argument` for a mode that there is not */
export function checkCombineMode(object: string, mode: CombineMode): CombineMode {
  if (!combineModes.includes(mode))
    throw new PliantError("invalid-argument", object, mode, `must be one of ${combineModes.join(", ")}`);
  return mode;
}

/** One coefficient from those of two surfaces, by the number of a mode. */
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
      // exact where both are the same
      return a === b ? a : Math.sqrt(a * b);
  }
}

/** One coefficient from those of two surfaces and their modes. */
export function combine(a: number, b: number, modeA: CombineMode, modeB: CombineMode): number {
  return combineBy(Math.max(combineModes.indexOf(modeA), combineModes.indexOf(modeB)), a, b);
}
