/**
 * Jacobian of a vector function by Ridders' method: central differences with shrinking steps, extrapolated to step
 * zero. Each entry keeps the extrapolation with the least estimated error.
 *
 * @param f writes `outputs` numbers for the inputs x
 * @param x restored afterwards
 * @param h first step
 * @returns outputs × x.length, row-major
 */
export function riddersJacobian(
  f: (x: Float64Array, out: Float64Array) => void,
  x: Float64Array,
  outputs: number,
  h = 0.05,
): Float64Array {
  const shrink = 1.6;
  const levels = 9;
  const result = new Float64Array(outputs * x.length);
  const ahead = new Float64Array(outputs);
  const behind = new Float64Array(outputs);
  for (let j = 0; j < x.length; j++) {
    const at = x[j];
    const errors = new Float64Array(outputs).fill(Infinity);
    let previous: Float64Array[] = [];
    for (let level = 0, step = h; level < levels; level++, step /= shrink) {
      x[j] = at + step;
      f(x, ahead);
      x[j] = at - step;
      f(x, behind);
      const row = [Float64Array.from(ahead, (value, i) => (value - behind[i]) / (2 * step))];
      for (let order = 1, factor = shrink * shrink; order <= level; order++, factor *= shrink * shrink) {
        const finer = row[order - 1];
        const coarser = previous[order - 1];
        row.push(finer.map((value, i) => (value * factor - coarser[i]) / (factor - 1)));
        for (let i = 0; i < outputs; i++) {
          const value = row[order][i];
          const error = Math.max(Math.abs(value - finer[i]), Math.abs(value - coarser[i]));
          if (error < errors[i]) {
            errors[i] = error;
            result[i * x.length + j] = value;
          }
        }
      }
      previous = row;
    }
    x[j] = at;
  }
  return result;
}
