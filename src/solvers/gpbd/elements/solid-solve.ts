import { isSolid, type EnergyTerm } from "../model";
import { termStiffness } from "../term-stiffness";
import { elementKindOf } from "./defined-element";
import type { ElementKind } from "./elements";
import { solveNeoHookeanTet } from "./neo-hookean-solve";
import { solidKindOf } from "./solid-kind";
import type { SolidKernel } from "./solid-kernel";
import { warmStart } from "./warm-start";
import { isUntangled, untangle } from "./untangle";

const kindOf = (term: EnergyTerm): ElementKind => (isSolid(term.kind) ? solidKindOf(term) : elementKindOf(term));

/** The f64 reference's solve of tetrahedra. A page without tetrahedra does not load it. */
export const solidSolve = { kindOf, termStiffness, solveNeoHookeanTet, warmStart, isUntangled, untangle } as const;

export interface SolidSolve extends Readonly<typeof solidSolve> {
  /** the kernel for a term of a body with so many particles, where there is one */
  kernelOf?(term: EnergyTerm, particleCount: number): SolidKernel | undefined;
}
