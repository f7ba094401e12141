import { newtonRope, type NewtonRopeDescription } from "../../src/models/newton/newton-rope";
import { describe, expect, it } from "vitest";
import { boxTetrahedra, fabrics, gridMesh, clothModel, solidModel, type PliantErrorCode, World } from "../../src/index";
import { expectRefused } from "../refusal";

const mesh = boxTetrahedra({ size: [0.4, 0.2, 0.1], cells: [2, 1, 1] });
const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 700 };
const grid = gridMesh({ width: 0.6, height: 0.4, columns: 3, rows: 2 });
const rope: NewtonRopeDescription = {
  positions: [0, 0, 0, 0.5, 0, 0, 1, 0, 0],
  radius: 0.02,
  youngsModulus: 1e7,
  density: 900,
};
const total = (masses: Float64Array): number => masses.reduce((sum, mass) => sum + mass, 0);

describe("models of the Newton solver", () => {
  it("have the mass of what they are made of", () => {
    expect(total(solidModel({ solver: "newton", ...mesh, material }).masses)).toBeCloseTo(700 * 0.4 * 0.2 * 0.1, 12);
    expect(total(clothModel({ solver: "newton", ...grid, fabric: "denim" }).masses)).toBeCloseTo(
      fabrics.denim.areaDensity * 0.6 * 0.4,
      12,
    );
    const model = newtonRope(rope);
    expect(total(model.masses)).toBeCloseTo(900 * Math.PI * 0.02 ** 2, 12);
    expect(Array.from(model.masses)).toEqual([0.25, 0.5, 0.25].map((part) => part * total(model.masses)));
  });

  it("weld the seams of cloth and know which particle a vertex is", () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
    const model = clothModel({ solver: "newton", positions, indices: [0, 1, 2, 3, 4, 5] });
    expect(model.particleCount).toBe(4);
    expect(model.vertexToParticle[1]).toBe(model.vertexToParticle[3]);
    expect(model.bending?.[0]).toMatchObject({ count: 2, arity: 4 });
  });

  it("keep a rope's radius as its distance from obstacles, where nobody says another", async () => {
    const world = await World.create({ backend: "cpu" });
    expect(world.addBody(newtonRope(rope)).options.thickness).toBe(0.02);
    expect(world.addBody(newtonRope(rope), { thickness: 0.1 }).options.thickness).toBe(0.1);
    expect(world.addBody(solidModel({ solver: "newton", ...mesh, material })).options.thickness).toBe(0);
    world.dispose();
  });

  const refused: readonly [string, () => unknown, PliantErrorCode, RegExp][] = [
    [
      "a material without this solver's energy",
      () => solidModel({ solver: "newton", ...mesh, material: { ...material, model: "stvk" } }),
      "unsupported",
      /model/,
    ],
    [
      "an incompressible material",
      () => solidModel({ solver: "newton", ...mesh, material: { ...material, poissonRatio: 0.5 } }),
      "invalid-argument",
      /poissonRatio/,
    ],
    [
      "a negative density",
      () => solidModel({ solver: "newton", ...mesh, material: { ...material, density: -1 } }),
      "invalid-argument",
      /density/,
    ],
    [
      "a tetrahedron without a vertex",
      () => solidModel({ solver: "newton", ...mesh, tetrahedra: [0, 1, 2, 999], material }),
      "index-out-of-range",
      /999/,
    ],
    [
      "a fraction as a vertex",
      () => solidModel({ solver: "newton", ...mesh, tetrahedra: [0, 1, 2, 3.5], material }),
      "index-out-of-range",
      /3\.5/,
    ],
    [
      "a position that is no number",
      () =>
        solidModel({
          solver: "newton",
          ...mesh,
          positions: mesh.positions.map((x, i) => (i === 4 ? NaN : x)),
          material,
        }),
      "non-finite",
      /NaN/,
    ],
    [
      "a mesh turned inside out",
      () =>
        solidModel({
          solver: "newton",
          ...mesh,
          positions: mesh.positions.map((x, i) => (i % 3 === 0 ? -x : x)),
          material,
        }),
      "degenerate-geometry",
      /inverted/,
    ],
    [
      "cloth that is not flat",
      () =>
        clothModel({ solver: "newton", positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1], indices: [0, 1, 2, 1, 3, 2] }),
      "invalid-argument",
      /flat/,
    ],
    [
      "a fabric of no weight",
      () => clothModel({ solver: "newton", ...grid, fabric: { ...fabrics.silk, areaDensity: 0 } }),
      "invalid-argument",
      /areaDensity/,
    ],
    [
      "a triangle without a vertex",
      () => clothModel({ solver: "newton", ...grid, indices: [0, 1, 99] }),
      "index-out-of-range",
      /99/,
    ],
    ["a rope of one particle", () => newtonRope({ ...rope, positions: [0, 0, 0] }), "invalid-argument", /positions/],
    [
      "a rope of particles that lack a coordinate",
      () => newtonRope({ ...rope, positions: [0, 0, 0, 1, 0] }),
      "invalid-argument",
      /positions/,
    ],
    [
      "a rope through infinity",
      () => newtonRope({ ...rope, positions: [0, 0, 0, Infinity, 0, 0] }),
      "non-finite",
      /point 1/,
    ],
    [
      "a segment without length",
      () => newtonRope({ ...rope, positions: [0, 0, 0, 0, 0, 0, 1, 0, 0] }),
      "degenerate-geometry",
      /edge 0/,
    ],
    ["a rope without a radius", () => newtonRope({ ...rope, radius: 0 }), "invalid-argument", /radius/],
    [
      "a rope with no stiffness",
      () => newtonRope({ ...rope, youngsModulus: NaN }),
      "invalid-argument",
      /youngsModulus/,
    ],
    [
      "bending that pushes",
      () => newtonRope({ ...rope, bendingStiffness: -1 }),
      "invalid-argument",
      /bendingStiffness/,
    ],
    ["negative friction", () => newtonRope({ ...rope, friction: -0.1 }), "invalid-argument", /friction/],
  ];
  it.each(refused)("refuse %s", (_what, call, code, message) => expectRefused(call, code, message));

  it("refuse options that this solver does not have, and nothing is added or changed then", async () => {
    const world = await World.create({ backend: "cpu" });
    const model = solidModel({ solver: "newton", ...mesh, material });
    expectRefused(() => world.addBody(model, { wind: [1, 0, 0] }), "invalid-argument", /wind/);
    expectRefused(() => world.addBody(model, { damping: -1 }), "invalid-argument", /damping/);
    expectRefused(() => world.addBody(model, { thickness: NaN }), "invalid-argument", /thickness/);
    expectRefused(() => world.addBody(model, { pins: [model.particleCount] }), "index-out-of-range", /pins/);
    expect(world.bodies).toHaveLength(0);
    expect(world.rigid.soft.count).toBe(0);
    const body = world.addBody(model, { damping: 1 });
    expectRefused(() => body.setOptions({ friction: -1 }), "invalid-argument", /friction/);
    expect(body.options.friction).toBe(model.friction);
    expect(body.options.damping).toBe(1);
    body.dispose();
    expect(world.rigid.soft.count).toBe(0);
    expectRefused(() => body.setOptions({}), "disposed", /disposed/);
    world.dispose();
  });
});
