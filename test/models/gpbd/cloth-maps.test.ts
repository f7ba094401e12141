/** Maps of a cloth: factors of mass and stiffness at its vertices. */
import { describe, expect, it } from "vitest";
import { gridMesh } from "../../../src/geometry/grid";
import { clothModel, fabrics, World } from "../../../src/index";
import { gpbdCloth, type ClothDescription, type MembraneModel } from "../../../src/models/gpbd/cloth";
import { RandomGeometry } from "../../collision/random";
import { tube } from "../../geometry/meshes";
import { expectRefused } from "../../refusal";
import { termEnergy } from "../energies";

const grid = gridMesh({ width: 1.2, height: 0.8, columns: 7, rows: 5 });
const vertexCount = grid.positions.length / 3;
const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);

/** Energies of the terms of a cloth in a crumpled state. */
function energiesOf(description: ClothDescription): number[] {
  const model = gpbdCloth(description);
  const random = new RandomGeometry(7);
  const places = model.positions.map((value) => value + random.between(-0.02, 0.02));
  return model.terms.map((term) => termEnergy(term, places));
}

describe("maps of a cloth", () => {
  it.each([
    ["stvk", "isometric", grid],
    ["stvk", "dihedral", tube(12, 9)],
    ["neo-hookean", "dihedral", grid],
    ["springs", "isometric", grid],
  ] as const)("scale the energies of %s and %s", (membrane: MembraneModel, bending, mesh) => {
    const all = (factor: number): Float64Array => new Float64Array(mesh.positions.length / 3).fill(factor);
    const plain = energiesOf({ ...mesh, membrane, bending });
    const scaled = energiesOf({ ...mesh, membrane, bending, maps: { stretch: all(3), bending: all(0.25) } });
    expect(plain.every((energy) => energy > 0)).toBe(true);
    expect(scaled[0] / plain[0]).toBeCloseTo(3, 9);
    expect(scaled[1] / plain[1]).toBeCloseTo(0.25, 9);
  });

  it("apply at their vertices alone", () => {
    const of = (maps: ClothDescription["maps"]): Float64Array => gpbdCloth({ ...grid, maps }).masses;
    const heavy = new Float64Array(vertexCount).fill(1);
    heavy[10] = 5;
    const [plain, mapped] = [of({}), of({ mass: heavy })];
    mapped.forEach((mass, p) => expect(mass / plain[p]).toBeCloseTo(p === 10 ? 5 : 1, 12));
    // A triangle has the mean of its corners: a third of a vertex that is four more.
    const stiff = gpbdCloth({ ...grid, maps: { stretch: heavy } }).terms[0];
    const soft = gpbdCloth(grid).terms[0];
    for (let e = 0; e < soft.elementCount; e++) {
      const touches = soft.indices.subarray(3 * e, 3 * e + 3).includes(10);
      expect(stiff.rest[5 * e + 4] / soft.rest[5 * e + 4]).toBeCloseTo(touches ? 7 / 3 : 1, 12);
    }
  });

  it("give both sides of a seam their own mass", () => {
    const mesh = tube(24, 17);
    const mass = Float64Array.from({ length: mesh.positions.length / 3 }, (_, v) => 1 + (v % 3));
    const model = gpbdCloth({ ...mesh, maps: { mass } });
    expect(sum(model.masses)).toBeGreaterThan(1.5 * sum(gpbdCloth(mesh).masses));
  });

  it.each(["cpu", "reference"] as const)("stretch a hanging strip where it is soft: %s", async (backend) => {
    const world = await World.create({ backend, gravity: [0, -10, 0] });
    const strip = gridMesh({ width: 0.2, height: 1, columns: 2, rows: 10, plane: "xy" });
    const top = (p: number): number => strip.positions[3 * p + 1];
    const count = strip.positions.length / 3;
    const stretch = Float64Array.from({ length: count }, (_, v) => (top(v) > -0.01 ? 1 : 0.25));
    const fabric = { ...fabrics.cotton, stretchWarp: 200, stretchWeft: 200, shear: 80, poissonRatio: 0 };
    const pins = [...Array(count).keys()].filter((v) => top(v) > 0.49);
    const lengths = async (maps: ClothDescription["maps"]): Promise<number[]> => {
      const body = world.addBody(clothModel({ ...strip, fabric, maps }), {
        pins,
        airDensity: 0,
        damping: 4,
        substeps: 60,
      });
      for (let frame = 0; frame < 150; frame++) world.step(1 / 60);
      const x = await body.readPositions();
      body.dispose();
      const rows = [0.5, 0, -0.5].map((y) => {
        const row = [...Array(count).keys()].filter((v) => Math.abs(top(v) - y) < 0.01);
        return sum(row.map((v) => x[3 * v + 1])) / row.length;
      });
      return [rows[0] - rows[1] - 0.5, rows[1] - rows[2] - 0.5];
    };
    const plain = await lengths(undefined);
    const mapped = await lengths({ stretch });
    world.dispose();
    expect(mapped[0] / plain[0]).toBeCloseTo(1, 1);
    // The lower half hangs on a row of triangles between soft and stiff, which bears most.
    expect(mapped[1] / plain[1]).toBeGreaterThan(2.7);
    expect(mapped[1] / plain[1]).toBeLessThan(3.5);
  });

  it("refuses what does not fit", () => {
    const make = (maps: object) => (): unknown => gpbdCloth({ ...grid, maps });
    const ones = new Float64Array(vertexCount).fill(1);
    expectRefused(make({ mass: [1, 2] }), "invalid-argument", /maps.mass/);
    expectRefused(make({ stretch: ones.with(3, 0) }), "invalid-argument", /maps.stretch\[3\]/);
    expectRefused(make({ bending: ones.with(3, Number.NaN) }), "invalid-argument", /maps.bending\[3\]/);
    expectRefused(make({ bending: ones.with(3, -1) }), "invalid-argument", /at least 0/);
    expectRefused(make({ thickness: ones }), "invalid-argument", /maps/);
    for (const solver of ["newton", "local-global"] as const)
      expectRefused(() => clothModel({ ...grid, solver, maps: { mass: ones } }), "unsupported", /maps/);
  });
});
