/**
 * Contacts, friction and joints of an island against the linearized dynamics: the complementarity problem of a Newton
 * iteration after elimination of velocities.
 *
 * p      impulses [N s]: three a contact (normal, two of friction), then one a joint row
 * W      J A⁻¹ Jᵀ, A the mass block (55) with the elements' stiffness (64)
 * b      J û and the gaps: velocities of the rows at p = 0
 * v      b + W p
 * Γ      compliance of joint rows
 * r      diagonal of W: the complementarity preconditioner (66); of friction, the larger of its two
 * φ      residual of a row [m/s]
 *
 * The normal row is the minimum map (96)-(98), φₙ = r (pₙ − max(0, zₙ)) with zₙ = pₙ − vₙ/r. Friction is projected to
 * its cone, φ_f = r (p_f − L z/max(L, |z|)) with z = p_f − v_f/r and L = µ max(0, zₙ) (Alart and Curnier): it vanishes
 * where (105) does. The paper's fixed point in W keeps the matrix of a step symmetric, for methods that need symmetry,
 * but then a sliding contact converges linearly, or not at all if contacts share one soft surface. LU factors need no
 * symmetry. So steps are Newton's with the full derivative, on the active set, with a line search on the residual. If a
 * step does not help, contact-by-contact sweeps follow.
 *
 * A bilateral contact is an attachment: its three rows have no bounds, v = 0.
 *
 * Two classes implement W: an explicit matrix for small islands (dense-problem.ts), and a product of sparse matrices
 * for large ones (sparse-problem.ts).
 */

/** A step has to reduce the residual by at least this part of the predicted reduction. */
const DECREASE = 0.1;
const MOST_HALVINGS = 4;
const FEWEST_SWEEPS = 8;
const MOST_SWEEPS = 64;
/** Least ε for steps that are solved for the motion of bodies (sparse-problem.ts). */
export const LEAST_EPSILON = 1e-9;
/**
 * A mobility along a direction of a contact below this part of that along the others is rounding: bodies cannot move
 * along it.
 */
export const IDLE = 1e-12;
/** First and largest ε after a step that did not help, and its factor after one that did. */
const FIRST_EPSILON = 1e-5;
const MOST_EPSILON = 1;
const SHRINK = 0.3;

/** Effort of a solution, for islands of different sizes. */
export interface Effort {
  /**
   * A step has to reduce the largest residual of this many last iterates (Grippo, Lampariello and Lucidi 1986). In a
   * large island some contact changes its state in almost every step.
   */
  readonly lookBack: number;
  /** largest number of times that sweeps follow a step that did not help, and of sweeps each time */
  readonly rescues: number;
  readonly sweeps: number;
  /** residual that suffices after sweeps [m/s] */
  readonly enough: number;
}

const SMALL: Effort = { lookBack: 1, rescues: Infinity, sweeps: MOST_SWEEPS, enough: 0 };

export abstract class ContactProblem {
  contactCount = 0;
  rowCount = 0;
  size = 0;
  bias = new Float64Array(0);
  /** a contact */
  friction = new Float64Array(0);
  /** a contact: 1 for an attachment */
  bilateral = new Uint8Array(0);
  /** Γ, lower and upper bounds, a joint row */
  compliance = new Float64Array(0);
  lower = new Float64Array(0);
  upper = new Float64Array(0);
  p = new Float64Array(0);
  /** v of the last evaluation */
  speed = new Float64Array(0);
  /** ‖φ‖₂ [m/s] of the last evaluation */
  merit = 0;
  /** largest φ [m/s] */
  worst = 0;
  /** ε of (8.4) */
  protected epsilon = 0;
  /** φ */
  protected residual = new Float64Array(0);
  /** 1 if the unknown is part of the linear problem of a step; otherwise it moves by −φ/r */
  protected active = new Uint8Array(0);
  /** Δp */
  protected step = new Float64Array(0);
  /** friction of the current contact, see `isSliding` */
  protected readonly slide = { r: 0, d1: 0, d2: 0, g11: 0, g12: 0, g22: 0, right1: 0, right2: 0 };
  /** the contact's own part of Wᵢᵢ, for steps that are solved for the motion of bodies */
  protected give = new Float64Array(0);
  /** B⁻¹ b, 3 a contact or joint, and B⁻¹ E, 9 each, for such steps: B Δp + E J y = b with y = A⁻¹ Jᵀ Δp */
  protected free = new Float64Array(0);
  protected gain = new Float64Array(0);
  /** W step */
  private change = new Float64Array(0);
  private kept = new Float64Array(0);
  private keptSpeed = new Float64Array(0);
  private best = new Float64Array(0);

