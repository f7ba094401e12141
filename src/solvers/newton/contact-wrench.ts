import { CONTACT_SIZE, type ContactRows } from "./contacts";

/**
 * Sum of what all contacts gave a body in the last step.
 *
 * @param impacts normal impulses of the bounces, one a contact [N s]
 * @param slot place of the body
 * @param out impulse [N s] and angular impulse about the world's origin [N m s], six numbers: changed
 */
export function contactWrench(
  contacts: ContactRows,
  impacts: ArrayLike<number>,
  slot: number,
  out: Float64Array,
): void {
  out.fill(0);
  const { geometry: g, impulse, point, bodyA, bodyB } = contacts;
  for (let c = 0; c < contacts.count; c++) {
    if (bodyA[c] !== slot && bodyB[c] !== slot) continue;
    const sign = bodyB[c] === slot ? 1 : -1;
    const at = CONTACT_SIZE * c;
    const [p, q, r] = [sign * (impulse[3 * c] + impacts[c]), sign * impulse[3 * c + 1], sign * impulse[3 * c + 2]];
    const x = p * g[at] + q * g[at + 3] + r * g[at + 6];
    const y = p * g[at + 1] + q * g[at + 4] + r * g[at + 7];
    const z = p * g[at + 2] + q * g[at + 5] + r * g[at + 8];
    const [u, v, w] = [point[3 * c], point[3 * c + 1], point[3 * c + 2]];
    out[0] += x;
    out[1] += y;
    out[2] += z;
    out[3] += v * z - w * y;
    out[4] += w * x - u * z;
    out[5] += u * y - v * x;
  }
}
