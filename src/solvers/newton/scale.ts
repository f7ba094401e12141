/**
 * Units of thresholds. Constant lengths and speeds in the solver suit objects of one meter on Earth. For each body they
 * are multiplied by its `grain` and its `pace`, which follow from gravity g and from the body's reach r. So the same
 * scene in other units of length, with gravity in these units, has the same motion with other numbers.
 *
 *     grain = g / 9.81, but at least r / 20 and at most 20 r; without gravity 2 r          a length
 *     pace  = √(grain · max(grain, g / 9.81)); without gravity, where slow things drift on, r / 20   a speed
 *
 * So on Earth both are 1 for all bodies from 5 cm to 20 m; a smaller body counts as at rest only at lower speeds, and
 * may then turn faster.
 */

import { EARTH, grainOf } from "../spacing";
import { type BodyModel, Motion } from "./motion/bodies";

/** Grain follows gravity in the range from reach / SPAN to reach × SPAN. */
const SPAN = 20;

/**
 * Writes grain and pace of a body.
 *
 * @param reach of its shape from its origin [m]; 0 if it has none: the moments of inertia then determine its size
 * @param gravity |g| [m/s²]
 */
export function writeScale(model: BodyModel, slot: number, reach: number, gravity: number): void {
  const g = gravity / EARTH;
  const r = reach > 0 ? reach : gyration(model, slot);
  const grain = r > 0 ? (g > 0 ? Math.max(r / SPAN, Math.min(SPAN * r, g)) : 2 * r) : grainOf(gravity);
  model.grain[slot] = grain;
  model.pace[slot] = r > 0 && g === 0 ? r / SPAN : Math.sqrt(grain * Math.max(grain, g));
}

/** Largest radius of gyration √(I/m) [m]. */
function gyration({ inertia, inverseMass }: BodyModel, slot: number): number {
  return Math.sqrt(inverseMass[slot] * Math.max(inertia[3 * slot], inertia[3 * slot + 1], inertia[3 * slot + 2]));
}

/** The body that determines the units of contacts of two bodies: the finer one of those that move. */
export function finer({ grain, motion }: BodyModel, a: number, b: number): number {
  if (motion[a] !== Motion.dynamic) return b;
  return motion[b] !== Motion.dynamic || grain[a] < grain[b] ? a : b;
}