  /** Wᵢᵢ */
  abstract diagonal(i: number): number;
  /** y = W x */
  protected abstract multiply(x: Float64Array, y: Float64Array): void;
  /** Newton step: inactive unknowns move by their known step, and active ones solve the linear problem with it. */
  protected abstract direction(): void;
  /** Prepares `speedOf` and `put`. */
  protected abstract startSweeps(): void;
  /** v of a row at the current p. */
  protected abstract speedOf(i: number): number;
  /** Changes an impulse. */
  protected abstract put(i: number, value: number): void;

  resize(contactCount: number, rowCount: number): void {
    this.contactCount = contactCount;
    this.rowCount = rowCount;
    const size = 3 * contactCount + rowCount;
    this.size = size;
    if (this.bilateral.length < contactCount) this.bilateral = new Uint8Array(2 * contactCount);
    else this.bilateral.fill(0);
    if (this.bias.length >= size) return;
    const room = Math.ceil(1.5 * size);
    const vector = () => new Float64Array(room);
    [this.bias, this.p, this.speed, this.residual, this.step] = [vector(), vector(), vector(), vector(), vector()];
    [this.change, this.kept, this.keptSpeed, this.best] = [vector(), vector(), vector(), vector()];
    [this.compliance, this.lower, this.upper, this.friction] = [vector(), vector(), vector(), vector()];
    this.active = new Uint8Array(room);
  }

  /** Improves p until no residual exceeds the tolerance [m/s]. @returns number of iterations */
  solve(iterations: number, tolerance: number, regularization: number, effort = SMALL): number {
    const { p, size, best } = this;
    this.epsilon = regularization;
    let sweeps = FEWEST_SWEEPS;
    let least = Infinity;
    let rescues = 0;
    const last: number[] = [];
    this.evaluate();
    for (let k = 0; k < iterations; k++) {
      if (this.worst <= tolerance) return k;
      this.direction();
      last.push(this.merit);
      if (last.length > effort.lookBack) last.shift();
      if (this.walk(Math.max(...last))) {
        this.epsilon = Math.max(regularization, SHRINK * this.epsilon);
        if (effort.lookBack > 1) least = this.keepBest(least);
        continue;
      }
      this.epsilon = Math.min(MOST_EPSILON, 10 * Math.max(FIRST_EPSILON, this.epsilon));
      this.sweep(sweeps);
      this.evaluate();
      sweeps = Math.min(effort.sweeps, 2 * sweeps);
      least = this.keepBest(least);
      if (this.worst <= effort.enough) return k + 1;
      if (++rescues >= effort.rescues) break;
    }
    if (this.merit > least) {
      for (let i = 0; i < size; i++) p[i] = best[i];
      this.evaluate();
    }
    return iterations;
  }

  /** Keeps p if it has the least ‖φ‖ so far, which is returned. */
  private keepBest(least: number): number {
    if (!(this.merit < least)) return least;
    for (let i = 0; i < this.size; i++) this.best[i] = this.p[i];
    return this.merit;
  }

  /** Line search along the step for a ‖φ‖ below the given one; if there is none, p stays. */
  private walk(merit: number): boolean {
    const { p, speed, step, change, kept, keptSpeed, size } = this;
    this.multiply(step, change);
    kept.set(p);
    keptSpeed.set(speed);
    let t = 1;
    for (let halving = 0; halving <= MOST_HALVINGS; halving++) {
      for (let i = 0; i < size; i++) {
        p[i] = kept[i] + t * step[i];
        speed[i] = keptSpeed[i] + t * change[i];
      }
      this.assess();
      if (this.merit <= (1 - DECREASE * t) * merit) return true;
      t *= 0.5;
    }
    p.set(kept);
    speed.set(keptSpeed);
    return false;
  }

  /** Computes v, φ and the active set at p. */
  evaluate(): void {
    const { size, speed, bias } = this;
    this.multiply(this.p, speed);
    for (let i = 0; i < size; i++) speed[i] += bias[i];
    this.assess();
  }

