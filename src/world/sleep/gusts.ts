import { topWind } from "../../solvers/air";
import { arealMass } from "../../solvers/face-air";
import type { DeformableModel } from "../../solvers/deformable";
import type { GpbdModel } from "../../solvers/gpbd/model";
import { airMass } from "../../solvers/gpbd/rods/rod-air";
import type { DeformableBody } from "../body";

/** Force of the air below which a body rests in gusts, as a part of its weight. */
const SLIGHT = 0.02;

/** Mass over the area that the air meets [kg/m²], by model. */
const masses = new WeakMap<DeformableModel, number>();

function massOverArea(model: DeformableModel): number {
  let mass = masses.get(model);
  if (mass === undefined) {
    mass = "rods" in model ? airMass(model as GpbdModel) : arealMass(model);
    masses.set(model, mass);
  }
  return mass;
}

/**
 * Whether gusts may move a body that rests: the next one may be stronger than those in which it came to rest.
 *
 * @param gravity of the world [m/s²]
 */
export function isInGusts({ model, options, wind }: DeformableBody, gravity: number): boolean {
  const { airDensity = 0, drag = 0, lift = 0, gravityFactor } = options;
  const { windField } = wind;
  if (!windField?.isTurbulent || airDensity === 0) return false;
  const pressure = 0.5 * airDensity * (drag + lift) * topWind(wind) ** 2;
  return pressure / massOverArea(model) > SLIGHT * gravity * Math.abs(gravityFactor);
}
