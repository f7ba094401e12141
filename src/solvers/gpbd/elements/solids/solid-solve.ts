import { accelerationWeights } from "../../acceleration";
import { recoveryIn } from "../../guard/recovery";
import { isSolid, type EnergyTerm } from "../../model";
import { allowsForCold } from "../../solid-substeps";
import { termStiffness } from "../../term-stiffness";
import { elementKindOf } from "../defined/defined-element";
import type { ElementKind } from "../elements";
import { PlasticFlow } from "../../plasticity/plastic-flow";
import { solveNeoHookeanTet } from "./neo-hookean-solve";
import { solidKindOf } from "./solid-kind";
import type { GpbdOptions } from "../../options";
import { warmStart } from "../warm-start";
import { isUntangled, untangle } from "./untangle";

const kindOf = (term: EnergyTerm): ElementKind => (isSolid(term.kind) ? solidKindOf(term) : elementKindOf(term));

/** Whether a sweep that is not at once is the only one of a substep, from a cold start, and allows for that. */
const isCold = (term: EnergyTerm, { warmStart, iterations }: Readonly<GpbdOptions>): boolean =>
  warmStart === 0 && iterations === 1 && allowsForCold(term);

/** The f64 reference's solve of tetrahedra. A page without tetrahedra does not load it. */
export const solidSolve = {
  kindOf,
  isCold,
  termStiffness,
  solveNeoHookeanTet,
  warmStart,
  isUntangled,
  untangle,
  recoveryIn,
  PlasticFlow,
  accelerationWeights,
} as const;

/** Values of a body's particles and elements that a sweep works with, see `CpuState` and `CpuScratch`. */
export interface SweptValues {
  readonly positions: Float64Array;
  readonly start: Float64Array;
  readonly w: Float64Array;
  readonly tracked: Float64Array;
}

export interface SolidSolve extends Readonly<typeof solidSolve> {
  /** Rest data of elements have changed, which the fast sweep may have copied. */
  forget?(): void;
  /**
   * Sweeps faster over all elements of a term one after another.
   *
   * @param values of the body: changed
   * @param isCold see `ElementScratch`
   * @param left solves an element that is left over, with other values in which the rest of the sweep is
   * @returns false, with nothing changed, for a term or options that it does not know
   */
  sweep?(
    term: EnergyTerm,
    values: SweptValues,
    h: number,
    options: Readonly<GpbdOptions>,
    isCold: boolean,
    left: (values: SweptValues, element: number) => void,
  ): boolean;
}
