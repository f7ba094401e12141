import { describe, expect, it } from "vitest";
import { OrthogonalFactor } from "../../../src/articulated/lcp/orthogonal";
import { addProduct } from "../../../src/math/dense-products";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";

/** A random n × n matrix of a rank. */
function randomMatrix(n: number, rank: number, seed: number): Float64Array {
  const random = new RandomGeometry(seed);
  const factor = () => Float64Array.from({ length: n * rank }, () => random.between(-1, 1));
  const out = new Float64Array(n * n);
  addProduct(factor(), factor(), out, n, rank, n, 1);
  return out;
}

describe("complete orthogonal decomposition", () => {
  it.each([
    [1, 1],
    [5, 5],
    [6, 4],
    [13, 13],
    [24, 7],
    [36, 12],
  ])("of %i rows and columns and of rank %i gives the pseudo-inverse, whole and as thin factors", (n, rank) => {
    const a = randomMatrix(n, rank, n);
    const factor = new OrthogonalFactor();
    factor.factor(a, n);
    expect(factor.rank).toBe(rank);
    const left = new Float64Array(n * rank);
    const right = new Float64Array(rank * n);
    factor.thinInverse(left, right);
    const inverse = new Float64Array(n * n);
    addProduct(left, right, inverse, n, rank, n, 1);

    const column = new Float64Array(n);
    let worst = 0;
    for (let j = 0; j < n; j++) {
      column.fill(0);
      column[j] = 1;
      factor.solve(column);
      for (let i = 0; i < n; i++) worst = Math.max(worst, Math.abs(column[i] - inverse[i * n + j]));
    }
    const size = Math.max(...inverse.map(Math.abs));
    expectWithin("U V against A⁺", worst / size, 1e-10);

    // Moore and Penrose: A A⁺ A = A, and both products are symmetric
    const multiply = (x: Float64Array, y: Float64Array) => {
      const out = new Float64Array(n * n);
      addProduct(x, y, out, n, n, n, 1);
      return out;
    };
    const [front, back] = [multiply(a, inverse), multiply(inverse, a)];
    const again = multiply(front, a);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        expectWithin("A A⁺ A", Math.abs(again[i * n + j] - a[i * n + j]), 1e-9);
        expectWithin("A A⁺", Math.abs(front[i * n + j] - front[j * n + i]), 1e-8);
        expectWithin("A⁺ A", Math.abs(back[i * n + j] - back[j * n + i]), 1e-8);
      }
  });
});
