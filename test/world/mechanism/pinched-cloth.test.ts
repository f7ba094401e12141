import { describe, expect, it } from "vitest";
import { type BodyModel, mechanismModel, ropeModel } from "../../../src/index";
import { gripper } from "../../../samples/mechanisms/gripper";
import { gridCloth } from "../cloths";
import { type BackendName, createWorld } from "../worlds";

const GRAVITY = 9.81;

interface Case {
  readonly backend?: BackendName | "reference";
  readonly thing?: "strip" | "folded" | "rope";
  /** of each finger [N] */
  readonly force?: number;
  /** of a finger [kg] */
  readonly mass?: number;
  /** between the fingers at the start [m] */
  readonly gap?: number;
  /** of the thing from the middle between the fingers [m] */
  readonly aside?: number;
  readonly fingers?: "box" | "bar";
  readonly fps?: number;
}

/** Half of the height of the patch that the fingers hold [m]. */
const PATCH = { box: 0.025, bar: 0.007 };
const LENGTH = 0.3;

/** A strip of 5 cm in a plane between the fingers, one that is folded in the middle, or a rope; it begins at the height 0. */
function thingOf({ thing = "strip", aside = 0 }: Case): { model: BodyModel; positions: Float64Array; height: number } {
  if (thing === "rope") {
    const positions = Float64Array.from({ length: 48 }, (_, i) => [aside, (LENGTH * Math.floor(i / 3)) / 15, 0][i % 3]);
    return { model: ropeModel({ positions, radius: 0.005, density: 1000 }), positions, height: LENGTH };
  }
  const model = gridCloth(
    { width: 0.05, height: LENGTH, columns: 4, rows: 24, plane: "xy" },
    { fabric: "denim", name: "strip" },
  );
  const height = thing === "folded" ? LENGTH / 2 : LENGTH;
  const positions = Float64Array.from(model.positions);
  for (let i = 0; i < positions.length; i += 3) {
    const up = model.positions[i + 1] + LENGTH / 2;
    const isBack = up > height;
    positions.set([aside + (isBack ? 0.004 : 0), isBack ? LENGTH - up : up, model.positions[i]], i);
  }
  return { model, positions, height };
}

/** Closes a hand about the thing, whose top is held for 0.6 s, lifts it and shakes it by 1 g. */
async function grip(run: Case) {
  const { backend = "cpu", force = 10, mass = 0.4, gap = 0.08, fingers = "box", fps = 60 } = run;
  const world = await createWorld(backend, { gravity: [0, -GRAVITY, 0] });
  const { model, positions, height } = thingOf(run);
  const body = world.addBody(model, { friction: 0.8 });
  body.writeState({ positions, velocities: new Float64Array(positions.length) });
  const places = [...positions.keys()].filter((i) => i % 3 === 1);
  body.pin(places.filter((i) => positions[i] > height - 1e-6).map((i) => (i - 1) / 3));
  const description = gripper(mass, gap);
  if (fingers === "bar")
    for (const { shapes = [] } of description.links)
      for (const each of shapes as { shape: unknown }[])
        each.shape = { type: "capsule", pointA: [0, 0, -0.03], pointB: [0, 0, 0.03], radius: 0.01 };
  const hand = world.addMechanism(mechanismModel(description));
  const { q, qd, control } = hand.simulation;
  const start = height / 2;
  q[1] = start;
  hand.place();
  const between = places.filter((i) => Math.abs(positions[i] - start) < PATCH[fingers]);
  const ofMass = places.reduce((sum, i) => sum + model.masses[(i - 1) / 3], 0);
  const middle = async (): Promise<number[]> => {
    const { positions: x } = await body.readState();
    const sum = [-q[1], -q[0]];
    for (const i of between) [0, 1].forEach((c) => (sum[c] += x[i + c] / between.length));
    return sum;
  };
  const closest: number[] = [];
  const felt: number[] = [];
  let taken: number[] = [];
  let slip = 0;
  for (let frame = 0; frame < 1.6 * fps; frame++) {
    const t = frame / fps;
    if (frame === Math.round(0.6 * fps)) body.unpin();
    const load = 1 + 2 * mass + (t > 0.6 ? ofMass : 0);
    const way = Math.min(0.05, 0.2 * Math.max(0, t - 0.8));
    const shake = t > 1 ? GRAVITY * Math.sin(8 * Math.PI * t) : 0;
    control[0] = (1 + load) * (-400 * q[0] - 30 * qd[0] + shake);
    control[1] = load * (GRAVITY + 400 * (start + way - q[1]) - 30 * qd[1]);
    control[2] = control[3] = force;
    world.step(1 / fps);
    await world.settled();
    if (t < 0.3) continue;
    closest.push(gap - q[2] - q[3]);
    felt.push(hand.contactForceOf("right")[0] / force, -hand.contactForceOf("left")[0] / force);
    if (t < 0.9) continue;
    const now = await middle();
    if (taken.length === 0) taken = now;
    slip = Math.max(slip, ...now.map((x, c) => Math.abs(x - taken[c])));
  }
  world.dispose();
  return {
    slip,
    gap: Math.min(...closest),
    felt: felt.reduce((sum, x) => sum + x / felt.length, 0),
    lifted: q[1] - start,
  };
}

describe("a hand holds what its fingers pinch", () => {
  it.each<Case>([
    {},
    { backend: "reference", force: 60 },
    { backend: "webgpu" },
    { thing: "folded" },
    { thing: "rope" },
    { mass: 0.04 },
    { mass: 4, force: 60 },
    // The thing is pushed ahead of one finger, which comes at 5 m/s.
    { force: 60, gap: 0.2 },
    { force: 60, aside: -0.03 },
    { gap: 0.012 },
    { fingers: "bar" },
    { fps: 30 },
    { fps: 120 },
  ])("%o", async (run) => {
    const { slip, gap, felt, lifted } = await grip(run);
    expect(lifted).toBeGreaterThan(0.045);
    expect(slip).toBeLessThan(2e-3);
    expect(Math.abs(felt - 1)).toBeLessThan(0.02);
    // Half of the thickness of cloth between its obstacles, 8 mm, stays at least.
    expect(gap).toBeGreaterThan(4e-3);
  });
});
