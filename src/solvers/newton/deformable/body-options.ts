import type { NamesOf } from "../../../option-names";
import { deformableOptionNames, type DeformableOptions } from "../../deformable";
import { OptionCheck } from "../../option-check";

/** How a deformable body of the Newton solver is stepped; its time step is that of the rigid bodies. */
export interface NewtonBodyOptions extends DeformableOptions {
  /** whether it touches other deformable bodies for which this holds, too; default true. On the CPU */
  bodyCollision: boolean;
}

export const newtonBodyOptionNames = {
  ...deformableOptionNames,
  bodyCollision: true,
} satisfies NamesOf<NewtonBodyOptions>;

export const defaultNewtonBodyOptions: Readonly<NewtonBodyOptions> = {
  gravityFactor: 1,
  damping: 0,
  wind: [0, 0, 0],
  thickness: 0,
  friction: 0.5,
  bodyCollision: true,
};

/** @throws PliantError when a value is not finite or out of its range; `object` is how the message calls the body */
export function validateNewtonBodyOptions(object: string, options: Readonly<Partial<NewtonBodyOptions>>): void {
  const check = new OptionCheck<NewtonBodyOptions>(object, options);
  check.within("gravityFactor", -1e6, 1e6);
  check.within("damping", 0, 1e6);
  check.within("thickness", 0, 1e6);
  check.within("friction", 0, 100);
  check.flag("bodyCollision");
  if (options.wind?.some((value) => value !== 0)) check.fail("wind", "must be zero: bodies of this solver feel no air");
  check.vector("wind");
}
