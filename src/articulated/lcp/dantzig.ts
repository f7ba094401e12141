import { CholeskyUpdate } from "./cholesky-update";
import { RowClass, type BoxedLcp } from "./problem";

/** A pivot below this part of its diagonal counts as zero: the row depends on rows that already clamp. */
const DEPENDENT = 1e-10;

const UNSEEN = 0;
const AT_LOW = 1;
const AT_HIGH = 2;
const CLAMPING = 3;
/** The row has w = 0 through the clamping rows that it depends on. */
const FREE = 4;

/**
 * Dantzig's pivoting method for boxed LCPs (Cottle & Dantzig 1968; Baraff 1994), with fixed bounds: a friction row is
 * bounded by µ times the current normal impulse when the row is reached, so normal rows must come first. The chain of
 * `solve.ts` lets the bounds follow the normal impulses afterwards.
 *
 * Rows are added one by one. Driving row i changes fᵢ while the clamping rows C respond so that w_C stays zero, Δf_C =
 * -A_CC⁻¹ A_Ci Δfᵢ, until w_i is zero or f_i is at a bound. The row that reaches its limit first changes its class.
 * A_CC is kept as a Cholesky factor that is updated with C. Rows that depend on C and have w = 0 are not in the factor.
 */
export class Dantzig {
  private readonly factor = new CholeskyUpdate();
  private direction = new Float64Array(0);
  private rate = new Float64Array(0);
  private low = new Float64Array(0);
  private high = new Float64Array(0);
  private state = new Int8Array(0);

  private limit = 0;

  private reserve(n: number): void {
    if (n <= this.rate.length) return;
    this.direction = new Float64Array(n);
    this.rate = new Float64Array(n);
    this.low = new Float64Array(n);
    this.high = new Float64Array(n);
    this.state = new Int8Array(n);
  }

  /**
   * Solves the problem from zero. Writes `lcp.f`, `lcp.w` and `lcp.classes`.
   *
   * @param loads if given, bounds of friction rows use these normal impulses instead of those of the solution
   * @returns false if no solution was found: the problem has none, or rounding led to a cycle
   */
  solve(lcp: BoxedLcp, loads: Float64Array | undefined): boolean {
    const { n, b, f, w, findex } = lcp;
    this.reserve(n);
    this.factor.reset(n);
    let scale = 0;
    for (let i = 0; i < n; i++) {
      scale = Math.max(scale, Math.abs(b[i]));
      this.state[i] = UNSEEN;
      f[i] = 0;
      w[i] = b[i];
    }
    let solved = true;
    let budget = 20 * n + 50;
    // Plain rows and normals come first: friction needs their impulses for its bounds.
    for (let pass = 0; pass < 2 && solved; pass++)
      for (let i = 0; i < n && solved; i++) {
        if (findex[i] >= 0 !== (pass === 1)) continue;
        if (findex[i] >= 0) {
          this.high[i] = lcp.hi[i] * Math.max(0, (loads ?? f)[findex[i]]);
          this.low[i] = -this.high[i];
        } else {
          this.low[i] = lcp.lo[i];
          this.high[i] = lcp.hi[i];
        }
        budget = this.drive(lcp, i, 1e-13 * scale, budget);
        solved = budget > 0;
      }
    for (let i = 0; i < n; i++) {
      const state = this.state[i];
      lcp.classes[i] = state === CLAMPING || state === FREE ? RowClass.Clamping : this.boundClass(lcp, i, state);
    }
    return solved;
  }

  private boundClass(lcp: BoxedLcp, i: number, state: number): number {
    if (lcp.findex[i] < 0) return state === AT_HIGH ? RowClass.Upper : RowClass.Separating;
    if (this.high[i] === 0) return RowClass.Separating;
    return state === AT_HIGH ? RowClass.Upper : RowClass.Lower;
  }

