import { elementInertias } from "../../../geometry/tetrahedra/element-inertias";
import type { ElementTerm } from "../model";

/** Of the tetrahedra of a term what holds them against getting flat; undefined for others [kg m²]. */
export function flatInertias(term: ElementTerm, masses: ArrayLike<number>): Float64Array | undefined {
  const { kind, columns, arity, indices, coefficients, measures } = term;
  if (kind === "bending" || columns < 3) return undefined;
  return elementInertias({ arity, indices, gradients: coefficients, volumes: measures }, masses);
}
