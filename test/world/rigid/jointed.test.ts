import { describe, expect, it, vi } from "vitest";
import type { Vec3 } from "../../../src/math/types";
import { Sweeps } from "../../../src/solvers/newton/island/sweeps";
import { SparseSolver } from "../../../src/solvers/newton/linear/sparse";
import type { RigidBody } from "../../../src/world/rigid/rigid-body";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { spinEnergy } from "./worlds";

const GRAVITY = 9.81;
const FRAME = 1 / 60;

/** Joined bodies, and the two world points that each joint holds together. */
interface Structure {
  readonly world: RigidWorld;
  readonly bodies: readonly RigidBody[];
  readonly joints: readonly (readonly [RigidBody, Vec3, RigidBody, Vec3])[];
}

class Builder implements Structure {
  readonly world = new RigidWorld();
  readonly bodies: RigidBody[] = [];
  readonly joints: [RigidBody, Vec3, RigidBody, Vec3][] = [];

  constructor() {
    this.world.gravity = [0, -GRAVITY, 0];
  }

  box(size: Vec3, position: Vec3, mass: number): RigidBody {
    const [x, y, z] = size;
    const shape = { type: "box", halfExtents: [x / 2, y / 2, z / 2] } as const;
    const body = this.world.addBody(mass > 0 ? { shape, position, mass } : { shape, position, motion: "static" });
    if (mass > 0) this.bodies.push(body);
    return body;
  }

  join(type: "ball" | "hinge" | "lock", a: RigidBody, pivotA: Vec3, b: RigidBody, pivotB: Vec3): void {
    const axes = type === "ball" ? {} : { axisA: [0, 0, 1] as Vec3, axisB: [0, 0, 1] as Vec3 };
    this.world.addJoint({ type, bodyA: a, bodyB: b, pivotA, pivotB, ...axes });
    this.joints.push([a, pivotA, b, pivotB]);
  }
}

/** Links of half a meter, held at one end and level at first. */
function chain(links: number, load: number): Structure {
  const made = new Builder();
  let last = made.box([0.1, 0.1, 0.1], [0, 0, 0], 0);
  for (let i = 0; i < links; i++) {
    const link = made.box([0.4, 0.08, 0.08], [0.5 * i + 0.25, 0, 0], i === links - 1 ? load : 1);
    made.join("ball", last, i === 0 ? [0, 0, 0] : [0.25, 0, 0], link, [-0.25, 0, 0]);
    last = link;
  }
  return made;
}

/** Planks between two banks, with no slack, and boxes on them. */
function bridge(planks: number, boxes: number, mass: number, type: "hinge" | "lock" = "hinge"): Structure {
  const made = new Builder();
  let last = made.box([1, 1, 1], [-0.5, 0, 0], 0);
  for (let i = 0; i < planks; i++) {
    const plank = made.box([0.49, 0.08, 1], [0.5 * i + 0.25, 0, 0], 10);
    made.join(type, last, [i === 0 ? 0.5 : 0.25, 0, 0], plank, [-0.25, 0, 0]);
    last = plank;
  }
  made.join(type, last, [0.25, 0, 0], made.box([1, 1, 1], [0.5 * planks + 0.5, 0, 0], 0), [-0.5, 0, 0]);
  for (let i = 0; i < boxes; i++) made.box([0.4, 0.4, 0.4], [(0.5 * planks * (i + 0.5)) / boxes, 0.26, 0], mass);
  return made;
}

/** Knots held at four corners, without slack. */
function net(knots: number): Structure {
  const made = new Builder();
  const grid: RigidBody[][] = [];
  for (let i = 0; i < knots; i++) {
    grid.push([]);
    for (let j = 0; j < knots; j++) {
      const isCorner = (i === 0 || i === knots - 1) && (j === 0 || j === knots - 1);
      grid[i].push(made.box([0.1, 0.1, 0.1], [0.3 * i, 0, 0.3 * j], isCorner ? 0 : 0.5));
      if (i > 0) made.join("ball", grid[i - 1][j], [0.15, 0, 0], grid[i][j], [-0.15, 0, 0]);
      if (j > 0) made.join("ball", grid[i][j - 1], [0, 0, 0.15], grid[i][j], [0, 0, -0.15]);
    }
  }
  return made;
}

