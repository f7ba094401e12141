import { type BodyTable, POSE_SIZE } from "../motion/bodies";
import { CONTACT_SIZE, type ContactRows } from "./contacts";
import type { SoftContacts } from "../deformable/contact/soft-contacts";

/**
 * Sums of the impulses of all contacts on each body in the last step.
 *
 * @param impacts normal impulses of the bounces, one for each contact [N s]
 * @param out impulse [N s] and angular impulse about the world's origin [N m s], six numbers a body: changed
 */
export function contactWrenches(contacts: ContactRows, impacts: ArrayLike<number>, out: Float64Array): void {
  out.fill(0);
  const { geometry: g, impulse, point, bodyA, bodyB } = contacts;
  for (let c = 0; c < contacts.count; c++) {
    const at = CONTACT_SIZE * c;
    const [p, q, r] = [impulse[3 * c] + impacts[c], impulse[3 * c + 1], impulse[3 * c + 2]];
    const x = p * g[at] + q * g[at + 3] + r * g[at + 6];
    const y = p * g[at + 1] + q * g[at + 4] + r * g[at + 7];
    const z = p * g[at + 2] + q * g[at + 5] + r * g[at + 8];
    const [u, v, w] = [point[3 * c], point[3 * c + 1], point[3 * c + 2]];
    add(out, bodyB[c], 1, x, y, z, v * z - w * y, w * x - u * z, u * y - v * x);
    add(out, bodyA[c], -1, x, y, z, v * z - w * y, w * x - u * z, u * y - v * x);
  }
}

/** The same for contacts of rigid bodies with deformable ones, right after the step. @param out added to */
export function addSoftWrenches(contacts: SoftContacts, bodies: BodyTable, out: Float64Array): void {
  const { frame: g, arm, impulse, rigid: slot } = contacts;
  const { startPose } = bodies.scratch;
  for (let c = 0; c < contacts.count; c++) {
    if (slot[c] < 0) continue;
    const at = 9 * c;
    const pose = POSE_SIZE * slot[c];
    const [p, q, r] = [impulse[3 * c], impulse[3 * c + 1], impulse[3 * c + 2]];
    const x = p * g[at] + q * g[at + 3] + r * g[at + 6];
    const y = p * g[at + 1] + q * g[at + 4] + r * g[at + 7];
    const z = p * g[at + 2] + q * g[at + 5] + r * g[at + 8];
    const u = startPose[pose] + arm[3 * c];
    const v = startPose[pose + 1] + arm[3 * c + 1];
    const w = startPose[pose + 2] + arm[3 * c + 2];
    add(out, slot[c], -1, x, y, z, v * z - w * y, w * x - u * z, u * y - v * x);
  }
}

/** A removed body is skipped. */
function add(
  out: Float64Array,
  slot: number,
  sign: number,
  x: number,
  y: number,
  z: number,
  tx: number,
  ty: number,
  tz: number,
): void {
  if (slot < 0) return;
  const at = 6 * slot;
  out[at] += sign * x;
  out[at + 1] += sign * y;
  out[at + 2] += sign * z;
  out[at + 3] += sign * tx;
  out[at + 4] += sign * ty;
  out[at + 5] += sign * tz;
}
