import { describe, expect, it } from "vitest";
import { chart, fillRow, kinds } from "../../bench/local-global/suite";

describe("curves of figure 9", () => {
  it.each([1e5, 1e9])(
    "with the sparse inverse a step converges faster than with Jacobi's iterations: %s Pa",
    (youngsModulus) => {
      const { curves } = chart(youngsModulus, 12);
      const at = (name: string): number => curves.find((curve) => curve.name === name)!.values[12]!;
      expect(at("sparse inverse")).toBeLessThan(at("A-Jacobi") / 5);
      expect(at("A-Jacobi")).toBeLessThan(at("Jacobi"));
      expect(at("Jacobi")).toBeLessThan(1);
    },
  );
});

describe("rows of Tables 1 and 2", () => {
  it("say what the sparse inverse takes", () => {
    for (const [scene, make] of Object.entries(kinds)) {
      const row = fillRow(scene, make(300));
      expect(row.size, scene).toBeGreaterThan(100);
      expect(row.fill, scene).toBeGreaterThan(1);
      // more than the diagonal, less than a full triangle
      expect(row.megabytes * 2 ** 18, scene).toBeGreaterThan(row.size);
      expect(row.megabytes * 2 ** 18, scene).toBeLessThan((row.size * (row.size + 1)) / 2 + 64 * row.size);
    }
  });
});
