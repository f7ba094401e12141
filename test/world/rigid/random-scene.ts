// Random scenes of rigid bodies: everything that users may do, and some things that they should not.

import fc from "fast-check";
import { PliantError } from "../../../src/errors";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import type { Quat, Vec3 } from "../../../src/math/types";
import { JointAxis } from "../../../src/solvers/newton/joints/axis";
import type { RigidBodyOptions } from "../../../src/world/rigid/body-options";
import type { RigidBody } from "../../../src/world/rigid/rigid-body";
import { type JointOptions, lockedAxes } from "../../../src/world/rigid/rigid-joint";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { ballMesh, HILLS } from "../../collision/samples";

/** Mostly numbers of moderate size, sometimes extremes of f64. */
const between = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.nat(1_000_000).map((k) => min + (k / 1_000_000) * (max - min)) },
    { weight: 1, arbitrary: fc.double({ min, max, noNaN: true, noDefaultInfinity: true }) },
  );
/** Logarithmic: as many small ones as large ones. */
const scale = (min: number, max: number) => between(Math.log(min), Math.log(max)).map(Math.exp);
const vector = (reach: number): fc.Arbitrary<Vec3> =>
  fc.tuple(between(-reach, reach), between(-reach, reach), between(-reach, reach));
const rotation: fc.Arbitrary<Quat> = fc
  .tuple(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1))
  .filter((q) => Math.hypot(...q) > 0.1);

const sphere = fc.record({ type: fc.constant("sphere" as const), radius: scale(0.02, 1) });
const box = fc.record({
  type: fc.constant("box" as const),
  halfExtents: fc.tuple(scale(0.01, 1), scale(0.01, 1), scale(0.01, 1)),
});
const round = (type: "capsule" | "cylinder") =>
  fc.record({ half: scale(0.01, 1), radius: scale(0.02, 0.5) }).map(({ half, radius }) => ({
    type,
    pointA: [0, -half, 0] as Vec3,
    pointB: [0, half, 0] as Vec3,
    radius,
  }));
/** A tetrahedron that is not flat, and further corners. */
const hull = fc.record({ size: scale(0.1, 1), more: fc.array(vector(1), { maxLength: 12 }) }).map(({ size, more }) => ({
  type: "convex-hull" as const,
  positions: [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1], ...more].flat().map((value) => size * value),
}));
const convex = fc.oneof(sphere, box, round("capsule"), round("cylinder"), hull);
const container = fc
  .array(fc.record({ shape: convex, position: vector(0.6), rotation }), { minLength: 1, maxLength: 4 })
  .map((children) => ({ type: "container" as const, children }));
const mesh = fc.constant<ColliderShape>({ type: "mesh", ...ballMesh(0.6, 1) });

const shape: fc.Arbitrary<ColliderShape> = fc.oneof(
  { weight: 6, arbitrary: convex },
  { weight: 2, arbitrary: container },
);
const surface: fc.Arbitrary<ColliderShape> = fc.oneof(mesh, fc.constant<ColliderShape>(HILLS));

/** Masses over a million to one; many start inside each other; some are very fast. */
const body: fc.Arbitrary<RigidBodyOptions> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        shape,
        mass: scale(1e-3, 1e3),
        position: vector(1.2),
        rotation,
        linearVelocity: fc.oneof(vector(3), vector(300)),
        angularVelocity: fc.oneof(vector(5), vector(500)),
        friction: between(0, 2),
        restitution: between(0, 1),
        gravityFactor: between(-1, 2),
        linearDamping: between(0, 3),
      },
      { requiredKeys: ["shape", "mass", "position"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      shape,
      position: vector(1.2),
      motion: fc.constantFrom("static" as const, "kinematic" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ shape: surface, position: vector(1), motion: fc.constant("static" as const) }) },
  { weight: 1, arbitrary: fc.record({ shape, position: vector(1), isTrigger: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ position: vector(1), mass: scale(1e-3, 1e3) }) },
);

const place = fc.nat(1000);

interface JointChoice {
  readonly a: number;
  readonly b: number;
  readonly options: Omit<JointOptions, "bodyA" | "bodyB">;
}

