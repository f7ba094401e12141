/** Options of the air around bodies, for all solvers whose bodies feel it; forces are in face-air.ts. */
import type { Vec3 } from "../math/types";
import type { OptionCheck } from "./option-check";
import type { WindField } from "./wind/wind-field";
import { norm } from "../math/vectors";

/** The effect of air on a surface. */
export interface AirOptions {
  /** velocity of the air [m/s], world space */
  wind: Vec3;
  /** kg/m³; 0 switches drag, lift and wind off */
  airDensity: number;
  /** drag coefficient of a face, or of a rod across its axis */
  drag: number;
  /** lift coefficient of a face */
  lift: number;
}

/** As the world gives it to a step, with the wind that differs from place to place. */
export interface AirAround extends AirOptions {
  /** the velocity of the air where the mean wind is `wind`; undefined where it is the same everywhere */
  readonly windField?: WindField | undefined;
}

/** @throws PliantError for values out of their ranges */
export function checkAir(check: OptionCheck<AirOptions>): void {
  check.within("airDensity", 0, 1e6);
  check.within("drag", 0, 1e3);
  check.within("lift", 0, 1e3);
  check.vector("wind");
}

/** Speed that the air around a body may have, at most [m/s]. */
export function topWind({ wind, windField }: Readonly<Pick<AirAround, "wind" | "windField">>): number {
  return norm(wind) + (windField?.topSpeed ?? 0);
}
