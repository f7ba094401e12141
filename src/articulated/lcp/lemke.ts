import { RowClass, type BoxedLcp } from "./problem";

/** Smaller entries of a tableau column count as zero. */
const ZERO = 1e-11;

/**
 * Lemke's method, with friction bounds that move: slower than Dantzig's, but certain to end at a solution if one exists
 * (Cottle, Pang & Stone, *The Linear Complementarity Problem*, 4.4; for friction Stewart & Trinkle 1996).
 *
 * Every row of the boxed LCP becomes one to three of a plain one, 0 ≤ z ⊥ M z + q ≥ 0:
 *   one-sided   z ⊥ w                                          f = lo + z
 *   two-sided   z ⊥ w + λ,  λ ⊥ hi - lo - z                    f = lo + z
 *   friction    β⁺ ⊥ w + λ,  β⁻ ⊥ λ - w,  λ ⊥ µ f_n - β⁺ - β⁻  f = β⁺ - β⁻
 * M is copositive: zᵀ M z = fᵀ A f + Σ λ µ f_n ≥ 0.
 */
export class Lemke {
  private size = 0;
  private tableau = new Float64Array(0);
  private basis = new Int32Array(0);
  private z = new Float64Array(0);
  /** For each row of M: the row of the LCP, the dependence of f on z, and its role. */
  private row = new Int32Array(0);
  private sign = new Int8Array(0);
  private part = new Int8Array(0);
  /** Constant part of f. */
  private start = new Float64Array(0);

  /**
   * Solves the problem: writes `lcp.f` and the classes that it suggests.
   *
   * @param perturbation [m/s] by which velocities are perturbed, so that ties do not cause cycles; the classes are then
   * those of a neighboring problem
   * @returns false if the method ended on a ray or ran too long
   */
  solve(lcp: BoxedLcp, perturbation = 0): boolean {
    this.layOut(lcp);
    this.fill(lcp);
    const width = 2 * this.size + 2;
    for (let r = 0; r < this.size; r++) {
      // Multiples of the golden ratio, modulo 1, are well separated.
      this.tableau[r * width + width - 1] += perturbation * (0.1 + (((r + 1) * 0.6180339887498949) % 1));
    }
    if (!this.pivotToEnd()) return false;
    const { f, classes, n } = lcp;
    for (let i = 0; i < n; i++) f[i] = this.start[i];
    for (let r = 0; r < this.size; r++) if (this.part[r] === FORCE) f[this.row[r]] += this.sign[r] * this.z[r];
    for (let i = 0; i < n; i++) {
      const k = lcp.findex[i];
      classes[i] = f[i] > lcp.lo[i] ? (f[i] < lcp.hi[i] ? RowClass.Clamping : RowClass.Upper) : RowClass.Separating;
      if (k < 0) continue;
      const bound = lcp.hi[i] * f[k];
      const close = 1e-7 * bound;
      if (bound <= 0) classes[i] = RowClass.Separating;
      else if (f[i] >= bound - close) classes[i] = RowClass.Upper;
      else classes[i] = f[i] <= close - bound ? RowClass.Lower : RowClass.Clamping;
    }
    return true;
  }

  private layOut(lcp: BoxedLcp): void {
    const { n, lo, hi, findex } = lcp;
    const room = 3 * n;
    if (this.row.length < room) {
      this.tableau = new Float64Array(room * (2 * room + 2));
      this.basis = new Int32Array(room);
      this.z = new Float64Array(room);
      this.row = new Int32Array(room);
      this.sign = new Int8Array(room);
      this.part = new Int8Array(room);
      this.start = new Float64Array(n);
    }
    this.size = 0;
    for (let i = 0; i < n; i++) {
      this.start[i] = 0;
      if (findex[i] >= 0 && hi[i] === 0) continue;
      const bounded = findex[i] < 0;
      if (bounded && lo[i] > -Infinity) {
        this.start[i] = lo[i];
        this.add(i, 1, FORCE);
        if (hi[i] < Infinity) this.add(i, 0, BOUND);
      } else if (bounded && hi[i] < Infinity) {
        this.start[i] = hi[i];
        this.add(i, -1, FORCE);
      } else {
        this.add(i, 1, FORCE);
        this.add(i, -1, FORCE);
        if (!bounded) this.add(i, 0, BOUND);
      }
    }
  }

