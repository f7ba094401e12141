/**
 * Particles that begin within obstacles, or nearer to them than their thickness. A projection out of there in one substep would give
 * them its speed: a rope of 6 cm that was laid with its middle line on the ground flew up at 35 m/s. So such a particle is content with
 * less distance at first, and gets the rest of it as slowly as other solvers move bodies out of each other, or, where it is not deep,
 * as it would fall. It waits while obstacles push it hard: particles that are near opposite sides of a box, a rope's which goes through it
 * or those of a fold, would stretch what is between them until that tears loose.
 */
import { createSweepContact, sweepBy } from "../../collision/contact/sweep";
import { type Thickness, thicknessAt } from "../../collision/contact/contact-material";
import type { ColliderSet } from "../../collision/obstacles/collider-set";

/** An overlap of less than this part of the thickness is rounding. */
const ROUNDING = 1e-3;

const contact = createSweepContact();
/** see `sweepBy`: at the start of the frame */
const asked = new Float64Array(3);

/**
 * Finds overlaps at the start of a frame.
 *
 * @param positions particleCount × 3 [m]
 * @param material distance to keep
 * @param depths gets how much of it is missing at each particle, where that is more than what it has; infinite where obstacles had let go [m]
 * @param least of obstacles that went at least so far at once, see `ColliderSet.jumps` [m]
 * @param part of the thickness that is no overlap
 */
export function addOverlaps(
  set: ColliderSet,
  positions: ArrayLike<number>,
  material: Thickness,
  depths: Float64Array,
  least = 0,
  part = ROUNDING,
): void {
  if (!depths.includes(Infinity) && !set.jumps.some((jump) => jump >= least)) return;
  // proxies are placed for their first substep later
  for (const places of [set.substepStarts, set.substepEnds]) places.set(set.startPoses);
  for (let p = 0; p < depths.length; p++) {
    const thickness = (asked[0] = thicknessAt(material, p));
    const wasLetGo = depths[p] === Infinity;
    if (wasLetGo) depths[p] = 0;
    for (let k = 0; k < set.primitiveCount; k++)
      if ((wasLetGo || set.jumps[k] >= least) && sweepBy(set, k, positions, positions, 3 * p, asked, contact, false))
        if (contact.push > part * thickness) depths[p] = Math.max(depths[p], contact.push);
  }
}
