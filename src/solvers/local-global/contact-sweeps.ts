/**
 * Contact by contact (projected Gauss-Seidel): what takes over where a Newton step makes things worse. Slower, but every
 * contact that is solved by itself lowers the energy ½ zᵀWz + zᵀδ₀ of all.
 */
import { CONTACT_VERTICES, type ContactList } from "./contact-list";
import type { Delassus } from "./delassus";

const at = new Float64Array(3);
const delta = new Float64Array(3);
const push = new Float64Array(3);

/**
 * Moves z by sweeps over all contacts, there and back in turn.
 *
 * @param free δ without contact forces, three a contact [m]
 */
export function sweepContacts(contacts: ContactList, w: Delassus, free: Float64Array, sweeps: number): void {
  const { z, count } = contacts;
  w.spread(z);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let k = 0; k < count; k++) solveOne(contacts, w, free, sweep % 2 === 0 ? k : count - 1 - k);
    for (let k = 0; k < w.cables.count; k++) solveCable(contacts, w, free, k);
  }
}

function solveCable({ z, count }: ContactList, w: Delassus, free: Float64Array, k: number): void {
  const { start, body, direction, compliance, cables } = w.cables;
  const row = 3 * count + k;
  if (!(w.diagonal[row]! > 0)) return;
  let gap = free[row]! + compliance[k]! * z[row]! + w.rigidPull(k);
  for (let i = start[k]!; i < start[k + 1]!; i++) {
    const part = w.parts[body[i]!]!;
    at.fill(0);
    part.place(w.cableSlots[i]!, 1, at);
    for (let c = 0; c < 3; c++) gap += direction[3 * i + c]! * at[c]!;
  }
  const next = z[row]! - gap / (w.diagonal[row]! + compliance[k]!);
  const change = (cables[k]!.pushes ? next : Math.max(0, next)) - z[row]!;
  z[row]! += change;
  for (let i = start[k]!; i < start[k + 1]!; i++) {
    push.set(direction.slice(3 * i, 3 * i + 3));
    w.parts[body[i]!]!.push(w.cableSlots[i]!, change, push);
  }
  w.pullRigid(k, change);
}

function solveOne(contacts: ContactList, w: Delassus, free: Float64Array, n: number): void {
  const { z, frame, friction } = contacts;
  const i = 3 * n;
  readPlace(contacts, w, n);
  for (let r = 0; r < 3; r++)
    delta[r] =
      free[i + r]! +
      frame[9 * n + 3 * r]! * at[0]! +
      frame[9 * n + 3 * r + 1]! * at[1]! +
      frame[9 * n + 3 * r + 2]! * at[2]!;
  const normal = Math.max(0, z[i]! - delta[0]! / w.diagonal[i]!);
  const change = normal - z[i]!;
  // The rows of a contact hardly couple, but where they do a common step of both tangents must not overshoot.
  const r = w.diagonal[i + 1]! + w.diagonal[i + 2]!;
  let [x, y] = [z[i + 1]! - delta[1]! / r, z[i + 2]! - delta[2]! / r];
  const length = Math.hypot(x, y);
  const limit = friction[n]! * normal;
  if (length > limit) [x, y] = [(x * limit) / length, (y * limit) / length];
  const [dx, dy] = [x - z[i + 1]!, y - z[i + 2]!];
  if (change === 0 && dx === 0 && dy === 0) return;
  z[i] = normal;
  z[i + 1] = x;
  z[i + 2] = y;
  for (let c = 0; c < 3; c++)
    push[c] = frame[9 * n + c]! * change + frame[9 * n + 3 + c]! * dx + frame[9 * n + 6 + c]! * dy;
  addForce(contacts, w, n);
}

/** Displacement by all forces so far, less that of the rigid body that is touched. */
function readPlace({ body, weight, proxy, point }: ContactList, w: Delassus, n: number): void {
  at.fill(0);
  for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i]! >= 0; i++)
    w.parts[body[i]!]!.place(w.slots[i]!, weight[i]!, at);
  if (proxy[n]! >= 0) w.subtractRigid(proxy[n]!, point, 3 * n, at);
}

/** `push` at a contact. */
function addForce({ body, weight, proxy, point }: ContactList, w: Delassus, n: number): void {
  for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i]! >= 0; i++)
    w.parts[body[i]!]!.push(w.slots[i]!, weight[i]!, push);
  if (proxy[n]! >= 0) w.pushRigid(proxy[n]!, point, 3 * n, push);
}
