/** A matrix with Babylon's conventions (row vectors, p' = p M, last column 0 0 0 1), in double precision. */
export class AffineMatrix {
  /** @param values 16 numbers, row after row */
  constructor(private readonly values: Float64Array) {}

  asArray(): Float64Array {
    return this.values;
  }

  /** The matrix that applies this one first, then another: p M N. */
  multiply(next: AffineMatrix): AffineMatrix {
    const [m, n] = [this.values, next.values];
    return new AffineMatrix(
      Float64Array.from({ length: 16 }, (_, i) => {
        const row = i - (i % 4);
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += m[row + k] * n[4 * k + (i % 4)];
        return sum;
      }),
    );
  }

  inverse(): AffineMatrix {
    const m = this.values;
    // the inverse of the linear part: cross products of its rows, as columns, over the determinant
    const cofactor = (row: number, c: number): number => {
      const [i, j] = [4 * ((row + 1) % 3), 4 * ((row + 2) % 3)];
      const [a, b] = [(c + 1) % 3, (c + 2) % 3];
      return m[i + a] * m[j + b] - m[i + b] * m[j + a];
    };
    const determinant = m[0] * cofactor(0, 0) + m[1] * cofactor(0, 1) + m[2] * cofactor(0, 2);
    const inverse = new Float64Array(16);
    for (let row = 0; row < 3; row++) for (let c = 0; c < 3; c++) inverse[4 * row + c] = cofactor(c, row) / determinant;
    for (let c = 0; c < 3; c++)
      inverse[12 + c] = -(m[12] * inverse[c] + m[13] * inverse[4 + c] + m[14] * inverse[8 + c]);
    inverse[15] = 1;
    return new AffineMatrix(inverse);
  }
}
