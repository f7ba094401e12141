import { describe, expect, it } from "vitest";
import { solveCholesky } from "../../src/math/dense";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";

describe("Cholesky solve", () => {
  it.each([1, 2, 3, 5, 12])("solves random positive definite systems of size %i", (k) => {
    const random = new RandomGeometry(100 + k);
    let worst = 0;
    for (let sample = 0; sample < 123; sample++) {
      const factor = Array.from({ length: k * k }, () => random.between(-1, 1));
      const a = new Float64Array(k * k);
      for (let i = 0; i < k; i++)
        for (let j = 0; j < k; j++) {
          a[i * k + j] = i === j ? 0.5 : 0;
          for (let m = 0; m < k; m++) a[i * k + j] += factor[i * k + m] * factor[j * k + m];
        }
      const x = Float64Array.from({ length: k }, () => random.between(-2, 2));
      const b = Float64Array.from(x, (_, i) => x.reduce((sum, value, j) => sum + a[i * k + j] * value, 0));
      expect(solveCholesky(a, b, k)).toBe(true);
      for (let i = 0; i < k; i++) worst = Math.max(worst, Math.abs(b[i] - x[i]));
    }
    expectWithin("error of the solution", worst, 1e-11);
  });

  it("reads the lower triangle only", () => {
    const a = Float64Array.of(4, 999, 2, 3);
    const b = Float64Array.of(8, 7);
    expect(solveCholesky(a, b, 2)).toBe(true);
    // [[4, 2], [2, 3]] x = (8, 7) has the solution (1.25, 1.5)
    expect(b[0]).toBeCloseTo(1.25, 14);
    expect(b[1]).toBeCloseTo(1.5, 14);
  });

  it.each([
    ["indefinite", [1, 0, 2, 1]],
    ["singular", [1, 0, 1, 1]],
    ["negative", [-1, 0, 0, 1]],
    ["not a number", [NaN, 0, 0, 1]],
  ])("refuses a matrix that is %s", (_what, a) => {
    expect(solveCholesky(Float64Array.from(a), Float64Array.of(1, 1), 2)).toBe(false);
  });
});
