import { beforeAll, describe, expect, it } from "vitest";
import { angularMomentum, kineticEnergy, linearMomentum, totalMass } from "../../samples/metrics";
import { type BodyModel, type BodyState, boxTetrahedra, ropeModel, solidModel } from "../../src/index";
import { distance, norm } from "../../src/math/vectors";
import type { Vec3 } from "../../src/math/types";
import { expectWithin } from "../figures";
import { gridCloth } from "./cloths";
import { allBackends, inWorld } from "./worlds";
import { spinPart } from "../../src/solvers/gpbd/gpu/parts";
import { tetherParts } from "../../src/world/backend/sheet-parts";

beforeAll(() => Promise.all([spinPart.load(), tetherParts.webgpu.load()]));

const sheet = (size: number, columns: number, fabric: "silk" | "denim"): ReturnType<typeof gridCloth> =>
  gridCloth({ width: size, height: 0.7 * size, columns, rows: columns }, { fabric });
const rope = (): ReturnType<typeof ropeModel> => {
  const positions = Float64Array.from({ length: 45 }, (_, i) => [0.05 * (i / 3), 0, 0.2 * Math.sin(i / 15)][i % 3]);
  return ropeModel({ positions, radius: 0.01, density: 300, naturalShape: "path" });
};
const brick = (size: number, youngsModulus: number): BodyModel =>
  solidModel({
    ...boxTetrahedra({ size: [size, size / 2, size], cells: [4, 2, 4], center: [0, 0, 0] }),
    material: { youngsModulus, poissonRatio: 0.3, density: 500 },
  });

const cases = [
  { name: "a sheet in its plane", model: () => sheet(1, 9, "silk"), axis: [0, 0, 1], rate: 20, dt: 1 / 60 },
  {
    name: "a coarse sheet about a line in it",
    model: () => sheet(20, 6, "denim"),
    axis: [0, 1, 0],
    rate: 1,
    dt: 1 / 30,
  },
  { name: "a small sheet, askew", model: () => sheet(0.1, 12, "silk"), axis: [0.5, 0.3, 0.8], rate: 50, dt: 1 / 120 },
  { name: "a rope", model: rope, axis: [0, 1, 0], rate: 20, dt: 1 / 60 },
  { name: "a rope, askew", model: rope, axis: [0.6, 0.8, 0], rate: 5, dt: 1 / 60 },
  { name: "a brick", model: () => brick(0.2, 1e5), axis: [0, 1, 0], rate: 20, dt: 1 / 60 },
  { name: "a very soft brick, askew", model: () => brick(0.2, 1e4), axis: [0.5, 0.3, 0.8], rate: 10, dt: 1 / 60 },
  { name: "a large brick, askew", model: () => brick(5, 1e6), axis: [0.3, 0.9, 0.1], rate: 2, dt: 1 / 30 },
] as const;

function motionOf({ positions, velocities }: BodyState, masses: ArrayLike<number>) {
  const momentum = linearMomentum(velocities, masses);
  const beside = Float64Array.from(velocities, (v, i) => v - momentum[i % 3] / totalMass(masses));
  return { turn: angularMomentum(positions, beside, masses), energy: kineticEnergy(beside, masses) };
}

async function spun(
  backend: (typeof allBackends)[number],
  { model, axis, rate, dt }: Pick<(typeof cases)[number], "model" | "axis" | "rate" | "dt">,
  options: { readonly airDensity?: number; readonly damping?: number; readonly substeps?: number },
): Promise<{ readonly before: Vec3; readonly after: Vec3; readonly energies: readonly number[] }> {
  return inWorld(backend, { gravity: [0, -9.81, 0] }, async (world) => {
    const body = world.addBody(model(), options);
    const { masses } = body.model;
    await world.settled();
    const turn = axis.map((x) => (rate * x) / norm(axis as unknown as Vec3)) as unknown as Vec3;
    body.push({ angularVelocity: turn });
    world.step(dt);
    await world.settled();
    const about = (state: BodyState) => motionOf(state, masses);
    const first = about(await body.readState());
    const energies = [first.energy];
    let { turn: after } = first;
    for (let frame = 0; frame < Math.round(0.3 / dt); frame++) {
      world.step(dt);
      const state = about(await body.readState());
      energies.push(state.energy);
      after = state.turn;
    }
    return { before: first.turn, after, energies };
  });
}

describe.each(allBackends)("bodies that spin, with nothing around them, on %s", (backend) => {
  it.each(cases)("keep their angular momentum: $name", async (run) => {
    const { before, after, energies } = await spun(backend, run, { airDensity: 0 });
    expectWithin("angular momentum lost, relative", distance(before, after) / norm(before), 1e-3);
    // Elements that draw together do work, and ropes are bent at first.
    expectWithin("kinetic energy beside the center, of that before", Math.max(...energies) / energies[0], 1.06);
  });

  it("lose to damping what it takes", async () => {
    const { before, after } = await spun(backend, cases[0], { airDensity: 0, damping: 2 });
    const { dt } = cases[0];
    const expected = Math.exp(-2 * dt * Math.round(0.3 / dt));
    expectWithin(
      "angular momentum, relative to the closed form",
      Math.abs(norm(after) / norm(before) / expected - 1),
      5e-3,
    );
  });

  it.each([cases[2], cases[3]])("lose to the air as in short substeps: $name", async (run) => {
    const { before, after } = await spun(backend, run, {});
    const exact = await spun(backend, run, { substeps: 100 });
    const kept = norm(after) / norm(before);
    expect(kept).toBeLessThan(0.95);
    expectWithin("angular momentum beside that", Math.abs(kept - norm(exact.after) / norm(exact.before)), 0.02);
  });
});

it("pins that give turn cloth", async () => {
  await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const body = world.addBody(sheet(1, 6, "silk"), { airDensity: 0 });
    const { masses, positions } = body.model;
    const [x, y, z] = positions;
    const [force, time] = [0.05, 0.2];
    body.pin([0]);
    body.limitPins([0], force);
    body.setPinTarget(0, x, y, z + 1);
    for (let frame = 0; frame < 60 * time; frame++) world.step(1 / 60);
    const { turn } = motionOf(await body.readState(), masses);
    // The corner is half a diagonal from the center.
    expect(norm(turn)).toBeGreaterThan(0.5 * force * time * 0.5);
  });
});
