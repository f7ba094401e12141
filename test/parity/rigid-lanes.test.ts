import { describe, expect, it } from "vitest";
import type { JointOptions } from "../../src/world/rigid/rigid-joint";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { World } from "../../src/world/world";
import { conjugate, turn, unitQuaternion } from "../../src/math/quaternions";
import { dot } from "../../src/math/vectors";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { createWorld, frameTime } from "../world/worlds";

/** The ways of the lanes to solve: the CPU, one island per workgroup, or all islands by passes. */
type Lane = "cpu" | "workgroups" | "passes";

async function laneWorld(lane: Lane): Promise<World> {
  if (lane === "cpu") return createWorld("cpu");
  const world = await createWorld("webgpu", { rigidLane: "webgpu" });
  world.rigid.gpuLane!.isPassesOnly = lane === "passes";
  // Each iteration is five passes, and each pass costs a software adapter a dispatch.
  if (lane === "passes") world.rigid.configure({ newtonIterations: 4, linearIterations: 8, sweeps: 12 });
  return world;
}

/** Runs the same bodies on a lane. @returns positions, rotations and velocities of each after each of `at` frames */
async function track(lane: Lane, build: (world: World) => RigidBody[], at: readonly number[]): Promise<number[][]> {
  const world = await laneWorld(lane);
  const bodies = build(world);
  const seen: number[][] = [];
  for (let frame = 1; frame <= at.at(-1)!; frame++) {
    world.step(frameTime);
    await world.settled();
    if (at.includes(frame))
      seen.push(
        bodies.flatMap(({ position, rotation, linearVelocity, angularVelocity }) => [
          ...position,
          ...rotation,
          ...linearVelocity,
          ...angularVelocity,
        ]),
      );
  }
  world.dispose();
  return seen;
}

/** Largest difference of the two lanes at any of the moments. */
async function difference(lane: Lane, build: (world: World) => RigidBody[], at: readonly number[]): Promise<number> {
  const [expected, seen] = [await track("cpu", build, at), await track(lane, build, at)];
  return Math.max(...expected.flatMap((values, k) => values.map((value, i) => Math.abs(value - seen[k][i]))));
}

function floor(world: World, friction = 0.5): void {
  world.addRigidBody({
    motion: "static",
    shape: { type: "box", halfExtents: [20, 1, 20] },
    position: [0, -1, 0],
    friction,
  });
}

const cube = { type: "box", halfExtents: [0.25, 0.25, 0.25] } as const;

/** Scenes whose solution depends smoothly on their start. */
const scenes: Record<string, (world: World) => RigidBody[]> = {
  "a tumbling body in free flight": (world) => [
    world.addRigidBody({
      shape: { type: "box", halfExtents: [0.1, 0.2, 0.4] },
      mass: 3,
      linearVelocity: [1, 4, -2],
      angularVelocity: [3, 0.2, -2],
      linearDamping: 0.1,
      angularDamping: 0.2,
      gravityFactor: 0.5,
    }),
  ],
  "a ball that rolls and a box that slides to rest": (world) => {
    floor(world, 0.4);
    return [
      world.addRigidBody({
        shape: { type: "sphere", radius: 0.3 },
        mass: 2,
        friction: 0.4,
        position: [0, 0.3, 0],
        linearVelocity: [2, 0, 1],
      }),
      world.addRigidBody({
        shape: cube,
        mass: 5,
        friction: 0.4,
        position: [0, 0.25, 3],
        linearVelocity: [1, 0, 0.5],
        canSleep: false,
      }),
    ];
  },
  "a stack of unlike boxes": (world) => {
    floor(world);
    return [1, 20, 4].map((mass, k) =>
      world.addRigidBody({ shape: cube, mass, position: [0.02 * k, 0.25 + 0.5 * k, 0], canSleep: false }),
    );
  },
  "a ball that bounces": (world) => {
    floor(world);
    const shape = { type: "sphere", radius: 0.2 } as const;
    return [world.addRigidBody({ shape, mass: 1, restitution: 0.8, position: [0, 1, 0], canSleep: false })];
  },
};

const lanes: readonly Lane[] = ["workgroups", "passes"];

describe.each(lanes)("rigid bodies on webgpu by %s", (lane) => {
  it.each(Object.entries(scenes))("go as on the CPU: %s", async (name, build) => {
    const worst = await difference(lane, build, lane === "passes" ? [1, 5, 12] : [1, 5, 20, 40]);
    expectWithin(`${name}, ${lane} against cpu [m, rad, m/s, rad/s]`, worst, 2e-3);
  });
});

/** Two bodies with a joint of each kind; a lock holds the first in the air. */
function jointed(options: Omit<JointOptions, "bodyA" | "bodyB">): (world: World) => RigidBody[] {
  return (world) => {
    const anchor = world.addRigidBody({ motion: "static", shape: cube, position: [0, 2, 0] });
    const body = world.addRigidBody({
      shape: { type: "box", halfExtents: [0.3, 0.1, 0.2] },
      mass: 2,
      position: [0.6, 2, 0],
      angularVelocity: [0.3, 0.2, 0.1],
      canSleep: false,
    });
    world.addJoint({ bodyA: anchor, bodyB: body, pivotA: [0.3, 0, 0], pivotB: [-0.3, 0, 0], ...options });
    return [body];
  };
}

