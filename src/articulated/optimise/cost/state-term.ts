import { checkFinite } from "../../../checks";
import { invalid, outOfRange } from "../../../errors";
import { checkNames, optionNames } from "../../../option-names";
import { momentFactors, type CostMoments, type CostSetting } from "./moments";

export type CostForm = "square" | "signed-square" | "above" | "below" | "smooth-distance";

/** Σᵢ wᵢ φ(zᵢ − targetᵢ) over some coordinates, velocities or controls z. */
export interface StateTerm {
  readonly of: "position" | "velocity" | "control";
  readonly when: CostMoments;
  /** indices of the coordinates or controls; default all */
  readonly indices?: readonly number[];
  /** default 0 */
  readonly target?: number | readonly number[];
  readonly weight: number | readonly number[];
  /**
   * φ(d): "square" d² (default); "signed-square" d |d|, which decreases without bound on one side: with a negative
   * weight, for the jump height of paper 4's worm; "above" and "below" d² on one side and 0 on the other, for limits; "smooth-distance" √(d² + s²) − s with `scale` s, which has a
   * constant pull at large distances.
   */
  readonly form?: CostForm;
  /** s of "smooth-distance", > 0; default 1 */
  readonly scale?: number;
}

const stateTermNames = optionNames<StateTerm>()("of when indices target weight form scale");

export interface CompiledStateTerm {
  /** see `momentFactors` */
  readonly factors: Float64Array;
  readonly control: boolean;
  readonly index: number;
  readonly target: number;
  readonly weight: number;
  readonly form: CostForm;
  readonly scale: number;
}

/** @throws PliantError for an index out of range, lists of different lengths, numbers that are not finite */
export function compileStateTerm(term: StateTerm, name: string, setting: CostSetting): CompiledStateTerm[] {
  checkNames(name, term, stateTermNames);
  const { nv, nu, steps } = setting;
  const factors = momentFactors(term.when, name, setting);
  if (term.of === "control" && factors[steps] !== 0)
    throw invalid(name, term.when, "controls have no cost after the last step");
  const count = term.of === "control" ? nu : nv;
  const indices = term.indices ?? Array.from({ length: count }, (_, i) => i);
  const numberAt = (given: number | readonly number[], i: number, what: string): number => {
    const value = typeof given === "number" ? given : given[i];
    if (typeof given !== "number" && given.length !== indices.length)
      throw invalid(`${name}.${what}`, given.length, `must hold ${indices.length} numbers`);
    checkFinite(value, `${name}.${what}`);
    return value;
  };
  const scale = term.scale ?? 1;
  if (!(scale > 0)) throw invalid(`${name}.scale`, scale, "must be positive");
  return indices.map((index, i) => {
    if (!(Number.isInteger(index) && index >= 0 && index < count))
      throw outOfRange(`${name}.indices`, index, `must be below ${count}`);
    return {
      factors,
      control: term.of === "control",
      index: term.of === "velocity" ? nv + index : index,
      target: numberAt(term.target ?? 0, i, "target"),
      weight: numberAt(term.weight, i, "weight"),
      form: term.form ?? "square",
      scale,
    };
  });
}

/** φ, φ', φ'' at d. */
export function shapeOf(
  { form, scale }: { readonly form: CostForm; readonly scale: number },
  d: number,
): readonly [number, number, number] {
  switch (form) {
    case "square":
      return [d * d, 2 * d, 2];
    case "signed-square":
      // The curvature would lead to the flat point in the middle; only the slope leads past it.
      return [d * Math.abs(d), 2 * Math.abs(d), 0];
    case "above":
      return d > 0 ? [d * d, 2 * d, 2] : [0, 0, 0];
    case "below":
      return d < 0 ? [d * d, 2 * d, 2] : [0, 0, 0];
    case "smooth-distance": {
      const root = Math.hypot(d, scale);
      return [root - scale, d / root, (scale * scale) / root ** 3];
    }
  }
}