function energy({ bodies }: Structure): number {
  let sum = 0;
  for (const body of bodies) {
    const [x, y, z] = body.linearVelocity;
    sum += body.mass * (0.5 * (x * x + y * y + z * z) + GRAVITY * body.position[1]) + spinEnergy(body);
  }
  return sum;
}

function turned([x, y, z, w]: readonly number[], v: Vec3): Vec3 {
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** Largest distance between the points of a joint [m]. */
function apart({ joints }: Structure): number {
  let most = 0;
  for (const [a, pivotA, b, pivotB] of joints) {
    const [p, q] = [turned(a.rotation, pivotA), turned(b.rotation, pivotB)];
    most = Math.max(most, Math.hypot(...[0, 1, 2].map((i) => a.position[i] + p[i] - b.position[i] - q[i])));
  }
  return most;
}

/** PLIANT_JOINTED=1 plays larger structures for 20 s instead of these. */
const isLong = process.env.PLIANT_JOINTED !== undefined;
const LARGE: readonly [string, () => Structure, number][] = [
  ["a chain of 500 links", () => chain(500, 1), 1200],
  ["a chain of 500 links with a thousand times the mass at its end", () => chain(500, 1000), 1200],
  ["a bridge of 100 planks", () => bridge(100, 0, 0), 1200],
  ["a bridge of 60 planks with boxes on it", () => bridge(60, 20, 100), 1200],
  ["a net of 225 knots", () => net(15), 1200],
];
const STRUCTURES: readonly [string, () => Structure, number][] = [
  ["a chain of 40 links that swings from the level", () => chain(40, 1), 120],
  ["a chain of 40 links with a thousand times the mass at its end", () => chain(40, 1000), 60],
  ["a chain of 300 links", () => chain(300, 1), 20],
  ["a bridge of 36 planks", () => bridge(36, 0, 0), 60],
  ["a bridge of 20 planks with boxes on it", () => bridge(20, 5, 50), 30],
  ["a net of 49 knots", () => net(7), 40],
];

describe("structures of joints", () => {
  it.each(isLong ? LARGE : STRUCTURES)(
    "%s: joints hold, and nothing gains energy",
    { timeout: 1e9 },
    (_name, make, frames) => {
      const made = make();
      let scale = 0;
      for (const body of made.bodies) scale += body.mass * GRAVITY * 0.5;
      const start = energy(made);
      for (let frame = 0; frame < frames; frame++) {
        made.world.step(FRAME);
        expect(apart(made), `joints in frame ${frame}`).toBeLessThan(5e-3);
        expect(energy(made) - start, `energy in frame ${frame}`).toBeLessThan(0.01 * scale);
      }
    },
  );

  it("solves the joints of a taut net once where nothing else moves, and not for each sweep", () => {
    const { world } = net(8);
    const solved = vi.spyOn(SparseSolver.prototype, "solveFactored");
    const run = vi.spyOn(Sweeps.prototype, "run");
    for (let frame = 0; frame < 4; frame++) world.step(FRAME);
    expect(run.mock.calls.length).toBeGreaterThan(10);
    expect(solved.mock.calls.length).toBeLessThan(5 * run.mock.calls.length);
    vi.restoreAllMocks();
  });

  it.each([
    [7, 4, 50],
    [12, 3, 200],
    [7, 3, 70],
  ])("does not sweep on where redundant joints leave an error: %i planks, %i boxes of %f kg", (planks, boxes, mass) => {
    const { world, bodies } = bridge(planks, boxes, mass, "lock");
    for (const box of bodies.slice(planks)) box.teleport([box.position[0] + 0.07, 0.25, 0.1]);
    const run = vi.spyOn(Sweeps.prototype, "run");
    for (let frame = 0; frame < 40; frame++) world.step(FRAME);
    const sweeps = run.mock.calls.reduce((sum, [, , , count]) => sum + count, 0);
    vi.restoreAllMocks();
    expect(sweeps).toBeLessThan(40 * 400);
  });
});
