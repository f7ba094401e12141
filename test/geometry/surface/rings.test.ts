import { expect, it } from "vitest";
import { icosphereMesh } from "../../../src/geometry/icosphere";
import { buildIncidence } from "../../../src/geometry/surface/incidence";
import { vertexRings } from "../../../src/geometry/surface/rings";
import { boxTetrahedra } from "../../../src/geometry/tetrahedra/tet-mesh";
import { gpbdSolid } from "../../../src/models/gpbd/soft-body";

/** Three spheres that share a vertex, and a vertex by itself. */
function pinched(): { positions: number[]; indices: number[] } {
  const { positions, indices } = icosphereMesh({ radius: 0.3, subdivisions: 1 });
  const count = positions.length / 3;
  const at = (sphere: number, v: number): number => (v === 0 ? 0 : sphere * (count - 1) + v);
  return {
    positions: [...[0, 1, 2].flatMap((s) => Array.from(positions.slice(s === 0 ? 0 : 3), (x) => x + 0.1 * s)), 9, 9, 9],
    indices: [0, 1, 2].flatMap((sphere) => Array.from(indices, (v) => at(sphere, v))),
  };
}

const block = gpbdSolid({
  ...boxTetrahedra({ size: [1, 2, 1], cells: [2, 2, 2] }),
  material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 },
});

it.each([
  ["a pinched surface", pinched()],
  ["a block with a vertex inside", { positions: block.positions, indices: block.faces }],
])("rings of %s have the area vectors of the triangles around", (_name, { positions, indices }) => {
  const count = positions.length / 3;
  const x = (v: number): number[] => [0, 1, 2].map((c) => positions[3 * v + c] + 0.05 * Math.sin(7 * v + c));
  const cross = (o: number, p: number, q: number): number[] => {
    const [a, b] = [p, q].map((v) => x(v).map((value, c) => value - x(o)[c]));
    return [0, 1, 2].map((c) => a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]);
  };
  const add = (sum: number[], more: number[]): number[] => sum.map((value, c) => value + more[c]);
  const incidence = buildIncidence(indices, count);
  const { offsets, entries } = vertexRings(indices, incidence);
  for (let v = 0; v < count; v++) {
    let expected = [0, 0, 0];
    for (let i = incidence.offsets[v]; i < incidence.offsets[v + 1]; i++) {
      const face = incidence.entries[i] - (incidence.entries[i] % 3);
      expected = add(expected, cross(indices[face], indices[face + 1], indices[face + 2]));
    }
    const ring = [...entries.slice(offsets[v], offsets[v + 1])];
    const found = ring.reduce((sum, p, k) => add(sum, cross(v, p, ring[(k + 1) % ring.length])), [0, 0, 0]);
    found.forEach((value, c) => expect(value).toBeCloseTo(expected[c], 12));
  }
});
