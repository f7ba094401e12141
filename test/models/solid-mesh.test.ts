import { describe, expect, it } from "vitest";
import { meshVolume, tetMasses } from "../../src/geometry/tetrahedra/tet-mesh";
import { solidMesh } from "../../src/models/solid-mesh";
import { box, bunny, sphere, together, torus, volumeOf } from "../geometry/tetrahedra/surfaces";
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

  it("refuses a surface that passes through itself", () => {
    const crossed = together(box([1, 1, 1]), sphere(0.3));
    for (let i = 24; i < crossed.positions.length; i += 3) crossed.positions[i] += 0.5;
    expectRefused(() => solidMesh({ ...crossed, name: "crossed" }), "degenerate-geometry", /^crossed: must not pass/);
  });
});
