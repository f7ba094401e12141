import { invalid } from "../../errors";
import type { NewtonOptions } from "./options";

/**
 * Trade-off between computing time and the depth by which bodies sink into each other:
 *
 * - "fast": fewer small steps, for scenes of many bodies in which one more millimeter of overlap is invisible;
 * - "balanced", the default: stacks and walls of up to 120 bodies are solved exactly when they rest;
 * - "precise": structures of up to 4000 bodies are solved exactly, too, and heaps take more than twice as many small
 *   steps. A large structure then costs tens or hundreds of milliseconds in the few frames in which it comes to rest,
 *   and less than otherwise from then on.
 */
export type RigidQuality = "fast" | "balanced" | "precise";

type QualityOptions = Pick<NewtonOptions, "smallSteps" | "sparseLimit">;

const qualities: Readonly<Record<RigidQuality, QualityOptions>> = {
  fast: { smallSteps: 4, sparseLimit: 0 },
  balanced: { smallSteps: 6, sparseLimit: 120 },
  precise: { smallSteps: 16, sparseLimit: 4000 },
};

/**
 * Solver options of a quality.
 *
 * @param object name of the configured object, for the message
 * @throws PliantError `invalid-argument` for an unknown quality
 */
export function optionsOfQuality(object: string, quality: RigidQuality): QualityOptions {
  if (!Object.hasOwn(qualities, quality))
    throw invalid(object, quality, `must be one of ${Object.keys(qualities).join(", ")}`);
  return qualities[quality];
}
