import { describe, expect, it } from "vitest";
import { bytes, costRows, operationsOf } from "../../bench/gpbd/costs";
import { kindLines, specimens } from "../../bench/gpbd/kinds";
import { strainedRuns } from "../../bench/gpbd/strained";
import { structs } from "../../src/generated/shaders";
import type { Row } from "../../bench/rows";
import { resolveParameters } from "../../samples/parameters";
import { nhCompress } from "../../samples/scenes/strained-cube";
import { termLayout } from "../../src/solvers/gpbd/model";

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
    // A million elements per second.
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

it("table 5 is 90 runs a size, what takes the most iterations last", () => {
  const runs = strainedRuns([15, 20]);
  expect(runs.length).toBe(180);
  expect(runs.at(-1).scene.name).toBe("nh-compress");
});

it.each([
  ["stable-neo-hookean", 2, 8],
  ["neo-hookean", 20, 10],
])("the pressed cube, %s, takes four iterations at 0.4995 where table 5 has others", (model, outer, newton) => {
  expect(nhCompress.inTable(model, 0.4995).slice(1, 3)).toEqual([outer, newton]);
  const values = resolveParameters(nhCompress, { model, poissonRatio: 0.4995 });
  expect([values.iterations, values.newtonIterations]).toEqual([4, newton]);
});

describe("kinds of terms", () => {
  it("have a body each, with thousands of elements of that kind alone", () => {
    const found = specimens(0.1);
    const kinds = found.flatMap(({ model }) => model.terms.map(({ kind }) => kind));
    for (const kind of Object.keys(termLayout)) expect(kinds).toContain(kind);
    for (const { model, elements, kind } of found) {
      expect(elements, kind).toBeGreaterThan(5);
      expect(model.terms.length, kind).toBeLessThanOrEqual(1);
    }
    const strains = found.flatMap(({ model }) => model.terms.flatMap(({ energy }) => energy?.strain ?? []));
    expect(strains).toEqual(["green-tet", "deformation-gradient", "green-triangle", "dihedral"]);
  });

  it("are told with the time of the reference over that on the GPU", () => {
    const row = { kind: "distance", method: "jacobi", elements: 100, cpuMs: 3, webgpuMs: 2, ratio: 1.5 } as const;
    const [, line] = kindLines([row]);
    expect(line.split(/ {2,}/)).toEqual(["distance", "jacobi", "100", "3", "2", "1.5×"]);
  });
});
