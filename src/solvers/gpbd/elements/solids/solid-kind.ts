import { corotationalSolid } from "../../../../materials/corotational-solid";
import { mooneyRivlinSolid } from "../../../../materials/mooney-rivlin-solid";
import { neoHookeanSolid } from "../../../../materials/neo-hookean-solid";
import { stableNeoHookeanSolid } from "../../../../materials/stable-neo-hookean-solid";
import { stvkSolid } from "../../../../materials/stvk-solid";
import type { EnergyTerm, SolidKind } from "../../model";
import { displacementGradient } from "../../strains/deformation-gradient";
import { greenStrain, greenTet } from "../../strains/green-tet";
import { arityOf, type ElementKind } from "../elements";

const solid = { strain: greenTet, measureAt: 9, dampingAt: 4 };

/** Energies of linear tetrahedra. */
export const solidKinds: Readonly<Record<SolidKind, ElementKind>> = {
  "neo-hookean-tet": { ...solid, density: neoHookeanSolid, barrier: "logarithmic" },
  "stable-neo-hookean-tet": { ...solid, density: stableNeoHookeanSolid, barrier: "stable" },
  "stvk-tet": { ...solid, density: stvkSolid },
  "corotational-tet": { ...solid, density: corotationalSolid },
  "mooney-rivlin-tet": { ...solid, density: mooneyRivlinSolid },
};

const known = new WeakMap<EnergyTerm, ElementKind>();

/** The evaluation of solids in the f64 reference: tetrahedra, or points of quadratic ones. */
export function solidKindOf(term: EnergyTerm): ElementKind {
  let kind = known.get(term);
  if (!kind) {
    const { energy } = term;
    const arity = arityOf(term);
    const green = arity === 4 ? greenTet : greenStrain(arity);
    const strain = energy?.strain === "deformation-gradient" ? displacementGradient(arity) : green;
    const law = energy
      ? { density: energy.density, dampingAt: energy.parameterValues.length }
      : solidKinds[term.kind as SolidKind];
    kind = { ...law, strain, measureAt: 3 * arity - 3 };
    known.set(term, kind);
  }
  return kind;
}
