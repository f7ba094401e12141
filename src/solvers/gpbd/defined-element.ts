import type { EnergyStrain } from "../../materials/defined-energy/strains";
import { type ElementKind, elementKinds } from "./elements";
import type { EnergyTerm, TermKind } from "./model";
import { displacementGradient } from "./strains/deformation-gradient";

/** Kinds of terms whose elements an energy of a strain can take over. */
export const kindsOfStrain: Readonly<Record<EnergyStrain, readonly TermKind[]>> = {
  "green-tet": ["neo-hookean-tet", "stable-neo-hookean-tet", "stvk-tet", "corotational-tet", "mooney-rivlin-tet"],
  "deformation-gradient": [
    "neo-hookean-tet",
    "stable-neo-hookean-tet",
    "stvk-tet",
    "corotational-tet",
    "mooney-rivlin-tet",
  ],
  "green-triangle": ["stvk-membrane", "neo-hookean-membrane"],
  dihedral: ["dihedral-bending"],
  distance: ["distance"],
  hylc: ["hylc"],
};

const known = new WeakMap<EnergyTerm, ElementKind>();

/** How the f64 reference evaluates the elements of a term. */
export function elementKindOf(term: EnergyTerm): ElementKind {
  const { energy } = term;
  if (!energy) return elementKinds[term.kind];
  let kind = known.get(term);
  if (!kind) {
    const { strain, measureAt } = elementKinds[term.kind];
    const ownStrain = energy.strain === "deformation-gradient" ? displacementGradient : strain;
    kind = { strain: ownStrain, density: energy.density, measureAt, dampingAt: energy.parameterValues.length };
    known.set(term, kind);
  }
  return kind;
}
