import { describe, expect, it } from "vitest";
import { gridMesh } from "../../../src/geometry/grid";
import { gpbdCloth } from "../../../src/models/gpbd/cloth";
import { neighbourPlace } from "../../../src/solvers/gpbd/elements/hylc-neighbours";
import { hylcStrain } from "../../../src/solvers/gpbd/strains/hylc";
import type { EnergyTerm } from "../../../src/solvers/gpbd/model";

/** A flat sheet z = 0 whose faces are counter-clockwise seen from +z, with its one term of HYLC. */
function sheet(segments: number, angle = 0) {
  const grid = gridMesh({ width: 0.2, height: 0.2, columns: segments, rows: segments, plane: "xy" });
  const indices = grid.indices.map((_, i) => grid.indices[i - (i % 3) + [0, 2, 1][i % 3]]);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const uvs = Array.from({ length: grid.positions.length / 3 }, (_, p) => {
    const [x, y] = [grid.positions[3 * p], grid.positions[3 * p + 1]];
    return [c * x + s * y, -s * x + c * y];
  }).flat();
  const upright = areaVector(grid.positions, indices) > 0 ? indices : grid.indices;
  return gpbdCloth({ positions: grid.positions, indices: upright, uvs, fabric: "satin" });
}

function areaVector(x: ArrayLike<number>, t: ArrayLike<number>): number {
  const [a, b, c] = [3 * t[0], 3 * t[1], 3 * t[2]];
  return (x[b] - x[a]) * (x[c + 1] - x[a + 1]) - (x[b + 1] - x[a + 1]) * (x[c] - x[a]);
}

/** Mean strains of the triangles with all neighbors; curvatures in 1/m. */
function meanStrain(term: EnergyTerm, positions: ArrayLike<number>): number[] {
  const sum = new Array<number>(6).fill(0);
  const [x, s] = [new Float64Array(18), new Float64Array(6)];
  let count = 0;
  for (let e = 0; e < term.elementCount; e++) {
    if (![0, 1, 2].every((side) => neighbourPlace(term.rest[10 * e + 5], side) > 0)) continue;
    for (let i = 0; i < 18; i++) x[i] = positions[3 * term.indices[6 * e + Math.floor(i / 3)] + (i % 3)];
    hylcStrain.strain(x, term.rest, 10 * e, s);
    s.forEach((value, i) => (sum[i] += i < 3 ? value : value / term.rest[10 * e + 6]));
    count++;
  }
  expect(count).toBeGreaterThan(10);
  return sum.map((value) => value / count);
}

const moved = (x: ArrayLike<number>, f: (x: number, y: number) => readonly [number, number, number]): Float64Array =>
  Float64Array.from(Array.from({ length: x.length / 3 }, (_, p) => f(x[3 * p], x[3 * p + 1])).flat());

describe("strains of HYLC cloth", () => {
  it("are zero at rest, whatever shape that is", () => {
    const flat = sheet(6);
    const curved = gpbdCloth({
      positions: moved(flat.positions, (x, y) => [x, y, 3 * x * x - 2 * y * y + x * y]),
      indices: flat.faces,
      fabric: "satin",
    });
    for (const model of [flat, curved]) {
      const s = meanStrain(model.terms[0], model.positions);
      for (const value of s) expect(Math.abs(value)).toBeLessThan(1e-10);
    }
  });

  it("have the sign and the size of the curvature: z = ½ k x² has II_xx = k, seen with its normals up", () => {
    const { terms, positions } = sheet(24);
    const k = 1.5;
    const along = meanStrain(
      terms[0],
      moved(positions, (x, y) => [x, y, 0.5 * k * x * x]),
    );
    expect(along[3]).toBeCloseTo(k, 1);
    expect(Math.abs(along[4])).toBeLessThan(0.02);
    expect(Math.abs(along[5])).toBeLessThan(0.02);
    const across = meanStrain(
      terms[0],
      moved(positions, (x, y) => [x, y, -0.5 * k * y * y]),
    );
    expect(across[5]).toBeCloseTo(-k, 1);
    expect(Math.abs(across[3])).toBeLessThan(0.02);
    const twisted = meanStrain(
      terms[0],
      moved(positions, (x, y) => [x, y, k * x * y]),
    );
    expect(twisted[4]).toBeCloseTo(k, 1);
  });

  it("are measured along warp and weft", () => {
    const { terms, positions } = sheet(24, Math.PI / 2);
    const s = meanStrain(
      terms[0],
      moved(positions, (x, y) => [1.2 * x, 0.9 * y, x * x]),
    );
    expect(s[0]).toBeCloseTo(-0.1, 5);
    // II belongs to the coordinates of the cloth, like I; the curve adds a little length along x
    expect(s[2]).toBeCloseTo(0.2, 1);
    expect(Math.abs(s[3])).toBeLessThan(0.02);
    expect(s[5]).toBeCloseTo(2, 1);
  });

  it("know a shear by the cosine between warp and weft", () => {
    const { terms, positions } = sheet(4);
    const gamma = 0.4;
    const s = meanStrain(
      terms[0],
      moved(positions, (x, y) => [x + gamma * y, y, 0]),
    );
    expect(s[0]).toBeCloseTo(0, 12);
    expect(s[1]).toBeCloseTo(gamma / Math.hypot(1, gamma), 12);
    expect(s[2]).toBeCloseTo(Math.hypot(1, gamma) - 1, 12);
  });

  it("count an edge without a neighbour as straight", () => {
    const { terms, positions } = sheet(2);
    const bent = moved(positions, (x, y) => [x, y, 4 * x * x]);
    const [x, s] = [new Float64Array(18), new Float64Array(6)];
    for (let e = 0; e < terms[0].elementCount; e++) {
      const rest = terms[0].rest.slice(10 * e, 10 * e + 10);
      for (let i = 0; i < 18; i++) x[i] = bent[3 * terms[0].indices[6 * e + Math.floor(i / 3)] + (i % 3)];
      rest[5] = 0;
      hylcStrain.strain(x, rest, 0, s);
      expect(Math.max(...s.slice(3).map(Math.abs))).toBe(0);
    }
  });
});
