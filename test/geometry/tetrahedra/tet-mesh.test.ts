import { describe, expect, it } from "vitest";
import { tetrahedronEdges } from "../../../src/geometry/tetrahedra/tet-edges";
import {
  boundaryTriangles,
  boxTetrahedra,
  meshVolume,
  tetMasses,
  tetVolume,
  validateTetMesh,
} from "../../../src/geometry/tetrahedra/tet-mesh";
import { expectRefused } from "../../refusal";
import { volumeOf } from "./surfaces";

const corner = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tetrahedra: Uint32Array.of(0, 1, 2, 3),
};

describe("boxTetrahedra", () => {
  it.each([
    [1, 1, 1, "parallel"],
    [3, 1, 2, "parallel"],
    [4, 5, 3, "parallel"],
    [3, 4, 5, "mirrored"],
    [4, 3, 3, "alternating"],
  ] as const)("fills a box of %i × %i × %i cells with %s ones", (nx, ny, nz, pattern) => {
    const mesh = boxTetrahedra({ size: [1, 2, 3], cells: [nx, ny, nz], center: [5, 0, -1], pattern });
    validateTetMesh("box", mesh);
    const inCell = pattern === "alternating" ? 5 : 6;
    expect(mesh.tetrahedra.length).toBe(4 * inCell * nx * ny * nz);
    expect(mesh.positions.length).toBe(3 * (nx + 1) * (ny + 1) * (nz + 1));
    const cell = 6 / (nx * ny * nz);
    for (let t = 0; t < mesh.tetrahedra.length / 4; t++)
      expect(tetVolume(mesh.positions, mesh.tetrahedra, t)).toBeCloseTo(
        inCell === 5 && t % 5 === 0 ? cell / 3 : cell / 6,
        12,
      );
    const faces = boundaryTriangles(mesh.tetrahedra);
    expect(faces.length).toBe(3 * 4 * (nx * ny + ny * nz + nz * nx));
    expect(-volumeOf({ positions: mesh.positions, indices: faces })).toBeCloseTo(6, 12);
    // Euler: the surface is a sphere's
    const edges = tetrahedronEdges(mesh.tetrahedra);
    const tets = mesh.tetrahedra.length / 4;
    const allFaces = (4 * tets + faces.length / 3) / 2;
    expect(mesh.positions.length / 3 - edges.length / 2 + allFaces - tets).toBe(1);
  });

  it("refuses boxes without size or cells", () => {
    expectRefused(() => boxTetrahedra({ size: [1, 0, 1], cells: [1, 1, 1] }), "invalid-argument", /^box.size/);
    expectRefused(() => boxTetrahedra({ size: [1, 1, 1], cells: [1, 1.5, 1] }), "invalid-argument", /^box.cells/);
    const pattern = "crossed" as "mirrored";
    expectRefused(
      () => boxTetrahedra({ size: [1, 1, 1], cells: [1, 1, 1], pattern }),
      "invalid-argument",
      /^box.pattern/,
    );
  });
});

describe("tetrahedra", () => {
  it("have faces wound clockwise seen from outside", () => {
    expect(meshVolume(corner.positions, corner.tetrahedra)).toBeCloseTo(1 / 6, 14);
    const faces = boundaryTriangles(corner.tetrahedra);
    expect(faces.length).toBe(12);
    expect(volumeOf({ positions: corner.positions, indices: faces })).toBeCloseTo(-1 / 6, 14);
  });

  it("give their vertices a quarter of their mass each", () => {
    expect([...tetMasses(corner, 600)]).toEqual(expect.arrayContaining([25]));
    const box = boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] });
    expect(tetMasses(box, 800).reduce((a, b) => a + b)).toBeCloseTo(800, 10);
  });

  it("have each edge once", () => {
    expect([...tetrahedronEdges(corner.tetrahedra)]).toEqual([0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]);
    expect(tetrahedronEdges(Uint32Array.of(0, 1, 2, 3, 1, 4, 2, 3)).length / 2).toBe(9);
  });
});

describe("validateTetMesh refuses", () => {
  const withTets = (...tetrahedra: number[]) => ({ ...corner, tetrahedra: Uint32Array.from(tetrahedra) });
  it.each([
    ["nothing", withTets(), "degenerate-geometry", /^m: must not be empty/],
    ["half a tetrahedron", withTets(0, 1, 2), "invalid-argument", /^m tetrahedra: must be four/],
    ["a vertex that is not there", withTets(0, 1, 2, 4), "index-out-of-range", /^m tetrahedron 0: .* below 4, got 4/],
    [
      "inverted ones",
      withTets(0, 1, 2, 3, 0, 2, 1, 3),
      "degenerate-geometry",
      /^m tetrahedron 1: must not be inverted/,
    ],
    ["flat ones", withTets(0, 1, 2, 2), "degenerate-geometry", /^m tetrahedron 0: must have a volume/],
    [
      "a face of three",
      {
        positions: Float64Array.of(...corner.positions, 0.2, 0.2, 0.5, 0.1, 0.1, 0.7),
        tetrahedra: Uint32Array.of(0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5),
      },
      "degenerate-geometry",
      /^m tetrahedron 2: must share a face with one other/,
    ],
    [
      "NaN",
      { ...corner, positions: corner.positions.map((value, i) => (i === 4 ? NaN : value)) },
      "non-finite",
      /^m vertex 1/,
    ],
  ] as const)("%s", (_what, mesh, code, message) => {
    expectRefused(() => validateTetMesh("m", mesh), code, message);
  });
});
