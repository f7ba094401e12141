/**
 * Projected Gauss-Seidel on the nonlinear problem itself (Jean and Moreau's contact by contact iteration): each contact in turn
 * takes the normal impulse that closes its gap and the friction in its cone that stops it. It converges slowly but surely, and
 * serves as the safeguard of Newton's iteration (8.1), which may run in circles where friction is close to its limit.
 */

import { applyImpulse, relativeSpeed } from "./contacts";
import type { IslandSystem } from "./island-system";
import { applyRowImpulse, rowSpeed } from "./rows";

export class Sweeps {
  /** s C/h + … of each joint row less its J u, so that g = rest + J u + Γ p along the sweep */
  private rest = new Float64Array(0);

  /**
   * Improves impulses p and the velocities in the scratch, which satisfy (46) before and after.
   *
   * @returns largest change of a velocity by the last sweep [m/s]
   */
  run(system: IslandSystem, p: Float64Array, h: number, count: number): number {
    const { bodies, contacts, rows, firstContact, contactCount, firstRow, rowCount } = system;
    const u = bodies.scratch.velocity;
    if (this.rest.length < rowCount) this.rest = new Float64Array(2 * rowCount);
    for (let k = 0; k < rowCount; k++) {
      const r = firstRow + k;
      const share = rows.share[r];
      this.rest[k] = (share * rows.value[r]) / h - share * rowSpeed(rows, r, u) - rows.target[r];
    }
    let worst = 0;
    for (let sweep = 0; sweep < count; sweep++) {
      worst = 0;
      for (let k = 0; k < rowCount; k++) {
        const r = firstRow + k;
        const i = 3 * contactCount + k;
        const mobility = rows.diagonal[r] + rows.compliance[r];
        if (!(mobility > 0)) continue;
        const free = p[i] - (this.rest[k] + rowSpeed(rows, r, u) + rows.compliance[r] * p[i]) / mobility;
        const next = free < rows.lower[r] ? rows.lower[r] : free > rows.upper[r] ? rows.upper[r] : free;
        const change = next - p[i];
        if (change === 0) continue;
        p[i] = next;
        applyRowImpulse(rows, r, change, u);
        worst = Math.max(worst, Math.abs(change) * mobility);
      }
      for (let n = 0; n < contactCount; n++) {
        // To and fro, so that a push gets through a stack in both directions.
        const k = sweep % 2 === 0 ? n : contactCount - 1 - n;
        const c = firstContact + k;
        const i = 3 * k;
        const { diagonal } = contacts;
        const normal = Math.max(0, p[i] - (contacts.bias[c] + relativeSpeed(contacts, c, 0, u)) / diagonal[3 * c]);
        const change = normal - p[i];
        if (change !== 0) {
          p[i] = normal;
          applyImpulse(bodies, contacts, c, 0, change, u);
          worst = Math.max(worst, Math.abs(change) * diagonal[3 * c]);
        }
        const limit = contacts.friction[c] * normal;
        if (limit === 0 && p[i + 1] === 0 && p[i + 2] === 0) continue;
        const r = Math.max(diagonal[3 * c + 1], diagonal[3 * c + 2]);
        let p1 = p[i + 1] - relativeSpeed(contacts, c, 1, u) / r;
        let p2 = p[i + 2] - relativeSpeed(contacts, c, 2, u) / r;
        const squared = p1 * p1 + p2 * p2;
        if (squared > limit * limit) {
          const scale = limit / Math.sqrt(squared);
          p1 *= scale;
          p2 *= scale;
        }
        const change1 = p1 - p[i + 1];
        const change2 = p2 - p[i + 2];
        p[i + 1] = p1;
        p[i + 2] = p2;
        applyImpulse(bodies, contacts, c, 1, change1, u);
        applyImpulse(bodies, contacts, c, 2, change2, u);
        worst = Math.max(worst, Math.abs(change1) * r, Math.abs(change2) * r);
      }
    }
    return worst;
  }
}
