import { PliantError } from "../../errors";
import { shaders } from "../../generated/shaders";
import type { DefinedEnergy } from "../../materials/defined-energy/define-energy";
import type { EnergyStrain } from "../../materials/defined-energy/strains";
import { replaceFunctions } from "../../materials/defined-energy/wgsl";

const templates = {
  "green-tet": shaders["gpbd/defined-tet"],
  "green-triangle": shaders["gpbd/defined-membrane"],
  dihedral: shaders["gpbd/defined-bending"],
  distance: shaders["gpbd/defined-distance"],
  hylc: shaders["gpbd/defined-hylc"],
};

function hasTemplate(strain: EnergyStrain): strain is keyof typeof templates {
  return strain in templates;
}

/**
 * The kernel of an energy, and a name that no other has.
 *
 * @throws PliantError `unsupported` for strains without a kernel
 */
export function definedShader(object: string, energy: DefinedEnergy) {
  const { strain, wgsl } = energy;
  if (!hasTemplate(strain))
    throw new PliantError("unsupported", object, strain, "energies of this strain need the cpu backend");
  const module = templates[strain];
  const name = `gpbd/defined ${strain} ${energy.energy} ${JSON.stringify(energy.parameters)}`;
  return { name, module: { ...module, code: replaceFunctions(module.code, wgsl) } };
}
