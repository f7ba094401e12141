import { PliantError } from "../../errors";
import type { NewtonOptions } from "./options";

/**
 * How much time is spent on how deep bodies sink into each other:
 *
 * - "fast": fewer small steps, for scenes of many bodies where a millimetre more does not show;
 * - "balanced", the default: stacks and walls of up to 120 bodies are solved exactly when they rest;
 * - "precise": so are those of up to 4000, and heaps take more than twice as many small steps. A large structure then costs tens or
 *   hundreds of milliseconds in the few frames in which it comes to rest, and less than otherwise from then on.
 */
export type RigidQuality = "fast" | "balanced" | "precise";

type QualityOptions = Pick<NewtonOptions, "smallSteps" | "sparseLimit">;

const qualities: Readonly<Record<RigidQuality, QualityOptions>> = {
  fast: { smallSteps: 4, sparseLimit: 0 },
  balanced: { smallSteps: 6, sparseLimit: 120 },
  precise: { smallSteps: 16, sparseLimit: 4000 },
};

/**
 * Options of the solver that make up a quality.
 *
 * @param object who is configured, for the message
 * @throws PliantError `invalid-argument` for a quality that there is not
 */
export function optionsOfQuality(object: string, quality: RigidQuality): QualityOptions {
  if (!Object.hasOwn(qualities, quality))
    throw new PliantError("invalid-argument", object, quality, `must be one of ${Object.keys(qualities).join(", ")}`);
  return qualities[quality];
}
