import { describe, expect, it } from "vitest";
import { nearestAnchors, type NearestAnchors } from "../../src/geometry/geodesics";
import { gridMesh } from "../../src/geometry/grid";
import { RandomGeometry } from "../collision/random";
import { delaunay, scattered, type FlatMesh } from "./delaunay";

const MOST = 4;

function marks(count: number, vertices: readonly number[]): Uint8Array {
  const isSource = new Uint8Array(count);
  for (const v of vertices) isSource[v] = 1;
  return isSource;
}

const distance = (x: ArrayLike<number>, a: number, b: number): number =>
  Math.hypot(...[0, 1, 2].map((c) => x[3 * a + c] - x[3 * b + c]));

/** Ratio of each distance that was found to the true one in a flat mesh. */
function ratios({ positions }: FlatMesh, { anchors, distances }: NearestAnchors): number[] {
  const all: number[] = [];
  anchors.forEach((anchor, i) => {
    const vertex = Math.floor(i / MOST);
    if (anchor >= 0 && anchor !== vertex) all.push(distances[i] / distance(positions, anchor, vertex));
  });
  return all;
}

/** Bends a flat mesh about axes in its plane, which changes no way within it but for the width of a triangle. */
function rolled({ positions }: FlatMesh, radius: number): Float64Array {
  const out = positions.slice();
  for (let i = 0; i < out.length; i += 3) {
    const angle = positions[i] / radius;
    out[i] = radius * Math.sin(angle);
    out[i + 1] = radius * (1 - Math.cos(angle));
  }
  return out;
}

describe("ways within a surface", () => {
  it.each([2, 7, 23])("are exact on a grid of %i cells, from any corners", (cells) => {
    const grid = gridMesh({ width: 1, height: 0.6, columns: cells, rows: cells });
    const mesh = { positions: Float64Array.from(grid.positions), indices: Uint32Array.from(grid.indices) };
    const count = mesh.positions.length / 3;
    const found = nearestAnchors(mesh.positions, mesh.indices, marks(count, [0, cells, count - 1]), MOST);
    for (const ratio of ratios(mesh, found)) expect(ratio).toBeCloseTo(1, 12);
    for (let v = 0; v < count; v++)
      expect([...found.anchors.subarray(MOST * v, MOST * v + 3)].sort((a, b) => a - b)).toEqual([0, cells, count - 1]);
  });

  it.each([1, 2, 3, 4])("are never shorter than the straight way, and hardly longer: random mesh %i", (seed) => {
    const random = new RandomGeometry(seed);
    const mesh = delaunay(scattered([1, 0.7], 0.05, random));
    const count = mesh.positions.length / 3;
    const sources = Array.from({ length: 5 }, () => Math.floor(random.between(0, count)));
    const found = ratios(mesh, nearestAnchors(mesh.positions, mesh.indices, marks(count, sources), MOST));
    expect(Math.min(...found)).toBeGreaterThan(1 - 1e-12);
    expect(Math.max(...found)).toBeLessThan(1.1);
    expect(found.reduce((sum, ratio) => sum + ratio) / found.length).toBeLessThan(1.01);
  });

  it("do not change where a sheet is rolled up", () => {
    const mesh = delaunay(scattered([1, 1], 0.03, new RandomGeometry(5)));
    const count = mesh.positions.length / 3;
    const isSource = marks(count, [0, 17]);
    const flat = nearestAnchors(mesh.positions, mesh.indices, isSource, MOST);
    const bent = nearestAnchors(rolled(mesh, 0.4), mesh.indices, isSource, MOST);
    expect(bent.anchors.filter((anchor, i) => anchor !== flat.anchors[i]).length).toBeLessThan(40);
    bent.distances.forEach((value, i) => {
      if (bent.anchors[i] === flat.anchors[i] && value < Infinity) expect(value).toBeCloseTo(flat.distances[i], 1.5);
    });
  });

  it("lead to no more than half as many anchors of one held edge, so that the other edge has some too", () => {
    const cells = 12;
    const { positions, indices } = gridMesh({ width: 1, height: 1, columns: cells, rows: cells });
    const row = cells + 1;
    const held = Array.from({ length: row }, (_, i) => [i, cells * row + i]).flat();
    const { anchors } = nearestAnchors(positions, indices, marks(positions.length / 3, held), MOST);
    for (let v = 0; v < row * row; v++) {
      const upper = [...anchors.subarray(MOST * v, MOST * v + MOST)].filter((anchor) => anchor < row);
      expect(upper).toHaveLength(MOST / 2);
    }
  });

  it("leave places over where nothing is reached", () => {
    const positions = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0]);
    const { anchors, distances } = nearestAnchors(positions, [0, 1, 2, 3, 4, 5], marks(6, [0]), MOST);
    expect([...anchors].filter((anchor) => anchor >= 0)).toEqual([0, 0, 0]);
    expect([...distances.subarray(3 * MOST)].every((value) => value === Infinity)).toBe(true);
    expect(
      nearestAnchors(positions, [0, 1, 2, 3, 4, 5], marks(6, []), MOST).anchors.every((anchor) => anchor < 0),
    ).toBe(true);
  });
});
