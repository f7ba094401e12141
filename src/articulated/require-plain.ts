import { PliantError } from "../errors";
import type { ArticulatedModel } from "./model";

/**
 * Requires a mechanism without couplings, dry friction in joints and compensated weights, for steps that do not have
 * them.
 *
 * @throws PliantError `unsupported`
 */
export function requirePlain(model: ArticulatedModel, object: string): void {
  const refuse = (what: string): never => {
    throw new PliantError("unsupported", object, model.name, `must have no ${what}; ArticulatedSimulation does`);
  };
  if (model.couplings.length > 0) refuse("couplings of joints");
  if (model.closures.length > 0) refuse("closures");
  if (model.frictionLoss.some((value) => value > 0)) refuse("frictionLoss");
  if (model.gravityCompensation.some((value) => value !== 0)) refuse("gravityCompensation");
}
