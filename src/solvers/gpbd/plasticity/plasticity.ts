import { invalid } from "../../../errors";
import { checkNames, optionNames } from "../../../option-names";

/**
 * Permanent deformation. Strain of a solid is here the equivalent one of a change of shape at constant volume: 0.05 for a bar that is
 * stretched by 5 % and gets thinner. Volume always comes back. Strain of cloth is that of its two faces where it bends: half its thickness
 * over the radius of the bend, and it is as thick as a plate with the stiffnesses of the fabric. Stretch of cloth always comes back.
 */
export interface Plasticity {
  /** strain up to which the body is elastic, above 0 */
  yield: number;
  /** part of the strain beyond `yield` that becomes permanent, a second [1/s]; default infinite: all of it at once */
  creep?: number | undefined;
  /** largest permanent strain, above 0; default infinite, and of cloth that of a fold whose radius is a cell of its mesh. A body that has reached it is elastic again */
  max?: number | undefined;
}

export const plasticityNames = optionNames<Plasticity>()("yield creep max");

/**
 * Fills in defaults.
 *
 * @param object names the body in messages
 * @throws PliantError `invalid-argument` for an unknown name or a number out of its range
 */
export function resolvePlasticity(object: string, plasticity: Readonly<Plasticity>): ResolvedPlasticity {
  checkNames(`${object}.plasticity`, plasticity, plasticityNames);
  const resolved = { yield: plasticity.yield, creep: plasticity.creep ?? Infinity, max: plasticity.max ?? Infinity };
  for (const [key, value] of Object.entries(resolved))
    if (!(value > 0) || (key === "yield" && value === Infinity))
      throw invalid(`${object}.plasticity.${key}`, value, `must be positive${key === "yield" ? " and finite" : ""}`);
  return resolved;
}

export type ResolvedPlasticity = Readonly<Record<keyof Plasticity, number>>;
