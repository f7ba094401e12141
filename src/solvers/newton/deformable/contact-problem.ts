/**
 * Contacts, friction and joints of an island against the linearised dynamics: the complementarity problem that a Newton iteration
 * leaves when velocities are eliminated, with its matrix written out.
 *
 * p      impulses [N s]: three a contact (normal, two of friction), then one a joint row
 * W      J A⁻¹ Jᵀ, A the mass block (55) with the elements' stiffness (64)
 * b      J û and the gaps: velocities of the rows at p = 0
 * v      b + W p
 * Γ      compliance of joint rows
 *
 * Solved by non-smooth Newton steps as in linearise.ts: minimum map (96)-(98) with the diagonal of W as the complementarity
 * preconditioner (66), friction compliance (105), an active set, and contact by contact sweeps where a step does not help.
 */

import { minimumMap, minimumMapSlip, type NormalRow } from "../ncp";
import { DenseFactor } from "./dense-factor";

const row: NormalRow = { isActive: false, step: 0, compliance: 0, residual: 0, phi: 0 };

/** Slip below this part of r µ pₙ is as good as none. */
const CREEP = 0.5;
/** A step that leaves more than this part of the residual counts as none. */
const PROGRESS = 0.9;
const FEWEST_SWEEPS = 8;
const MOST_SWEEPS = 128;
const MOST_EPSILON = 0.01;

export class ContactProblem {
  contactCount = 0;
  rowCount = 0;
  size = 0;
  /** W, size × size */
  matrix = new Float64Array(0);
  bias = new Float64Array(0);
  /** a contact */
  friction = new Float64Array(0);
  /** Γ, lower and upper bounds, a joint row */
  compliance = new Float64Array(0);
  lower = new Float64Array(0);
  upper = new Float64Array(0);
  p = new Float64Array(0);
  /** v of the last evaluation */
  speed = new Float64Array(0);
  /** ‖residual‖₂ [m/s] of the last evaluation */
  merit = 0;
  /** largest residual [m/s] */
  worst = 0;
  private epsilon = 0;
  private active = new Uint8Array(0);
  private shift = new Float64Array(0);
  private residual = new Float64Array(0);
  private forced = new Float64Array(0);
  private step = new Float64Array(0);
  private kept = new Float64Array(0);
  private best = new Float64Array(0);
  private list = new Int32Array(0);
  private readonly factor = new DenseFactor();

  resize(contactCount: number, rowCount: number): void {
    this.contactCount = contactCount;
    this.rowCount = rowCount;
    const size = 3 * contactCount + rowCount;
    this.size = size;
    if (this.bias.length < size) {
      const room = Math.ceil(1.5 * size);
      const vector = () => new Float64Array(room);
      [this.bias, this.p, this.speed, this.shift, this.residual] = [vector(), vector(), vector(), vector(), vector()];
      [this.forced, this.step, this.kept, this.best] = [vector(), vector(), vector(), vector()];
      [this.compliance, this.lower, this.upper, this.friction] = [vector(), vector(), vector(), vector()];
      this.active = new Uint8Array(room);
      this.list = new Int32Array(room);
      this.matrix = new Float64Array(room * room);
    }
  }

  /**
   * Improves p until no row is off by more than the tolerance [m/s].
   *
   * @returns iterations done
   */
  solve(iterations: number, tolerance: number, regularisation: number): number {
    const { p, size, step, kept, best } = this;
    this.epsilon = regularisation;
    let sweeps = FEWEST_SWEEPS;
    let least = Infinity;
    this.evaluate();
    for (let k = 0; k < iterations; k++) {
      if (this.worst <= tolerance) return k;
      const { merit } = this;
      this.direction();
      for (let i = 0; i < size; i++) {
        kept[i] = p[i];
        p[i] += step[i];
      }
      this.evaluate();
      if (this.merit < PROGRESS * merit) continue;
      this.epsilon = Math.min(MOST_EPSILON, 100 * this.epsilon);
      if (this.merit >= merit) for (let i = 0; i < size; i++) p[i] = kept[i];
      this.sweep(sweeps);
      this.evaluate();
      sweeps = Math.min(MOST_SWEEPS, 2 * sweeps);
      if (this.merit < least) {
        least = this.merit;
        for (let i = 0; i < size; i++) best[i] = p[i];
      }
    }
    if (this.merit > least) {
      for (let i = 0; i < size; i++) p[i] = best[i];
      this.evaluate();
    }
    return iterations;
  }

