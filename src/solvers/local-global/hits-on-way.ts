import { createSweepContact, sweepContact } from "../../collision/contact/sweep";
import { CONTACT_VERTICES } from "../../collision/soft/contact-table";
import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { Vec3 } from "../../math/types";
import { type Guest, HeldContacts } from "../guest";

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
): HeldContacts {
  const { start, state, model } = guest;
  const end = state.positions.map((x, i) => x + h * pushed[i]) as Float64Array;
  const hits = new HeldContacts();
  for (let p = 0; p < model.particleCount; p++) {
    if (guest.isFixed(p)) continue;
    for (let k = 0; k < colliders.primitiveCount; k++) {
      if (colliders.proxyOf[k] >= 0 || !sweepContact(colliders, k, start, end, 3 * p, thickness, 0, 1, contact))
        continue;
      if (contact.push === 0) continue;
      const n = hits.add();
      hits.body[CONTACT_VERTICES * n] = 0;
      hits.vertex[CONTACT_VERTICES * n] = p;
      hits.weight[CONTACT_VERTICES * n] = 1;
      const [x, y, z] = contact.normal as unknown as Vec3;
      hits.setNormal(n, x, y, z);
      hits.friction[n] = colliders.frictionWith(k, guest.friction);
      // Its push leads out of the pushed place, so so much less along the normal of the own one.
      let left = -contact.push;
      const { slip } = hits;
      slip.fill(0, 3 * n, 3 * n + 3);
      for (let c = 0; c < 3; c++) {
        left -= contact.normal[c] * h * pushed[3 * p + c];
        const way = state.positions[3 * p + c] - start[3 * p + c] - contact.surfaceDisplacement[c];
        for (let d = 1; d < 3; d++) slip[3 * n + d] += (hits.frame[9 * n + 3 * d + c] * way) / h;
      }
      slip[3 * n] = Math.max(0, left) / h;
    }
  }
  return hits;
}
