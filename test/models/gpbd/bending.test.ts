import { describe, expect, it } from "vitest";
import { fabrics, type Fabric } from "../../../src/materials/fabric";
import type { BendingModel } from "../../../src/models/gpbd/bending";
import { gpbdCloth } from "../../../src/models/gpbd/cloth";
import type { EnergyTerm, GpbdModel } from "../../../src/solvers/gpbd/model";
import { tube } from "../../geometry/meshes";
import { gridCloth } from "../../world/cloths";
import { termEnergy } from "../energies";

const models: BendingModel[] = ["dihedral", "isometric"];

const fabric: Fabric = { ...fabrics.cotton, bendingWarp: 3e-5, bendingWeft: 1e-5 };

function bendingOf(model: GpbdModel): EnergyTerm {
  return model.terms.find(({ kind }) => kind.endsWith("bending"))!;
}

/** The flat positions rolled up to a cylinder of radius R with axis z (or x). */
function rolled(x: Float64Array, radius: number, around: "z" | "x"): Float64Array {
  const out = x.slice();
  const along = around === "z" ? 0 : 2;
  for (let i = 0; i < x.length; i += 3) {
    const angle = x[i + along] / radius;
    out[i + along] = radius * Math.sin(angle);
    out[i + 1] = radius * (1 - Math.cos(angle));
  }
  return out;
}

describe.each(models)("%s bending", (bending) => {
  const grid = { width: 1, height: 0.8, columns: 40, rows: 24 };

  it.each([
    ["along the warp", "z", fabric.bendingWarp, 40],
    ["along the weft", "x", fabric.bendingWeft, 24],
  ] as const)("of a sheet rolled to a cylinder %s is ½ B κ² area", (_what, axis, stiffness, cells) => {
    const model = gridCloth(grid, { fabric, bending });
    for (const radius of [0.5, 1, 3]) {
      const energy = termEnergy(bendingOf(model), rolled(model.positions, radius, axis));
      // The first and the last half of a cell have no hinge to bend.
      const area = 0.8 * ((cells - 1) / cells);
      expect(energy / ((0.5 * stiffness * area) / radius ** 2)).toBeCloseTo(1, 2);
    }
  });

  it("does not depend on how fine the mesh is", () => {
    const energies = [10, 20, 40].map((n) => {
      const model = gridCloth({ width: 1, height: 1, columns: n, rows: n }, { fabric, bending });
      return (termEnergy(bendingOf(model), rolled(model.positions, 2, "z")) * n) / (n - 1);
    });
    expect(energies[0] / energies[2]).toBeCloseTo(1, 2);
    expect(energies[1] / energies[2]).toBeCloseTo(1, 3);
  });

  it("does not resist stretching in the plane", () => {
    const model = gridCloth(grid, { fabric, bending });
    const stretched = model.positions.map((value, i) => (i % 3 === 0 ? 1.1 * value : value));
    expect(termEnergy(bendingOf(model), stretched)).toBeLessThan(1e-18);
  });
});

describe("equilateral triangles", () => {
  /** A patch of equilateral triangles with unit sides scaled by `side`, in the plane y = 0. */
  function patch(n: number, side: number, bending: BendingModel): GpbdModel {
    const positions: number[] = [];
    const indices: number[] = [];
    for (let j = 0; j <= n; j++)
      for (let i = 0; i <= n; i++) positions.push(side * (i + j / 2), 0, (side * j * Math.sqrt(3)) / 2);
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) {
        const a = j * (n + 1) + i;
        indices.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
      }
    const same = { ...fabric, bendingWeft: fabric.bendingWarp };
    return gpbdCloth({ positions, indices, bending, fabric: same });
  }

  // The energy of one hinge per direction: a mesh of equilateral triangles bends alike in all directions.
  it.each(models)("bend with ½ B κ² area in any direction: %s", (bending) => {
    const side = 0.02;
    const model = patch(30, side, bending);
    const area = 2 * 30 * 30 * ((Math.sqrt(3) / 4) * side * side);
    const radius = 3;
    for (const direction of [0, 0.3, Math.PI / 6, 1, Math.PI / 2]) {
      const [c, s] = [Math.cos(direction), Math.sin(direction)];
      const x = model.positions.slice();
      for (let i = 0; i < x.length; i += 3) {
        const along = c * x[i] + s * x[i + 2];
        const [moved, height] = [radius * Math.sin(along / radius) - along, radius * (1 - Math.cos(along / radius))];
        x[i] += c * moved;
        x[i + 1] += height;
        x[i + 2] += s * moved;
      }
      const energy = termEnergy(bendingOf(model), x);
      // hinges at the boundary are missing: about one row in thirty
      expect(energy / ((0.5 * fabric.bendingWarp * area) / radius ** 2)).toBeGreaterThan(0.9);
      expect(energy / ((0.5 * fabric.bendingWarp * area) / radius ** 2)).toBeLessThan(1.02);
    }
  });
});

describe("dihedral bending of a tube", () => {
  it("keeps the tube's own curvature as its rest shape and resists flattening", () => {
    const mesh = tube(24, 6);
    const model = gpbdCloth({ ...mesh, fabric });
    const term = bendingOf(model);
    expect(term.kind).toBe("dihedral-bending");
    expect(termEnergy(term, model.positions)).toBeLessThan(1e-25);
    const flattened = model.positions.map((value, i) => (i % 3 === 0 ? 0.3 * value : value));
    expect(termEnergy(term, flattened)).toBeGreaterThan(1e-6);
  });
});
