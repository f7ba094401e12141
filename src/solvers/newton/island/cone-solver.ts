/**
 * Contacts of a small island solved together, for islands in which Newton's method (linearise.ts) runs in circles and sweeps are slow:
 * a light body that a heavy one presses against a wall. For given slips, Coulomb's law is the optimality of a convex problem,
 *
 *     min ½ pᵀ A p + pᵀ b,   |pₜ| ≤ µ pₙ          A = J M⁻¹ Jᵀ,  b = J ũ + bias + µ |vₜ| n
 *
 * (De Saxcé, Acary). For any slips its solution gives no energy: p · v = −pₙ (bias + µ |vₜ|). An interior-point method (Mehrotra's, with
 * the scaling of Nesterov and Todd) takes some 25 steps at any ratio of masses. Near the solution for no slips, they become those of its
 * iterates, and the steps those of Newton's method with their derivative N = n vₜᵀ/|vₜ|.
 *
 * δ      1/√(diagonal) of a contact
 * x      (pₙ, pₜ/µ)/δ, in the cone Q: |x₁| ≤ x₀
 * s      A x + b in these units, in Q too; x ∘ s = 0 at the end
 * w, β   W = β [w₀ w₁ᵀ; w₁ I + w₁w₁ᵀ/(1 + w₀)] with λ = W x = W⁻¹ s
 */

import { dotProduct } from "../../../math/dense";
import type { IslandSystem } from "./island-system";

/** Steps of a solution, and the complementarity at which they end, as a part of that of the first one. */
const MOST_STEPS = 40;
const SOLVED = 1e-13;
/** Residual at the end, as a part of the largest speed in b; its rounding is less. */
const EXACT = 1e-8;
/** Complementarity, as such a part, from which on slips are those of the iterates. In the last try they stay: for any the solution gives no energy. */
const TRIES = [1e-3, Infinity, 0];
/** Part of the complementarity that steps leave while slips change, so that x and s do not reach the boundary before these are found. */
const LEFT = 0.2;
/** Compliance, as a part of the mobility of a contact: redundant contacts share a load. */
const REDUNDANT = 1e-10;
/** Part of the way to the boundary of the cones that a step goes, and the way below which it stands. */
const INSIDE = 0.95;
const STANDING = 1e-8;
/** A contact is open if x is less than this part of s. */
const OPEN = 1e-6;

export class ConeSolver {
  private matrix = new Float64Array(0);
  private factor = new Float64Array(0);
  private pivots = new Int32Array(0);
  /** vₜ/|vₜ| of each contact after a zero: N */
  private slips = new Float64Array(0);
  private vectors = vectorsOf(0);
  private size = 0;

  /** Writes impulses for the free velocities and biases of an island without joints. */
  solve(system: IslandSystem, p: Float64Array): void {
    const { contactCount } = system;
    this.assemble(system);
    const { size } = this;
    const { scale, free, b, x, s } = this.vectors;
    let largest = 0;
    for (let i = 0; i < size; i++) {
      b[i] = free[i];
      largest = Math.max(largest, Math.abs(free[i]));
    }
    if (largest > 0) for (const near of TRIES) if (this.minimize(largest, near)) break;
    for (let c = 0; c < contactCount; c++) {
      const i = 3 * c;
      const isOpen = !(x[i] > OPEN * s[i]) || largest === 0;
      for (let d = 0; d < 3; d++) p[i + d] = isOpen ? 0 : scale[i + d] * x[i + d];
    }
  }

  /** A and the free part of b, in units of the contacts. */
  private assemble(system: IslandSystem): void {
    const { contacts, firstContact, contactCount, bodies } = system;
    const { friction, diagonal, bias } = contacts;
    const size = (this.size = 3 * contactCount);
    if (this.vectors.x.length < size) {
      this.vectors = vectorsOf(2 * size);
      this.matrix = new Float64Array(4 * size * size);
      this.factor = new Float64Array(4 * size * size);
      this.pivots = new Int32Array(2 * size);
      this.slips = new Float64Array(2 * size);
    }
    const { matrix } = this;
    const { unit, column, scale, free } = this.vectors;
    system.measure(bodies.scratch.freeVelocity, column);
    for (let c = 0; c < contactCount; c++) {
      const i = 3 * c;
      const n = 3 * (firstContact + c);
      const of = 1 / Math.sqrt(Math.max(diagonal[n], diagonal[n + 1], diagonal[n + 2]));
      scale[i] = of;
      scale[i + 1] = scale[i + 2] = of * friction[firstContact + c];
      free[i] = of * (column[i] + bias[firstContact + c]);
      for (let d = 1; d < 3; d++) free[i + d] = scale[i + d] * column[i + d];
    }
    unit.fill(0, 0, size);
    for (let j = 0; j < size; j++) {
      unit[j] = scale[j];
      system.respond(unit);
      unit[j] = 0;
      system.measure(bodies.scratch.response, column);
      for (let i = j; i < size; i++) matrix[i * size + j] = matrix[j * size + i] = scale[i] * column[i];
      matrix[j * size + j] += REDUNDANT;
    }
  }

