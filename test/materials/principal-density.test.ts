import { describe, expect, it } from "vitest";
import { principalDerivatives, principalValue } from "../../src/materials/principal-density";
import { principalModels } from "../../src/materials/solid-material";

describe.each(principalModels)("%s", (model) => {
  const [mu, lambda] = [3, 5];

  it.each([2, 3])("has the derivatives of its value, n = %i", (n) => {
    const s = [1.3, 0.8, 0.6].slice(0, n);
    const [g, h] = [new Float64Array(n), new Float64Array(n * n)];
    const [g1, g0, none] = [new Float64Array(n), new Float64Array(n), new Float64Array(n * n)];
    principalDerivatives(model, s, n, mu, lambda, g, h);
    const d = 1e-6;
    for (let i = 0; i < n; i++) {
      const plus = s.map((value, k) => value + (k === i ? d : 0));
      const minus = s.map((value, k) => value - (k === i ? d : 0));
      const slope =
        (principalValue(model, plus, n, mu, lambda) - principalValue(model, minus, n, mu, lambda)) / (2 * d);
      expect(slope).toBeCloseTo(g[i], 7);
      principalDerivatives(model, plus, n, mu, lambda, g1, none);
      principalDerivatives(model, minus, n, mu, lambda, g0, none);
      for (let k = 0; k < n; k++) expect((g1[k] - g0[k]) / (2 * d)).toBeCloseTo(h[i * n + k], 6);
    }
  });

  it("has Lamé's parameters at rest", () => {
    const [g, h] = [new Float64Array(3), new Float64Array(9)];
    principalDerivatives(model, [1, 1, 1], 3, mu, lambda, g, h);
    const l = model === "arap" ? 0 : lambda;
    for (let i = 0; i < 3; i++) {
      expect(g[i]).toBeCloseTo(0, 12);
      for (let k = 0; k < 3; k++) expect(h[3 * i + k]).toBeCloseTo((i === k ? 2 * mu : 0) + l, 12);
    }
  });
});
