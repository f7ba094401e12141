import { describe, expect, it } from "vitest";
import { boxTetrahedra, clothModel, defineEnergy, gridMesh, ropeModel, solidModel, World } from "../../src/index";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { gpbdRod } from "../../src/models/gpbd/rod";
import { gpbdSolid } from "../../src/models/gpbd/soft-body";
import { withEnergy } from "../../src/models/gpbd/with-energy";
import { localGlobalSolid } from "../../src/models/local-global/local-global";
import { localGlobalCloth } from "../../src/models/local-global/local-global-fabric";
import { newtonCloth } from "../../src/models/newton/newton-cloth";
import { newtonRope } from "../../src/models/newton/newton-rope";
import { newtonSolid } from "../../src/models/newton/newton-soft-body";
import { expectRefused } from "../refusal";

const grid = { ...gridMesh({ width: 1, height: 1, columns: 3, rows: 3 }), fabric: "denim" } as const;
const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000, model: "stable-neo-hookean" } as const;
const box = { ...boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] }), material };
const line = { positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], radius: 0.1, density: 1000, youngsModulus: 1e6 };
const energy = defineEnergy({ strain: "green-tet", energy: "k*(Exx^2+Eyy^2+Ezz^2)", parameters: { k: 1e5 } });

describe("one description of cloth, solids and ropes", () => {
  it.each([
    ["cloth", clothModel(grid), gpbdCloth(grid)],
    ["cloth by gpbd", clothModel({ ...grid, solver: "gpbd" }), gpbdCloth(grid)],
    ["cloth by local-global", clothModel({ ...grid, solver: "local-global" }), localGlobalCloth(grid)],
    ["cloth by newton", clothModel({ ...grid, solver: "newton" }), newtonCloth(grid)],
    ["a solid", solidModel(box), gpbdSolid({ ...box, name: "solid" })],
    ["a solid by local-global", solidModel({ ...box, solver: "local-global" }), localGlobalSolid(box)],
    ["a solid by newton", solidModel({ ...box, solver: "newton" }), newtonSolid({ ...box, name: "solid" })],
    ["a solid of an energy", solidModel({ ...box, energy }), withEnergy(gpbdSolid({ ...box, name: "solid" }), energy)],
    ["a rope", ropeModel(line), gpbdRod({ ...line, name: "rope" })],
    ["a rope by newton", ropeModel({ ...line, solver: "newton" }), newtonRope(line)],
  ] as const)("makes %s as its solver does", (_what, made, own) => {
    expect(made).toEqual(own);
  });

  it.each(["gpbd", "local-global", "newton"] as const)("falls alike by %s", async (solver) => {
    const world = await World.create({ backend: "cpu" });
    const models = [clothModel({ ...grid, solver }), solidModel({ ...box, solver })];
    const ropes = solver === "local-global" ? [] : [ropeModel({ ...line, solver })];
    const bodies = [...models, ...ropes].map((model, k) => {
      const body = world.addBody(model, { airDensity: 0, bodyCollision: solver === "newton" ? undefined : false });
      expect(body.model.solver ?? "gpbd", String(k)).toBe(solver);
      // apart from the others, which bodies of newton would touch
      const positions = Float64Array.from(model.positions, (x, i) => x + (i % 3 === 0 ? 5 * k : 0));
      body.writeState({ positions, velocities: positions.map(() => 0) });
      return body;
    });
    for (let frame = 0; frame < 15; frame++) world.step(1 / 60);
    for (const body of bodies) {
      const { positions } = await body.readState();
      const fall = body.model.positions.reduce((sum, y, i) => sum + (i % 3 === 1 ? y - positions[i] : 0), 0);
      // A step of h too much, at most: g t h / 2
      const expected = 0.5 * 9.81 * 0.25 ** 2;
      expect(fall / body.particleCount).toBeGreaterThan(0.99 * expected);
      expect(fall / body.particleCount).toBeLessThan((1 + 1.01 / 15) * expected);
    }
    world.dispose();
  });

  it.each([
    ["cloth.stretchLimits", () => clothModel({ ...grid, stretchLimits: [0.9, 1.1] })],
    ["cloth.energy", () => clothModel({ ...grid, solver: "newton", energy })],
    ["cloth.membrane", () => clothModel({ ...grid, solver: "newton", membrane: "stvk" })],
    ["cloth.membrane", () => clothModel({ ...grid, solver: "local-global", membrane: "springs" })],
    ["cloth.bending", () => clothModel({ ...grid, solver: "local-global", bending: "dihedral" })],
    ["solid.energy", () => solidModel({ ...box, solver: "local-global", energy })],
    ["solid.stretchLimits", () => solidModel({ ...box, solver: "newton", stretchLimits: [0.9, 1.1] })],
    ["rope.twist", () => ropeModel({ ...line, solver: "newton", twist: 1 })],
    ["rope.closed", () => ropeModel({ ...line, solver: "newton", closed: true })],
  ] as const)("refuses %s where the solver has no such thing", (what, make) => {
    expectRefused(make, "unsupported", new RegExp(what.replace(".", "\\.")));
  });

  it.each([
    ["cloth.solver", () => clothModel({ ...grid, solver: "havok" as "gpbd" })],
    ["solid.solver", () => solidModel({ ...box, solver: "havok" as "gpbd" })],
    ["rope.solver", () => ropeModel({ ...line, solver: "local-global" as "gpbd" })],
  ] as const)("names the solvers for another %s", (what, make) => {
    expectRefused(make, "unsupported", new RegExp(what.replace(".", "\\.")));
  });
});
