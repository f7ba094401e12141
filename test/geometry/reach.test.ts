import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { edgeGraph, reachFrom } from "../../src/geometry/reach";
import { RandomGeometry } from "../collision/random";
import { randomPositions, triangleSoup } from "./meshes";

/** Distances along edges from the nearest source: edges are relaxed until nothing changes. */
function bruteForce(positions: ArrayLike<number>, pairs: [number, number][], sources: number[]): Float64Array {
  const distances = new Float64Array(positions.length / 3).fill(Infinity);
  for (const source of sources) distances[source] = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (const [a, b] of pairs) {
      const length = Math.hypot(...[0, 1, 2].map((c) => positions[3 * a + c] - positions[3 * b + c]));
      for (const [from, to] of [
        [a, b],
        [b, a],
      ])
        if (distances[from] + length < distances[to] - 1e-15) {
          distances[to] = distances[from] + length;
          changed = true;
        }
    }
  }
  return distances;
}

function edgesOf(indices: ArrayLike<number>): [number, number][] {
  return Array.from({ length: indices.length }, (_, i) => {
    const f = Math.floor(i / 3);
    return [indices[i], indices[3 * f + ((i + 1) % 3)]];
  });
}

describe("reach along edges", () => {
  it.each([1, 2, 3])("is the shortest way, random mesh %i", (seed) => {
    const positions = randomPositions(seed, 234);
    // few triangles: parts that no source reaches
    const indices = triangleSoup(seed, 234, 130);
    const random = new RandomGeometry(seed);
    const sources = Array.from({ length: 4 }, () => Math.floor(random.between(0, 234)));
    const { distances, nearest } = reachFrom(edgeGraph(positions, indices), sources);
    const expected = bruteForce(positions, edgesOf(indices), sources);
    expect(expected.some((d) => d === Infinity)).toBe(true);
    for (let v = 0; v < 234; v++) {
      if (expected[v] === Infinity) {
        expect(distances[v]).toBe(Infinity);
        expect(nearest[v]).toBe(-1);
        continue;
      }
      expect(distances[v]).toBeCloseTo(expected[v], 12);
      const alone = bruteForce(positions, edgesOf(indices), [nearest[v]]);
      expect(sources).toContain(nearest[v]);
      expect(alone[v]).toBeCloseTo(expected[v], 12);
    }
  });

  it("holds for a grid of awkward size", () => {
    const { positions, indices } = gridMesh({ width: 1, height: 1.3, columns: 37, rows: 53 });
    const sources = [0, 37, 1000];
    const { distances } = reachFrom(edgeGraph(positions, indices), sources);
    const expected = bruteForce(positions, edgesOf(indices), sources);
    expect(Math.max(...distances.map((d, v) => Math.abs(d - expected[v])))).toBeLessThan(1e-12);
  });

  it("takes segments in place of faces, and no sources at all", () => {
    const positions = [0, 0, 0, 1, 0, 0, 1, 2, 0, 9, 9, 9];
    const graph = edgeGraph(positions, [], [0, 1, 1, 2]);
    expect([...reachFrom(graph, [0]).distances]).toEqual([0, 1, 3, Infinity]);
    expect([...reachFrom(graph, []).nearest]).toEqual([-1, -1, -1, -1]);
  });
});
