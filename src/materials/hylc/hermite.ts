/**
 * Hermite splines in packed numbers: weights of a knot's value and slope at a place, with two derivatives.
 *
 * Between knots t₀ and t₁ a cubic has the values p and slopes m of both. Outside all knots, a spline continues in a
 * straight line from the last knot: the weight of its value is 1, and that of its slope is the distance.
 */

/** Weights along one axis: value and slope of the knot at `first`, then those of the next; each with two derivatives. */
export interface HermiteWeights {
  first: number;
  /** p₀, m₀, p₁, m₁ */
  readonly w: Float64Array;
  readonly dw: Float64Array;
  readonly ddw: Float64Array;
}

export function createWeights(): HermiteWeights {
  return { first: 0, w: new Float64Array(4), dw: new Float64Array(4), ddw: new Float64Array(4) };
}

/**
 * @param a packed numbers; knots are a[at] … a[at + count − 1]
 * @param x place
 */
export function hermiteWeights(a: ArrayLike<number>, at: number, count: number, x: number, out: HermiteWeights): void {
  const { w, dw, ddw } = out;
  const last = at + count - 1;
  if (!(x > a[at] && x < a[last])) {
    // at the end, all weight is on one knot of the last cell
    const end = x >= a[last] ? 1 : 0;
    out.first = end === 1 ? count - 2 : 0;
    for (let i = 0; i < 4; i++) w[i] = dw[i] = ddw[i] = 0;
    w[2 * end] = 1;
    w[2 * end + 1] = x - a[end === 1 ? last : at];
    dw[2 * end + 1] = 1;
    return;
  }
  let low = at;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (a[middle] <= x) low = middle;
    else high = middle;
  }
  out.first = low - at;
  const h = a[high] - a[low];
  const t = (x - a[low]) / h;
  const s = 1 - t;
  w[0] = s * s * (1 + 2 * t);
  w[1] = h * t * s * s;
  w[2] = t * t * (3 - 2 * t);
  w[3] = -h * t * t * s;
  dw[2] = (6 * t * s) / h;
  dw[0] = -dw[2];
  dw[1] = s * (1 - 3 * t);
  dw[3] = t * (3 * t - 2);
  ddw[2] = (6 - 12 * t) / (h * h);
  ddw[0] = -ddw[2];
  ddw[1] = (6 * t - 4) / h;
  ddw[3] = (6 * t - 2) / h;
}
