/** (x, out): a function of `inputs` numbers that writes `outputs` numbers. */
export type VectorFunction = (x: Float64Array, out: Float64Array) => void;

/** Jacobians of a vector function by differences, with arrays allocated once: outputs × inputs, row-major. */
export class Differences {
  readonly jacobian: Float64Array;
  private readonly ahead: Float64Array;
  private readonly behind: Float64Array;
  private readonly table: Float64Array[];
  private readonly errors: Float64Array;

  constructor(
    private readonly f: VectorFunction,
    private readonly inputs: number,
    private readonly outputs: number,
  ) {
    this.jacobian = new Float64Array(inputs * outputs);
    this.ahead = new Float64Array(outputs);
    this.behind = new Float64Array(outputs);
    this.table = Array.from({ length: 2 * levels }, () => new Float64Array(outputs));
    this.errors = new Float64Array(outputs);
  }

  /** Central differences with one step. */
  central(x: Float64Array, h: number): Float64Array {
    for (let j = 0; j < this.inputs; j++) {
      this.slope(x, j, h, this.errors);
      for (let i = 0; i < this.outputs; i++) this.jacobian[i * this.inputs + j] = this.errors[i];
    }
    return this.jacobian;
  }

  /** Ridders' method: shrinking steps, extrapolated to zero; stops when the error grows. */
  ridders(x: Float64Array, h: number): Float64Array {
    const { jacobian, inputs, outputs, errors, table } = this;
    for (let j = 0; j < inputs; j++) {
      errors.fill(Infinity);
      let least = Infinity;
      for (let level = 0, step = h; level < levels; level++, step /= shrink) {
        const row = (level % 2) * levels;
        const before = levels - row;
        this.slope(x, j, step, table[row]);
        let worst = 0;
        for (let order = 1, factor = shrink * shrink; order <= level; order++, factor *= shrink * shrink) {
          const finer = table[row + order - 1];
          const coarser = table[before + order - 1];
          const result = table[row + order];
          for (let i = 0; i < outputs; i++) {
            const value = (finer[i] * factor - coarser[i]) / (factor - 1);
            const error = Math.max(Math.abs(value - finer[i]), Math.abs(value - coarser[i]));
            result[i] = value;
            if (order === level) worst = Math.max(worst, error);
            if (error < errors[i]) {
              errors[i] = error;
              jacobian[i * inputs + j] = value;
            }
          }
        }
        if (level > 1 && worst > 2 * least) break;
        if (level > 0) least = Math.min(least, worst);
      }
    }
    return jacobian;
  }

  private slope(x: Float64Array, j: number, h: number, out: Float64Array): void {
    const { f, ahead, behind } = this;
    const at = x[j];
    x[j] = at + h;
    f(x, ahead);
    x[j] = at - h;
    f(x, behind);
    x[j] = at;
    for (let i = 0; i < this.outputs; i++) out[i] = (ahead[i] - behind[i]) / (2 * h);
  }
}

const levels = 8;
const shrink = 1.4;
