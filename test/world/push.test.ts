import { describe, expect, it } from "vitest";
import {
  boxTetrahedra,
  type BodyModel,
  clothModel,
  type DeformableBody,
  gridMesh,
  type Push,
  ropeModel,
  solidModel,
  type Vec3,
  type World,
} from "../../src/index";
import { applyPush } from "../../src/world/push/apply-push";
import { cross, norm, subtract } from "../../src/math/vectors";
import { RandomGeometry } from "../collision/random";
import { expectRefused } from "../refusal";
import { largestDifference } from "./cloths";
import { backends, inWorld } from "./worlds";

const solvers = ["gpbd", "local-global", "newton"] as const;

/** A body of size s [m]. */
const models: Readonly<Record<string, (s: number, solver: (typeof solvers)[number]) => BodyModel>> = {
  solid: (s, solver) =>
    solidModel({
      ...boxTetrahedra({ size: [s, 0.6 * s, 0.4 * s], cells: [2, 1, 1] }),
      material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 },
      solver,
    }),
  cloth: (s, solver) =>
    clothModel({ ...gridMesh({ width: s, height: s, columns: 3, rows: 3 }), fabric: "cotton", solver }),
  rope: (s, solver) =>
    ropeModel({
      positions: Float64Array.from({ length: 18 }, (_, i) => (i % 3 === 0 ? (s * i) / 15 : 0)),
      radius: 0.01 * s,
      density: 1000,
      youngsModulus: 1e6,
      solver,
    } as never),
};

interface Sums {
  readonly mass: number;
  readonly momentum: Vec3;
  readonly turn: Vec3;
  readonly middle: Vec3;
}

/** Of particles that nothing holds; angular momentum about the origin. */
async function sumsOf(body: DeformableBody): Promise<Sums> {
  const { positions: x, velocities: v } = await body.readState();
  let mass = 0;
  const [momentum, turn, middle] = [0, 1, 2].map(() => [0, 0, 0] as [number, number, number]);
  body.model.masses.forEach((m, p) => {
    if (body.isPinned(p)) return;
    mass += m;
    const [place, speed] = [x, v].map((all) => [all[3 * p], all[3 * p + 1], all[3 * p + 2]]);
    const moment = cross(place, speed);
    for (let c = 0; c < 3; c++) {
      momentum[c] += m * speed[c];
      turn[c] += m * moment[c];
      middle[c] += m * place[c];
    }
  });
  return { mass, momentum, turn, middle: middle.map((value) => value / mass) as unknown as Vec3 };
}

const vector = (random: RandomGeometry, size: number): Vec3 =>
  [0, 1, 2].map(() => random.between(-size, size)) as never;

/** Steps until nothing waits for a GPU any more. */
async function step(world: World): Promise<void> {
  await world.whenReadyAsync();
  world.step(1 / 60);
}

const kinds = [
  ["solid", "gpbd"],
  ["solid", "local-global"],
  ["solid", "newton"],
  ["cloth", "gpbd"],
  ["cloth", "local-global"],
  ["rope", "gpbd"],
  ["rope", "newton"],
] as const;
const cases = backends.flatMap((backend) => kinds.map(([kind, solver]) => ({ backend, kind, solver })));

describe.each(cases)("a $kind of $solver on $backend", ({ backend, kind, solver }) => {
  const seed = cases.findIndex((one) => one.backend === backend && one.kind === kind && one.solver === solver);

  it("gets the momentum of an impulse where it acts, while it moves, and keeps it", async () => {
    const random = new RandomGeometry(100 + seed);
    for (const size of [0.01, 3])
      await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
        const body = world.addBody(models[kind](size, solver), { airDensity: 0, damping: 0 });
        body.push({ linearVelocity: vector(random, size), angularVelocity: vector(random, 1) });
        for (let frame = 0; frame < 3; frame++) await step(world);
        const before = await sumsOf(body);
        const impulse = vector(random, before.mass * size);
        const point = before.middle.map((value) => value + random.between(-size, size)) as unknown as Vec3;
        const angularImpulse = vector(random, 0.1 * before.mass * size * size);
        // A straight rope has no inertia about itself.
        const torque = kind === "rope" ? ([0, 0, 0] as const) : angularImpulse;
        body.push({ impulse, point: kind === "rope" ? before.middle : point, angularImpulse: torque });
        await world.whenReadyAsync();
        const after = await sumsOf(body);
        const scale = before.mass * size;
        const given = cross(kind === "rope" ? before.middle : point, impulse);
        const gained = subtract(after.momentum, before.momentum);
        expect(norm(subtract(gained, impulse)) / scale).toBeLessThan(1e-5);
        const turned = subtract(after.turn, before.turn);
        const wanted = [0, 1, 2].map((c) => given[c] + torque[c]);
        expect(norm(subtract(turned, wanted)) / (scale * size)).toBeLessThan(2e-5);
        for (let frame = 0; frame < 10; frame++) await step(world);
        const later = await sumsOf(body);
        expect(norm(subtract(later.momentum, after.momentum)) / scale).toBeLessThan(1e-3);
        const moved = subtract(later.middle, after.middle);
        const way = after.momentum.map((value) => (value / after.mass) * (10 / 60));
        expect(norm(subtract(moved, way)) / size).toBeLessThan(2e-3);
      });
  });

  it("gets mean velocities, and nothing where pins hold it", async () => {
    const random = new RandomGeometry(200 + seed);
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(models[kind](0.5, solver), { airDensity: 0, pins: [0] });
      for (let frame = 0; frame < 2; frame++) await step(world);
      const [linearVelocity, angularVelocity] = [vector(random, 2), vector(random, 3)];
      body.push({ linearVelocity, angularVelocity });
      body.push({ linearVelocity });
      await world.whenReadyAsync();
      const { mass, momentum } = await sumsOf(body);
      expect(
        norm(
          subtract(
            momentum.map((value) => value / mass),
            linearVelocity,
          ),
        ),
      ).toBeLessThan(1e-5);
      expect(norm((await body.readVelocities()).slice(0, 3))).toBeLessThan(1e-6);
    });
  });
});

