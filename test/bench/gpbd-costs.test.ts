import { describe, expect, it } from "vitest";
import { bytes, costRows, operationsOf } from "../../bench/gpbd/costs";
import { strainedRuns } from "../../bench/gpbd/strained";
import { structs } from "../../src/generated/shaders";
import type { Row } from "../../bench/rows";

describe("costs of an element", () => {
  it("are those of the layouts that shaders read", () => {
    // vertices, g1, volume, g2, valence01, g3, valence23: sixteen numbers without gaps
    expect(structs.TetElement.size).toBe(64);
    expect(Object.keys(structs.TetElement.fields).sort()).toEqual(
      ["g1", "g2", "g3", "valence01", "valence23", "vertices", "volume"].sort(),
    );
    expect(bytes.read).toBe(64 + 4 * 2 * 16);
    expect(bytes.scatter.jacobi - bytes.scatter["gauss-seidel"]).toBe(4 * (16 + 4));
    expect(operationsOf("jacobi")).toBeGreaterThan(operationsOf("gauss-seidel"));
  });

  it("beside what the adapter can do are shares of it", () => {
    const row = {
      scene: "soft-cube",
      size: 10,
      settings: "1×1 iterations, jacobi",
      backend: "webgpu",
      stages: { "stable-neo-hookean-tet": 6 },
    } as unknown as Row;
    const operations = operationsOf("jacobi");
    const moved = bytes.read + bytes.scatter.jacobi;
    // A million elements a second.
    const [cost, ...others] = costRows([row, { ...row, settings: "4×1 iterations, jacobi" }], {
      arithmetic: operations / 500,
      bandwidth: moved / 250,
    });
    expect(others).toEqual([]);
    expect(cost.shareOfArithmetic).toBeCloseTo(0.5, 12);
    expect(cost.shareOfBandwidth).toBeCloseTo(0.25, 12);
    expect(cost.shareOfLimit).toBe(cost.shareOfArithmetic);
  });
});

it("table 5 is 60 runs a size, what takes the most iterations last", () => {
  const runs = strainedRuns([15, 20]);
  expect(runs.length).toBe(120);
  expect(runs.at(-1)!.scene.name).toBe("nh-compress");
});
