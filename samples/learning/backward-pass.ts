import { BoxQp } from "../../src/articulated/optimise/box-qp";
import { multiplyInto } from "../../src/articulated/optimise/differentiable-step";
import type { QuadraticCost } from "./environment";

/** A decision of a policy, and the derivatives of the steps that followed. */
export interface LinearizedDecision {
  readonly state: Float64Array;
  /** what was done: the mean with noise, numbers from −1 to 1 */
  readonly control: Float64Array;
  readonly mean: Float64Array;
  /** ∂mean/∂state, one row for each control */
  readonly slopes: Float64Array;
  /** ∂(state after)/∂state, and by the controls */
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** A better control at the state of a decision, and its slopes by the state. */
export interface BetterDecision {
  readonly control: Float64Array;
  readonly gains: Float64Array;
}

/**
 * Finds better decisions along a way that was played, from its end to its start: the way of iLQR (Tassa, Mansard & Todorov 2014) with a
 * price for leaving the policy, so that neighboring ways agree (Levine & Koltun 2013).
 *
 *   A, B derivatives of a step      V cost from a state on, γ discount      Q cost of a decision and γ V after it
 *   u + k + K δx minimizes Q + ½ µ |u − π(x)|², with u within −1 and 1
 */
export function findBetterDecisions(
  decisions: readonly LinearizedDecision[],
  end: ArrayLike<number>,
  cost: QuadraticCost,
  { discount, price }: { readonly discount: number; readonly price: number },
): BetterDecision[] {
  const n = end.length;
  const { weights, targets, effort } = cost;
  const vx = Float64Array.from(end, (value, i) => 2 * weights[i] * (value - targets[i]));
  const vxx = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vxx[i * (n + 1)] = 2 * weights[i];
  const found: BetterDecision[] = [];
  for (let step = decisions.length - 1; step >= 0; step--) {
    const { state, control, mean, slopes, a, b } = decisions[step];
    const m = control.length;
    for (let i = 0; i < n; i++) vx[i] *= discount;
    for (let i = 0; i < n * n; i++) vxx[i] *= discount;
    const qx = pulled(a, vx, n);
    const qu = pulled(b, vx, m);
    const qxx = squared(a, vxx, a, n, n);
    const qux = squared(b, vxx, a, m, n);
    const quu = squared(b, vxx, b, m, m);
    for (let i = 0; i < n; i++) {
      qx[i] += 2 * weights[i] * (state[i] - targets[i]);
      qxx[i * (n + 1)] += 2 * weights[i];
    }
    for (let j = 0; j < m; j++) {
      qu[j] += 2 * effort * control[j];
      quu[j * (m + 1)] += 2 * effort;
    }
    const better = minimise();
    found[step] = { control: better.change.map((change, j) => control[j] + change), gains: better.gains };
    updateValue(better.change, better.gains);

    function minimise(): { change: Float64Array; gains: Float64Array } {
      const box = new BoxQp(m);
      const hessian = quu.slice();
      for (let j = 0; j < m; j++) hessian[j * (m + 1)] += price;
      const slope = qu.map((value, j) => value + price * (control[j] - mean[j]));
      const [low, high] = [control.map((value) => -1 - value), control.map((value) => 1 - value)];
      box.solve(hessian, slope, low, high);
      const gains = qux.map((value, i) => price * slopes[i] - value);
      for (let i = 0; i < n; i++) box.solveFree(gains, i, n);
      return { change: box.x.slice(), gains };
    }

    /** V of the state before, if the decision is the better one. */
    function updateValue(change: Float64Array, gains: Float64Array): void {
      for (let j = 0; j < m; j++) {
        let after = qu[j];
        for (let l = 0; l < m; l++) after += quu[j * m + l] * change[l];
        for (let i = 0; i < n; i++) qx[i] += gains[j * n + i] * after + qux[j * n + i] * change[j];
      }
      const mixed = new Float64Array(m * n);
      multiplyInto(quu, gains, mixed, m, m, n);
      for (let i = 0; i < n; i++)
        for (let l = 0; l <= i; l++) {
          let sum = 0;
          for (let j = 0; j < m; j++) {
            const [p, q] = [j * n + i, j * n + l];
            sum += gains[p] * mixed[q] + gains[q] * mixed[p];
            sum += 2 * (gains[p] * qux[q] + qux[p] * gains[q]);
          }
          const value = (qxx[i * n + l] + qxx[l * n + i] + sum) / 2;
          vxx[i * n + l] = vxx[l * n + i] = value;
        }
      vx.set(qx);
    }
  }
  return found;
}

/** Mᵀ v, for M with a row for each number of v. */
function pulled(matrix: Float64Array, vector: Float64Array, width: number): Float64Array {
  const out = new Float64Array(width);
  for (let i = 0; i < vector.length; i++) for (let j = 0; j < width; j++) out[j] += matrix[i * width + j] * vector[i];
  return out;
}

/** Lᵀ V R. */
function squared(left: Float64Array, v: Float64Array, right: Float64Array, rows: number, width: number): Float64Array {
  const n = left.length / rows;
  const product = new Float64Array(n * width);
  multiplyInto(v, right, product, n, n, width);
  const out = new Float64Array(rows * width);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < rows; j++) {
      const factor = left[i * rows + j];
      for (let k = 0; k < width; k++) out[j * width + k] += factor * product[i * width + k];
    }
  return out;
}
