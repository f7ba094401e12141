import { checkNotNegative } from "../../checks";
import { invalid, unsupported } from "../../errors";
import type { DefinedEnergy } from "../../materials/defined-energy/define-energy";
import { definedMaterial, kindsOfStrain } from "../../solvers/gpbd/elements/defined/defined-material";
import { isBending, isSolid, type EnergyTerm, type GpbdModel, type TermKind } from "../../solvers/gpbd/model";
import { hingesOf } from "../hinges";
import { createTerm } from "./term";

/**
 * The same body with a custom energy, which replaces the body's energy for elements of that strain. The energy of an
 * element is the density times its measure, which is volume [m³], area [m²], 1 for `distance`, and for `dihedral` B
 * l²/A [N·m], with the length l of the hinge, the area A of both triangles and the fabric's stiffness B across it. A
 * single angle per hinge makes bending depend on the mesh.
 *
 * @param damping Kelvin-Voigt damping time [s], default 0
 * @throws PliantError `invalid-argument` for a body without such elements, or a damping below zero;
 * `unsupported` for a body with plasticity
 */
export function withEnergy<M extends GpbdModel>(model: M, energy: DefinedEnergy, damping = 0): M {
  const kinds = kindsOfStrain[energy?.strain];
  if (!kinds) throw invalid(`${model.name}.energy`, energy, "must come from defineEnergy");
  checkNotNegative(damping, `withEnergy ${model.name} damping`);
  // Plastic flow might give it energy.
  if (model.plasticity) throw unsupported(`withEnergy ${model.name}`, energy.strain, "needs a body without plasticity");
  if (!model.terms.some(({ kind }) => kinds.includes(kind)))
    throw invalid(
      `withEnergy ${model.name}`,
      energy.strain,
      `needs a body with elements of this strain, has ${model.terms.map(({ kind }) => kind).join(", ")}`,
    );
  const changed = (term: EnergyTerm): EnergyTerm => ({
    ...(term.kind === "dihedral-bending" || term.kind === "isometric-bending" ? hingeTerm(model, term) : term),
    // Kinds that share strain and rest data are treated alike here, but kinds with an update of their own are not.
    kind: kindWithEnergy(term),
    material: definedMaterial(energy, damping),
    energy,
  });
  const terms = model.terms.map((term) => (kinds.includes(term.kind) ? changed(term) : term));
  // Nothing is known of the stiffness of an energy.
  return {
    ...model,
    terms,
    sheet: terms.some(({ kind, energy }) => energy && !isBending(kind)) ? undefined : model.sheet,
  };
}

function kindWithEnergy({ kind }: EnergyTerm): TermKind {
  if (isBending(kind)) return "hinge-bending";
  return isSolid(kind) ? "stvk-tet" : kind.endsWith("-membrane") ? "stvk-membrane" : kind;
}

function hingeTerm(model: GpbdModel, bending: EnergyTerm): EnergyTerm {
  const { indices, angles, stiffnesses } = hingesOf(model, bending);
  const rest = [...angles].flatMap((angle, h) => [angle, stiffnesses[h]]);
  return createTerm("hinge-bending", model, indices, rest, [0]);
}
