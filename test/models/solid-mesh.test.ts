import { describe, expect, it } from "vitest";
import { boundaryTriangles, meshVolume, tetMasses } from "../../src/geometry/tetrahedra/tet-mesh";
import { solidMesh } from "../../src/models/solid-mesh";
import { box, bunny, sphere, together, torus, volumeOf, type Surface } from "../geometry/tetrahedra/surfaces";
import { expectRefused } from "../refusal";

describe("solidMesh", () => {
  it.each([
    ["sphere", sphere(0.3), 6],
    ["torus", torus(0.5, 0.2), undefined],
    ["bunny", bunny(0.3), 10],
  ])("gives a %s its whole mass", (name, surface, resolution) => {
    const mesh = solidMesh({ ...surface, resolution, name });
    expect(mesh.embedding.count).toBe(surface.positions.length / 3);
    const mass = tetMasses(mesh, 1000 * mesh.volumeRatio).reduce((sum, m) => sum + m, 0);
    expect(mass / (1000 * volumeOf(surface))).toBeCloseTo(1, 10);
    expect(meshVolume(mesh.positions, mesh.tetrahedra)).toBeLessThan(volumeOf(surface));
  });

  it("fills the union of pieces that pass through each other, whichever comes first", () => {
    const place = (surface: Surface, [x, y, z]: number[]): Surface => ({
      ...surface,
      positions: surface.positions.map((value, i) => value + [x, y, z][i % 3]),
    });
    const [r, apart] = [0.5, 0.7];
    const lens = (Math.PI / 12) * (4 * r + apart) * (2 * r - apart) ** 2;
    const balls = [sphere(r, 16), place(sphere(r, 16), [0, apart, 0])];
    const cubes = [box([1, 1, 1]), box([1, 1, 1], [0.5, 0.5, 0.5])];
    // No corner of a bar is in the other one.
    const bars = [box([3, 0.5, 0.5]), box([0.5, 3, 0.5])];
    for (const [pieces, volume, error] of [
      [balls, (8 / 3) * Math.PI * r ** 3 - lens, 0.03],
      [cubes, 2 - 0.125, 0.001],
      [bars, 1.5 - 0.125, 0.04],
    ] as const)
      for (const surface of [together(...pieces), together(...[...pieces].reverse())]) {
        const mesh = solidMesh({ ...surface, name: "union" });
        const whole = mesh.volumeRatio * meshVolume(mesh.positions, mesh.tetrahedra);
        expect(Math.abs(whole / volume - 1)).toBeLessThan(error);
        expect(mesh.volumeRatio).toBeLessThan(1.1);
        // One body, without walls in it: as many corners as the faces of one closed surface need.
        const faces = boundaryTriangles(mesh.tetrahedra);
        expect(new Set(faces).size).toBe(faces.length / 6 + 2);
        expect(Math.max(...mesh.embedding.outside)).toBeLessThan(0.15);
      }
  });

  it("refuses a piece that passes through itself", () => {
    const crossed = torus(0.2, 0.3);
    expectRefused(() => solidMesh({ ...crossed, name: "crossed" }), "degenerate-geometry", /^crossed: must not pass/);
  });
});
