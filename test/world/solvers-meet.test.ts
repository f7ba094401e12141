/** Deformable bodies of different solvers, and those of the Newton solver among themselves, touch like bodies of one solver. */
import { describe, expect, it } from "vitest";
import {
  boxTetrahedra,
  clothModel,
  gridMesh,
  ropeModel,
  solidModel,
  type BodyModel,
  type SolverName,
} from "../../src/index";
import type { DeformableBody } from "../../src/world/body";
import { inWorld, run } from "./worlds";

const size = 0.3;

function cloth(solver: SolverName, height: number): BodyModel {
  const center = [0.003, height, 0.006] as const;
  return clothModel({
    solver,
    ...gridMesh({ width: size, height: size, columns: 4, rows: 4, center }),
    fabric: "denim",
  });
}

function solid(solver: SolverName, height: number): BodyModel {
  const mesh = boxTetrahedra({ size: [size, size / 2, size], cells: [3, 2, 3], center: [0, height, 0] });
  return solidModel({ solver, ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } });
}

function rope(solver: "gpbd" | "newton", height: number): BodyModel {
  const positions = Float64Array.from({ length: 27 }, (_, i) =>
    i % 3 === 0 ? i / 60 - 0.2 : i % 3 === 1 ? height : 0,
  );
  return ropeModel({ solver, positions, radius: 0.006, youngsModulus: 1e7, density: 500 });
}

const gravity = 9.81;
const things: Readonly<Record<string, { half: number; make: (height: number) => BodyModel }>> = {
  "gpbd cloth": { half: 0.004, make: (y) => cloth("gpbd", y) },
  "newton cloth": { half: 0.004, make: (y) => cloth("newton", y) },
  "local-global cloth": { half: 0.004, make: (y) => cloth("local-global", y) },
  "gpbd solid": { half: size / 4, make: (y) => solid("gpbd", y) },
  "newton solid": { half: size / 4, make: (y) => solid("newton", y) },
  "local-global solid": { half: size / 4, make: (y) => solid("local-global", y) },
  "newton rope": { half: 0.006, make: (y) => rope("newton", y) },
};

async function momentumOf(bodies: readonly DeformableBody[]): Promise<number[]> {
  const sum = [0, 0, 0];
  for (const body of bodies) {
    const v = (await body.readState()).velocities;
    body.model.masses.forEach((m, p) => [0, 1, 2].forEach((c) => (sum[c] += m * v[3 * p + c])));
  }
  return sum;
}

async function meanHeight(body: DeformableBody): Promise<number> {
  const { positions } = await body.readState();
  const { masses } = body.model;
  const mass = masses.reduce((sum, m) => sum + m, 0);
  return masses.reduce((sum, m, p) => sum + m * positions[3 * p + 1], 0) / mass;
}

describe("bodies of different solvers", () => {
  it.each([
    ["newton solid", "newton solid"],
    ["newton solid", "gpbd solid"],
    ["local-global solid", "newton solid"],
    ["gpbd cloth", "newton cloth"],
    ["gpbd cloth", "newton solid"],
    ["newton cloth", "local-global cloth"],
    ["newton solid", "gpbd cloth"],
    ["local-global solid", "newton rope"],
  ])("come to rest: on %s %s", async (lower, upper) => {
    await inWorld("cpu", {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
      const [under, over] = [things[lower], things[upper]];
      const height = under.half + 0.002;
      const below = world.addBody(under.make(height));
      const above = world.addBody(over.make(height + under.half + over.half + 0.002));
      run(world, 60);
      const before = (await above.readState()).positions;
      const mass = [below, above].flatMap(({ model }) => [...model.masses]).reduce((sum, m) => sum + m, 0);
      const [, pace] = await momentumOf([below, above]);
      run(world, 30);
      const after = (await above.readState()).positions;
      const drift = Math.max(...Array.from(after, (x, i) => Math.abs(x - before[i])));
      expect(drift).toBeLessThan(1e-3);
      // The ground carries both.
      expect(Math.abs((await momentumOf([below, above]))[1] - pace)).toBeLessThan(0.01 * mass * gravity * 0.5);
      const between = (await meanHeight(above)) - (await meanHeight(below));
      expect(between).toBeGreaterThan(under.half + over.half - 0.01);
    });
  });

  it.each([
    ["newton solid", "newton solid"],
    ["newton solid", "local-global solid"],
    ["gpbd solid", "newton solid"],
    ["local-global solid", "gpbd solid"],
    ["gpbd cloth", "newton cloth"],
    ["local-global cloth", "gpbd cloth"],
    ["newton cloth", "newton rope"],
  ])("keep momentum and gain no energy when they meet: %s, %s", async (first, second) => {
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const [a, b] = [things[first], things[second]];
      const bodies = [world.addBody(a.make(0)), world.addBody(b.make(a.half + b.half + 0.01))];
      const energy = async (): Promise<number> => {
        let sum = 0;
        for (const body of bodies) {
          const { velocities } = await body.readState();
          velocities.forEach((v, i) => (sum += 0.5 * body.model.masses[Math.floor(i / 3)] * v * v));
        }
        return sum;
      };
      for (const body of bodies) if (body.model.solver !== "newton") body.setOptions({ airDensity: 0 });
      const { positions } = bodies[1].model;
      bodies[1].writeState({ positions, velocities: positions.map((_, i) => (i % 3 === 1 ? -0.5 : 0)) });
      const [start, had] = [await momentumOf(bodies), await energy()];
      run(world, 20);
      const end = await momentumOf(bodies);
      for (let c = 0; c < 3; c++) expect(Math.abs(end[c] - start[c])).toBeLessThan(1e-6 * Math.abs(start[1]));
      expect(await energy()).toBeLessThan(had);
      const struck = await momentumOf([bodies[0]]);
      expect(struck[1]).toBeLessThan(0.01 * start[1]);
    });
  });

  it.each([
    ["newton solid", "newton solid"],
    ["gpbd solid", "newton solid"],
  ])("pass through each other where it is not asked for: %s, %s", async (first, second) => {
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const lower = world.addBody(things[first].make(0));
      const upper = world.addBody(things[second].make(0.16), { bodyCollision: false });
      const { positions } = upper.model;
      upper.writeState({ positions, velocities: positions.map((_, i) => (i % 3 === 1 ? -1 : 0)) });
      run(world, 5);
      expect((await lower.readState()).velocities.every((v) => Math.abs(v) < 1e-9)).toBe(true);
    });
  });

  it.each(["gpbd cloth", "local-global solid"])("go on from a snapshot with the same bits: %s", async (upper) => {
    const play = async (from?: Awaited<ReturnType<import("../../src/index").World["snapshot"]>>) =>
      inWorld("cpu", {}, async (world) => {
        world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
        const bodies = [
          world.addBody(things["newton solid"].make(0.077)),
          world.addBody(things[upper].make(0.157 + things[upper].half)),
        ];
        if (from) world.restore(from);
        else run(world, 12);
        const snapshot = await world.snapshot();
        run(world, 4);
        return { snapshot, last: await Promise.all(bodies.map((body) => body.readState())) };
      });
    const first = await play();
    const second = await play(first.snapshot);
    expect(second.last).toEqual(first.last);
  });
});
