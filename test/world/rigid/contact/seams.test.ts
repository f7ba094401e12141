import { describe, expect, it } from "vitest";
import type { ColliderShape, RigidBodyOptions } from "../../../../src/index";
import { mechanismModel, World } from "../../../../src/index";
import type { Quat, Vec3 } from "../../../../src/math/types";

const G = 9.81;
const FRICTION = 0.1;
/** m, in a scene of size 1 */
const LENGTH = 4;
const HALF = 0.1;

interface Board {
  readonly center: Vec3;
  readonly halfExtents: Vec3;
}

function boards(count: number, size: number): Board[] {
  const half = LENGTH / 2 / count;
  return Array.from({ length: count }, (_, i) => ({
    center: [(-0.6 + half * (2 * i + 1)) * size, -HALF * size, 0],
    halfExtents: [half * size, HALF * size, 0.4 * size],
  }));
}

const boxOf = (board: Board): ColliderShape => ({ type: "box", ...board });

function hullOf({ center, halfExtents }: Board): ColliderShape {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) =>
    center.map((c, d) => c + ((corner >> d) & 1 ? 1 : -1) * halfExtents[d]),
  );
  return { type: "convex-hull", positions };
}

const floors: Readonly<Record<string, (parts: Board[]) => RigidBodyOptions[]>> = {
  boxes: (parts) => parts.map((part) => ({ motion: "static", shape: boxOf(part) })),
  hulls: (parts) => parts.map((part) => ({ motion: "static", shape: hullOf(part) })),
  "boxes that may move": (parts) => parts.map((part) => ({ motion: "kinematic", shape: boxOf(part) })),
  "parts of one body": (parts) => [
    { motion: "static", shape: { type: "container", children: parts.map((part) => ({ shape: boxOf(part) })) } },
  ],
};

const movers: Readonly<Record<string, (size: number) => ColliderShape>> = {
  box: (size) => ({ type: "box", halfExtents: [HALF * size, HALF * size, HALF * size] }),
  ball: (size) => ({ type: "sphere", radius: HALF * size }),
  wheel: (size) => ({
    type: "cylinder",
    radius: HALF * size,
    pointA: [0, 0, -0.05 * size],
    pointB: [0, 0, 0.05 * size],
  }),
};

interface Slide {
  readonly floor?: string;
  readonly mover?: string;
  readonly count?: number;
  readonly size?: number;
  /** sizes a second */
  readonly speed?: number;
  readonly yaw?: number;
  /** height of a wall 0.7 sizes away from the front of the box, sizes */
  readonly wall?: number;
  readonly timeStep?: number;
}

/** Slides for half a second: change of speed, largest height over the one at rest, and way [sizes]. */
async function slide(options: Slide): Promise<{ change: number; height: number; way: number }> {
  const {
    floor = "boxes",
    mover = "box",
    count = 40,
    size = 1,
    speed = 3,
    yaw = 0,
    wall = 0,
    timeStep = 1 / 60,
  } = options;
  const world = await World.create({ backend: "cpu", gravity: [0, -G * size, 0] });
  for (const body of floors[floor](boards(count, size))) world.rigid.addBody({ ...body, friction: FRICTION });
  if (wall > 0)
    world.rigid.addBody({
      motion: "static",
      shape: boxOf({ center: [0.6 * size, wall * size, 0], halfExtents: [0.1 * size, wall * size, 0.4 * size] }),
    });
  const rotation: Quat = [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
  const position: Vec3 = [-0.3 * size, HALF * size, 0];
  const body = world.rigid.addBody({
    shape: movers[mover](size),
    density: 1000,
    position,
    rotation,
    friction: FRICTION,
  });
  for (let frame = 0; frame < 5; frame++) world.step(timeStep);
  const [before] = body.linearVelocity;
  body.linearVelocity = [before + speed * size, 0, 0];
  let height = 0;
  for (let frame = 0; frame < 0.5 / timeStep; frame++) {
    world.step(timeStep);
    height = Math.max(height, body.position[1] / size - HALF);
  }
  const change = (body.linearVelocity[0] - before) / size - speed;
  const way = body.position[0] / size + 0.3;
  world.dispose();
  return { change, height, way };
}

describe("what slides over the seams of a floor keeps on, as on one board", () => {
  const cases: Slide[] = [
    ...Object.keys(floors).flatMap((floor) => Object.keys(movers).map((mover) => ({ floor, mover }))),
    { size: 0.01, yaw: 0.4 },
    { size: 10, mover: "ball" },
    { count: 7, yaw: -1, speed: 2 },
    { count: 23, speed: 6, mover: "ball" },
    { timeStep: 1 / 240, yaw: 0.2, speed: 1 },
    { timeStep: 1 / 20, mover: "wheel" },
  ];

  it.each(cases)("%o", async (options) => {
    const { change, height } = await slide(options);
    expect(Math.abs(change + 0.5 * FRICTION * G)).toBeLessThan(1e-3);
    expect(height).toBeLessThan(1e-5);
  });
});

it.each(["box", "ball", "wheel"])("a wall on such a floor stops a %s", async (mover) => {
  const { change, way } = await slide({ mover, wall: 0.2 });
  expect(change).toBeLessThan(-2.9);
  expect(way).toBeLessThan(0.7 + 1e-3);
});

/** Way [m] in a second, without friction, of a box of 0.1 m or of a mechanism of two that begins at a seam of two boards with a speed [m/s]. */
async function creep(isMechanism: boolean, speed: number): Promise<number> {
  const world = await World.create({ backend: "cpu", gravity: [0, -G, 0] });
  const half: Vec3 = [0.05, 0.02, 0.05];
  const shape: ColliderShape = { type: "box", halfExtents: half };
  for (const x of [-0.5, 0.5])
    world.addRigidBody({
      motion: "static",
      shape: { type: "box", halfExtents: [0.5, 0.1, 0.5] },
      position: [x, -0.1, 0],
      friction: 0,
    });
  const start = -0.05 - speed / 2;
  if (!isMechanism) {
    const body = world.addRigidBody({ shape, mass: 1, position: [start, 0.02, 0], friction: 0, canSleep: false });
    world.step(1 / 60);
    body.linearVelocity = [speed, 0, 0];
    for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
    return body.position[0] - start;
  }
  const link = { mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] as const, shapes: [{ shape, friction: 0 }] };
  const mechanism = world.addMechanism(
    mechanismModel({
      name: "train",
      links: [
        { ...link, name: "front", joint: { type: "free", parentFrame: { position: [start, 0.02, 0] } } },
        {
          ...link,
          name: "back",
          parent: "front",
          joint: { type: "revolute", axis: [0, 0, 1], parentFrame: { position: [-0.1, 0, 0] } },
        },
      ],
    }),
  );
  mechanism.simulation.qd[3] = speed;
  mechanism.place();
  for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
  return mechanism.poseOf(0).position[0] - start;
}

it.each([
  [false, 2e-3],
  [false, 1e-4],
  [true, 0.1],
  [true, 2e-3],
] as const)("slow things pass seams (mechanism: %s, %f m/s)", async (isMechanism, speed) => {
  expect(Math.abs((await creep(isMechanism, speed)) / speed - 1)).toBeLessThan(0.02);
});
