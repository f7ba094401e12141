import { shaders } from "../../../generated/shaders/gpbd";
import type { DefinedEnergy } from "../../../materials/defined-energy/define-energy";
import type { EnergyStrain } from "../../../materials/defined-energy/strains";
import { replaceFunctions } from "../../../materials/defined-energy/wgsl";

const templates = {
  "green-tet": shaders["gpbd/defined/tet"],
  "principal-stretches": shaders["gpbd/defined/principal-tet"],
  "deformation-gradient": shaders["gpbd/defined/gradient-tet"],
  "green-triangle": shaders["gpbd/defined/membrane"],
  dihedral: shaders["gpbd/defined/bending"],
  distance: shaders["gpbd/defined/distance"],
  hylc: shaders["gpbd/defined/hylc"],
} satisfies Record<EnergyStrain, unknown>;

/** The kernel of an energy, and a name that no other has. */
export function definedShader({ strain, energy, parameters, wgsl }: DefinedEnergy) {
  const module = templates[strain];
  const name = `gpbd/defined ${strain} ${energy} ${JSON.stringify(parameters)}`;
  return { name, module: { ...module, code: replaceFunctions(module.code, wgsl) } };
}