  /** Computes φ and the active set at p and v. */
  private assess(): void {
    const { contactCount, p, speed, friction } = this;
    this.merit = 0;
    this.worst = 0;
    for (let c = 0; c < contactCount; c++) {
      const i = 3 * c;
      if (this.bilateral[c] === 1) {
        for (let k = i; k < i + 3; k++) this.note(k, speed[k], 1);
        continue;
      }
      const r = this.diagonal(i);
      const z = r > 0 ? p[i] - speed[i] / r : 0;
      if (!(z > 0)) {
        const rf = this.frictionScale(i);
        this.note(i, r * p[i], 0);
        this.note(i + 1, rf * p[i + 1], 0);
        this.note(i + 2, rf * p[i + 2], 0);
        continue;
      }
      this.note(i, speed[i], 1);
      this.assessFriction(i, friction[c] * z);
    }
    this.assessRows();
    this.merit = Math.sqrt(this.merit);
  }

  private assessFriction(i: number, limit: number): void {
    const { p, speed } = this;
    const r = this.frictionScale(i);
    const z1 = p[i + 1] - speed[i + 1] / r;
    const z2 = p[i + 2] - speed[i + 2] / r;
    const length = Math.sqrt(z1 * z1 + z2 * z2);
    const scale = length > limit ? limit / length : 1;
    const isActive = limit > 0 ? 1 : 0;
    this.note(i + 1, r * (p[i + 1] - scale * z1), isActive);
    this.note(i + 2, r * (p[i + 2] - scale * z2), isActive);
  }

  private assessRows(): void {
    const { contactCount, rowCount, p, speed, lower, upper, compliance } = this;
    for (let k = 0; k < rowCount; k++) {
      const i = 3 * contactCount + k;
      const g = speed[i] + compliance[k] * p[i];
      const mobility = this.diagonal(i) + compliance[k];
      const free = mobility > 0 ? p[i] - g / mobility : 0;
      const bound = free < lower[k] ? lower[k] : free > upper[k] ? upper[k] : free;
      if (bound === free && mobility > 0) this.note(i, g, 1);
      else this.note(i, mobility * (p[i] - bound), 0);
    }
  }

  private note(i: number, phi: number, active: number): void {
    this.residual[i] = phi;
    this.active[i] = active;
    this.merit += phi * phi;
    this.worst = Math.max(this.worst, Math.abs(phi));
  }

  /** r of both friction rows of the contact with normal row i. */
  protected frictionScale(i: number): number {
    return Math.max(this.diagonal(i + 1), this.diagonal(i + 2));
  }

  /** Δp of an unknown that is not active. */
  protected forcedStep(i: number): number {
    const joint = i - 3 * this.contactCount;
    const r = joint >= 0 ? this.diagonal(i) + this.compliance[joint] : this.rowScale(i);
    return r > 0 ? -this.residual[i] / r : 0;
  }

  private rowScale(i: number): number {
    return i % 3 === 0 ? this.diagonal(i) : this.frictionScale(i - (i % 3));
  }

  /**
   * Linearizes the active friction of the contact with this normal row. Within the cone, v_f = 0. On the cone, with d =
   * z/|z| and G = L/|z| (1 − d dᵀ),
   *
   *     r (1 − G) Δp_f + G W_f Δp − r µ d Δpₙ = −r (p_f − µ pₙ d) + G (…)
   *
   * where the change of zₙ is replaced by that of pₙ and the remaining vₙ, which the normal row makes zero.
   *
   * @returns whether friction is on the cone; if so, `slide` has r, d, G and the right side
   */
  protected isSliding(normal: number): boolean {
    const { p, speed, slide, residual } = this;
    const i = normal + 1;
    const r = this.frictionScale(normal);
    const mu = this.friction[normal / 3];
    const limit = mu * (p[normal] - speed[normal] / this.diagonal(normal));
    const z1 = p[i] - speed[i] / r;
    const z2 = p[i + 1] - speed[i + 1] / r;
    const length = Math.sqrt(z1 * z1 + z2 * z2);
    slide.r = r;
    if (length <= limit || this.bilateral[normal / 3] === 1) return false;
    const [d1, d2] = [z1 / length, z2 / length];
    const share = limit / length;
    const push = (r * mu * speed[normal]) / this.diagonal(normal);
    [slide.d1, slide.d2] = [d1, d2];
    [slide.g11, slide.g12, slide.g22] = [share * (1 - d1 * d1), -share * d1 * d2, share * (1 - d2 * d2)];
    slide.right1 = -residual[i] + push * d1;
    slide.right2 = -residual[i + 1] + push * d2;
    return true;
  }

