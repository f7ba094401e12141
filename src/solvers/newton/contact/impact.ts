/**
 * Restitution, which the paper does not cover: generalized reflections of Smith, Kaufman, Vouga, Tamstorf and Grinspun,
 * "Reflections on Simultaneous Impact" (2012). Velocities at the start of the step are reflected at all contacts that
 * close fast, simultaneously, and repeatedly until none closes. So an impact passes through a row of balls one by one,
 * and a box that lands flat does not turn.
 *
 * w   velocities, from u⁻ to those after the impact
 * V   contacts that will be met in this step and close faster than the threshold
 * p   impulses that bring the contacts of V to rest: 0 ≤ J w + J M⁻¹ Jᵀ p ⊥ p ≥ 0
 * w ← w + M⁻¹ Jᵀ (1 + e) p
 *
 * A contact is reflected while it still has a gap. The free acceleration a along the normal changes the speed over that
 * gap and back, c² → c² − 2 a·gap, so e is replaced by the e′ that gives the right height of the bounce at the surface.
 */

import { TWIST_SIZE } from "../motion/bodies";
import { applyImpulse, relativeSpeed } from "./contacts";
import type { IslandSystem } from "../island/island-system";

const MAX_REFLECTIONS = 200;
const MAX_SWEEPS = 60;
const FRICTION_SWEEPS = 12;

export class ImpactSolver {
  /** normal impulse of each contact in this step [N s], 0 for contacts that did not bounce */
  impulses = new Float64Array(0);
  /** impulse of each contact of the island over all reflections */
  private total = new Float64Array(0);
  /** impulse of the current reflection */
  private p = new Float64Array(0);
  /** 1 + e′, or 0 for contacts that are not in V */
  private factor = new Float64Array(0);

  /** Begins a step with this number of contacts. */
  begin(contactCount: number): void {
    if (this.impulses.length < contactCount) this.impulses = new Float64Array(2 * contactCount);
    this.impulses.fill(0, 0, contactCount);
  }

  /** Whether any contact of the island may bounce. */
  isElastic({ contacts, firstContact, contactCount }: IslandSystem): boolean {
    for (let c = firstContact; c < firstContact + contactCount; c++) if (contacts.restitution[c] > 0) return true;
    return false;
  }

  /**
   * Changes velocities at the start of the step, and ũ by the same.
   *
   * @param threshold closing speed [m/s] below which nothing bounces
   */
  solve(system: IslandSystem, h: number, threshold: number): void {
    const { contacts, firstContact, contactCount } = system;
    if (this.p.length < contactCount) {
      this.total = new Float64Array(2 * contactCount);
      this.p = new Float64Array(2 * contactCount);
      this.factor = new Float64Array(2 * contactCount);
    }
    this.total.fill(0, 0, contactCount);
    const { scratch, state } = system.bodies;
    const w = scratch.velocity;
    // Kinematic bodies take their velocities from the prediction.
    this.copy(system, state.velocity, w);
    let reflections = 0;
    while (reflections < MAX_REFLECTIONS && this.select(system, h, threshold, w)) {
      this.stop(system, w);
      for (let k = 0; k < contactCount; k++) {
        if (this.factor[k] === 0) continue;
        const more = (this.factor[k] - 1) * this.p[k];
        if (more > 0) applyImpulse(system.bodies, contacts, firstContact + k, 0, more, w);
        this.total[k] += this.factor[k] * this.p[k];
      }
      reflections++;
    }
    if (reflections === 0) return;
    for (let k = 0; k < contactCount; k++) this.impulses[firstContact + k] = this.total[k];
    this.rub(system, w);
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++) {
      const at = TWIST_SIZE * system.bodyList[k];
      for (let i = at; i < at + TWIST_SIZE; i++) {
        scratch.freeVelocity[i] += w[i] - state.velocity[i];
        state.velocity[i] = w[i];
      }
    }
  }

  /** Finds V; false if it is empty. */
  private select(system: IslandSystem, h: number, threshold: number, w: Float64Array): boolean {
    const { contacts, firstContact, contactCount } = system;
    const { freeVelocity } = system.bodies.scratch;
    const start = system.bodies.state.velocity;
    let isAny = false;
    for (let k = 0; k < contactCount; k++) {
      const c = firstContact + k;
      this.factor[k] = 0;
      this.p[k] = 0;
      const e = contacts.restitution[c];
      const closing = -relativeSpeed(contacts, c, 0, w);
      const gap = contacts.gap[c];
      if (!(e > 0) || !(closing > threshold)) continue;
      // change of the speed by forces in the step
      const gain = relativeSpeed(contacts, c, 0, freeVelocity) - relativeSpeed(contacts, c, 0, start);
      if (gap + h * (gain - closing) >= 0) continue;
      const work = (2 * gain * gap) / h;
      const squared = e * e * (closing * closing - work) + work;
      this.factor[k] = 1 + (squared > 0 ? Math.sqrt(squared) / closing : 0);
      isAny = true;
    }
    return isAny;
  }

  /** Projected Gauss-Seidel on V: inelastic impulses. */
  private stop(system: IslandSystem, w: Float64Array): void {
    const { contacts, firstContact, contactCount } = system;
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      let worst = 0;
      for (let k = 0; k < contactCount; k++) {
        if (this.factor[k] === 0) continue;
        const c = firstContact + k;
        const speed = relativeSpeed(contacts, c, 0, w);
        const next = Math.max(0, this.p[k] - speed / contacts.diagonal[3 * c]);
        const change = next - this.p[k];
        this.p[k] = next;
        worst = Math.max(worst, Math.abs(change) * contacts.diagonal[3 * c]);
        applyImpulse(system.bodies, contacts, c, 0, change, w);
      }
      if (worst < 1e-12) return;
    }
  }

  /** Coulomb friction of the impact: removes slip as far as µ times the normal impulse of each contact allows. */
  private rub(system: IslandSystem, w: Float64Array): void {
    const { contacts, firstContact, contactCount, bodies } = system;
    const friction = this.tangents(contactCount);
    for (let sweep = 0; sweep < FRICTION_SWEEPS; sweep++)
      for (let k = 0; k < contactCount; k++) {
        const c = firstContact + k;
        const limit = contacts.friction[c] * this.total[k];
        if (!(limit > 0)) continue;
        const r = 1 / Math.max(contacts.diagonal[3 * c + 1], contacts.diagonal[3 * c + 2]);
        let p1 = friction[2 * k] - r * relativeSpeed(contacts, c, 1, w);
        let p2 = friction[2 * k + 1] - r * relativeSpeed(contacts, c, 2, w);
        const size = Math.sqrt(p1 * p1 + p2 * p2);
        if (size > limit) {
          p1 *= limit / size;
          p2 *= limit / size;
        }
        applyImpulse(bodies, contacts, c, 1, p1 - friction[2 * k], w);
        applyImpulse(bodies, contacts, c, 2, p2 - friction[2 * k + 1], w);
        friction[2 * k] = p1;
        friction[2 * k + 1] = p2;
      }
  }

  private tangential = new Float64Array(0);

  private tangents(contactCount: number): Float64Array {
    if (this.tangential.length < 2 * contactCount) this.tangential = new Float64Array(4 * contactCount);
    return this.tangential.fill(0, 0, 2 * contactCount);
  }

  private copy(system: IslandSystem, from: Float64Array, to: Float64Array): void {
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++) {
      const at = TWIST_SIZE * system.bodyList[k];
      for (let i = at; i < at + TWIST_SIZE; i++) to[i] = from[i];
    }
  }
}
