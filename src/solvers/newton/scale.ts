/**
 * What thresholds are measured in. The lengths and speeds that stand in the solver as constants are those of things of a metre on Earth;
 * for each body they are multiplied by its `grain` and its `pace`, which come from gravity g and from its reach r. The same scene in
 * other units of length, with its gravity in them, has other numbers for the same motion.
 *
 *     grain = g / 9.81, but at least r / 20 and at most 20 r; without gravity 2 r          a length
 *     pace  = √(grain · max(grain, g / 9.81)); without gravity, where slow things drift on, r / 20   a speed
 *
 * So on Earth both are 1 for all bodies from 5 cm to 20 m; what is smaller is at rest when it is slower, and may turn
 * faster then.
 */

import { EARTH, grainOf } from "../spacing";
import { type BodyModel, Motion } from "./motion/bodies";

/** Between its reach over this, and as many times its reach, grain follows gravity. */
const SPAN = 20;

/**
 * Writes grain and pace of a body.
 *
 * @param reach of its shape from its origin [m]; 0 where it has none: then it is of the size that its moments of inertia tell
 * @param gravity |g| [m/s²]
 */
export function writeScale(model: BodyModel, slot: number, reach: number, gravity: number): void {
  const g = gravity / EARTH;
  const r = reach > 0 ? reach : gyration(model, slot);
  const grain = r > 0 ? (g > 0 ? Math.max(r / SPAN, Math.min(SPAN * r, g)) : 2 * r) : grainOf(gravity);
  model.grain[slot] = grain;
  model.pace[slot] = r > 0 && g === 0 ? r / SPAN : Math.sqrt(grain * Math.max(grain, g));
}

/** √(I/m), the largest [m] */
function gyration({ inertia, inverseMass }: BodyModel, slot: number): number {
  return Math.sqrt(inverseMass[slot] * Math.max(inertia[3 * slot], inertia[3 * slot + 1], inertia[3 * slot + 2]));
}

/** Which of two bodies tells what their contacts are measured in: the finer one of those that move. */
export function finer({ grain, motion }: BodyModel, a: number, b: number): number {
  if (motion[a] !== Motion.dynamic) return b;
  return motion[b] !== Motion.dynamic || grain[a] < grain[b] ? a : b;
}