  private add(row: number, sign: number, part: number): void {
    this.row[this.size] = row;
    this.sign[this.size] = sign;
    this.part[this.size++] = part;
  }

  /** Fills the tableau [I, -M, -1 | q]: the initial basic variables are the slacks w. */
  private fill(lcp: BoxedLcp): void {
    const { n, a, b, lo, hi, findex } = lcp;
    const { size, tableau, row, sign, part, start, basis } = this;
    const width = 2 * size + 2;
    tableau.fill(0, 0, size * width);
    for (let r = 0; r < size; r++) {
      const at = r * width;
      const i = row[r];
      basis[r] = r;
      tableau[at + r] = 1;
      tableau[at + 2 * size] = -1;
      let constant: number;
      if (part[r] === FORCE) {
        for (let c = 0; c < size; c++)
          if (part[c] === FORCE) tableau[at + size + c] = -sign[r] * sign[c] * a[i * n + row[c]];
          else if (row[c] === i) tableau[at + size + c] = -1;
        constant = b[i];
        for (let j = 0; j < n; j++) constant += a[i * n + j] * start[j];
        constant *= sign[r];
      } else {
        const k = findex[i];
        for (let c = 0; c < size; c++) {
          if (part[c] !== FORCE) continue;
          if (row[c] === i) tableau[at + size + c] = 1;
          else if (row[c] === k) tableau[at + size + c] = -hi[i] * sign[c];
        }
        constant = k < 0 ? hi[i] - lo[i] : hi[i] * start[k];
      }
      tableau[at + width - 1] = constant;
    }
  }

  private pivotToEnd(): boolean {
    const { size, tableau, basis, z } = this;
    const width = 2 * size + 2;
    const last = width - 1;
    let leaving = -1;
    for (let r = 0; r < size; r++)
      if (tableau[r * width + last] < (leaving < 0 ? 0 : tableau[leaving * width + last])) leaving = r;
    let entering = 2 * size;
    for (let count = 0; leaving >= 0; count++) {
      if (count > 30 * size + 100) return false;
      const left = basis[leaving];
      this.pivot(leaving, entering);
      basis[leaving] = entering;
      if (left === 2 * size) break;
      entering = left < size ? left + size : left - size;
      leaving = this.ratioTest(entering);
      if (leaving < 0) return false;
    }
    z.fill(0, 0, size);
    for (let r = 0; r < size; r++)
      if (basis[r] >= size && basis[r] < 2 * size) z[basis[r] - size] = Math.max(0, tableau[r * width + last]);
    return true;
  }

  /** The row that limits the entering variable: of equal ones the artificial variable's, else of the largest pivot. */
  private ratioTest(entering: number): number {
    const { size, tableau, basis } = this;
    const width = 2 * size + 2;
    let best = Infinity;
    for (let r = 0; r < size; r++) {
      const pivot = tableau[r * width + entering];
      if (pivot > ZERO) best = Math.min(best, Math.max(0, tableau[r * width + width - 1]) / pivot);
    }
    let chosen = -1;
    for (let r = 0; r < size; r++) {
      const pivot = tableau[r * width + entering];
      if (!(pivot > ZERO) || Math.max(0, tableau[r * width + width - 1]) / pivot > best + 1e-13 * (1 + best)) continue;
      if (basis[r] === 2 * size) return r;
      if (chosen < 0 || pivot > tableau[chosen * width + entering]) chosen = r;
    }
    return chosen;
  }

  private pivot(row: number, column: number): void {
    const { size, tableau } = this;
    const width = 2 * size + 2;
    const at = row * width;
    const scale = 1 / tableau[at + column];
    for (let c = 0; c < width; c++) tableau[at + c] *= scale;
    tableau[at + column] = 1;
    for (let r = 0; r < size; r++) {
      const factor = tableau[r * width + column];
      if (r === row || factor === 0) continue;
      for (let c = 0; c < width; c++) tableau[r * width + c] -= factor * tableau[at + c];
      tableau[r * width + column] = 0;
    }
  }
}

const FORCE = 0;
const BOUND = 1;
