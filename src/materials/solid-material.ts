import { checkNotNegative, checkPositive } from "../checks";
import { invalid } from "../errors";
import { checkNames, optionNames } from "../option-names";

/** Energy densities of solids; each is a file in this folder. */
export const solidLaws = [
  "neo-hookean",
  "stable-neo-hookean",
  "stvk",
  "corotational",
  "arap",
  "mooney-rivlin",
] as const;
/** `neo-hookean` has the log barrier of paper 1, (20); `stable-neo-hookean` is (21). */
export type SolidLaw = (typeof solidLaws)[number];

/** Those that are functions of the principal stretches, which `principal-density.ts` has in that form. */
export const principalModels = ["arap", "corotational", "neo-hookean", "stable-neo-hookean", "stvk"] as const;
export type PrincipalModel = (typeof principalModels)[number];

/** An isotropic solid. */
export interface SolidMaterial {
  /** [Pa] */
  youngsModulus: number;
  /** in (−1, 0.5) */
  poissonRatio: number;
  /** [kg/m³] */
  density: number;
  /** default `stable-neo-hookean` */
  model?: SolidLaw | undefined;
  /** Kelvin-Voigt damping time [s], default 0 */
  damping?: number | undefined;
  /** friction coefficient of the surface, default 0.5 */
  friction?: number | undefined;
}

export const solidMaterialNames = optionNames<SolidMaterial>()(
  "youngsModulus poissonRatio density model damping friction",
);

/**
 * Fills in defaults.
 *
 * @param object name of the body in messages
 * @throws PliantError `invalid-argument` for a number out of range or an unknown model
 */
export function resolveSolidMaterial(object: string, material: Readonly<SolidMaterial>): Required<SolidMaterial> {
  checkNames(`${object}.material`, material, solidMaterialNames);
  const { youngsModulus, poissonRatio, density } = material;
  const model = material.model ?? "stable-neo-hookean";
  const damping = material.damping ?? 0;
  const friction = material.friction ?? 0.5;
  for (const [key, value] of Object.entries({ youngsModulus, density })) checkPositive(value, `${object}.${key}`);
  if (!(poissonRatio > -1 && poissonRatio < 0.5))
    throw invalid(`${object}.poissonRatio`, poissonRatio, "must be in (-1, 0.5)");
  for (const [key, value] of Object.entries({ damping, friction })) checkNotNegative(value, `${object}.${key}`);
  if (!solidLaws.includes(model)) throw invalid(`${object}.model`, model, `must be one of ${solidLaws.join(", ")}`);
  return { youngsModulus, poissonRatio, density, model, damping, friction };
}

/** Lamé's µ and λ [Pa] from Young's modulus [Pa] and Poisson's ratio, three dimensions. */
export function lameParameters(youngsModulus: number, poissonRatio: number): { mu: number; lambda: number } {
  return {
    mu: youngsModulus / (2 * (1 + poissonRatio)),
    lambda: (youngsModulus * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio)),
  };
}
