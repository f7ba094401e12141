import { shaders } from "../../../generated/shaders/solids";
import { isSolid, type EnergyTerm, type SolidKind } from "../model";
import { shaderWith } from "./defined-shader";

const templates = {
  "green-tet": shaders["solids/defined/tet"],
  "principal-stretches": shaders["solids/defined/principal-tet"],
  "deformation-gradient": shaders["solids/defined/gradient-tet"],
} as const;

const modules = {
  "neo-hookean-tet": shaders["solids/neo-hookean-tet"],
  "stable-neo-hookean-tet": shaders["solids/stable-neo-hookean-tet"],
  "stvk-tet": shaders["solids/stvk-tet"],
  "corotational-tet": shaders["solids/corotational-tet"],
  "mooney-rivlin-tet": shaders["solids/mooney-rivlin-tet"],
} satisfies Record<SolidKind, unknown>;

/** The kernel of a term of tetrahedra, and a name that no other has; undefined for other terms. */
export function solidShader({ kind, energy }: EnergyTerm) {
  if (!isSolid(kind)) return undefined;
  if (energy) return shaderWith(energy, templates[energy.strain as keyof typeof templates]);
  return { name: `gpbd/${kind}`, module: modules[kind as SolidKind] };
}

export type SolidShader = NonNullable<ReturnType<typeof solidShader>>;
