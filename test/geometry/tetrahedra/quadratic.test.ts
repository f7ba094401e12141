import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quadraticElements, quadraticMasses, quadraticMesh } from "../../../src/geometry/tetrahedra/quadratic";
import { QUADRATIC_NODES } from "../../../src/geometry/tetrahedra/quadrature";
import { boxTetrahedra, meshVolume, validateTetMesh } from "../../../src/geometry/tetrahedra/tet-mesh";

const crooked = boxTetrahedra({ size: [0.3, 0.2, 0.5], cells: [2, 1, 3], center: [1, 2, 3], pattern: "mirrored" });
crooked.positions.forEach((x, i, all) => (all[i] = x + 0.02 * Math.sin(37 * i)));
const mesh = quadraticMesh(crooked);
const { indices, gradients, volumes } = quadraticElements(mesh);

/** Σ xₖ ∇Nₖ of an element for a field, 3 × 3, row-major. */
function slopes(e: number, field: (x: number, y: number, z: number) => readonly number[]): number[] {
  const sum = new Array<number>(9).fill(0);
  for (let k = QUADRATIC_NODES * e; k < QUADRATIC_NODES * (e + 1); k++) {
    const p = 3 * indices[k];
    const value = field(mesh.positions[p], mesh.positions[p + 1], mesh.positions[p + 2]);
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum[3 * i + j] += value[i] * gradients[3 * k + j];
  }
  return sum;
}

describe("quadratic tetrahedra", () => {
  it("keep the vertices, the volume and the mass of the mesh, and have eighths the right way round", () => {
    expect(mesh.positions.subarray(0, crooked.positions.length)).toEqual(crooked.positions);
    validateTetMesh("eighths", mesh);
    const volume = meshVolume(crooked.positions, crooked.tetrahedra);
    expect(meshVolume(mesh.positions, mesh.tetrahedra)).toBeCloseTo(volume, 12);
    expect(volumes.reduce((sum, v) => sum + v, 0)).toBeCloseTo(volume, 12);
    const masses = quadraticMasses(mesh, 700);
    expect(masses.every((m) => m > 0)).toBe(true);
    expect(masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(700 * volume, 9);
  });

  it("have the vertices of edges in their middles, between the ends that they name", () => {
    const first = mesh.positions.length / 3 - mesh.middles.length / 2;
    expect(first).toBe(crooked.positions.length / 3);
    for (let k = 0; k < mesh.middles.length / 2; k++)
      for (let c = 0; c < 3; c++) {
        const [a, b] = [mesh.middles[2 * k], mesh.middles[2 * k + 1]];
        const middle = (mesh.positions[3 * a + c] + mesh.positions[3 * b + c]) / 2;
        expect(mesh.positions[3 * (first + k) + c]).toBe(middle);
      }
  });

  it("have the slopes of any linear field at every point, and its mean for a quadratic one", () => {
    const number = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 12, maxLength: 12 }), (m) => {
        const field = (x: number, y: number, z: number): number[] =>
          [0, 1, 2].map((i) => m[4 * i] * x + m[4 * i + 1] * y + m[4 * i + 2] * z + m[4 * i + 3]);
        for (let e = 0; e < volumes.length; e += 5)
          slopes(e, field).forEach((value, i) => expect(value).toBeCloseTo(m[4 * Math.floor(i / 3) + (i % 3)], 9));
      }),
      { numRuns: 20 },
    );
    // x² has the slope 2 x, linear in a tetrahedron: its mean over four points is the value in the middle
    for (let t = 0; t < volumes.length / 4; t++) {
      const corners = Array.from(indices.subarray(4 * QUADRATIC_NODES * t, 4 * QUADRATIC_NODES * t + 4));
      const middle = corners.reduce((sum, p) => sum + mesh.positions[3 * p] / 4, 0);
      const mean = [0, 1, 2, 3].reduce((sum, k) => sum + slopes(4 * t + k, (x) => [x * x, 0, 0])[0] / 4, 0);
      expect(mean).toBeCloseTo(2 * middle, 9);
    }
  });
});
