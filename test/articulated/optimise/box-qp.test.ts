import { describe, expect, it } from "vitest";
import { BoxQp } from "../../../src/articulated/optimise/box-qp";
import { mulberry } from "../../../samples/random";
import { normal } from "./mechanisms";

describe("a quadratic within bounds", () => {
  it("is solved: the gradient is 0 where free, and points out of the box elsewhere", () => {
    const next = mulberry(11);
    for (let n = 1; n <= 12; n++)
      for (let round = 0; round < 20; round++) {
        const root = Float64Array.from({ length: n * n }, () => normal(next));
        const h = new Float64Array(n * n);
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++) {
            for (let k = 0; k < n; k++) h[i * n + j] += root[i * n + k] * root[j * n + k];
            if (i === j) h[i * n + j] += 0.1;
          }
        const g = Float64Array.from({ length: n }, () => 3 * normal(next));
        const lower = Float64Array.from({ length: n }, () => (next() < 0.2 ? -Infinity : -next()));
        const upper = Float64Array.from({ length: n }, () => (next() < 0.2 ? Infinity : next()));
        const qp = new BoxQp(n);
        expect(qp.solve(h, g, lower, upper)).toBe(true);
        for (let i = 0; i < n; i++) {
          let slope = g[i];
          for (let j = 0; j < n; j++) slope += h[i * n + j] * qp.x[j];
          expect(qp.x[i]).toBeGreaterThanOrEqual(lower[i]);
          expect(qp.x[i]).toBeLessThanOrEqual(upper[i]);
          if (qp.x[i] > lower[i] && qp.x[i] < upper[i]) expect(Math.abs(slope)).toBeLessThan(1e-8);
          else if (qp.x[i] === lower[i]) expect(slope).toBeGreaterThan(-1e-8);
          else expect(slope).toBeLessThan(1e-8);
        }
      }
  });

  it("is refused where it is not convex", () => {
    const free = [Float64Array.of(-1, -1), Float64Array.of(1, 1)] as const;
    expect(new BoxQp(2).solve(Float64Array.of(1, 0, 0, -1), Float64Array.of(0, 0), ...free)).toBe(false);
  });
});
