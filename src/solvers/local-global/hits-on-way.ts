import { createSweepContact, sweepContact } from "../../collision/contact/sweep";
import { combineBy } from "../../collision/obstacles/combine";
import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { Vec3 } from "../../math/types";
import { cross, normalised } from "../../math/vectors";
import type { Guest, HeldContact } from "../guest";

const contact = createSweepContact();

/**
 * Contacts of a guest's particles with obstacles that do not respond, where a frame would end if its velocity changed: see `Guest.hits`.
 *
 * @param thickness distance that it keeps from obstacles [m]
 * @param pushed change of velocity, particleCount × 3 [m/s]
 */
export function hitsOnWay(
  guest: Guest,
  thickness: number,
  pushed: Float64Array,
  h: number,
  colliders: ColliderSet,
): HeldContact[] {
  const { start, state, model } = guest;
  const end = state.positions.map((x, i) => x + h * pushed[i]) as Float64Array;
  const hits: HeldContact[] = [];
  for (let p = 0; p < model.particleCount; p++) {
    if (guest.isFixed(p)) continue;
    for (let k = 0; k < colliders.primitiveCount; k++) {
      if (colliders.proxyOf[k] >= 0 || !sweepContact(colliders, k, start, end, 3 * p, thickness, 0, 1, contact))
        continue;
      if (contact.push === 0) continue;
      const n = [...contact.normal] as unknown as Vec3;
      const s = normalised(cross(n, Math.abs(n[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]));
      const directions = [n, s, cross(n, s)] as const;
      const friction = combineBy(colliders.frictionCombine[k], guest.friction, colliders.friction[k]);
      const slip = directions.map((d) =>
        d.reduce(
          (sum, x, c) => sum + x * (state.positions[3 * p + c] - start[3 * p + c] - contact.surfaceDisplacement[c]),
          0,
        ),
      );
      // Its push leads out of the pushed place, so so much less along the normal of the own one.
      const left = n.reduce((sum, x, c) => sum + x * h * -pushed[3 * p + c], 0) - contact.push;
      const [, a, b] = slip;
      hits.push({
        nodes: [p],
        weights: [1],
        directions,
        impulse: [0, 0, 0],
        friction,
        slip: [Math.max(0, left) / h, a / h, b / h],
      });
    }
  }
  return hits;
}
