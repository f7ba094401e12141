import type { ColliderSet } from "../obstacles/collider-set";
import { recordReaction, type ContactReaction } from "../obstacles/contact-reaction";
import { pushShare } from "../obstacles/proxy-motion";
import { clearance } from "./clearance";
import { frictionAt, thicknessAt, type ContactMaterial } from "./contact-material";
import { createSweepContact, sweepBy } from "./sweep";

const contact = createSweepContact();
/** see `sweepBy` */
const asked = new Float64Array(3);
const normal = new Float64Array(3);
const surfaceDisplacement = new Float64Array(3);
const anchor = new Float64Array(3);

/**
 * Contact and Coulomb friction of one particle with all obstacles, as one projection of an iterative solver.
 *
 * Each primitive pushes the particle out in turn. Friction acts at the one that pushed most: it undoes the sliding u =
 * x - x⁻ - (motion of the surface) as far as the normal force of the substep allows. With N the sum of all pushes of
 * the substep and f the tangential contact displacement so far, f becomes f - u, cut to length µ N (Coulomb's cone;
 * displacements are forces times Δt²/m here, so the mass drops out).
 *
 * @param p particle
 * @param positions x, n × 3 [m]: changed
 * @param start x⁻ at the start of the substep, n × 3 [m]
 * @param contacts n × 4 [m]: displacement of each particle by contact in this substep (x, y, z), and N. The caller sets
 * them to zero at the start of a substep and keeps them over its iterations: changed
 * @param fractions start and end of the substep in the frame, 0 to 1
 * @param weights h²/m of the particles [s²/kg]; only proxies of rigid bodies use them
 * @param reaction receives the displacements of the particle by proxies of rigid bodies
 * @returns whether the particle touches anything; `clearance` says how far it may go if not
 */
export function resolveParticleContact(
  set: ColliderSet,
  p: number,
  positions: Float64Array,
  start: Float64Array,
  contacts: Float64Array,
  material: ContactMaterial,
  fractions: Float64Array,
  weights: ArrayLike<number>,
  reaction?: ContactReaction,
): boolean {
  asked[0] = thicknessAt(material, p);
  asked[1] = fractions[0];
  asked[2] = fractions[1];
  const count = set.primitiveCount;
  let touched = -1;
  let most = -1;
  let pushes = 0;
  let clear = Infinity;
  for (let k = 0; k < count; k++) {
    if (!sweepBy(set, k, start, positions, 3 * p, asked, contact, false)) {
      clear = Math.min(clear, contact.clearance);
      continue;
    }
    if (contact.push > 0) {
      contact.push *= shareOf(set, k, p, weights, positions, contact.normal);
      applyPush(set, k, p, positions, contacts, reaction);
      pushes++;
    }
    if (contact.push > most) {
      most = contact.push;
      touched = k;
      for (let axis = 0; axis < 3; axis++) {
        normal[axis] = contact.normal[axis];
        surfaceDisplacement[axis] = contact.surfaceDisplacement[axis];
      }
    }
  }
  clearance.left = touched < 0 ? clear : 0;
  if (touched < 0) return false;
  applyFriction(set, touched, p, positions, start, contacts, material, weights, reaction);
  // Another obstacle, or friction, may have pushed the particle back into an obstacle.
  for (let k = 0; pushes > 1 && k < count; k++)
    if (sweepBy(set, k, start, positions, 3 * p, asked, contact, false)) {
      contact.push *= shareOf(set, k, p, weights, positions, contact.normal);
      applyPush(set, k, p, positions, contacts, reaction);
    }
  return true;
}

/** Only a proxy takes a share of its own. */
function shareOf(
  set: ColliderSet,
  k: number,
  p: number,
  weights: ArrayLike<number>,
  positions: Float64Array,
  n: Float64Array,
): number {
  return set.proxyOf[k] < 0 ? 1 : pushShare(set, k, weights[p], positions, 3 * p, n);
}

function applyPush(
  set: ColliderSet,
  k: number,
  p: number,
  positions: Float64Array,
  contacts: Float64Array,
  reaction: ContactReaction | undefined,
): void {
  const { push, normal: n } = contact;
  if (reaction && set.proxyOf[k] >= 0) recordReaction(reaction, set, k, p, push * n[0], push * n[1], push * n[2]);
  for (let axis = 0; axis < 3; axis++) {
    const move = contact.push * contact.normal[axis];
    positions[3 * p + axis] += move;
    contacts[4 * p + axis] += move;
  }
  contacts[4 * p + 3] += contact.push;
}

function applyFriction(
  set: ColliderSet,
  k: number,
  p: number,
  positions: Float64Array,
  start: Float64Array,
  contacts: Float64Array,
  material: ContactMaterial,
  weights: ArrayLike<number>,
  reaction: ContactReaction | undefined,
): void {
  const coefficient = set.frictionWith(k, frictionAt(material, p));
  const i = 3 * p;
  const c = 4 * p;
  let ux = positions[i] - start[i] - surfaceDisplacement[0];
  let uy = positions[i + 1] - start[i + 1] - surfaceDisplacement[1];
  let uz = positions[i + 2] - start[i + 2] - surfaceDisplacement[2];
  const anchors = reaction && set.proxyOf[k] >= 0 ? reaction.anchors : undefined;
  if (anchors?.find(set, k, p, anchor)) {
    ux = positions[i] - anchor[0];
    uy = positions[i + 1] - anchor[1];
    uz = positions[i + 2] - anchor[2];
  }
  const un = ux * normal[0] + uy * normal[1] + uz * normal[2];
  const fn = contacts[c] * normal[0] + contacts[c + 1] * normal[1] + contacts[c + 2] * normal[2];
  const fx = contacts[c] - fn * normal[0];
  const fy = contacts[c + 1] - fn * normal[1];
  const fz = contacts[c + 2] - fn * normal[2];
  const share = shareOf(set, k, p, weights, positions, normal);
  let gx = fx - share * (ux - un * normal[0]);
  let gy = fy - share * (uy - un * normal[1]);
  let gz = fz - share * (uz - un * normal[2]);
  const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
  const limit = coefficient * contacts[c + 3];
  if (length > limit) {
    const scale = limit / length;
    gx *= scale;
    gy *= scale;
    gz *= scale;
  }
  positions[i] += gx - fx;
  positions[i + 1] += gy - fy;
  positions[i + 2] += gz - fz;
  contacts[c] += gx - fx;
  contacts[c + 1] += gy - fy;
  contacts[c + 2] += gz - fz;
  if (!anchors) return;
  recordReaction(reaction!, set, k, p, gx - fx, gy - fy, gz - fz);
  // The rest of the slip, and the most that friction would take up in one substep.
  const rx = ux - un * normal[0] + gx - fx;
  const ry = uy - un * normal[1] + gy - fy;
  const rz = uz - un * normal[2] + gz - fz;
  const left = Math.sqrt(rx * rx + ry * ry + rz * rz);
  const kept = left > 0 ? Math.min(1, limit / (share * left)) : 0;
  anchors.hold(set, k, p, positions[i] - kept * rx, positions[i + 1] - kept * ry, positions[i + 2] - kept * rz);
}
