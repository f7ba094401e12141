import { describe, expect, it } from "vitest";
import { gridMesh } from "../../../src/geometry/grid";
import { fabrics, type Fabric, type FabricName } from "../../../src/materials/fabric";
import { NO_VERTEX } from "../../../src/geometry/surface/incidence";
import { gpbdCloth, type ClothDescription, type MembraneModel } from "../../../src/models/gpbd/cloth";
import { termLayout, type GpbdModel } from "../../../src/solvers/gpbd/model";
import { RandomGeometry } from "../../collision/random";
import { randomPositions, triangleSoup, tube } from "../../geometry/meshes";
import { expectRefused } from "../../refusal";
import { gridCloth } from "../../world/cloths";
import { termEnergy } from "../energies";

const membranes: MembraneModel[] = ["stvk", "neo-hookean", "springs"];

describe("cloth model", () => {
  it.each(Object.keys(fabrics) as FabricName[])("of %s weighs its area times the area density", (fabric) => {
    const model = gridCloth({ width: 1.3, height: 0.7, columns: 37, rows: 53 }, { fabric });
    const mass = model.masses.reduce((sum, m) => sum + m, 0);
    expect(mass).toBeCloseTo(1.3 * 0.7 * fabrics[fabric].areaDensity, 12);
    expect(model.masses.every((m) => m > 0)).toBe(true);
    expect(model.friction).toBe(fabrics[fabric].friction);
    expect(model.particleCount).toBe(38 * 54);
  });

  it("weighs as much on a curved mesh with holes and loose parts", () => {
    const positions = randomPositions(1, 500);
    const indices = triangleSoup(2, 500, 1234);
    const model = gpbdCloth({ positions, indices, bending: "dihedral" });
    let area = 0;
    for (let f = 0; f < indices.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[f + k]);
      const e = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
      const g = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
      area += Math.hypot(e[1] * g[2] - e[2] * g[1], e[2] * g[0] - e[0] * g[2], e[0] * g[1] - e[1] * g[0]) / 2;
    }
    expect(model.masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(area * fabrics.cotton.areaDensity, 9);
  });

  it("welds seams and keeps the map from vertices to particles", () => {
    const mesh = tube(24, 17);
    const model = gpbdCloth(mesh);
    expect(model.vertexToParticle).toHaveLength(mesh.positions.length / 3);
    expect(model.particleCount).toBe(24 * 18);
    for (let v = 0; v < model.vertexToParticle.length; v++)
      for (let c = 0; c < 3; c++)
        expect(model.positions[3 * model.vertexToParticle[v] + c]).toBeCloseTo(mesh.positions[3 * v + c], 12);
  });

  it("leaves out what welding collapses: a sliver of two vertices that are one", () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1e-7, 1, 0];
    const model = gpbdCloth({ positions, indices: [0, 2, 3, 0, 1, 2], uvs: [0, 0, 0, 0, 0, 1, 0, 0] });
    expect(Array.from(model.vertexToParticle)).toEqual([0, 1, 2, 2]);
    expect(Array.from(model.faces)).toEqual([0, 1, 2]);
    expect(Array.from(model.triangleFaces)).toEqual([-1, 0]);
    expect(model.masses.every((mass) => mass > 0)).toBe(true);
  });

  it("does not keep the caller's arrays", () => {
    const mesh = gridMesh({ width: 1, height: 1, columns: 3, rows: 3 });
    const model = gpbdCloth(mesh);
    const before = model.positions.slice();
    mesh.positions.fill(9);
    expect(model.positions).toEqual(before);
  });

  it.each(membranes)("rests where it was made: no energy in a %s cloth, flat or curved", (membrane) => {
    for (const [mesh, bending] of [
      [gridMesh({ width: 1, height: 1, columns: 7, rows: 5 }), "isometric"],
      [gridMesh({ width: 1, height: 1, columns: 7, rows: 5 }), "dihedral"],
      [tube(12, 9), undefined],
    ] as const) {
      const model = gpbdCloth({ ...mesh, membrane, bending });
      for (const term of model.terms) expect(Math.abs(termEnergy(term, model.positions))).toBeLessThan(1e-20);
    }
  });

  it("takes isometric bending for a flat mesh and the angle for others", () => {
    const kindsOf = (model: GpbdModel): string[] => model.terms.map(({ kind }) => kind);
    const flat = gridMesh({ width: 1, height: 1, columns: 4, rows: 4, plane: "xy" });
    expect(kindsOf(gpbdCloth(flat))).toEqual(["stvk-membrane", "isometric-bending"]);
    expect(kindsOf(gpbdCloth({ ...flat, bending: "dihedral" }))).toEqual(["stvk-membrane", "dihedral-bending"]);
    expect(kindsOf(gpbdCloth(tube(12, 5)))).toEqual(["stvk-membrane", "dihedral-bending"]);
    const limp = { ...fabrics.silk, bendingWarp: 0, bendingWeft: 0 };
    expect(kindsOf(gpbdCloth({ ...flat, fabric: limp, membrane: "springs" }))).toEqual(["distance"]);
  });

  it("sorts the elements of every term by colour, no vertex twice in a colour", () => {
    for (const membrane of membranes) {
      const indices = triangleSoup(3, 200, 600);
      const model = gpbdCloth({ positions: randomPositions(4, 200), indices, membrane, bending: "dihedral" });
      for (const { kind, colours, indices, elementCount, rest } of model.terms) {
        const { arity, rest: stride } = termLayout[kind];
        expect(rest).toHaveLength(stride * elementCount);
        expect(colours[colours.length - 1]).toBe(elementCount);
        for (let c = 1; c < colours.length; c++) {
          const vertices = indices
            .subarray(arity * colours[c - 1], arity * colours[c])
            .filter((vertex) => vertex !== NO_VERTEX);
          expect(new Set(vertices).size).toBe(vertices.length);
        }
      }
    }
  });
});