const axisSettings = fc.record(
  {
    mode: fc.constantFrom("free" as const, "locked" as const, "limited" as const),
    min: between(-1, 0),
    max: between(0, 1),
    stiffness: fc.oneof(fc.constant(0), scale(1, 1e5)),
    damping: fc.oneof(fc.constant(0), scale(0.1, 1e3)),
    friction: between(0, 10),
    motor: fc.constantFrom("none" as const, "velocity" as const, "position" as const),
    target: between(-3, 3),
    maxForce: scale(0.1, 1e5),
  },
  { requiredKeys: [] },
);

const joint: fc.Arbitrary<JointChoice> = fc.record({
  a: place,
  b: place,
  options: fc.record(
    {
      type: fc.constantFrom(...(Object.keys(lockedAxes) as JointOptions["type"][])),
      pivotA: vector(0.5),
      pivotB: vector(0.5),
      axisA: vector(1).filter((v) => Math.hypot(...v) > 0.1),
      collision: fc.boolean(),
      axes: fc.dictionary(fc.constantFrom(...Object.keys(JointAxis)), axisSettings, {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    },
    { requiredKeys: ["type"] },
  ),
});

/** Events of a scene before a step; each is one call on one body or joint. */
const action = fc.oneof(
  fc.record({ kind: fc.constant("impulse" as const), place, value: fc.oneof(vector(10), vector(1e6)), at: vector(1) }),
  fc.record({ kind: fc.constant("spin" as const), place, value: fc.oneof(vector(1), vector(1e5)) }),
  fc.record({ kind: fc.constant("velocity" as const), place, value: fc.oneof(vector(10), vector(1e5)) }),
  fc.record({ kind: fc.constant("force" as const), place, value: fc.oneof(vector(100), vector(1e6)), at: vector(1) }),
  fc.record({ kind: fc.constant("teleport" as const), place, value: vector(2), rotation }),
  fc.record({ kind: fc.constant("target" as const), place, value: vector(2), rotation }),
  fc.record({ kind: fc.constant("remove" as const), place }),
  fc.record({ kind: fc.constant("remove joint" as const), place }),
  fc.record({ kind: fc.constant("switch joint" as const), place }),
  fc.record({ kind: fc.constant("add" as const), body }),
  fc.record({ kind: fc.constant("join" as const), joint }),
  fc.record({ kind: fc.constant("sleep" as const), place }),
  fc.record({ kind: fc.constant("gravity" as const), value: vector(20) }),
  fc.record({ kind: fc.constant("refused" as const), place, which: fc.nat(7) }),
);

export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

export interface RandomScene {
  readonly bodies: readonly RigidBodyOptions[];
  readonly joints: readonly JointChoice[];
  /** the frame before which each happens */
  readonly actions: readonly { readonly frame: number; readonly action: Action }[];
  readonly substeps: number;
  readonly hasFloor: boolean;
  readonly frames: number;
}

export const randomScene: fc.Arbitrary<RandomScene> = fc.record({
  bodies: fc.array(body, { minLength: 1, maxLength: 12 }),
  joints: fc.array(joint, { maxLength: 4 }),
  actions: fc.array(fc.record({ frame: fc.nat(29), action }), { maxLength: 8 }),
  substeps: fc.constantFrom(1, 1, 2, 4),
  hasFloor: fc.boolean(),
  frames: fc.constant(30),
});

export function buildScene(scene: RandomScene): RigidWorld {
  const world = new RigidWorld({ substeps: scene.substeps });
  if (scene.hasFloor)
    world.addBody({ motion: "static", shape: { type: "box", halfExtents: [20, 1, 20] }, position: [0, -2, 0] });
  for (const options of scene.bodies) world.addBody(options);
  for (const choice of scene.joints) join(world, choice);
  return world;
}

/** Steps a scene; `each` after every frame. */
export function runScene(
  scene: RandomScene,
  world: RigidWorld,
  from = 0,
  to = scene.frames,
  each?: (frame: number) => void,
) {
  for (let frame = from; frame < to; frame++) {
    for (const entry of scene.actions) if (entry.frame === frame) act(world, entry.action);
    world.step(1 / 60);
    each?.(frame);
  }
}

/** Violations of conditions that must hold after every step. */
export function complaintsOf(world: RigidWorld): string[] {
  const list: string[] = [];
  const { maxLinearSpeed } = world.dynamics.bodies.model;
  for (const body of world.bodies) {
    const numbers = [...body.position, ...body.rotation, ...body.linearVelocity, ...body.angularVelocity];
    if (!numbers.every(Number.isFinite)) list.push(`${body.name}: ${numbers.join(" ")}`);
    const length = Math.hypot(...body.rotation);
    if (Math.abs(length - 1) > 1e-6) list.push(`${body.name}: rotation of length ${length}`);
    if (body.motion === "dynamic" && Math.hypot(...body.linearVelocity) > 1.001 * maxLinearSpeed[body.record.slot])
      list.push(`${body.name}: ${Math.hypot(...body.linearVelocity)} m/s`);
  }
  return list;
}

function bodyAt(world: RigidWorld, place: number): RigidBody {
  return world.bodies[place % world.bodies.length];
}

function join(world: RigidWorld, { a, b, options }: JointChoice): void {
  const [bodyA, bodyB] = [bodyAt(world, a), bodyAt(world, b)];
  if (bodyA === bodyB) return;
  try {
    world.addJoint({ ...options, bodyA, bodyB });
  } catch (error) {
    // Limits may be reversed, and axes parallel to each other.
    if (!(error instanceof PliantError)) throw error;
  }
}

function act(world: RigidWorld, action: Action): void {
  if (action.kind === "add") world.addBody(action.body);
  if (world.bodies.length === 0) return;
  switch (action.kind) {
    case "impulse":
      return bodyAt(world, action.place).applyImpulse(action.value, action.at);
    case "spin":
      return bodyAt(world, action.place).applyAngularImpulse(action.value);
    case "velocity":
      bodyAt(world, action.place).linearVelocity = action.value;
      return;
    case "force":
      return bodyAt(world, action.place).applyForce(action.value, action.at);
    case "teleport":
      return bodyAt(world, action.place).teleport(action.value, action.rotation);
    case "target": {
      const chosen = bodyAt(world, action.place);
      if (chosen.motion === "kinematic") chosen.moveTo(action.value, action.rotation);
      return;
    }
    case "remove":
      return bodyAt(world, action.place).dispose();
    case "remove joint":
      return world.joints[action.place % Math.max(1, world.joints.length)]?.dispose();
    case "switch joint": {
      const chosen = world.joints.at(action.place % Math.max(1, world.joints.length));
      if (chosen) chosen.isEnabled = !chosen.isEnabled;
      return;
    }
    case "join":
      return join(world, action.joint);
    case "sleep":
      return bodyAt(world, action.place).sleep();
    case "gravity":
      world.gravity = action.value;
      return;
    case "refused":
      return expectRefusal(world, bodyAt(world, action.place), action.which);
  }
}

/** Invalid numbers have to be refused, and change nothing. */
function expectRefusal(world: RigidWorld, body: RigidBody, which: number): void {
  const state = (): string => JSON.stringify([world.snapshot().pose, world.snapshot().velocity, world.bodies.length]);
  const before = state();
  const wrong: (() => unknown)[] = [
    () => body.applyImpulse([NaN, 0, 0]),
    () => (body.linearVelocity = [0, Infinity, 0]),
    () => body.teleport([0, NaN, 0]),
    () => body.teleport([0, 0, 0], [0, 0, 0, NaN]),
    () => world.addBody({ shape: { type: "sphere", radius: NaN } }),
    () => world.addBody({ shape: { type: "box", halfExtents: [1, 1, 1] }, mass: -1 }),
    () => (world.gravity = [0, -Infinity, 0]),
    () => world.step(NaN),
  ];
  try {
    wrong[which]();
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    if (state() !== before) throw new Error(`refused call ${which} changed the world`, { cause: error });
    return;
  }
  throw new Error(`call ${which} was not refused`);
}
