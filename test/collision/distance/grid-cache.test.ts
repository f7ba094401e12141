import { describe, expect, it } from "vitest";
import { cachedGrid } from "../../../src/collision/distance/grid-cache";
import { meshDistanceGrid } from "../../../src/collision/distance/mesh-distance";

/** A tetrahedron, its last corner at a height. */
function tetrahedron(height: number): { positions: number[]; indices: number[] } {
  return {
    positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 0.3, height, 0.3],
    indices: [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0],
  };
}

describe("cache of distance grids", () => {
  it("bakes a mesh once, and another for any other content or resolution", () => {
    let bakes = 0;
    const ask = (height: number, resolution: number) => {
      const { positions, indices } = tetrahedron(height);
      return cachedGrid(positions, indices, resolution, () => {
        bakes++;
        return meshDistanceGrid(positions, indices, resolution);
      });
    };
    const first = ask(1, 8);
    expect(ask(1, 8)).toBe(first);
    expect(bakes).toBe(1);
    expect(ask(1.000001, 8)).not.toBe(first);
    expect(ask(1, 9)).not.toBe(first);
    expect(bakes).toBe(3);
  });

  it("forgets what was not used for long", () => {
    let bakes = 0;
    const { positions, indices } = tetrahedron(2);
    const ask = (resolution: number) =>
      cachedGrid(positions, indices, resolution, () => {
        bakes++;
        return meshDistanceGrid(positions, indices, 4);
      });
    for (let resolution = 4; resolution < 24; resolution++) ask(resolution);
    expect(bakes).toBe(20);
    ask(23);
    expect(bakes).toBe(20);
    ask(4);
    expect(bakes).toBe(21);
  });
});
