import { describe, expect, it } from "vitest";
import { colourElements } from "../../src/geometry/colouring";
import { buildEdges } from "../../src/geometry/surface/edges";
import { gridMesh } from "../../src/geometry/grid";
import { buildIncidence } from "../../src/geometry/surface/incidence";
import { triangleSoup } from "./meshes";

const grid = gridMesh({ width: 1, height: 1, columns: 37, rows: 53 }).indices;
const soup = triangleSoup(2, 1234, 5000);

const cases: [string, ArrayLike<number>, number, number][] = [
  ["triangles of a grid", grid, 3, 38 * 54],
  ["hinges of a grid", buildEdges(grid).hinges, 4, 38 * 54],
  ["edges of a grid", buildEdges(grid).vertices, 2, 38 * 54],
  ["random triangles", soup, 3, 1234],
  ["hinges of random triangles", buildEdges(soup).hinges, 4, 1234],
  ["a fan around one vertex", Uint32Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? 0 : i)), 3, 301],
  ["no elements", [], 3, 5],
];

describe.each(cases)("colouring of %s", (_name, indices, arity, vertexCount) => {
  const { order, colours } = colourElements(indices, arity, vertexCount);
  const count = indices.length / arity;

  it("puts every element in one colour", () => {
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, e) => e));
    expect(colours[0]).toBe(0);
    expect(colours[colours.length - 1]).toBe(count);
    for (let c = 1; c < colours.length; c++) expect(colours[c]).toBeGreaterThan(colours[c - 1]);
  });

  it("lets no two elements of a colour touch the same vertex", () => {
    for (let c = 1; c < colours.length; c++) {
      const touched: number[] = [];
      for (let place = colours[c - 1]; place < colours[c]; place++)
        for (let corner = 0; corner < arity; corner++) touched.push(indices[order[place] * arity + corner]);
      expect(new Set(touched).size).toBe(touched.length);
    }
  });

  it("needs few colours: no more than an element has neighbours, and one", () => {
    const { offsets } = buildIncidence(indices, vertexCount);
    let most = 0;
    for (let v = 0; v < vertexCount; v++) most = Math.max(most, offsets[v + 1] - offsets[v]);
    expect(colours.length - 1).toBeGreaterThanOrEqual(most);
    expect(colours.length - 1).toBeLessThanOrEqual(arity * Math.max(0, most - 1) + 1);
  });
});

describe("incidence", () => {
  it("lists every corner at its vertex, in the order of the elements", () => {
    const { offsets, entries } = buildIncidence(soup, 1300);
    expect(entries).toHaveLength(soup.length);
    for (let v = 0; v < 1300; v++) {
      const own = [...entries.subarray(offsets[v], offsets[v + 1])];
      if (v % 97 === 0) expect(own).toEqual([...soup].flatMap((vertex, i) => (vertex === v ? [i] : [])));
      expect(own.every((entry) => soup[entry] === v)).toBe(true);
    }
  });
});
