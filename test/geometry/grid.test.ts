import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { validateMesh } from "../../src/geometry/surface/validate-mesh";
import { expectRefused } from "../refusal";

describe.each(["xz", "xy"] as const)("grid in the plane %s", (plane) => {
  const grid = gridMesh({ width: 2, height: 3, columns: 37, rows: 53, plane, center: [4, 5, 6] });
  const { positions, indices, uvs } = grid;

  it("has the size it was asked for, about its centre", () => {
    const range = (c: number): [number, number] => {
      const values = positions.filter((_, i) => i % 3 === c);
      return [Math.min(...values), Math.max(...values)];
    };
    expect(range(0)).toEqual([3, 5]);
    expect(range(1)).toEqual(plane === "xy" ? [3.5, 6.5] : [5, 5]);
    expect(range(2)).toEqual(plane === "xy" ? [6, 6] : [4.5, 7.5]);
    expect(positions).toHaveLength(3 * 38 * 54);
    expect(indices).toHaveLength(6 * 37 * 53);
  });

  it("is covered once by its triangles, all wound the same way", () => {
    validateMesh("grid", positions, indices);
    let area = 0;
    for (let f = 0; f < indices.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[f + k]);
      const e = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
      const g = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
      // along y for xz; along −z for xy
      const normal = plane === "xz" ? e[2] * g[0] - e[0] * g[2] : -(e[0] * g[1] - e[1] * g[0]);
      expect(Math.abs(normal)).toBeGreaterThan(0);
      area += normal / 2;
    }
    expect(Math.abs(area)).toBeCloseTo(6, 10);
  });

  it("has texture coordinates that grow along the first and the second axis", () => {
    for (let v = 0; v < uvs.length / 2; v++) {
      expect(uvs[2 * v]).toBeCloseTo((positions[3 * v] - 3) / 2, 12);
      const second = plane === "xy" ? positions[3 * v + 1] - 3.5 : positions[3 * v + 2] - 4.5;
      expect(uvs[2 * v + 1]).toBeCloseTo(second / 3, 12);
    }
  });
});

describe("grid", () => {
  it.each([0, -1, 1.5, NaN, Infinity])("refuses %d columns or rows", (value) => {
    expectRefused(
      () => gridMesh({ width: 1, height: 1, columns: value, rows: 3 }),
      "invalid-argument",
      /grid\.columns/,
    );
    expectRefused(() => gridMesh({ width: 1, height: 1, columns: 3, rows: value }), "invalid-argument", /grid\.rows/);
  });

  it.each([0, -1, NaN, Infinity])("refuses a width or height of %d", (value) => {
    expectRefused(() => gridMesh({ width: value, height: 1, columns: 3, rows: 3 }), "invalid-argument", /grid\.width/);
    expectRefused(() => gridMesh({ width: 1, height: value, columns: 3, rows: 3 }), "invalid-argument", /grid\.height/);
  });
});
