import { invalid } from "../../errors";
import type { Quat, Vec3 } from "../../math/types";
import { checkNames, optionNames } from "../../option-names";
import { OptionCheck } from "../option-check";

/** Gusts: eddies that the mean wind carries along, without divergence. */
export interface TurbulenceOptions {
  /** root mean square of the velocity that is added to the mean wind [m/s] */
  readonly speed: number;
  /** size of the largest eddies [m], default 2; there are also eddies of a half and a quarter of it */
  readonly size?: number | undefined;
  /** the same seed gives the same gusts; default 1 */
  readonly seed?: number | undefined;
}

/** Options of a `WindField`. */
export interface WindFieldOptions {
  /** mean velocity of the air [m/s], default [0, 0, 0] */
  readonly velocity?: Vec3 | undefined;
  /** default: none */
  readonly turbulence?: TurbulenceOptions | undefined;
}

/** A place in a wind field, with axes of its own. */
interface PlaceOptions {
  /** center [m], default [0, 0, 0] */
  readonly center?: Vec3 | undefined;
  /** half of the size along each axis [m], default [1, 1, 1] */
  readonly halfExtents?: Vec3 | undefined;
  /** turn of the axes as a unit quaternion, default none */
  readonly rotation?: Quat | undefined;
}

/** Options of a `WindZone`: wind that is added within an ellipsoid, a box or a cylinder, as by a fan or a whirl. */
export interface WindZoneOptions extends PlaceOptions {
  /** default `sphere`, which is an ellipsoid if its half extents differ; the axis of a `cylinder` is the second one */
  readonly shape?: "sphere" | "box" | "cylinder" | undefined;
  /**
   * `directional` (default) blows along `direction`, `radial` away from the center, or towards it for a speed below
   * zero, `vortex` around `direction`, as fast as `speed` at the longest half extent from the center
   */
  readonly kind?: "directional" | "radial" | "vortex" | undefined;
  /** a vector of any length in the axes of the zone, default [0, 1, 0] */
  readonly direction?: Vec3 | undefined;
  /** [m/s], default 1 */
  readonly speed?: number | undefined;
  /** part of the zone, from its border inward, in which the wind rises to its full speed: from 0 to 1, default 0.5 */
  readonly falloff?: number | undefined;
}

/** Options of a `WindShelter`: an ellipsoid with a wake of slow air behind it. */
export interface WindShelterOptions extends PlaceOptions {
  /** part of the mean wind and of its gusts that is missing close behind it, from 0 to 1; default 0.9 */
  readonly strength?: number | undefined;
  /**
   * radii by which the wake widens on a way of one radius, from 0 to 1; default 0.1. The radius is the middle one of the
   * half extents. A wake that widens fades sooner
   */
  readonly spread?: number | undefined;
}

const turbulenceNames = optionNames<TurbulenceOptions>()("speed size seed");
const fieldNames = optionNames<WindFieldOptions>()("velocity turbulence");
const placeNames = optionNames<PlaceOptions>()("center halfExtents rotation");
const zoneNames = optionNames<WindZoneOptions>()("shape kind direction speed falloff", placeNames);
const shelterNames = optionNames<WindShelterOptions>()("strength spread", placeNames);

/** Largest speed, in m/s, and length, in m, of a wind field. */
const MOST = 1e6;

/** @throws PliantError `invalid-argument` for an unknown option or one out of its range */
export function checkField(options: WindFieldOptions): void {
  checkNames("wind", options, fieldNames);
  new OptionCheck<WindFieldOptions>("wind", options).vector("velocity");
  const { turbulence } = options;
  if (turbulence === undefined) return;
  checkNames("wind.turbulence", turbulence, turbulenceNames);
  const check = new OptionCheck<TurbulenceOptions>("wind.turbulence", turbulence);
  if (turbulence.speed === undefined) check.fail("speed", "must be a finite number");
  check.within("speed", 0, MOST);
  check.within("size", 1e-6, MOST);
  check.within("seed", -(2 ** 31), 2 ** 32 - 1, true);
}

/** @throws PliantError `invalid-argument` for an unknown option or one out of its range */
export function checkZone(options: WindZoneOptions): void {
  checkNames("wind zone", options, zoneNames);
  const check = new OptionCheck<WindZoneOptions>("wind zone", options);
  checkPlace("wind zone", options, check);
  check.oneOf("shape", ["sphere", "box", "cylinder"]);
  check.oneOf("kind", ["directional", "radial", "vortex"]);
  check.vector("direction");
  if (options.direction && !options.direction.some((value) => value !== 0)) check.fail("direction", "must not be zero");
  check.within("speed", -MOST, MOST);
  check.within("falloff", 0, 1);
}

/** @throws PliantError `invalid-argument` for an unknown option or one out of its range */
export function checkShelter(options: WindShelterOptions): void {
  checkNames("wind shelter", options, shelterNames);
  const check = new OptionCheck<WindShelterOptions>("wind shelter", options);
  checkPlace("wind shelter", options, check);
  check.within("strength", 0, 1);
  check.within("spread", 0, 1);
}

function checkPlace(object: string, { halfExtents, rotation }: PlaceOptions, check: OptionCheck<PlaceOptions>): void {
  check.vector("center");
  check.vector("halfExtents");
  if (halfExtents?.some((value) => !(value > 0))) check.fail("halfExtents", "must be positive");
  if (rotation === undefined) return;
  const size = rotation.length === 4 ? Math.sqrt(rotation.reduce((sum, value) => sum + value * value, 0)) : NaN;
  if (!(Math.abs(size - 1) < 1e-3)) throw invalid(`${object}.rotation`, rotation, "must be a unit quaternion");
}
