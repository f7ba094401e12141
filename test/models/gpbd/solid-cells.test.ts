import { describe, expect, it } from "vitest";
import { ballTetrahedra } from "../../../src/geometry/tetrahedra/ball";
import { boxTetrahedra, type BoxPattern, type TetMesh } from "../../../src/geometry/tetrahedra/tet-mesh";
import type { Vec3 } from "../../../src/math/types";
import { gpbdSolid } from "../../../src/models/gpbd/soft-body";

const termOf = (mesh: TetMesh) => {
  const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 };
  return gpbdSolid({ ...mesh, material, elements: "linear" }).terms[0];
};
const boxOf = (cells: Vec3, pattern: BoxPattern): TetMesh => boxTetrahedra({ size: [1, 1, 1], cells, pattern });

const boxes: [BoxPattern, number, Vec3][] = [
  ["parallel", 6, [5, 4, 3]],
  ["mirrored", 6, [4, 3, 5]],
  ["alternating", 5, [3, 4, 5]],
  ["parallel", 6, [1, 1, 1]],
  ["parallel", 6, [9, 1, 2]],
];

describe.each(boxes)("a box of cells: %s, %i tetrahedra a cell, %o", (pattern, size, cells) => {
  const mesh = boxOf(cells, pattern);
  const { cell, colours, indices, elementCount } = termOf(mesh);
  const corners = (e: number) => [...indices.subarray(4 * e, 4 * e + 4)];

  it("has all of its tetrahedra once", () => {
    const sorted = (list: Uint32Array) =>
      Array.from({ length: elementCount }, (_, t) => [...list.subarray(4 * t, 4 * t + 4)].join()).sort();
    expect(sorted(indices)).toEqual(sorted(mesh.tetrahedra));
  });

  it("takes eight dispatches at most, in which a thread has a cell to itself", () => {
    expect(cell).toBe(size);
    const runs = (colours.length - 1) / size;
    expect(runs).toBe(cells.reduce((product, n) => product * Math.min(n, 2), 1));
    for (let run = 0; run < runs; run++) {
      const first = colours[size * run];
      const count = colours[size * run + 1] - first;
      const owners = new Map<number, number>();
      for (let k = 0; k < size; k++) {
        expect(colours[size * run + k]).toBe(first + k * count);
        for (let i = 0; i < count; i++)
          for (const v of corners(first + k * count + i)) {
            expect(owners.get(v) ?? i).toBe(i);
            owners.set(v, i);
          }
      }
      expect(owners.size).toBe(8 * count);
    }
  });
});

it("other meshes have none: tetrahedra in another order, and those of a ball", () => {
  const { positions, tetrahedra } = boxOf([4, 4, 4], "parallel");
  const turned = Uint32Array.from({ length: tetrahedra.length }, (_, i) => tetrahedra[(i + 4) % tetrahedra.length]);
  for (const mesh of [{ positions, tetrahedra: turned }, ballTetrahedra({ radius: 1, resolution: 4 })]) {
    const { cell, colours } = termOf(mesh);
    expect(cell).toBe(1);
    expect(colours.length).toBeGreaterThan(20);
  }
});
