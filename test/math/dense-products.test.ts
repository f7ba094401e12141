import { describe, it } from "vitest";
import { addProduct, addTransposedProduct } from "../../src/math/dense-products";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";

describe("dense products", () => {
  it.each([
    [1, 1, 1],
    [3, 4, 5],
    [5, 7, 2],
    [9, 13, 11],
    [6, 9, 70],
  ])("add %i × %i times … × %i, plain and transposed", (rows, inner, columns) => {
    const random = new RandomGeometry(rows);
    const matrix = (size: number) => Float64Array.from({ length: size }, () => random.between(-1, 1));
    const x = matrix(rows * inner);
    // zeros are skipped
    x.fill(0, 0, Math.min(4, inner));
    const y = matrix(inner * columns).map((value, at) => (at % columns > 2 && at % columns < 7 ? 0 : value));
    const start = matrix(rows * columns);
    const expected = start.map((value, at) => {
      const [i, j] = [Math.floor(at / columns), at % columns];
      for (let k = 0; k < inner; k++) value += -2 * x[i * inner + k] * y[k * columns + j];
      return value;
    });
    const out = start.slice();
    addProduct(x, y, out, rows, inner, columns, -2);
    const transposed = Float64Array.from(x, (_, at) => x[(at % rows) * inner + Math.floor(at / rows)]);
    const other = start.slice();
    addTransposedProduct(transposed, y, other, rows, inner, columns, -2);
    for (const result of [out, other])
      expectWithin("X Y", Math.max(...result.map((value, at) => Math.abs(value - expected[at]))), 1e-14);
  });
});
