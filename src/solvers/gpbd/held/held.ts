/** Pins, and bodies that carry particles, near obstacles. */
import { type Thickness, thicknessAt } from "../../../collision/contact/contact-material";
import { createSweepContact, sweepBy } from "../../../collision/contact/sweep";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { Box } from "../../../geometry/box";
import { distanceBetween } from "../../../math/vectors";
import { pinHolds, type PinTable } from "../../deformable";
import { facesOf, type GpbdModel } from "../model";
import { edgeAt } from "./nearest-pins";

const contact = createSweepContact();
/** see `sweepBy` */
const asked = new Float64Array(3);

/** Part of the way to a pin by which a particle is kept further out than that. */
const SLOPE = 0.5;

/**
 * Pins and bodies that carry particles hold some of them within obstacles. If contact kept their neighbors out, it would stretch what is
 * between them without bound, and edges that go in with one end would throw the other. So no particle has to be further out than
 * a part of its way to such a pin along the edges at rest: contact and pins together ask for less than its length.
 *
 * @param positions at the start of the frame, particleCount × 3 [m]
 * @param material distance to keep
 * @param depths gets how much less than that particles keep; zero if pins ask it of themselves alone [m]
 * @returns whether there are any
 */
export function findHeld(
  set: ColliderSet,
  positions: ArrayLike<number>,
  pins: PinTable,
  material: Thickness,
  model: GpbdModel,
  depths: Float64Array,
): boolean {
  depths.fill(0);
  let isAny = false;
  for (const places of [set.substepStarts, set.substepEnds]) places.set(set.startPoses);
  for (let p = 0; p < depths.length; p++) {
    if (!pinHolds(pins, p)) continue;
    asked[0] = thicknessAt(material, p);
    for (let k = 0; k < set.primitiveCount; k++)
      // A body's way in the frame is not known yet.
      for (let end = 0; end <= (set.proxyOf[k] < 0 ? 1 : 0); end++) {
        asked[1] = asked[2] = end;
        const places = end === 0 ? positions : pins.targets;
        if (!sweepBy(set, k, places, places, 3 * p, asked, contact, false)) continue;
        depths[p] = Math.max(depths[p], contact.push);
        isAny ||= contact.push > 0;
      }
  }
  asked[1] = asked[2] = 0;
  if (isAny && spread(facesOf(model), model.positions, depths)) return true;
  if (isAny) depths.fill(0);
  return false;
}

/** Spreads depths along edges, and returns whether they reach any other particle. */
function spread(faces: ArrayLike<number>, rest: ArrayLike<number>, depths: Float64Array): boolean {
  let reaches = false;
  for (let goesOn = true; goesOn;) {
    goesOn = false;
    for (let i = 0; i < faces.length; i++) {
      const [p, q] = edgeAt(faces, i);
      const depth = Math.max(depths[p], depths[q]) - SLOPE * distanceBetween(rest, 3 * p, 3 * q);
      const yielding = depths[p] < depths[q] ? p : q;
      if (!(depths[yielding] < depth)) continue;
      depths[yielding] = depth;
      goesOn = reaches = true;
    }
  }
  return reaches;
}

/** Lists the obstacles that do not yield and whose boxes in the frame meet a box. */
export function findFirm(
  { bounds, primitiveCount, proxies, proxyOf, slack }: ColliderSet,
  { min, max }: Box,
  found: number[],
): void {
  found.length = 0;
  for (let k = 0; k < primitiveCount; k++) {
    if (proxies[proxyOf[k]]?.inverseMass > 0) continue;
    let isNear = true;
    for (let c = 0; c < 3 && isNear; c++)
      isNear = bounds[6 * k + c] <= max[c] + slack[k] && bounds[6 * k + 3 + c] >= min[c] - slack[k];
    if (isNear) found.push(k);
  }
}
