import { describe, expect, it } from "vitest";
import measured from "../../../bench/results/cloth-cpu-2026-11-27.json";
import { frameCost, substepsWithin } from "../../../src/solvers/gpbd/frame-cost";
import { recommendedSubsteps } from "../../../src/solvers/gpbd/options";
import { gridCloth } from "../../world/cloths";

const cloth = (segments: number) => gridCloth({ width: 1, height: 1, columns: segments, rows: segments });

describe("cost of a frame", () => {
  it("is what the reference core measured, within a third", () => {
    const rows = measured.rows.filter(({ backend, size }) => backend === "cpu" && size <= 64);
    expect(rows.map(({ size }) => size)).toEqual([32, 64]);
    for (const { size, msPerFrame } of rows) {
      const model = cloth(size);
      const ratio = frameCost(model, recommendedSubsteps(model)) / msPerFrame;
      expect(ratio, `${size}`).toBeGreaterThan(2 / 3);
      expect(ratio, `${size}`).toBeLessThan(3 / 2);
    }
  });

  it("decides on substeps: more for more time, at least four, never more than are wanted", () => {
    const model = cloth(32);
    expect(substepsWithin(undefined, model, 26)).toBe(26);
    expect(substepsWithin(100, model, 26)).toBe(26);
    expect(substepsWithin(1e-3, model, 26)).toBe(4);
    // The number is the same on every machine.
    expect([4, 3, 2, 1].map((budget) => substepsWithin(budget, model, 26))).toEqual([26, 20, 8, 4]);
    expect(substepsWithin(1, model, 26, 26 / 3)).toBe(8);
    const chosen = substepsWithin(2, model, 26);
    expect(frameCost(model, chosen)).toBeLessThanOrEqual(2);
    expect(frameCost(model, chosen + 1)).toBeGreaterThan(2);
  });
});