  /** Adds row i. Returns the remaining budget of pivots, 0 on failure. */
  private drive(lcp: BoxedLcp, i: number, tiny: number, budget: number): number {
    const { f, w } = lcp;
    const { low, high, rate, direction, factor } = this;
    // A row whose box does not contain zero is first driven into the box, for any w.
    const forced = low[i] > 0 ? low[i] : high[i] < 0 ? high[i] : 0;
    let inside = forced === 0;
    for (; budget > 1; budget--) {
      let sign: number;
      if (!inside) sign = Math.sign(forced);
      else if (w[i] > tiny && f[i] > low[i]) sign = -1;
      else if (w[i] < -tiny && f[i] < high[i]) sign = 1;
      else break;
      this.answer(lcp, i, sign);
      const goal = !inside ? forced : sign > 0 ? high[i] : low[i];
      let step = Math.abs(goal - f[i]);
      let reachesGoal = true;
      if (inside && rate[i] * sign > DEPENDENT * lcp.a[i * lcp.n + i] && -w[i] / rate[i] < step) {
        step = -w[i] / rate[i];
        reachesGoal = false;
      }
      const blocker = this.firstBlocker(lcp, i, step);
      if (blocker >= 0) step = this.limit;
      if (!(step < Infinity)) return 0;
      f[i] = blocker < 0 && reachesGoal ? goal : f[i] + sign * step;
      for (let p = 0; p < factor.count; p++) f[factor.members[p]] += step * direction[p];
      for (let k = 0; k < lcp.n; k++) w[k] += step * rate[k];
      for (let p = 0; p < factor.count; p++) w[factor.members[p]] = 0;
      if (blocker >= 0) this.switchSides(lcp, blocker);
      else if (!inside) inside = true;
      else {
        if (!reachesGoal) w[i] = 0;
        break;
      }
    }
    this.settle(lcp, i);
    return budget - 1;
  }

  /** Computes the changes while fᵢ moves at speed `sign`: `direction` for C, `rate` = Δw for all. */
  private answer(lcp: BoxedLcp, i: number, sign: number): void {
    const { n, a } = lcp;
    const { direction, rate, factor } = this;
    for (let p = 0; p < factor.count; p++) direction[p] = -sign * a[i * n + factor.members[p]];
    factor.solve(direction);
    for (let k = 0; k < n; k++) {
      let sum = sign * a[k * n + i];
      for (let p = 0; p < factor.count; p++) sum += a[k * n + factor.members[p]] * direction[p];
      rate[k] = sum;
    }
  }

  /** The row that reaches its limit first, before `step`; -1 if none does. Writes that step to `limit`. */
  private firstBlocker(lcp: BoxedLcp, i: number, step: number): number {
    const { n, a, f, w } = lcp;
    const { low, high, state, rate, direction, factor } = this;
    let blocker = -1;
    this.limit = step;
    for (let p = 0; p < factor.count; p++) {
      if (direction[p] === 0) continue;
      const k = factor.members[p];
      const room = direction[p] > 0 ? high[k] - f[k] : f[k] - low[k];
      const limit = Math.max(0, room) / Math.abs(direction[p]);
      if (limit < this.limit) {
        this.limit = limit;
        blocker = k;
      }
    }
    for (let k = 0; k < n; k++) {
      if (k === i || low[k] === high[k]) continue;
      if (state[k] !== AT_LOW && state[k] !== AT_HIGH && state[k] !== FREE) continue;
      if (Math.abs(rate[k]) <= DEPENDENT * (a[k * n + k] + a[i * n + i])) continue;
      if (state[k] !== FREE && rate[k] > 0 === (state[k] === AT_LOW)) continue;
      const limit = state[k] === FREE ? 0 : Math.max(0, -w[k] / rate[k]);
      if (limit < this.limit) {
        this.limit = limit;
        blocker = k;
      }
    }
    return blocker;
  }

  private switchSides(lcp: BoxedLcp, k: number): void {
    const { f } = lcp;
    if (this.state[k] !== CLAMPING) {
      this.clamp(lcp, k);
      return;
    }
    const { factor } = this;
    factor.remove(factor.members.indexOf(k));
    this.state[k] = Math.abs(f[k] - this.low[k]) <= Math.abs(f[k] - this.high[k]) ? AT_LOW : AT_HIGH;
    f[k] = this.state[k] === AT_LOW ? this.low[k] : this.high[k];
  }

  /** Assigns the class of the driven row. */
  private settle(lcp: BoxedLcp, i: number): void {
    if (lcp.f[i] <= this.low[i]) this.state[i] = AT_LOW;
    else if (lcp.f[i] >= this.high[i]) this.state[i] = AT_HIGH;
    else this.clamp(lcp, i);
  }

  private clamp(lcp: BoxedLcp, k: number): void {
    lcp.w[k] = 0;
    this.state[k] = this.factor.append(lcp.a, lcp.n, k, DEPENDENT) ? CLAMPING : FREE;
  }
}