  /** v, residual, active set. */
  evaluate(): void {
    const { contactCount, size, p, speed, active, shift, residual, forced, friction } = this;
    this.multiply(p, speed);
    for (let i = 0; i < size; i++) speed[i] += this.bias[i];
    this.merit = 0;
    this.worst = 0;
    for (let c = 0; c < contactCount; c++) {
      const i = 3 * c;
      const r = this.diagonal(i);
      if (!(r > 0)) {
        for (let j = i; j < i + 3; j++) this.force(j, -p[j], 0);
        continue;
      }
      minimumMap(speed[i], p[i], r, row);
      this.note(row.phi);
      active[i] = row.isActive ? 1 : 0;
      shift[i] = row.compliance + this.epsilon * r;
      residual[i] = row.residual;
      forced[i] = row.isActive ? 0 : row.step;
      const limit = friction[c] * p[i];
      const rf = Math.max(this.diagonal(i + 1), this.diagonal(i + 2));
      if (!(limit > 0)) {
        for (let j = i + 1; j < i + 3; j++) this.force(j, -p[j], rf * p[j]);
        continue;
      }
      const v = Math.sqrt(speed[i + 1] * speed[i + 1] + speed[i + 2] * speed[i + 2]);
      const f = Math.sqrt(p[i + 1] * p[i + 1] + p[i + 2] * p[i + 2]);
      const slip = minimumMapSlip(v, f, limit, rf);
      if (v > rf * (limit - f) && v < CREEP * rf * limit) {
        this.holdAtCone(i, limit, rf);
        continue;
      }
      for (let j = i + 1; j < i + 3; j++) {
        residual[j] = speed[j] + slip * p[j];
        this.note(residual[j]);
        active[j] = 1;
        shift[j] = slip + this.epsilon * this.diagonal(j);
        forced[j] = 0;
      }
    }
    this.rows();
    this.merit = Math.sqrt(this.merit);
  }

  /** A contact that hardly moves with more friction than its cone allows goes to the edge of the cone (linearise.ts). */
  private holdAtCone(i: number, limit: number, r: number): void {
    const { p, speed } = this;
    const y1 = p[i + 1] - speed[i + 1] / r;
    const y2 = p[i + 2] - speed[i + 2] / r;
    const scale = limit / Math.sqrt(y1 * y1 + y2 * y2);
    const step1 = scale * y1 - p[i + 1];
    const step2 = scale * y2 - p[i + 2];
    this.force(i + 1, step1, r * step1);
    this.force(i + 2, step2, r * step2);
  }

  private rows(): void {
    const { contactCount, rowCount, p, speed, active, shift, residual, forced, lower, upper, compliance } = this;
    for (let k = 0; k < rowCount; k++) {
      const i = 3 * contactCount + k;
      const g = speed[i] + compliance[k] * p[i];
      const mobility = this.diagonal(i) + compliance[k];
      if (!(mobility > 0)) {
        this.force(i, -p[i], 0);
        continue;
      }
      const free = p[i] - g / mobility;
      const bound = free < lower[k] ? lower[k] : free > upper[k] ? upper[k] : free;
      if (bound !== free) {
        this.force(i, bound - p[i], mobility * (bound - p[i]));
        continue;
      }
      this.note(g);
      active[i] = 1;
      shift[i] = compliance[k] + this.epsilon * this.diagonal(i);
      residual[i] = g;
      forced[i] = 0;
    }
  }

