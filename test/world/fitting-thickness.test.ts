import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { gpbdSolid } from "../../src/models/gpbd/soft-body";
import { localGlobalSolid } from "../../src/models/local-global/local-global";
import { localGlobalCloth } from "../../src/models/local-global/local-global-fabric";
import { newtonCloth } from "../../src/models/newton/newton-cloth";
import { describe, expect, it } from "vitest";
import { boxTetrahedra, gridMesh, World, type BodyModel, type BodyOptions, type DeformableBody } from "../../src/index";

const CELLS = 8;
const g = 9.81;

/** Motion of particles in about half a second, in sizes of the cloth and speeds of a fall through it. */
async function watch(world: World, body: DeformableBody, size: number, frames: number) {
  const start = (await body.readState()).positions.slice();
  let [rise, speed] = [-Infinity, 0];
  for (let frame = 0; frame < frames; frame++) {
    world.step(1 / 60);
    const { positions: x, velocities: v } = await body.readState();
    for (let i = 0; i < x.length; i += 3) {
      rise = Math.max(rise, (x[i + 1] - Math.max(start[i + 1], 0)) / size);
      speed = Math.max(speed, Math.hypot(v[i], v[i + 1], v[i + 2]) / Math.sqrt(2 * g * size));
    }
  }
  const { positions: x } = await body.readState();
  let nearest = Infinity;
  for (let i = 0; i < x.length; i += 3) nearest = Math.min(nearest, Math.hypot(x[i], x[i + 1], x[i + 2]) / size);
  return { rise, speed, nearest };
}

const models: Readonly<Record<string, (grid: ReturnType<typeof gridMesh>) => BodyModel>> = {
  gpbd: gpbdCloth,
  newton: newtonCloth,
  "local-global": localGlobalCloth,
};

async function sheet(cell: number, solver: string, height: number, options: BodyOptions) {
  const size = CELLS * cell;
  const world = await World.create({ backend: "cpu" });
  const at = { center: [0, height * size, 0] } as const;
  const grid = gridMesh({ width: size, height: size, columns: CELLS, rows: CELLS, ...at, center: [...at.center] });
  return { world, size, body: world.addBody(models[solver](grid), options) };
}

// for 1 m cells this corresponds to a second for a cloth of one meter
const framesOf = (cell: number): number => (cell < 0.1 ? 30 : 80);

describe.each([1e-3, 1e-2, 1])("cloth of cells of %f m", (cell) => {
  it.each(["gpbd", "newton", "local-global"])("hangs without being thrown: %s", async (solver) => {
    const { world, size, body } = await sheet(cell, solver, 0, { pins: [0, CELLS] });
    const { rise, speed } = await watch(world, body, size, framesOf(cell));
    expect(rise).toBeLessThan(0.02);
    // no faster than a fall from the highest place to the lowest, except for the whip of a corner
    expect(speed).toBeLessThan(2);
    world.dispose();
  });

  it.each([
    ["gpbd", false],
    ["gpbd", true],
    ["newton", false],
    ["local-global", false],
  ] as const)("drapes over a ball without being thrown: %s, self-collision %s", async (solver, selfCollision) => {
    const { world, size, body } = await sheet(cell, solver, 0.4, solver === "gpbd" ? { selfCollision } : {});
    world.addCollider({ type: "sphere", radius: 0.3 * size });
    const { rise, speed, nearest } = await watch(world, body, size, framesOf(cell));
    expect(rise).toBeLessThan(0.02);
    expect(speed).toBeLessThan(1.2);
    expect(nearest).toBeGreaterThan(0.3 * 0.98);
    world.dispose();
  });
});

describe("the default thickness", () => {
  const solid = (cell: number) => ({
    ...boxTetrahedra({ size: [4 * cell, 4 * cell, 4 * cell], cells: [4, 4, 4] }),
    material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 },
  });

  it("is half an edge of the mesh, and no more than is usual", async () => {
    const world = await World.create({ backend: "cpu" });
    const thicknessOf = (model: BodyModel): number => world.addBody(model).options.thickness;
    const grid = (cell: number) => gridMesh({ width: 4 * cell, height: 4 * cell, columns: 4, rows: 4 });
    // two of three edges are sides of cells, the third is a diagonal
    const edge = (2 + Math.SQRT2) / 3;
    expect(thicknessOf(gpbdCloth(grid(1e-3)))).toBeCloseTo(0.5e-3 * edge, 12);
    expect(thicknessOf(gpbdSolid(solid(2e-3)))).toBeCloseTo(1e-3 * edge, 12);
    expect(thicknessOf(localGlobalSolid(solid(1e-3)))).toBeCloseTo(0.5e-3 * edge, 12);
    for (const cell of [0.02, 1, 100]) {
      expect(thicknessOf(gpbdCloth(grid(cell)))).toBe(0.004);
      expect(thicknessOf(gpbdSolid(solid(cell)))).toBe(0.004);
      expect(thicknessOf(localGlobalSolid(solid(cell)))).toBe(0.001);
    }
    world.dispose();
  });

  it("gives way to one that is said, and to that of a model at run time", async () => {
    const world = await World.create({ backend: "cpu" });
    const grid = gridMesh({ width: 4e-3, height: 4e-3, columns: 4, rows: 4 });
    const body = world.addBody(gpbdCloth(grid), { thickness: 3e-3 });
    expect(body.options.thickness).toBe(3e-3);
    body.replaceModel(gpbdCloth({ ...grid, fabric: "denim" }));
    expect(body.options.thickness).toBe(3e-3);
    world.dispose();
  });
});