it("is blown away from a blast, and only within its radius", async () => {
  await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const body = world.addBody(models.cloth(1, "gpbd"), { airDensity: 0 });
    const { positions: x, masses } = body.model;
    const center: Vec3 = [0.1, -0.4, 0.05];
    body.push({ blast: { center, radius: 0.6, impulse: 2 } });
    const v = await body.readVelocities();
    const mass = masses.reduce((sum, m) => sum + m, 0);
    let touched = 0;
    for (let p = 0; p < masses.length; p++) {
      const away = subtract(x.subarray(3 * p, 3 * p + 3), center);
      const distance = norm(away);
      const speed = distance < 0.6 ? (2 / mass) * (1 - distance / 0.6) : 0;
      if (speed > 0) touched++;
      for (let c = 0; c < 3; c++) expect(v[3 * p + c]).toBeCloseTo((speed * away[c]) / distance, 4);
    }
    expect(touched).toBeGreaterThan(2);
    expect(touched).toBeLessThan(masses.length);
  });
});

it("is the same on a GPU, where the next step waits for nothing", async () => {
  await inWorld("webgpu", { gravity: [0, 0, 0] }, async (world) => {
    const random = new RandomGeometry(7);
    const mesh = gridMesh({ width: 2, height: 1, columns: 12, rows: 7, center: [30, -4, 5] });
    const body = world.addBody(clothModel({ ...mesh, fabric: "denim" }), { pins: [0, 12], airDensity: 0 });
    await step(world);
    body.push({ linearVelocity: [0, 0, 0] });
    for (let trial = 0; trial < 6; trial++) {
      await step(world);
      const state = await body.readState();
      world.step(1e-9);
      const center = [30, -4, 5].map((value) => value + random.between(-1, 1)) as never;
      const blast = {
        center,
        radius: 1,
        impulse: random.between(-2, 2),
        falloff: trial % 2 ? "constant" : "linear",
      } as const;
      const all: Push = {
        impulse: vector(random, 1),
        point: [31, -4, 5],
        angularImpulse: vector(random, 0.2),
        linearVelocity: vector(random, 2),
        angularVelocity: vector(random, 2),
        blast,
      };
      const push = trial === 0 ? all : { impulse: all.impulse, [Object.keys(all)[trial]]: Object.values(all)[trial] };
      body.push(push);
      expect(world.isReady).toBe(true);
      const masses = body.model.masses.map((m, p) => (body.isPinned(p) ? 0 : m));
      const wanted = { positions: Float64Array.from(state.positions), velocities: Float64Array.from(state.velocities) };
      applyPush(push, masses, wanted);
      const got = await body.readVelocities();
      const scale = Math.max(...wanted.velocities.map(Math.abs));
      expect(largestDifference(got, wanted.velocities) / scale, JSON.stringify(push)).toBeLessThan(2e-4);
    }
  });
});

it("wakes a body that sleeps", async () => {
  await inWorld("cpu", {}, async (world) => {
    world.addCollider({ type: "box", halfExtents: [5, 1, 5], center: [0, -1.31, 0] });
    const body = world.addBody(models.solid(1, "gpbd"));
    for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
    body.sleep();
    world.step(1 / 60);
    expect(body.isAsleep).toBe(true);
    const { middle } = await sumsOf(body);
    body.push({ linearVelocity: [0, 3, 0] });
    for (let frame = 0; frame < 10; frame++) world.step(1 / 60);
    expect((await sumsOf(body)).middle[1] - middle[1]).toBeGreaterThan(0.2);
  });
});

it("refuses values that are not finite, and unknown names", async () => {
  await inWorld("cpu", {}, async (world) => {
    const body = world.addBody(models.cloth(1, "gpbd"), { name: "flag" });
    const bad: [Push, "non-finite" | "invalid-argument", RegExp][] = [
      [{ impulse: [0, NaN, 0] }, "non-finite", /flag.*impulse/],
      [{ linearVelocity: [0, 1] as never }, "invalid-argument", /flag.*linearVelocity/],
      [{ blast: { center: [0, 0, 0], radius: -1, impulse: 1 } }, "invalid-argument", /radius/],
      [{ blast: { center: [0, 0, 0], radius: 1, impulse: Infinity } }, "non-finite", /impulse/],
      [
        { blast: { center: [0, 0, 0], radius: 1, impulse: 1, falloff: "square" as never } },
        "invalid-argument",
        /falloff/,
      ],
      [{ force: [0, 1, 0] } as never, "invalid-argument", /force/],
    ];
    for (const [push, code, message] of bad) expectRefused(() => body.push(push), code, message);
    expect(Math.max(...(await body.readVelocities()).map(Math.abs))).toBe(0);
  });
});