  /** Computes B⁻¹ b and B⁻¹ E of a contact; they are zero in inactive rows. */
  protected lineariseContact(c: number): void {
    const { active, speed, residual, give, free, gain, slide, friction } = this;
    const epsilon = Math.max(LEAST_EPSILON, this.epsilon);
    const i = 3 * c;
    free.fill(0, i, i + 3);
    gain.fill(0, 9 * c, 9 * c + 9);
    if (active[i] === 0) return;
    const normal = 1 / (epsilon * this.diagonal(i) + give[i]);
    free[i] = -normal * residual[i];
    gain[9 * c] = normal;
    if (active[i + 1] === 0) return;
    const isSliding = this.isSliding(i);
    const { r, d1, d2, g11, g12, g22 } = slide;
    if (!isSliding) {
      for (let d = 1; d < 3; d++) {
        const own = 1 / (epsilon * r + give[i + d]);
        free[i + d] = -own * speed[i + d];
        gain[9 * c + 4 * d] = own;
      }
      return;
    }
    const b11 = r * (1 - g11) + epsilon * r + g11 * give[i + 1];
    const b12 = g12 * (give[i + 2] - r);
    const b21 = g12 * (give[i + 1] - r);
    const b22 = r * (1 - g22) + epsilon * r + g22 * give[i + 2];
    const scale = 1 / (b11 * b22 - b12 * b21);
    const mu = r * friction[c];
    // Change of friction by the normal impulse
    const n1 = scale * mu * (b22 * d1 - b12 * d2);
    const n2 = scale * mu * (b11 * d2 - b21 * d1);
    free[i + 1] = scale * (b22 * slide.right1 - b12 * slide.right2) + n1 * free[i];
    free[i + 2] = scale * (b11 * slide.right2 - b21 * slide.right1) + n2 * free[i];
    const at = 9 * c;
    gain[at + 3] = n1 * normal;
    gain[at + 4] = scale * (b22 * g11 - b12 * g12);
    gain[at + 5] = scale * (b22 * g12 - b12 * g22);
    gain[at + 6] = n2 * normal;
    gain[at + 7] = scale * (b11 * g12 - b21 * g11);
    gain[at + 8] = scale * (b11 * g22 - b21 * g12);
  }

  /** Jean and Moreau's contact-by-contact iteration, forward and backward. */
  private sweep(count: number): void {
    const { contactCount, rowCount, p, compliance, lower, upper } = this;
    this.startSweeps();
    for (let k = 0; k < count; k++) {
      for (let n = 0; n < rowCount; n++) {
        const i = 3 * contactCount + n;
        const mobility = this.diagonal(i) + compliance[n];
        if (!(mobility > 0)) continue;
        const free = p[i] - (this.speedOf(i) + compliance[n] * p[i]) / mobility;
        this.put(i, free < lower[n] ? lower[n] : free > upper[n] ? upper[n] : free);
      }
      for (let n = 0; n < contactCount; n++) this.relaxContact(k % 2 === 0 ? n : contactCount - 1 - n);
    }
  }

  private relaxContact(c: number): void {
    const { p } = this;
    const i = 3 * c;
    const r = this.diagonal(i);
    if (!(r > 0)) return;
    if (this.bilateral[c] === 1) {
      for (let k = i; k < i + 3; k++) this.put(k, p[k] - this.speedOf(k) / this.diagonal(k));
      return;
    }
    this.put(i, Math.max(0, p[i] - this.speedOf(i) / r));
    const limit = this.friction[c] * p[i];
    const rf = this.frictionScale(i);
    let p1 = p[i + 1] - this.speedOf(i + 1) / rf;
    let p2 = p[i + 2] - this.speedOf(i + 2) / rf;
    const squared = p1 * p1 + p2 * p2;
    if (squared > limit * limit) {
      const scale = limit / Math.sqrt(squared);
      p1 *= scale;
      p2 *= scale;
    }
    this.put(i + 1, p1);
    this.put(i + 2, p2);
  }
}