  /**
   * Solves for x and s, which begin far inside the cones, and for the slips in b.
   *
   * @param near complementarity from which on slips are those of the iterates
   * @returns whether they are solved for
   */
  private minimize(begin: number, near: number): boolean {
    const { size } = this;
    const { x, s, dx, ds, lambda, w, rc } = this.vectors;
    for (let i = 0; i < size; i++) x[i] = s[i] = i % 3 === 0 ? begin : 0;
    this.slips.fill(0, 0, size);
    let isNear = false;
    for (let step = 0; step < MOST_STEPS; step++) {
      const gap = (3 * dotProduct(x, s, size)) / size;
      const part = gap / (begin * begin);
      isNear ||= part <= near;
      if (isNear) this.takeSlips();
      const off = this.residual() / begin;
      if ((isNear || near === 0) && part <= SOLVED && off <= EXACT) return true;
      for (let i = 0; i < size; i += 3) writeScaling(x, s, w, lambda, i);
      if (!this.factorize()) return false;
      // λ \ (−λ ∘ λ)
      for (let i = 0; i < size; i++) rc[i] = -lambda[i];
      this.direction();
      const ahead = 1 - Math.min(1, mostStep(x, dx, size), mostStep(s, ds, size));
      const left = Math.max(ahead * ahead * ahead, off * off > part ? LEFT : 0);
      for (let i = 0; i < size; i += 3) writeCorrection(this.vectors, left * gap, i);
      this.direction();
      const way = Math.min(1, INSIDE * Math.min(mostStep(x, dx, size), mostStep(s, ds, size)));
      if (!(way > STANDING)) return false;
      for (let i = 0; i < size; i++) {
        x[i] += way * dx[i];
        s[i] += way * ds[i];
      }
    }
    return false;
  }

  /** Takes the slips of s, µ |vₜ|, into b, and their directions into N. */
  private takeSlips(): void {
    const { slips } = this;
    const { free, b, s } = this.vectors;
    for (let i = 0; i < this.size; i += 3) {
      const slip = Math.sqrt(s[i + 1] * s[i + 1] + s[i + 2] * s[i + 2]);
      b[i] = free[i] + slip;
      for (let d = 1; d < 3; d++) slips[i + d] = slip > 0 ? s[i + d] / slip : 0;
    }
  }

  /** A x + b − s, and its largest number. */
  private residual(): number {
    const { matrix, size } = this;
    const { b, x, s, rest } = this.vectors;
    let most = 0;
    for (let i = 0; i < size; i++) {
      let sum = b[i] - s[i];
      for (let j = 0; j < size; j++) sum += matrix[i * size + j] * x[j];
      rest[i] = sum;
      most = Math.max(most, Math.abs(sum));
    }
    return most;
  }

  /** Factors (1 + N) A + W² by rows of the largest pivots. */
  private factorize(): boolean {
    const { matrix, factor, pivots, slips, size } = this;
    for (let i = 0; i < size * size; i++) factor[i] = matrix[i];
    for (let i = 0; i < size; i += 3) {
      for (let j = 0; j < size; j++)
        factor[i * size + j] += slips[i + 1] * matrix[(i + 1) * size + j] + slips[i + 2] * matrix[(i + 2) * size + j];
      addScaling(this.vectors.w, factor, size, i);
    }
    for (let k = 0; k < size; k++) {
      let best = k;
      for (let i = k + 1; i < size; i++)
        if (Math.abs(factor[i * size + k]) > Math.abs(factor[best * size + k])) best = i;
      pivots[k] = best;
      if (best !== k) for (let j = 0; j < size; j++) swap(factor, k * size + j, best * size + j);
      const pivot = factor[k * size + k];
      if (!(Math.abs(pivot) > 0)) return false;
      for (let i = k + 1; i < size; i++) {
        const part = (factor[i * size + k] /= pivot);
        if (part !== 0) for (let j = k + 1; j < size; j++) factor[i * size + j] -= part * factor[k * size + j];
      }
    }
    return true;
  }

  /** ((1 + N) A + W²) dx = W rc − (1 + N) rest, ds = W rc − W² dx */
  private direction(): void {
    const { factor, pivots, slips, size } = this;
    const { w, rest, dx, ds, rc, turned } = this.vectors;
    for (let i = 0; i < size; i += 3) {
      scaled(w, rc, ds, i);
      for (let d = 0; d < 3; d++) dx[i + d] = ds[i + d] - rest[i + d];
      dx[i] -= slips[i + 1] * rest[i + 1] + slips[i + 2] * rest[i + 2];
    }
    for (let k = 0; k < size; k++) swap(dx, k, pivots[k]);
    for (let i = 1; i < size; i++) for (let j = 0; j < i; j++) dx[i] -= factor[i * size + j] * dx[j];
    for (let i = size - 1; i >= 0; i--) {
      for (let j = i + 1; j < size; j++) dx[i] -= factor[i * size + j] * dx[j];
      dx[i] /= factor[i * size + i];
    }
    for (let i = 0; i < size; i += 3) {
      scaled(w, dx, turned, i);
      scaled(w, turned, turned, i);
    }
    for (let i = 0; i < size; i++) ds[i] -= turned[i];
  }
}