const joints: Record<string, Omit<JointOptions, "bodyA" | "bodyB">> = {
  "ball with friction": { type: "ball", axes: { angularX: { friction: 0.2 }, angularZ: { friction: 0.1 } } },
  distance: { type: "distance", pivotA: [0.1, 0, 0] },
  "hinge with a velocity motor": {
    type: "hinge",
    axisA: [0, 0, 1],
    axisB: [0, 0, 1],
    axes: { angularX: { motor: "velocity", target: 2, maxForce: 50 } },
  },
  "hinge with limits": {
    type: "hinge",
    axisA: [0, 0, 1],
    axisB: [0, 0, 1],
    axes: { angularX: { mode: "limited", min: -0.3, max: 0.4 } },
  },
  "slider with limits and a position motor": {
    type: "prismatic",
    axes: { linearX: { mode: "limited", min: -0.1, max: 0.2, motor: "position", target: 0.15, maxForce: 100 } },
  },
  slider: { type: "slider" },
  lock: { type: "lock" },
  "springs on six axes": {
    type: "six-dof",
    axes: {
      linearX: { mode: "limited", min: 0, max: 0, stiffness: 2000, damping: 20 },
      linearY: { mode: "limited", min: 0, max: 0, stiffness: 2000, damping: 20 },
      linearZ: { mode: "limited", min: 0, max: 0, stiffness: 2000, damping: 20 },
      angularX: { mode: "limited", min: 0, max: 0, stiffness: 40, damping: 1 },
      angularY: { mode: "limited", min: 0, max: 0, stiffness: 40, damping: 1 },
      angularZ: { motor: "position", target: 0.2, motorStiffness: 60, motorDamping: 2 },
    },
  },
};

describe("joints on webgpu", () => {
  it.each(Object.entries(joints))("hold and move as on the CPU: %s", async (name, options) => {
    // Once the short rod whirls by more than 0.3 rad in a frame, the CPU takes more than one step, and is more accurate.
    const last = name === "distance" ? 20 : 30;
    const worst = await difference("workgroups", jointed(options), [1, 10, last]);
    expectWithin(`joint ${name}, webgpu against cpu [m, rad, m/s, rad/s]`, worst, 1e-3);
  });

  it.each(["hinge with limits", "slider with limits and a position motor"])("do so by passes: %s", async (name) => {
    const worst = await difference("passes", jointed(joints[name]), [1, 5, 12]);
    expectWithin(`joint ${name}, passes against cpu [m, rad, m/s, rad/s]`, worst, 1e-3);
  });
});

/** Energy of a bar of a kilogram, 1 m long and 2 × `half` thick [J]. */
function energyOf({ position, rotation, linearVelocity, angularVelocity }: RigidBody, half: number): number {
  const [x, y, z] = turn(conjugate(rotation), angularVelocity);
  const turning = ((0.25 + half * half) / 6) * (x * x + z * z) + ((half * half) / 3) * y * y;
  return 9.81 * position[1] + 0.5 * dot(linearVelocity, linearVelocity) + turning;
}

describe("the lane on webgpu", () => {
  it.each([7, 9, 14])("gives a thin bar no energy where its momentum comes to lie along it: seed %i", async (seed) => {
    const random = new RandomGeometry(seed);
    const half = 0.02 * 0.2 ** random.between(0, 1);
    const four = (most: number): [number, number, number, number] => {
      const any = (): number => random.between(-most, most);
      return [any(), any(), any(), any()];
    };
    const rotation = unitQuaternion(four(1));
    const [vx, vz] = [random.between(-10, 10), random.between(-10, 10)];
    const [wx, wy, wz] = four(40);
    const world = await laneWorld("workgroups");
    floor(world);
    const bar = world.addRigidBody({
      shape: { type: "box", halfExtents: [half, 0.5, half] },
      mass: 1,
      position: [0, 1.2, 0],
      rotation,
      linearVelocity: [vx, -5, vz],
      angularVelocity: [wx, wy, wz],
      restitution: 0.3,
    });
    let before = energyOf(bar, half);
    for (let frame = 1; frame <= 60; frame++) {
      world.step(frameTime);
      await world.settled();
      const after = energyOf(bar, half);
      expect(after, `frame ${frame}`).toBeLessThan(1.02 * before + 0.1);
      before = after;
    }
    world.dispose();
  });

  it.each(lanes)("gives the same bits in every run, by %s", async (lane) => {
    const build = scenes["a stack of unlike boxes"];
    expect(await track(lane, build, [3, 8])).toEqual(await track(lane, build, [3, 8]));
  });
});
