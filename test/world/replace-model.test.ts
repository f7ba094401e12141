import { describe, expect, it } from "vitest";
import { clothModel } from "../../src/models/cloth";
import { gridMesh } from "../../src/geometry/grid";
import { fabrics, type Fabric, type FabricName } from "../../src/materials/fabric";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import type { BodyState, SolverName } from "../../src/solvers/deformable";
import type { GpbdModel } from "../../src/solvers/gpbd/model";
import type { BodyOptions } from "../../src/world/body";
import type { BodyModel } from "../../src/world/backend/body-settings";
import type { World } from "../../src/world/world";
import { largestDifference, verticesWhere } from "./cloths";
import { backends, inWorld, run } from "./worlds";

const mesh = gridMesh({ width: 0.5, height: 0.5, columns: 6, rows: 6 });
const pins = [0, 6];
const limp: Fabric = { ...fabrics.silk, bendingWarp: 0, bendingWeft: 0 };

function sheet(solver: SolverName, fabric: FabricName | Fabric, membrane?: "springs" | "neo-hookean"): BodyModel {
  return clothModel({ ...mesh, solver, fabric, name: "sheet", ...(membrane && { membrane }) });
}

interface Change {
  readonly solver: SolverName;
  readonly from: BodyModel;
  readonly to: BodyModel;
  readonly options?: BodyOptions;
}

// The second is never stiffer for its mass, so that it takes effect at once.
const changes: Readonly<Record<string, Change>> = {
  "gpbd, the same energies": { solver: "gpbd", from: sheet("gpbd", "cotton"), to: sheet("gpbd", "rubber-sheet") },
  "gpbd, a table in place of finite elements": {
    solver: "gpbd",
    from: sheet("gpbd", "denim"),
    to: sheet("gpbd", "stockinette"),
  },
  "gpbd, one table for another": { solver: "gpbd", from: sheet("gpbd", "satin"), to: sheet("gpbd", "rib") },
  "gpbd, springs": {
    solver: "gpbd",
    from: sheet("gpbd", "silk", "springs"),
    to: sheet("gpbd", "rubber-sheet", "springs"),
  },
  "gpbd, without bending": {
    solver: "gpbd",
    from: sheet("gpbd", "silk", "neo-hookean"),
    to: sheet("gpbd", limp, "neo-hookean"),
    options: { iterations: 2, method: "jacobi" },
  },
  "local-global": {
    solver: "local-global",
    from: sheet("local-global", "cotton"),
    to: sheet("local-global", "stockinette"),
    options: { iterations: 40 },
  },
  "local-global, without bending": {
    solver: "local-global",
    from: sheet("local-global", "silk"),
    to: sheet("local-global", limp),
    options: { iterations: 40 },
  },
  newton: { solver: "newton", from: sheet("newton", "cotton"), to: sheet("newton", "rubber-sheet") },
  "newton, without bending": { solver: "newton", from: sheet("newton", "silk"), to: sheet("newton", limp) },
};

/** Tolerance for differences in some frames of a solver in f32, or of one that iterates from another start [m]. */
const tolerance = { gpbd: 2e-5, "local-global": 2e-4, newton: 2e-5 } as const;

/** A body whose model is replaced, beside one made of that model in the same state. */
async function pair(world: World, { from, to, options }: Change): Promise<{ difference: number; travelled: number }> {
  const body = world.addBody(from, { pins, ...options });
  run(world, 8);
  const state = await body.readState();
  body.replaceModel(to);
  expect(await body.readState()).toEqual(state);
  expect(body.options.friction).toBe(to.friction);
  const other = world.addBody(to, { pins, ...options, bodyCollision: false });
  body.setOptions({ bodyCollision: false });
  other.writeState(state);
  run(world, 12);
  const found = (await body.readState()).positions;
  const expected = (await other.readState()).positions;
  return { difference: largestDifference(found, expected), travelled: largestDifference(found, state.positions) };
}

