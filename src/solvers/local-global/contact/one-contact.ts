/** A contact by itself: Signorini's law and Coulomb's cone for δ = q + A f, with A = W of the contact and q what others leave there. */

/** State of a contact. */
export const enum Hold {
  open,
  sticks,
  slides,
}

/** Iterations for the direction of sliding, and change of the force at which they end, as a part of it. */
const [MOST, ENOUGH] = [12, 1e-12];

/**
 * @param a 3 × 3 from `at` on, symmetric and positive definite, in the frame of the contact [1/kg]
 * @param q δ without its force: gap and slip [m]
 * @param friction µ
 * @param f the last force, then the new one: normal and two tangents [kg m]
 */
export function solveContact(a: Float64Array, at: number, q: Float64Array, friction: number, f: Float64Array): Hold {
  const [ann, anx, any, axx, axy, ayy] = [a[at], a[at + 1], a[at + 2], a[at + 4], a[at + 5], a[at + 8]];
  if (!(q[0] < 0)) {
    f.fill(0);
    return Hold.open;
  }
  if (friction > 0 && stick(ann, anx, any, axx, axy, ayy, q, friction, f)) return Hold.sticks;
  // no more than the larger eigenvalue of the tangential part needs
  const stiff = 0.5 * (axx + ayy) + Math.sqrt(0.25 * (axx - ayy) ** 2 + axy * axy);
  let [n, x, y] = [f[0], f[1], f[2]];
  for (let k = 0; k < MOST; k++) {
    const next = Math.max(0, -(q[0] + anx * x + any * y) / ann);
    const limit = friction * next;
    let tx = x - (q[1] + anx * next + axx * x + axy * y) / stiff;
    let ty = y - (q[2] + any * next + axy * x + ayy * y) / stiff;
    const length = Math.sqrt(tx * tx + ty * ty);
    if (length > limit) {
      tx *= limit / length;
      ty *= limit / length;
    }
    const change = Math.abs(next - n) + Math.abs(tx - x) + Math.abs(ty - y);
    [n, x, y] = [next, tx, ty];
    if (change <= ENOUGH * n) break;
  }
  f[0] = n;
  f[1] = x;
  f[2] = y;
  return n > 0 ? Hold.slides : Hold.open;
}

/** f = −A⁻¹ q, if that is in the cone. */
function stick(
  ann: number,
  anx: number,
  any: number,
  axx: number,
  axy: number,
  ayy: number,
  q: Float64Array,
  friction: number,
  f: Float64Array,
): boolean {
  const c0 = axx * ayy - axy * axy;
  const c1 = any * axy - anx * ayy;
  const c2 = anx * axy - any * axx;
  const det = ann * c0 + anx * c1 + any * c2;
  if (!(det > 0)) return false;
  const n = -(c0 * q[0] + c1 * q[1] + c2 * q[2]) / det;
  if (!(n > 0)) return false;
  const x = -(c1 * q[0] + (ann * ayy - any * any) * q[1] + (anx * any - ann * axy) * q[2]) / det;
  const y = -(c2 * q[0] + (anx * any - ann * axy) * q[1] + (ann * axx - anx * anx) * q[2]) / det;
  if (x * x + y * y > friction * friction * n * n) return false;
  f[0] = n;
  f[1] = x;
  f[2] = y;
  return true;
}
