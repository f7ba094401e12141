import { PliantError } from "../errors";
import type { DefinedEnergy } from "../materials/defined-energy/define-energy";
import { definedMaterial, kindsOfStrain } from "../solvers/gpbd/defined-material";
import type { EnergyTerm, GpbdModel } from "../solvers/gpbd/model";

/**
 * The same body with an energy of one's own: it takes the place of what the body had for elements of that strain. An element has
 * the energy density times its measure, which is volume [m³], area [m²], for `dihedral` the stiffness that the hinge had [N·m], and
 * 1 for `distance`.
 *
 * @param damping Kelvin-Voigt damping time [s], default 0
 * @throws PliantError `invalid-argument` for a body without such elements, or a damping below zero
 */
export function withEnergy<M extends GpbdModel>(model: M, energy: DefinedEnergy, damping = 0): M {
  const kinds = kindsOfStrain[energy.strain];
  if (!(damping >= 0 && Number.isFinite(damping)))
    throw new PliantError("invalid-argument", `withEnergy ${model.name} damping`, damping, "must not be negative");
  if (!model.terms.some(({ kind }) => kinds.includes(kind)))
    throw new PliantError(
      "invalid-argument",
      `withEnergy ${model.name}`,
      energy.strain,
      `needs a body with elements of this strain, has ${model.terms.map(({ kind }) => kind).join(", ")}`,
    );
  const changed = (term: EnergyTerm): EnergyTerm => ({
    ...term,
    // Kinds that share strain and rest data are one here; those with a form of their own for the update are not.
    kind: term.kind.endsWith("-tet") ? "stvk-tet" : term.kind.endsWith("-membrane") ? "stvk-membrane" : term.kind,
    material: definedMaterial(energy, damping),
    energy,
  });
  return { ...model, terms: model.terms.map((term) => (kinds.includes(term.kind) ? changed(term) : term)) };
}