describe("stretching stiffness", () => {
  const grid = { width: 1, height: 1, columns: 6, rows: 6 };
  const fabric: Fabric = { ...fabrics.denim, poissonRatio: 0.3 };

  /** Energy per area of the membrane under the deformation x ↦ (a x + s z, y, b z). */
  function energyOf(membrane: MembraneModel, a: number, b: number, shear = 0, uvAngle = 0): number {
    const mesh = gridMesh(grid);
    const [c, s] = [Math.cos(uvAngle), Math.sin(uvAngle)];
    const uvs = Float64Array.from({ length: mesh.uvs.length }, (_, i) => {
      const [u, v] = [mesh.uvs[i - (i % 2)], mesh.uvs[i - (i % 2) + 1]];
      return i % 2 === 0 ? c * u + s * v : -s * u + c * v;
    });
    const model = gpbdCloth({ ...mesh, uvs, fabric, membrane });
    const x = model.positions.map((value, i, all) =>
      i % 3 === 0 ? a * value + shear * all[i + 2] : i % 3 === 2 ? b * value : value,
    );
    return termEnergy(model.terms[0], x);
  }

  it.each(["stvk", "neo-hookean"] as const)("of a %s strip is Young's modulus along warp and weft", (membrane) => {
    const strain = 1e-5;
    for (const [young, alongWarp] of [
      [fabric.stretchWarp, true],
      [fabric.stretchWeft, false],
    ] as const) {
      // the strip contracts freely: least energy over the lateral strain
      const energies = [-1, 0, 1].map((k) => {
        const lateral = 1 + k * strain;
        return alongWarp ? energyOf(membrane, 1 + strain, lateral) : energyOf(membrane, lateral, 1 + strain);
      });
      const [low, middle, high] = energies;
      const least = middle - (high - low) ** 2 / (8 * (high - 2 * middle + low));
      expect(least / (0.5 * young * strain * strain)).toBeCloseTo(1, 3);
    }
  });

  it.each(["stvk", "neo-hookean"] as const)("of a %s cloth in shear is the shear stiffness", (membrane) => {
    const shear = 1e-5;
    expect(energyOf(membrane, 1, 1, shear) / (0.5 * fabric.shear * shear * shear)).toBeCloseTo(1, 3);
  });

  it.each(["stvk", "neo-hookean"] as const)("of a %s cloth turns with the texture coordinates", (membrane) => {
    const strain = 1e-4;
    const straight = energyOf(membrane, 1 + strain, 1);
    const turned = energyOf(membrane, 1, 1 + strain, 0, Math.PI / 2);
    expect(turned / straight).toBeCloseTo(1, 9);
    // and differs along warp and weft
    expect(energyOf(membrane, 1, 1 + strain) / straight).toBeCloseTo(fabric.stretchWeft / fabric.stretchWarp, 3);
  });

  it("of springs on equilateral triangles is √3/2 Y an edge, as in theory", () => {
    const young = 1000;
    const side = 0.1;
    const positions = [
      0,
      0,
      0,
      side,
      0,
      0,
      side / 2,
      0,
      (side * Math.sqrt(3)) / 2,
      (3 * side) / 2,
      0,
      (side * Math.sqrt(3)) / 2,
    ];
    const model = gpbdCloth({
      positions,
      indices: [0, 2, 1, 1, 2, 3],
      fabric: { ...fabrics.cotton, stretchWarp: young, stretchWeft: young },
      membrane: "springs",
    });
    const term = model.terms[0];
    for (let e = 0; e < term.elementCount; e++) {
      const [a, b] = term.indices.subarray(2 * e, 2 * e + 2);
      const inner = (a === 1 && b === 2) || (a === 2 && b === 1);
      // an edge at the boundary has one triangle beside it
      expect(1 / term.rest[2 * e + 1]).toBeCloseTo(((inner ? 1 : 0.5) * Math.sqrt(3) * young) / 2, 8);
    }
  });
});

