import type { DeformableOptions } from "../../deformable";
import { OptionCheck } from "../../option-check";

/** How a deformable body of the Newton solver is stepped; its time step is that of the rigid bodies. */
export type NewtonBodyOptions = DeformableOptions;

export const defaultNewtonBodyOptions: Readonly<NewtonBodyOptions> = {
  gravityFactor: 1,
  damping: 0,
  wind: [0, 0, 0],
  thickness: 0,
  friction: 0.5,
};

/** @throws PliantError when a value is not finite or out of its range; `object` is how the message calls the body */
export function validateNewtonBodyOptions(object: string, options: Readonly<Partial<NewtonBodyOptions>>): void {
  const check = new OptionCheck<NewtonBodyOptions>(object, options);
  check.within("gravityFactor", -1e6, 1e6);
  check.within("damping", 0, 1e6);
  check.within("thickness", 0, 1e6);
  check.within("friction", 0, 100);
  if (options.wind?.some((value) => value !== 0)) check.fail("wind", "must be zero: bodies of this solver feel no air");
  check.vector("wind");
}