describe.each(backends)("a body whose model is replaced on %s", (backend) => {
  it.each(Object.keys(changes))(
    "goes on as one that is made of the new model: %s",
    { timeout: 60_000 },
    async (name) => {
      const { difference, travelled } = await inWorld(backend, {}, (world) => pair(world, changes[name]));
      expect(travelled).toBeGreaterThan(0.05);
      expect(difference).toBeLessThan(tolerance[changes[name].solver]);
    },
  );

  const solvers = ["gpbd", "local-global", "newton"] as const;
  it.each(solvers)("lets a stiffer fabric take over without a jump: %s", { timeout: 60_000 }, async (solver) => {
    await inWorld(backend, {}, async (world) => {
      const [soft, stiff] = [fabrics.stockinette, fabrics.denim];
      const [from, to] = [soft, stiff].map(({ stretchWarp, stretchWeft, shear, areaDensity }) =>
        [stretchWarp, stretchWeft, shear].map((stiffness) => stiffness / areaDensity),
      );
      const [eased, sudden] = [0, 1].map(() =>
        world.addBody(sheet(solver, "stockinette"), { pins, damping: 2, bodyCollision: false }),
      );
      run(world, 60);
      eased.replaceModel(sheet(solver, "denim"), { over: 0.5, from, to });
      sudden.replaceModel(sheet(solver, "denim"));
      const fastest = [0, 0];
      for (let frame = 0; frame < 6; frame++) {
        const before = await Promise.all([eased.readState(), sudden.readState()]);
        world.step(1 / 60);
        const after = await Promise.all([eased.readState(), sudden.readState()]);
        for (const k of [0, 1])
          fastest[k] = Math.max(fastest[k], largestDifference(before[k].positions, after[k].positions));
      }
      expect(fastest[0]).toBeLessThan(0.4 * fastest[1]);
      // At the end it has its full stiffness.
      run(world, 90);
      const [a, b] = await Promise.all([eased.readState(), sudden.readState()]);
      const lengthOf = ({ positions }: BodyState): number =>
        Math.max(...positions.map((y, i) => (i % 3 === 1 ? -y : 0)));
      expect(Math.abs(lengthOf(a) - lengthOf(b))).toBeLessThan(0.02);
    });
  });

  it("stays torn where it tore, with the mass of the new fabric", { timeout: 60_000 }, async () => {
    const long = gridMesh({ width: 0.6, height: 0.3, columns: 8, rows: 4 });
    const ends = verticesWhere(long.positions, (x) => Math.abs(x) > 0.29);
    const fabric = { ...fabrics.cotton, stretchWarp: 200, stretchWeft: 200 };
    const weak = (changed: Partial<Fabric> = {}): GpbdModel =>
      gpbdCloth({ ...long, fabric: { ...fabric, ...changed } });
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(weak(), { airDensity: 0, substeps: 6, pins: ends, tearing: { strain: 0.2 } });
      const pull = async (frames: number): Promise<number> => {
        for (let frame = 0; frame < frames; frame++) {
          for (const p of ends) {
            const [x, y, z] = body.pinTarget(p);
            body.setPinTarget(p, x * 1.014, y, z);
          }
          world.step(1 / 60);
          await world.settled();
        }
        return (await body.readState()).inUse!;
      };
      const used = await pull(14);
      expect(used).toBeGreaterThan(weak().particleCount);
      const torn = body.model as GpbdModel;
      body.replaceModel(weak());
      // the same fabric is the same torn model
      expect(body.model).toEqual(torn);
      body.replaceModel(weak({ areaDensity: 4 * fabric.areaDensity, bendingWarp: 0, bendingWeft: 0 }));
      expect((body.model as GpbdModel).terms).toEqual(torn.terms.slice(0, 1));
      body.model.masses.forEach((mass, p) => expect(mass).toBeCloseTo(4 * torn.masses[p], 12));
      // and it continues to tear
      expect(await pull(16)).toBeGreaterThan(used);
      expect(body.model.masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(4 * 0.15 * 0.18, 12);
    });
  });

  it("refuses another mesh and another solver, and goes on", async () => {
    await inWorld(backend, {}, async (world) => {
      const model = sheet("gpbd", "cotton");
      const body = world.addBody(model, { pins });
      const larger = gpbdCloth({ ...gridMesh({ width: 0.5, height: 0.5, columns: 7, rows: 6 }) });
      for (const other of [larger, sheet("newton", "cotton")])
        expect(() => body.replaceModel(other)).toThrow(/body "sheet" model: .* same solver, particles and elements/);
      for (const ease of [
        { over: 0, from: [1], to: [1] },
        { over: 1, from: [1], to: [] },
        { over: 1, from: [1], to: [NaN] },
      ])
        expect(() => body.replaceModel(sheet("gpbd", "silk"), ease)).toThrow(/body "sheet" ease/);
      expect(body.model).toBe(model);
      run(world, 2);
      body.dispose();
      expect(() => body.replaceModel(model)).toThrow(/disposed/);
    });
  });
});

it("keeps the options that somebody set, and gives the others those of the model", async () => {
  await inWorld("cpu", {}, async (world) => {
    const [cotton, denim] = [sheet("gpbd", "cotton"), sheet("gpbd", "denim")];
    const free = world.addBody(cotton);
    const set = world.addBody(cotton, { friction: 0.9 });
    const later = world.addBody(cotton);
    later.setOptions({ friction: 0.7, thickness: 0.01 });
    for (const body of [free, set, later]) body.replaceModel(denim);
    expect([free, set, later].map(({ options: { friction } }) => friction)).toEqual([fabrics.denim.friction, 0.9, 0.7]);
    expect(later.options.thickness).toBe(0.01);
  });
});