describe("refused cloth", () => {
  const mesh = gridMesh({ width: 1, height: 1, columns: 2, rows: 2 });
  const replaced = (values: Float64Array, index: number, value: number): Float64Array =>
    values.map((old, i) => (i === index ? value : old));
  const cases: [string, Partial<ClothDescription>, Parameters<typeof expectRefused>[1], RegExp][] = [
    ["a vertex that is NaN", { positions: replaced(mesh.positions, 4, NaN) }, "non-finite", /sail vertex 1.*NaN/],
    ["an infinite vertex", { positions: replaced(mesh.positions, 8, Infinity) }, "non-finite", /sail vertex 2/],
    ["an index out of range", { indices: [0, 1, 9] }, "index-out-of-range", /sail triangle 0.*below 9, got 9/],
    ["a degenerate triangle", { indices: [0, 1, 2] }, "degenerate-geometry", /sail triangle 0.*area/],
    ["no triangles", { indices: [] }, "degenerate-geometry", /sail.*empty/],
    ["no vertices", { positions: [] }, "degenerate-geometry", /sail.*empty/],
    [
      "texture coordinates of another mesh",
      { uvs: [0, 0, 1, 1] },
      "invalid-argument",
      /sail uvs.*two numbers a vertex/,
    ],
    ["an unknown fabric", { fabric: "velvet" as FabricName }, "invalid-argument", /sail\.fabric.*cotton/],
    ["no density", { fabric: { ...fabrics.silk, areaDensity: 0 } }, "invalid-argument", /areaDensity.*positive, got 0/],
    ["negative stiffness", { fabric: { ...fabrics.silk, shear: -2 } }, "invalid-argument", /shear.*positive, got -2/],
    ["a membrane of no name", { membrane: "rubber" as MembraneModel }, "invalid-argument", /sail\.membrane/],
    ["a bending of no name", { bending: "no" as "dihedral" }, "invalid-argument", /sail\.bending/],
  ];

  it.each(cases)("with %s", (_what, part, code, message) => {
    expectRefused(() => gpbdCloth({ ...mesh, name: "sail", ...part }), code, message);
  });

  it("with isometric bending on a mesh that is not flat, naming the hinge", () => {
    expectRefused(() => gpbdCloth({ ...tube(8, 3), bending: "isometric" }), "invalid-argument", /hinge \d+.*flat/);
  });
});

describe("random cloths", () => {
  it("are taken or refused, and never half made", () => {
    const random = new RandomGeometry(9);
    for (let i = 0; i < 60; i++) {
      const count = 3 + Math.floor(random.between(0, 30));
      const model = gpbdCloth({
        positions: randomPositions(100 + i, count),
        indices: triangleSoup(200 + i, count, 1 + Math.floor(random.between(0, 40))),
        membrane: membranes[i % 3],
        bending: "dihedral",
      });
      expect(model.positions.every(Number.isFinite)).toBe(true);
      expect(model.masses.every((m) => m > 0 && Number.isFinite(m))).toBe(true);
      for (const term of model.terms) {
        expect(term.rest.every(Number.isFinite)).toBe(true);
        expect(Math.max(...term.indices.filter((vertex) => vertex !== NO_VERTEX))).toBeLessThan(model.particleCount);
      }
    }
  });
});