function swap(of: Float64Array, i: number, j: number): void {
  const kept = of[i];
  of[i] = of[j];
  of[j] = kept;
}

type Vectors = ReturnType<typeof vectorsOf>;

/** Vectors of all unknowns; `w` has β in place of w₀, which is √(1 + |w₁|²). */
function vectorsOf(size: number) {
  const make = (): Float64Array => new Float64Array(size);
  return {
    unit: make(),
    column: make(),
    scale: make(),
    free: make(),
    b: make(),
    x: make(),
    s: make(),
    lambda: make(),
    w: make(),
    rest: make(),
    dx: make(),
    ds: make(),
    rc: make(),
    turned: make(),
  };
}

const determinant = (x: Float64Array, i: number): number => {
  const far = Math.sqrt(x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2]);
  return (x[i] - far) * (x[i] + far);
};

const w0 = (w: Float64Array, i: number): number => Math.sqrt(1 + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2]);

function writeScaling(x: Float64Array, s: Float64Array, w: Float64Array, lambda: Float64Array, i: number): void {
  const ofX = Math.sqrt(determinant(x, i));
  const ofS = Math.sqrt(determinant(s, i));
  const dot = (x[i] * s[i] + x[i + 1] * s[i + 1] + x[i + 2] * s[i + 2]) / (ofX * ofS);
  const gamma = 2 * Math.sqrt((1 + dot) / 2);
  w[i] = Math.sqrt(ofS / ofX);
  for (let d = 1; d < 3; d++) w[i + d] = (s[i + d] / ofS - x[i + d] / ofX) / gamma;
  scaled(w, x, lambda, i);
}

/** out = W x */
function scaled(w: Float64Array, x: Float64Array, out: Float64Array, i: number): void {
  const [beta, a, b, first] = [w[i], w[i + 1], w[i + 2], w0(w, i)];
  const [x0, x1, x2] = [x[i], x[i + 1], x[i + 2]];
  const along = a * x1 + b * x2;
  const more = x0 + along / (1 + first);
  out[i] = beta * (first * x0 + along);
  out[i + 1] = beta * (x1 + more * a);
  out[i + 2] = beta * (x2 + more * b);
}

/** Adds W² = β² (2 w wᵀ − J) to the diagonal of a matrix. */
function addScaling(w: Float64Array, matrix: Float64Array, size: number, i: number): void {
  const squared = w[i] * w[i];
  const v = [w0(w, i), w[i + 1], w[i + 2]];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      const j = r === c ? (r === 0 ? 1 : -1) : 0;
      matrix[(i + r) * size + i + c] += squared * (2 * v[r] * v[c] - j);
    }
}

/** Writes λ \ (target e − λ ∘ λ − (W dx) ∘ (W⁻¹ ds)). */
function writeCorrection(vectors: Vectors, target: number, i: number): void {
  const { w, lambda, dx, ds, turned, rc } = vectors;
  scaled(w, dx, turned, i);
  const [beta, a, b, first] = [w[i], w[i + 1], w[i + 2], w0(w, i)];
  const along = a * ds[i + 1] + b * ds[i + 2];
  const more = along / (1 + first) - ds[i];
  const s0 = (first * ds[i] - along) / beta;
  const s1 = (ds[i + 1] + more * a) / beta;
  const s2 = (ds[i + 2] + more * b) / beta;
  const [l0, l1, l2] = [lambda[i], lambda[i + 1], lambda[i + 2]];
  const [x0, x1, x2] = [turned[i], turned[i + 1], turned[i + 2]];
  const r0 = target - l0 * l0 - l1 * l1 - l2 * l2 - x0 * s0 - x1 * s1 - x2 * s2;
  const r1 = -2 * l0 * l1 - x0 * s1 - s0 * x1;
  const r2 = -2 * l0 * l2 - x0 * s2 - s0 * x2;
  rc[i] = (l0 * r0 - l1 * r1 - l2 * r2) / determinant(lambda, i);
  rc[i + 1] = (r1 - rc[i] * l1) / l0;
  rc[i + 2] = (r2 - rc[i] * l2) / l0;
}

/** The longest step along dx that stays in all cones. */
function mostStep(x: Float64Array, dx: Float64Array, size: number): number {
  let most = Infinity;
  for (let i = 0; i < size; i += 3) {
    const b = x[i] * dx[i] - x[i + 1] * dx[i + 1] - x[i + 2] * dx[i + 2];
    const a = dx[i] * dx[i] - dx[i + 1] * dx[i + 1] - dx[i + 2] * dx[i + 2];
    const c = determinant(x, i);
    const inner = b * b - a * c;
    const slope = inner >= 0 ? Math.sqrt(inner) - b : 0;
    if (slope > 0) most = Math.min(most, c / slope);
  }
  return most;
}
