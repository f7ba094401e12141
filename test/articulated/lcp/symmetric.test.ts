import { describe, expect, it } from "vitest";
import { OrthogonalFactor } from "../../../src/articulated/lcp/orthogonal";
import { SymmetricFactor } from "../../../src/articulated/lcp/symmetric";
import { addProduct } from "../../../src/math/dense-products";
import { RandomGeometry } from "../../collision/random";

/** J Jᵀ with J of n × rank, some rows of J doubled and one zero. */
function gram(random: RandomGeometry, n: number, rank: number): Float64Array {
  const jacobian = Float64Array.from({ length: n * rank }, () => random.between(-1, 1));
  if (n > rank + 2) {
    jacobian.copyWithin(rank * (n - 1), 0, rank);
    jacobian.fill(0, rank * (n - 2), rank * (n - 1));
  }
  const transposed = jacobian.map((_, at) => jacobian[(at % n) * rank + Math.floor(at / n)]);
  const out = new Float64Array(n * n);
  addProduct(jacobian, transposed, out, n, rank, n, 1);
  return out;
}

describe("pseudo-inverse of semidefinite matrices", () => {
  it.each([
    [1, 1],
    [6, 6],
    [9, 4],
    [24, 11],
    [36, 12],
  ])("of %i rows and rank %i: all that it can do agrees with the orthogonal decomposition", (n, rank) => {
    const random = new RandomGeometry(n);
    const symmetric = new SymmetricFactor();
    const general = new OrthogonalFactor();
    for (let trial = 0; trial < 10; trial++) {
      const a = gram(random, n, rank);
      symmetric.factor(a, n);
      general.factor(a, n);
      expect(symmetric.rank).toBe(rank);
      expect(general.rank).toBe(rank);
      for (const method of ["solve", "solveTransposed", "projectOnKernel"] as const) {
        const x = Float64Array.from({ length: n + 2 }, () => random.between(-1, 1));
        const y = x.slice();
        symmetric[method](x, 1);
        general[method](y, 1);
        expectNear(x, y);
      }
      const left = new Float64Array(n * rank);
      const right = new Float64Array(n * rank);
      const products = [symmetric, general].map((factor) => {
        factor.thinInverse(left, right);
        const product = new Float64Array(n * n);
        addProduct(left, right, product, n, rank, n, 1);
        return product;
      });
      expectNear(products[0], products[1]);
    }
  });

  it("of nothing and of zeros has rank 0", () => {
    const factor = new SymmetricFactor();
    factor.factor(new Float64Array(0), 0);
    expect(factor.rank).toBe(0);
    factor.factor(new Float64Array(9), 3);
    expect(factor.rank).toBe(0);
    const x = Float64Array.of(1, 2, 3);
    factor.projectOnKernel(x);
    expect([...x]).toEqual([1, 2, 3]);
    factor.solve(x);
    expect([...x]).toEqual([0, 0, 0]);
  });
});

function expectNear(a: Float64Array, b: Float64Array): void {
  const scale = Math.max(1, ...b.map(Math.abs));
  a.forEach((x, i) => expect(Math.abs(x - b[i]) / scale).toBeLessThan(1e-9));
}
