import { describe, expect, it } from "vitest";
import { nextCorner, oppositeCorner, twinSides } from "../../../src/geometry/surface/twin-sides";
import { triangleSoup } from "../meshes";

const edgeOf = (indices: ArrayLike<number>, side: number): string =>
  [indices[side], indices[nextCorner(side)]].sort((a, b) => a - b).join();

describe("sides across from each other", () => {
  it("are over the same edge, and belong to triangles with other corners", () => {
    for (const seed of [1, 2, 3]) {
      const indices = triangleSoup(seed, 12, 40);
      const twins = twinSides(indices);
      twins.forEach((twin, side) => {
        const others = [...indices.keys()].filter(
          (other) =>
            edgeOf(indices, other) === edgeOf(indices, side) &&
            indices[oppositeCorner(other)] !== indices[oppositeCorner(side)],
        );
        if (twin < 0) expect(others).toHaveLength(0);
        else expect(others).toContain(twin);
      });
    }
  });

  it("are each other's on a surface", () => {
    // a tetrahedron
    const twins = twinSides([0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0]);
    twins.forEach((twin, side) => expect(twins[twin]).toBe(side));
  });

  it("are not those of two triangles over the same corners", () => {
    expect([...twinSides([0, 1, 2, 2, 1, 0])]).toEqual(Array(6).fill(-1));
  });
});
