import { describe, expect, it } from "vitest";
import { fitExponent, growths } from "../../bench/exponent";
import type { Row } from "../../bench/rows";

const triangles = [2048, 8192, 32768, 131072];

describe("growth exponent", () => {
  it("is the power of a power law", () => {
    for (const power of [0.5, 1, 1.7])
      expect(
        fitExponent(
          triangles,
          triangles.map((n) => 3 * n ** power),
        ),
      ).toBeCloseTo(power, 12);
  });

  it("is the least-squares slope where points scatter", () => {
    // ln y lies ln 2 above, below, below and above the line of slope 1, which leaves the slope alone.
    const times = triangles.map((n, i) => n * [2, 0.5, 0.5, 2][i]);
    expect(fitExponent(triangles, times)).toBeCloseTo(1, 12);
  });

  it("is fitted for each contestant with the same settings at several sizes", () => {
    const row = (label: { backend: "cpu" } | { peer: string }, size: number, settings: string, power: number): Row => {
      const count = 2 * size ** 2;
      const timing = { frames: 2, timedFrames: 1, msPerFrame: count ** power, p95MsPerFrame: count ** power };
      return { scene: "cloth-on-sphere", size, triangles: count, settings, ...label, ...timing };
    };
    const found = growths([
      row({ backend: "cpu" }, 32, "10", 1),
      row({ peer: "jolt-physics" }, 32, "24", 2),
      row({ backend: "cpu" }, 64, "10", 1),
      row({ peer: "jolt-physics" }, 64, "24", 2),
      row({ peer: "jolt-physics" }, 64, "48", 2),
    ]);
    expect(found.map(({ contestant, settings, sizes }) => [contestant, settings, sizes])).toEqual([
      ["cpu", "10", [32, 64]],
      ["jolt-physics", "24", [32, 64]],
    ]);
    expect(found[0].exponent).toBeCloseTo(1, 12);
    expect(found[1].exponent).toBeCloseTo(2, 12);
  });
});
