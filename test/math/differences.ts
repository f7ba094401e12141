/**
 * Derivatives by central differences with Richardson's extrapolation (error of fourth order in `h`).
 *
 * @param f function of one number
 */
export function derivative(f: (t: number) => number, h: number): number {
  const central = (step: number): number => (f(step) - f(-step)) / (2 * step);
  return (4 * central(h / 2) - central(h)) / 3;
}

/** ∂f/∂x of a scalar or vector function, outputs × inputs, row-major; `x` is restored afterwards. */
export function jacobianByDifferences(
  f: (x: Float64Array, out: Float64Array) => void,
  x: Float64Array,
  outputs: number,
  h: number,
): Float64Array {
  const result = new Float64Array(outputs * x.length);
  const out = new Float64Array(outputs);
  for (let j = 0; j < x.length; j++) {
    const at = x[j];
    for (let i = 0; i < outputs; i++)
      result[i * x.length + j] = derivative((t) => {
        x[j] = at + t;
        f(x, out);
        return out[i];
      }, h);
    x[j] = at;
  }
  return result;
}

/** Largest |a − b| over the largest |b| (or over `floor`, if that is larger). */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>, floor = 0): number {
  let difference = 0;
  let size = floor;
  for (let i = 0; i < b.length; i++) {
    difference = Math.max(difference, Math.abs(a[i] - b[i]));
    size = Math.max(size, Math.abs(b[i]));
  }
  return Number.isNaN(difference) ? Infinity : difference / (size || 1);
}
