import type { EnergyTerm } from "../model";
import { displacementGradient } from "../strains/deformation-gradient";
import { greenStrain, greenTet } from "../strains/green-tet";
import { elementKindOf } from "./defined-element";
import { arityOf, type ElementKind } from "./elements";

const known = new WeakMap<EnergyTerm, ElementKind>();

/** The evaluation of solids in the f64 reference: tetrahedra, or points of quadratic ones. */
export function solidKindOf(term: EnergyTerm): ElementKind {
  let kind = known.get(term);
  if (!kind) {
    const arity = arityOf(term);
    const green = arity === 4 ? greenTet : greenStrain(arity);
    const strain = term.energy?.strain === "deformation-gradient" ? displacementGradient(arity) : green;
    kind = { ...elementKindOf(term), strain, measureAt: 3 * arity - 3 };
    known.set(term, kind);
  }
  return kind;
}