  /** Unknown i takes no part: it moves by `step`. */
  private force(i: number, step: number, phi: number): void {
    this.note(phi);
    this.active[i] = 0;
    this.forced[i] = step;
    this.residual[i] = 0;
    this.shift[i] = 0;
  }

  private note(phi: number): void {
    this.merit += phi * phi;
    this.worst = Math.max(this.worst, Math.abs(phi));
  }

  private diagonal(i: number): number {
    return this.matrix[i * this.size + i];
  }

  private multiply(x: Float64Array, y: Float64Array): void {
    const { matrix, size } = this;
    for (let i = 0; i < size; i++) {
      let sum = 0;
      const at = i * size;
      for (let j = 0; j < size; j++) sum += matrix[at + j] * x[j];
      y[i] = sum;
    }
  }

  /** Newton step: inactive unknowns go where they must, active ones solve the linear problem with that known. */
  private direction(): void {
    const { active, shift, residual, forced, step, list, size, matrix, factor } = this;
    let count = 0;
    for (let i = 0; i < size; i++) if (active[i] === 1) list[count++] = i;
    factor.reserve(count);
    for (let a = 0; a < count; a++) {
      const i = list[a];
      for (let b = 0; b <= a; b++) factor.set(a, b, matrix[i * size + list[b]] + (a === b ? shift[i] : 0));
    }
    factor.factor(count);
    for (let a = 0; a < count; a++) {
      const i = list[a];
      let sum = -residual[i];
      for (let j = 0; j < size; j++) if (active[j] === 0) sum -= matrix[i * size + j] * forced[j];
      this.kept[a] = sum;
    }
    factor.solve(this.kept, count);
    for (let i = 0; i < size; i++) step[i] = forced[i];
    for (let a = 0; a < count; a++) step[list[a]] = this.kept[a];
  }

  /** Jean and Moreau's contact by contact iteration, to and fro. */
  private sweep(count: number): void {
    const { contactCount, rowCount, p, speed, compliance, lower, upper } = this;
    this.multiply(p, speed);
    for (let i = 0; i < this.size; i++) speed[i] += this.bias[i];
    for (let k = 0; k < count; k++) {
      for (let n = 0; n < rowCount; n++) {
        const i = 3 * contactCount + n;
        const mobility = this.diagonal(i) + compliance[n];
        if (!(mobility > 0)) continue;
        const free = p[i] - (speed[i] + compliance[n] * p[i]) / mobility;
        this.change(i, free < lower[n] ? lower[n] : free > upper[n] ? upper[n] : free);
      }
      for (let n = 0; n < contactCount; n++) this.relaxContact(k % 2 === 0 ? n : contactCount - 1 - n);
    }
  }

  private relaxContact(c: number): void {
    const { p, speed } = this;
    const i = 3 * c;
    const r = this.diagonal(i);
    if (!(r > 0)) return;
    this.change(i, Math.max(0, p[i] - speed[i] / r));
    const limit = this.friction[c] * p[i];
    const rf = Math.max(this.diagonal(i + 1), this.diagonal(i + 2));
    let p1 = p[i + 1] - speed[i + 1] / rf;
    let p2 = p[i + 2] - speed[i + 2] / rf;
    const squared = p1 * p1 + p2 * p2;
    if (squared > limit * limit) {
      const scale = limit / Math.sqrt(squared);
      p1 *= scale;
      p2 *= scale;
    }
    this.change(i + 1, p1);
    this.change(i + 2, p2);
  }

  private change(i: number, value: number): void {
    const { p, speed, matrix, size } = this;
    const change = value - p[i];
    if (change === 0) return;
    p[i] = value;
    const at = i * size;
    for (let j = 0; j < size; j++) speed[j] += matrix[at + j] * change;
  }
}
