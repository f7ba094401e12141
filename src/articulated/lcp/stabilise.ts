import { OrthogonalFactor } from "./orthogonal";
import { SymmetricFactor, type PseudoInverse } from "./symmetric";
import { RowClass, lowerBound, upperBound, velocities, type BoxedLcp } from "./problem";

/**
 * LCP stabilization (paper 4: A.1, A.2): for given classes, the problem is linear. With f_𝒰 = E f_𝒞, and every row of
 * E having ±µ at its normal row,
 *
 *   (A_𝒞𝒞 + A_𝒞𝒰 E) f_𝒞 = -b_𝒞,   f_𝒮 = 0,
 *
 * which is solved exactly, and by the shortest f_𝒞 if the solution is not unique. The factor is kept for the
 * gradients, which need the same matrix.
 */
export class Stabiliser {
  /** Factor of the last `factorize`. */
  factor: PseudoInverse;
  private readonly symmetric = new SymmetricFactor();
  private readonly general = new OrthogonalFactor();
  /** Clamping rows, `count` of them; and for each row its place among them, or -1. */
  rows = new Int32Array(0);
  places = new Int32Array(0);
  count = 0;
  private matrix = new Float64Array(0);
  private x = new Float64Array(0);

  constructor() {
    this.factor = this.symmetric;
  }

  reserve(n: number): void {
    if (n <= this.rows.length) return;
    this.rows = new Int32Array(n);
    this.places = new Int32Array(n);
    this.matrix = new Float64Array(n * n);
    this.x = new Float64Array(n);
    this.symmetric.reserve(n);
    this.general.reserve(n);
  }

  /** Lists the clamping rows and factors A_𝒞𝒞 + A_𝒞𝒰 E, for the classes of `lcp` or others. */
  factorize(lcp: BoxedLcp, classes: Int8Array = lcp.classes): void {
    const { n, a, findex, hi } = lcp;
    this.reserve(n);
    const { rows, places, matrix } = this;
    let count = 0;
    for (let i = 0; i < n; i++) {
      places[i] = -1;
      if (classes[i] === RowClass.Clamping) {
        places[i] = count;
        rows[count++] = i;
      }
    }
    this.count = count;
    for (let p = 0; p < count; p++) {
      const at = rows[p] * n;
      for (let q = 0; q < count; q++) matrix[p * count + q] = a[at + rows[q]];
    }
    let symmetric = true;
    for (let u = 0; u < n; u++) {
      const sign = boundSign(classes[u]);
      if (sign === 0 || findex[u] < 0) continue;
      const q = places[findex[u]];
      if (q < 0) continue;
      symmetric = false;
      for (let p = 0; p < count; p++) matrix[p * count + q] += sign * hi[u] * a[rows[p] * n + u];
    }
    const factor = symmetric ? this.symmetric : this.general;
    factor.factor(matrix, count);
    this.factor = factor;
  }

  /** Factors by the classes of `lcp`, and writes the corresponding f, and w = A f + b. */
  solve(lcp: BoxedLcp): void {
    const { n, a, b, f, classes, findex, lo, hi } = lcp;
    this.factorize(lcp);
    const { rows, count, x } = this;
    for (let i = 0; i < n; i++) {
      // Set forces at bounds that do not depend on other forces.
      f[i] = 0;
      if (findex[i] >= 0 || classes[i] === RowClass.Clamping) continue;
      f[i] = classes[i] === RowClass.Upper ? hi[i] : classes[i] === RowClass.Tied ? nearBound(lo[i], hi[i]) : lo[i];
    }
    for (let i = 0; i < n; i++) {
      const k = findex[i];
      if (k >= 0 && classes[k] !== RowClass.Clamping) f[i] = boundSign(classes[i]) * hi[i] * f[k];
    }
    for (let p = 0; p < count; p++) {
      let sum = b[rows[p]];
      for (let j = 0, at = rows[p] * n; j < n; j++) if (f[j] !== 0) sum += a[at + j] * f[j];
      x[p] = -sum;
    }
    this.factor.solve(x);
    for (let p = 0; p < count; p++) f[rows[p]] = x[p];
    for (let i = 0; i < n; i++) {
      const k = findex[i];
      if (k >= 0 && classes[k] === RowClass.Clamping && classes[i] !== RowClass.Clamping)
        f[i] = boundSign(classes[i]) * hi[i] * f[k];
    }
    velocities(lcp, f, lcp.w);
  }

