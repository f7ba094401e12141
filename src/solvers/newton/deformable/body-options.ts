import { PliantError } from "../../../errors";
import type { DeformableOptions } from "../../deformable";

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
  const fail = (key: string, value: unknown, rule: string): never => {
    throw new PliantError("invalid-argument", `${object}.${key}`, value, rule);
  };
  const within = (
    key: "gravityFactor" | "damping" | "thickness" | "friction",
    lowest: number,
    highest: number,
  ): void => {
    const value = options[key];
    if (value === undefined) return;
    if (typeof value !== "number" || !Number.isFinite(value)) fail(key, value, "must be a finite number");
    else if (value < lowest || value > highest) fail(key, value, `must be from ${lowest} to ${highest}`);
  };
  within("gravityFactor", -1e6, 1e6);
  within("damping", 0, 1e6);
  within("thickness", 0, 1);
  within("friction", 0, 100);
  const { wind } = options;
  if (wind !== undefined && !(wind.length === 3 && wind.every((value) => value === 0)))
    fail("wind", wind, "must be zero: bodies of this solver feel no air");
}
