/**
 * Anderson's acceleration of sweeps z ← g(z): of the latest ones the combination whose changes r = D (g(z) − z) cancel best, D = diag W.
 * Once contacts stay open, sticking or sliding, sweeps are linear, and this is GMRES with sweeps as the preconditioner. All sweeps have to
 * be the same map: those that go there and back in turn have no common fixed point to extrapolate to until they have converged.
 */
import { dotProduct, solveCholesky } from "../../../math/dense";

/** Sweeps that are combined, at most. */
const MOST = 6;
/** Part of the trace of the normal equations that is added to their diagonal. */
const LEAST = 1e-10;
/** If a change is so many times the least one, those before it are forgotten. */
const WORSE = 2;

export class Anderson {
  /** states after sweeps and what they changed, by turns */
  private readonly states: Float64Array[] = [];
  private readonly changes: Float64Array[] = [];
  /** rᵢ · rⱼ */
  private readonly products = new Float64Array(MOST * MOST);
  private readonly matrix = new Float64Array(MOST * MOST);
  private readonly shares = new Float64Array(MOST);
  private readonly others: number[] = [];
  private count = 0;
  private next = 0;
  private least = Infinity;

  /**
   * @param size of states
   * @param rows of changes
   */
  begin(size: number, rows: number): void {
    this.count = 0;
    this.next = 0;
    this.least = Infinity;
    for (let i = 0; i < MOST; i++) {
      if ((this.states[i]?.length ?? 0) < size) this.states[i] = new Float64Array(2 * size);
      if ((this.changes[i]?.length ?? 0) < rows) this.changes[i] = new Float64Array(2 * rows);
    }
  }

  /**
   * Takes a sweep up, and replaces its state by the combination.
   *
   * @param state what sweeps change, linear in z
   * @param change r of the sweep
   */
  mix(state: Float64Array, change: Float64Array): void {
    const { states, changes, products, matrix, shares, others, next: own } = this;
    const [size, rows] = [state.length, change.length];
    const squared = dotProduct(change, change, rows);
    if (squared > WORSE * WORSE * this.least) this.count = 0;
    this.least = Math.min(this.least, squared);
    states[own].set(state);
    changes[own].set(change);
    this.next = (own + 1) % MOST;
    this.count = Math.min(MOST, this.count + 1);
    others.length = 0;
    for (let k = 1; k < this.count; k++) others.push((own + MOST - k) % MOST);
    products[own * MOST + own] = squared;
    for (const i of others) products[own * MOST + i] = products[i * MOST + own] = dotProduct(changes[i], change, rows);
    const k = others.length;
    let trace = 0;
    for (let a = 0; a < k; a++) {
      const row = others[a] * MOST;
      for (let b = 0; b <= a; b++)
        matrix[a * k + b] =
          products[row + others[b]] - products[row + own] - products[others[b] * MOST + own] + squared;
      trace += matrix[a * k + a]!;
      shares[a] = squared - products[row + own];
    }
    for (let a = 0; a < k; a++) matrix[a * k + a] += LEAST * trace;
    if (!(trace > 0) || !solveCholesky(matrix, shares, k)) return;
    let rest = 1;
    for (let a = 0; a < k; a++) rest -= shares[a]!;
    for (let i = 0; i < size; i++) state[i] *= rest;
    for (let a = 0; a < k; a++) {
      const other = states[others[a]];
      const share = shares[a];
      for (let i = 0; i < size; i++) state[i] += share * other[i];
    }
  }
}
