import { type NamesOf, namesOf } from "../../../option-names";
import type { DeformableOptions } from "../../deformable";
import { OptionCheck } from "../../option-check";

/** Options of a deformable body in the Newton solver; its time step is that of the rigid bodies. */
export interface NewtonBodyOptions extends DeformableOptions {
  /** whether the body touches other deformable bodies with this flag; default true. CPU only */
  bodyCollision: boolean;
}

export const defaultNewtonBodyOptions: Readonly<NewtonBodyOptions> = {
  gravityFactor: 1,
  damping: 0,
  wind: [0, 0, 0],
  thickness: 0,
  friction: 0.5,
  bodyCollision: true,
};

export const newtonBodyOptionNames: NamesOf<NewtonBodyOptions> = namesOf(defaultNewtonBodyOptions);

/** @throws PliantError if a value is not finite or out of range; `object` is the body's name in the message */
export function validateNewtonBodyOptions(object: string, options: Readonly<Partial<NewtonBodyOptions>>): void {
  const check = new OptionCheck<NewtonBodyOptions>(object, options);
  check.within("gravityFactor", -1e6, 1e6);
  check.within("damping", 0, 1e6);
  check.within("thickness", 0, 1e6);
  check.within("friction", 0, 100);
  if (options.wind?.some((value) => value !== 0)) check.fail("wind", "must be zero: bodies of this solver feel no air");
  check.vector("wind");
}
