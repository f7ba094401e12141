/**
 * Projected gradients on all contacts at once: what takes over where a Newton step makes things worse. Each contact takes a share ω
 * of the step that it would take by itself and is projected onto its law. An iteration is one product with W, whichever way that is
 * done; a sweep contact by contact is two, and takes them in turn. Twin of shaders/local-global/contact/projection.wgsl.
 *
 * ω is Barzilai's and Borwein's, with s and y what z and δ have changed by in the last step, and D = diag W:
 *
 *     ω = sᵀDs / sᵀy  and  sᵀy / yᵀD⁻¹y  in turn
 *
 * The residual does not fall in every step, so the best z is kept.
 */
import type { ContactList } from "../../../collision/soft/contact-list";
import type { ContactSolver } from "./contact-solver";
import type { Delassus } from "./delassus";
import { lengthOf } from "../../../math/vectors";

/** The first ω. */
const FIRST_SHARE = 0.3;

export class ContactProjection {
  /** before the last step */
  private z = new Float64Array(0);
  private delta = new Float64Array(0);
  private best = new Float64Array(0);

  /**
   * Moves z to the best that so many steps come by.
   *
   * @param error of `solver.judge` at z, which was called last
   * @param enough residual at which there is nothing left to do [m]
   * @returns residual [m]
   */
  run(
    contacts: ContactList,
    w: Delassus,
    free: Float64Array,
    solver: ContactSolver,
    steps: number,
    error: number,
    enough: number,
  ): number {
    const { size } = w;
    if (this.z.length < size) {
      this.z = new Float64Array(2 * size);
      this.delta = new Float64Array(2 * size);
      this.best = new Float64Array(2 * size);
    }
    const { z } = contacts;
    const { best } = this;
    copy(z, best, size);
    let least = error;
    let last = error;
    let share = FIRST_SHARE;
    for (let k = 0; k < steps && least > enough; k++) {
      this.step(contacts, w, solver.delta, share);
      last = solver.judge(contacts, w, free);
      if (last < least) {
        least = last;
        copy(z, best, size);
      }
      share = this.nextShare(contacts, w, solver.delta, k % 2 === 0);
    }
    if (last > least) {
      copy(best, z, size);
      solver.judge(contacts, w, free);
    }
    return least;
  }

  private step(contacts: ContactList, w: Delassus, delta: Float64Array, share: number): void {
    const { z, friction, count } = contacts;
    copy(z, this.z, w.size);
    copy(delta, this.delta, w.size);
    for (let n = 0; n < count; n++) {
      const at = 3 * n;
      const normal = Math.max(0, z[at] - (share * delta[at]) / w.diagonal[at]);
      const x = z[at + 1] - (share * delta[at + 1]) / w.diagonal[at + 1];
      const y = z[at + 2] - (share * delta[at + 2]) / w.diagonal[at + 2];
      const force = lengthOf(x, y);
      const limit = friction[n] * normal;
      const part = force > limit ? limit / force : 1;
      z[at] = normal;
      z[at + 1] = part * x;
      z[at + 2] = part * y;
    }
    for (let k = 0, at = 3 * count; k < w.cables.count; k++, at++) {
      const e = w.cables.compliance[k];
      if (!(w.diagonal[at] > 0)) continue;
      const next = z[at] - (share * (delta[at] + e * z[at])) / (w.diagonal[at] + e);
      z[at] = w.cables.cables[k].pushes ? next : Math.max(0, next);
    }
  }

  private nextShare({ z, count }: ContactList, w: Delassus, delta: Float64Array, isLong: boolean): number {
    let [sds, sy, yy] = [0, 0, 0];
    for (let i = 0; i < w.size; i++) {
      const e = i < 3 * count ? 0 : w.cables.compliance[i - 3 * count];
      const d = w.diagonal[i] + e;
      if (!(d > 0)) continue;
      const s = z[i] - this.z[i];
      const y = delta[i] - this.delta[i] + e * s;
      sds += d * s * s;
      sy += s * y;
      yy += (y * y) / d;
    }
    const [above, below] = isLong ? [sds, sy] : [sy, yy];
    return above > 0 && below > 0 ? above / below : FIRST_SHARE;
  }
}

function copy(from: Float64Array, to: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) to[i] = from[i]!;
}
