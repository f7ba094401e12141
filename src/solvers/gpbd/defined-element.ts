import type { DefinedEnergy } from "../../materials/defined-energy/define-energy";
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

/**
 * Material data of a term with an energy: its parameters, the damping time [s], and for `hylc` the six stiffnesses that damping
 * goes by, which are those at rest.
 */
export function definedMaterial({ strain, density, parameterValues }: DefinedEnergy, damping: number): Float64Array {
  if (strain !== "hylc") return Float64Array.of(...parameterValues, damping);
  const { dimension } = density;
  const hessian = new Float64Array(dimension * dimension);
  density.hessian(new Float64Array(dimension), parameterValues, hessian);
  const stiffness = Array.from({ length: dimension }, (_, i) => Math.max(0, hessian[(dimension + 1) * i]!));
  return Float64Array.of(...parameterValues, damping, ...stiffness);
}

/** How the f64 reference evaluates the elements of a term. */
export function elementKindOf(term: EnergyTerm): ElementKind {
  const { energy } = term;
  if (!energy) return elementKinds[term.kind];
  let kind = known.get(term);
  if (!kind) {
    const { strain, measureAt } = elementKinds[term.kind];
    const ownStrain = energy.strain === "deformation-gradient" ? displacementGradient : strain;
    const dampingAt = energy.parameterValues.length;
    kind = { strain: ownStrain, density: energy.density, measureAt, dampingAt };
    if (energy.strain === "hylc") kind = { ...kind, dampingStiffnessAt: dampingAt + 1 };
    known.set(term, kind);
  }
  return kind;
}
