/** Decay of the moments, and the number that keeps steps finite. */
const [DECAY, SQUARE_DECAY, TINY] = [0.9, 0.999, 1e-8];

/** Steps of Adam (Kingma and Ba 2015) on numbers in f64. */
export class Adam {
  private readonly first: readonly Float64Array[];
  private readonly second: readonly Float64Array[];
  private steps = 0;

  constructor(private readonly parameters: readonly Float64Array[]) {
    this.first = parameters.map(({ length }) => new Float64Array(length));
    this.second = parameters.map(({ length }) => new Float64Array(length));
  }

  /** Goes against the gradient, by about the rate in each number. */
  step(gradient: readonly Float64Array[], rate: number): void {
    this.steps++;
    const unbiased = (rate * Math.sqrt(1 - SQUARE_DECAY ** this.steps)) / (1 - DECAY ** this.steps);
    this.parameters.forEach((values, k) => {
      const [m, v, g] = [this.first[k], this.second[k], gradient[k]];
      for (let i = 0; i < values.length; i++) {
        m[i] += (1 - DECAY) * (g[i] - m[i]);
        v[i] += (1 - SQUARE_DECAY) * (g[i] * g[i] - v[i]);
        values[i] -= (unbiased * m[i]) / (Math.sqrt(v[i]) + TINY);
      }
    });
  }
}
