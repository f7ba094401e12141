import type { DefinedEnergy } from "../../../../materials/defined-energy/define-energy";
import type { EnergyStrain } from "../../../../materials/defined-energy/strains";
import type { TermKind } from "../../model";

const tetrahedra: readonly TermKind[] = [
  "neo-hookean-tet",
  "stable-neo-hookean-tet",
  "stvk-tet",
  "corotational-tet",
  "mooney-rivlin-tet",
];

/** Kinds of terms whose elements an energy of a strain can take over. */
export const kindsOfStrain: Readonly<Record<EnergyStrain, readonly TermKind[]>> = {
  "green-tet": tetrahedra,
  "principal-stretches": tetrahedra,
  "deformation-gradient": tetrahedra,
  "green-triangle": ["stvk-membrane", "neo-hookean-membrane"],
  dihedral: ["dihedral-bending", "isometric-bending", "hinge-bending"],
  distance: ["distance"],
  hylc: ["hylc"],
};

/**
 * Material data of a term with an energy: its parameters, the damping time [s], and for `hylc` the six stiffnesses that damping
 * goes by, which are those at rest.
 */
export function definedMaterial({ strain, density, parameterValues }: DefinedEnergy, damping: number): Float64Array {
  if (strain !== "hylc") return Float64Array.of(...parameterValues, damping);
  const { dimension } = density;
  const hessian = new Float64Array(dimension * dimension);
  density.hessian(new Float64Array(dimension), parameterValues, hessian);
  const stiffness = Array.from({ length: dimension }, (_, i) => Math.max(0, hessian[(dimension + 1) * i]));
  return Float64Array.of(...parameterValues, damping, ...stiffness);
}
