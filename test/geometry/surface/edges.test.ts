import { describe, expect, it } from "vitest";
import { buildEdges } from "../../../src/geometry/surface/edges";
import { gridMesh } from "../../../src/geometry/grid";
import { triangleSoup } from "../meshes";

const key = (a: number, b: number): string => (a < b ? `${a},${b}` : `${b},${a}`);

/** Faces at each edge, by brute force. */
function facesAtEdges(indices: ArrayLike<number>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const f = Math.floor(i / 3);
    const k = key(indices[i], indices[3 * f + ((i + 1) % 3)]);
    found.set(k, [...(found.get(k) ?? []), f]);
  }
  return found;
}

describe.each([
  ["a grid", gridMesh({ width: 1, height: 1, columns: 37, rows: 53 }).indices],
  ["random triangles", triangleSoup(1, 60, 400)],
  ["one triangle", Uint32Array.of(0, 1, 2)],
  ["a double-sided triangle", Uint32Array.of(0, 1, 2, 0, 2, 1)],
])("edges of %s", (_name, indices) => {
  const edges = buildEdges(indices);
  const expected = facesAtEdges(indices);

  it("are all there, once", () => {
    const keys = Array.from({ length: edges.vertices.length / 2 }, (_, e) =>
      key(edges.vertices[2 * e], edges.vertices[2 * e + 1]),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect([...keys].sort()).toEqual([...expected.keys()].sort());
  });

  it("have hinges between faces that share them, and only there", () => {
    for (let h = 0; h < edges.hinges.length; h += 4) {
      const [a, b, c, d] = edges.hinges.subarray(h, h + 4);
      const faces = expected.get(key(a, b))!;
      const opposites = faces.map((f) => [...indices.subarray(3 * f, 3 * f + 3)].find((v) => v !== a && v !== b));
      expect(opposites).toContain(c);
      expect(opposites).toContain(d);
      expect(new Set([a, b, c, d]).size, "a hinge needs four vertices").toBe(4);
      const first = edges.hingeFaces[h / 4];
      expect([...indices.subarray(3 * first, 3 * first + 3)]).toEqual(expect.arrayContaining([a, b, c]));
    }
  });

  it("join every further face to the first, unless both are the same triangle", () => {
    let hinges = 0;
    for (const [k, faces] of expected) {
      const [a, b] = k.split(",").map(Number);
      const opposites = faces.map((f) => [...indices.subarray(3 * f, 3 * f + 3)].find((v) => v !== a && v !== b)!);
      hinges += opposites.slice(1).filter((vertex) => vertex !== opposites[0]).length;
    }
    expect(edges.hinges.length / 4).toBe(hinges);
  });
});

describe("hinges of a grid", () => {
  it("have faces (0, 1, 2) and (1, 0, 3): the second corner lies on the other side of the edge", () => {
    const { positions, indices } = gridMesh({ width: 3, height: 2, columns: 5, rows: 4 });
    const { hinges } = buildEdges(indices);
    const side = (a: number, b: number, p: number): number =>
      (positions[3 * b] - positions[3 * a]) * (positions[3 * p + 2] - positions[3 * a + 2]) -
      (positions[3 * b + 2] - positions[3 * a + 2]) * (positions[3 * p] - positions[3 * a]);
    for (let h = 0; h < hinges.length; h += 4) {
      const [a, b, c, d] = hinges.subarray(h, h + 4);
      expect(side(a, b, c) * side(a, b, d)).toBeLessThan(0);
    }
  });
});
