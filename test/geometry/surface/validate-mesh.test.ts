import { describe, expect, it } from "vitest";
import { validateMesh } from "../../../src/geometry/surface/validate-mesh";
import { expectRefused } from "../../refusal";

const triangle = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] };

describe("mesh validation", () => {
  it("takes a triangle, of any size and any array type", () => {
    validateMesh("mesh", triangle.positions, triangle.indices);
    validateMesh(
      "mesh",
      Float32Array.from(triangle.positions, (x) => 1e-6 * x),
      Uint16Array.from(triangle.indices),
    );
    validateMesh(
      "mesh",
      Float64Array.from(triangle.positions, (x) => 1e6 * x),
      Uint32Array.from(triangle.indices),
    );
  });

  it.each([
    ["nothing", [], [], "degenerate-geometry", /"sail".*must not be empty/],
    ["no vertices", [], [0, 1, 2], "degenerate-geometry", /"sail".*must not be empty/],
    ["no triangles", triangle.positions, [], "degenerate-geometry", /"sail".*must not be empty/],
    ["two numbers for a vertex", [0, 0, 0, 1, 0], [0, 1, 2], "invalid-argument", /three numbers a vertex, got 5/],
    ["two indices for a triangle", triangle.positions, [0, 1], "invalid-argument", /three indices a triangle, got 2/],
    ["a vertex that is NaN", [0, 0, 0, 1, NaN, 0, 0, 1, 0], [0, 1, 2], "non-finite", /vertex 1.*finite, got NaN/],
    ["an infinite vertex", [0, 0, 0, 1, 0, 0, 0, 1, -Infinity], [0, 1, 2], "non-finite", /vertex 2.*got -Infinity/],
    ["an index too large", triangle.positions, [0, 1, 3], "index-out-of-range", /triangle 0.*below 3, got 3/],
    ["a negative index", triangle.positions, [0, -1, 2], "index-out-of-range", /triangle 0.*got -1/],
    ["an index between two vertices", triangle.positions, [0, 1, 1.5], "index-out-of-range", /got 1\.5/],
    ["an index that is NaN", triangle.positions, [0, 1, NaN], "index-out-of-range", /got NaN/],
    ["a vertex used twice", triangle.positions, [0, 1, 1], "degenerate-geometry", /triangle 0.*must have an area/],
    [
      "a line for a triangle",
      [0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0],
      [0, 1, 2, 0, 1, 3],
      "degenerate-geometry",
      /triangle 1.*must have an area/,
    ],
    ["a point for a triangle", [3, 3, 3, 3, 3, 3, 3, 3, 3], [0, 1, 2], "degenerate-geometry", /must have an area/],
  ] as const)("refuses %s", (_what, positions, indices, code, message) => {
    expectRefused(() => validateMesh('cloth "sail"', positions, indices), code, message);
  });

  it("names the triangle by its place in the mesh", () => {
    const indices = new Array<number>(30).fill(0).map((_, i) => i % 3);
    indices[25] = 77;
    expectRefused(() => validateMesh("m", triangle.positions, indices), "index-out-of-range", /triangle 8/);
    expect(() => validateMesh("m", triangle.positions, indices.slice(0, 24))).not.toThrow();
  });
});
