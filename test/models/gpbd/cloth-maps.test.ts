/** Maps of a cloth: factors of mass and stiffness at its vertices; see test/world for friction and thickness. */
import { describe, expect, it } from "vitest";
import { gridMesh } from "../../../src/geometry/grid";
import { clothModel, defineEnergy, fabrics, withMaps, World, type VertexFactors } from "../../../src/index";
import { gpbdCloth, type ClothDescription, type MembraneModel } from "../../../src/models/gpbd/cloth";
import { RandomGeometry } from "../../collision/random";
import { tube } from "../../geometry/meshes";
import { expectRefused } from "../../refusal";
import { termEnergy } from "../energies";

const grid = gridMesh({ width: 1.2, height: 0.8, columns: 7, rows: 5 });
const vertexCount = grid.positions.length / 3;
const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);

/** Energies of the terms of a cloth in a crumpled state. */
function energiesOf(description: ClothDescription, factors: VertexFactors = {}): number[] {
  const model = withMaps(gpbdCloth(description), factors);
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
    const scaled = energiesOf({ ...mesh, membrane, bending }, { stretch: all(3), bending: all(0.25) });
    expect(plain.every((energy) => energy > 0)).toBe(true);
    expect(scaled[0] / plain[0]).toBeCloseTo(3, 9);
    expect(scaled[1] / plain[1]).toBeCloseTo(0.25, 9);
  });

  it("apply at their vertices alone", () => {
    const of = (factors: VertexFactors): Float64Array => withMaps(gpbdCloth(grid), factors).masses;
    const heavy = new Float64Array(vertexCount).fill(1);
    heavy[10] = 5;
    const [plain, mapped] = [of({}), of({ mass: heavy })];
    mapped.forEach((mass, p) => expect(mass / plain[p]).toBeCloseTo(p === 10 ? 5 : 1, 12));
    // A triangle has the mean of its corners: a third of a vertex that is four more.
    const stiff = withMaps(gpbdCloth(grid), { stretch: heavy }).terms[0];
    const soft = gpbdCloth(grid).terms[0];
    for (let e = 0; e < soft.elementCount; e++) {
      const touches = soft.indices.subarray(3 * e, 3 * e + 3).includes(10);
      expect(stiff.rest[5 * e + 4] / soft.rest[5 * e + 4]).toBeCloseTo(touches ? 7 / 3 : 1, 12);
    }
  });

  it("have the mean of the two sides of a seam", () => {
    const plain = gpbdCloth(tube(24, 17));
    const mass = Float64Array.from(plain.vertexToParticle, (_, v) => 1 + (v % 3));
    const model = withMaps(plain, { mass });
    for (let p = 0; p < plain.particleCount; p++) {
      const own = [...mass].filter((_, v) => plain.vertexToParticle[v] === p);
      expect(model.masses[p] / plain.masses[p]).toBeCloseTo(sum(own) / own.length, 12);
    }
  });

  it("scale bending of an energy of one's own", () => {
    const own = defineEnergy({ strain: "dihedral", energy: "k/2*theta^2", parameters: { k: 1e-5 } });
    const bent = clothModel({ ...grid, energy: own });
    const all = new Float64Array(vertexCount).fill(9);
    const [plain, mapped] = [bent, withMaps(bent, { bending: all })].map(
      ({ terms }) => terms.find(({ kind }) => kind === "hinge-bending")!.rest,
    );
    plain.forEach((value, i) => expect(mapped[i]).toBe(i % 2 === 1 ? 9 * value : value));
  });

  it("stretch a hanging strip where it is soft", async () => {
    const world = await World.create({ backend: "cpu", gravity: [0, -10, 0] });
    const strip = gridMesh({ width: 0.2, height: 1, columns: 2, rows: 10, plane: "xy" });
    const top = (p: number): number => strip.positions[3 * p + 1];
    const count = strip.positions.length / 3;
    const stretch = Float64Array.from({ length: count }, (_, v) => (top(v) > -0.01 ? 1 : 0.25));
    const fabric = { ...fabrics.cotton, stretchWarp: 200, stretchWeft: 200, shear: 80, poissonRatio: 0 };
    const pins = [...Array(count).keys()].filter((v) => top(v) > 0.49);
    const lengths = async (factors: VertexFactors): Promise<number[]> => {
      const body = world.addBody(withMaps(clothModel({ ...strip, fabric }), factors), {
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
    const plain = await lengths({});
    const mapped = await lengths({ stretch });
    world.dispose();
    expect(mapped[0] / plain[0]).toBeCloseTo(1, 1);
    // The lower half hangs on a row of triangles between soft and stiff, which bears most.
    expect(mapped[1] / plain[1]).toBeGreaterThan(2.7);
    expect(mapped[1] / plain[1]).toBeLessThan(3.5);
  });

  it("refuses what does not fit", () => {
    const make = (factors: object) => (): unknown => withMaps(gpbdCloth(grid), factors);
    const ones = new Float64Array(vertexCount).fill(1);
    expectRefused(make({ mass: [1, 2] }), "invalid-argument", /mass: must be 48/);
    expectRefused(make({ stretch: ones.with(3, 0) }), "invalid-argument", /stretch\[3\]/);
    expectRefused(make({ bending: ones.with(3, Number.NaN) }), "invalid-argument", /bending\[3\]/);
    expectRefused(make({ bending: ones.with(3, -1) }), "invalid-argument", /at least 0/);
    expectRefused(make({ thickness: ones.with(3, 1.5) }), "invalid-argument", /thickness\[3\].*at most 1/);
    expectRefused(make({ thickness: ones.with(3, 0) }), "invalid-argument", /above 0/);
    expectRefused(make({ density: ones }), "invalid-argument", /density/);
    for (const solver of ["newton", "local-global"] as const)
      expectRefused(() => withMaps(clothModel({ ...grid, solver }), { mass: ones }), "unsupported", /solver gpbd/);
  });
});