  /**
   * Whether f and w fit the classes within rounding, and so solve the LCP. A force that differs from its bound by
   * rounding is set to the bound.
   */
  fits(lcp: BoxedLcp, tolerance: number): boolean {
    const { n, f, classes } = lcp;
    const force = tolerance * largest(f, n);
    const speed = tolerance * largest(lcp.b, n);
    for (let i = 0; i < n; i++) if (!Number.isFinite(f[i]) || violation(lcp, i, force, speed) !== 0) return false;
    for (let i = 0; i < n; i++)
      if (classes[i] === RowClass.Clamping)
        f[i] = Math.min(Math.max(f[i], lowerBound(lcp, i, f)), upperBound(lcp, i, f));
    return true;
  }

  /**
   * Block pivoting: moves every row that does not fit to the class given by its sign, and solves again. From nearly
   * right classes this ends in a few rounds; in general it may not terminate.
   *
   * @returns whether the classes fit now
   */
  repair(lcp: BoxedLcp, tolerance: number, rounds: number): boolean {
    for (let round = 0; round < rounds; round++) {
      this.solve(lcp);
      if (this.fits(lcp, tolerance)) return true;
      const force = tolerance * largest(lcp.f, lcp.n);
      const speed = tolerance * largest(lcp.b, lcp.n);
      let changed = false;
      // After some rounds that change all rows at once, change one at a time, the last one first: that breaks cycles.
      const single = round >= rounds / 2;
      for (let i = lcp.n - 1; i >= 0 && !(single && changed); i--) {
        const wrong = violation(lcp, i, force, speed);
        if (wrong === 0) continue;
        lcp.classes[i] = reclassify(lcp, i, wrong);
        changed = true;
      }
      for (let i = 0; i < lcp.n; i++) {
        const k = lcp.findex[i];
        if (k < 0) continue;
        if (lcp.classes[k] === RowClass.Separating) lcp.classes[i] = RowClass.Separating;
        else if (lcp.classes[i] === RowClass.Separating) lcp.classes[i] = RowClass.Clamping;
      }
      if (!changed) return false;
    }
    return false;
  }
}

/** +1 for rows held at their upper bound, -1 at their lower, 0 for the rest: the sign in E. */
export function boundSign(rowClass: number): number {
  return rowClass === RowClass.Upper ? 1 : rowClass === RowClass.Lower ? -1 : 0;
}

function nearBound(lo: number, hi: number): number {
  return Math.abs(lo) <= Math.abs(hi) ? lo : hi;
}

/** Largest magnitude of x; 1 if all are zero. */
function largest(x: Float64Array, n: number): number {
  let size = 0;
  for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(x[i]));
  return size > 0 ? size : 1;
}

/** Contradiction of row i to its class: 0 for none, ±1 for a force beyond that bound, ±2 for a wrong velocity. */
function violation(lcp: BoxedLcp, i: number, force: number, speed: number): number {
  const { f, w, classes, findex, lo, hi } = lcp;
  const frictional = findex[i] >= 0;
  switch (classes[i]) {
    case RowClass.Clamping:
      if (f[i] < lowerBound(lcp, i, f) - force) return -1;
      if (f[i] > upperBound(lcp, i, f) + force) return 1;
      return Math.abs(w[i]) > speed ? 2 * Math.sign(w[i]) : 0;
    case RowClass.Upper:
      return w[i] > speed && (frictional || lo[i] !== hi[i]) ? 2 : 0;
    case RowClass.Lower:
      return w[i] < -speed ? -2 : 0;
    default:
      // Friction is released only together with its normal row.
      if (frictional) return Math.abs(f[findex[i]]) > force ? 2 : 0;
      return w[i] < -speed && lo[i] !== hi[i] ? -2 : 0;
  }
}

function reclassify(lcp: BoxedLcp, i: number, wrong: number): number {
  const frictional = lcp.findex[i] >= 0;
  if (lcp.classes[i] !== RowClass.Clamping) return RowClass.Clamping;
  // A clamping row still moves because its equations are contradictory, so it yields.
  const up = wrong === 1 || wrong === -2;
  if (frictional) return up ? RowClass.Upper : RowClass.Lower;
  if (!up) return RowClass.Separating;
  return lcp.hi[i] < Infinity ? RowClass.Upper : RowClass.Clamping;
}
