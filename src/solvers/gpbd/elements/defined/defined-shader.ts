import { shaders } from "../../../../generated/shaders/gpbd";
import type { DefinedEnergy } from "../../../../materials/defined-energy/define-energy";

const templates = {
  "green-triangle": shaders["gpbd/defined/membrane"],
  dihedral: shaders["gpbd/defined/bending"],
  distance: shaders["gpbd/defined/distance"],
  hylc: shaders["gpbd/defined/hylc"],
} as const;

/** The kernel of an energy of sheets or links, and a name that no other has; for those of solids see `solidShader`. */
export function definedShader(energy: DefinedEnergy) {
  return shaderWith(energy, templates[energy.strain as keyof typeof templates]);
}

/** A kernel with the functions of an energy in it. */
export function shaderWith<M extends { readonly code: string }>(
  { strain, energy, parameters, wgsl }: DefinedEnergy,
  module: M,
) {
  const name = `gpbd/defined ${strain} ${energy} ${JSON.stringify(parameters)}`;
  return { name, module: { ...module, code: module.code + wgsl } };
}
