import type { ColliderShape } from "../../../src/collision/shape/shape";
import type { Quat, Vec3 } from "../../../src/math/types";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import type { RigidBody } from "../../../src/world/rigid/rigid-body";
import { RandomGeometry } from "../../collision/random";
import { rotate } from "../../collision/narrow/reference";
import { MESHES, type Mesh, scaled } from "./thrown-meshes";
import { spinEnergy } from "./worlds";

const GRAVITY = 9.81;
const DOWN = [0, -0.8, 0];

/** The target of a throw. Lengths are parts of the mesh's size. */
interface Target {
  readonly shape: (size: number) => ColliderShape;
  /** start of the throw, which goes more or less straight down */
  readonly from: Vec3;
  /** depth of a point below the surface, as a part of the size; negative outside */
  readonly depth: (x: number, y: number, z: number) => number;
}

const hills = (x: number, z: number): number => 0.3 * Math.sin(0.8 * x) * Math.cos(0.6 * z);

function grid(half: number, cells: number, height: (x: number, z: number) => number, size: number): ColliderShape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= cells; j++)
    for (let i = 0; i <= cells; i++) {
      const [x, z] = [half * ((2 * i) / cells - 1), half * ((2 * j) / cells - 1)];
      positions.push(size * x, size * height(x, z), size * z);
    }
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) {
      const at = j * (cells + 1) + i;
      indices.push(at, at + cells + 1, at + 1, at + 1, at + cells + 1, at + cells + 2);
    }
  return { type: "mesh", positions, indices };
}

function field(half: number, cells: number, height: (x: number, z: number) => number, size: number): ColliderShape {
  const heights: number[] = [];
  for (let j = 0; j <= cells; j++)
    for (let i = 0; i <= cells; i++)
      heights.push(size * height(half * ((2 * i) / cells - 1), half * ((2 * j) / cells - 1)));
  const [width, samples] = [2 * half * size, cells + 1];
  return { type: "heightfield", sizeX: width, sizeZ: width, samplesX: samples, samplesZ: samples, heights };
}

const flat = (): number => 0;
const isOver = (x: number, z: number, half: number): boolean => Math.abs(x) < half && Math.abs(z) < half;
const below =
  (half: number, height: (x: number, z: number) => number) =>
  (x: number, y: number, z: number): number =>
    isOver(x, z, half) ? height(x, z) - y : -Infinity;

/** A block with slanting sides, its top at height 0. */
const BLOCK = [-9, -4, -9, 9, -4, -9, -9, -4, 9, 9, -4, 9, -6, 0, -6, 6, 0, -6, -6, 0, 6, 6, 0, 6];

export const TARGETS: Readonly<Record<string, Target>> = {
  box: {
    shape: (s) => ({ type: "box", center: [0, -5 * s, 0], halfExtents: [140 * s, 5 * s, 140 * s] }),
    from: [40, 3, -25],
    depth: below(140, flat),
  },
  plane: {
    shape: (s) => ({ type: "box", halfExtents: [140 * s, 0.01 * s, 140 * s] }),
    from: [-30, 3, 25],
    depth: below(140, () => 0.01),
  },
  hull: {
    shape: (s) => ({ type: "convex-hull", positions: BLOCK.map((x) => s * x) }),
    from: [1, 3, 2],
    depth: below(6, flat),
  },
  ground: { shape: (s) => grid(40, 1, flat, s), from: [11, 3, 7], depth: below(40, flat) },
  mesh: { shape: (s) => grid(12, 30, hills, s), from: [1, 3, 2], depth: below(11, hills) },
  heightfield: { shape: (s) => field(12, 30, hills, s), from: [-3, 3, 1], depth: below(11, hills) },
  sphere: {
    shape: (s) => ({ type: "sphere", radius: 3 * s }),
    from: [0.4, 6, -0.3],
    depth: (x, y, z) => 3 - Math.hypot(x, y, z),
  },
  capsule: {
    shape: (s) => ({ type: "capsule", pointA: [-3 * s, 0, 0], pointB: [3 * s, 0, 0], radius: 1.5 * s }),
    from: [0.4, 4, 0.3],
    depth: (x, y, z) => 1.5 - Math.hypot(x - Math.max(-3, Math.min(3, x)), y, z),
  },
  cylinder: {
    shape: (s) => ({ type: "cylinder", pointA: [0, -2 * s, 0], pointB: [0, 2 * s, 0], radius: 3 * s }),
    from: [0.7, 5, 0.4],
    depth: (x, y, z) => Math.min(2 - Math.abs(y), 3 - Math.hypot(x, z)),
  },
};

export interface Throw {
  /** keys of MESHES; several are thrown at the target and at each other */
  readonly meshes: readonly string[];
  /** key of TARGETS */
  readonly target: string;
  /** approximate size of the meshes [m] */
  readonly size: number;
  readonly seed: number;
  /** throws the convex hulls of the meshes: all of them for comparison, or every other one */
  readonly hulls?: "all" | "some" | undefined;
}

export interface Outcome {
  /** largest excess of kinetic and potential energy over the start, as a part of the initial energy */
  readonly gain: number;
  /** largest depth of a corner below the surface of the target or of another mesh, as a part of the size */
  readonly depth: number;
  /** the same at the end */
  readonly rest: number;
  /** largest number of contacts in a step */
  readonly contacts: number;
}

/** One throw of random speed, direction and spin, followed for three seconds. */
export function play(
  { meshes, target, size, seed, hulls }: Throw,
  seconds = 3,
  trace?: (line: string) => void,
): Outcome {
  const random = new RandomGeometry(seed);
  const { shape, from, depth } = TARGETS[target];
  const world = new RigidWorld();
  // Off the origin, with the mesh's body before or after the target in the order of pairs.
  const origin = random.vector(20 * size);
  const isFirst = random.between(0, 1) < 0.5;
  if (!isFirst) world.addBody({ id: 100, motion: "static", shape: shape(size), position: origin });
  else world.addBody({ id: 0, motion: "static", shape: shape(size), position: origin });
  const thrown = meshes.map((name, k): Thrown => {
    const mesh = scaled(MESHES[name], size);
    const isHull = hulls === "all" || (hulls === "some" && k % 2 === 1);
    const away = [1.6 * (k % 2), 1.7 * Math.floor(k / 2), 0];
    const way = random.direction();
    const speed = random.between(1, 25);
    const body = world.addBody({
      id: k + 1,
      shape: isHull ? { type: "convex-hull", positions: mesh.positions } : { type: "mesh", ...mesh },
      position: vector((i) => origin[i] + size * (from[i] + away[i])),
      rotation: random.rotation(),
      linearVelocity: vector((i) => speed * (way[i] + DOWN[i])),
      angularVelocity: random.vector(15),
      friction: random.between(0, 1),
    });
    return { name, body, mesh, isGone: false };
  });
  const start = energy(thrown);
  const scale =
    start - thrown.reduce((sum, { body }) => sum + body.mass * GRAVITY * (body.centerOfMass[1] - 2 * size), 0);
  const outcome = { gain: -Infinity, depth: -Infinity, rest: -Infinity, contacts: 0 };
  const frames = Math.round(seconds * 60);
  for (let k = 0; k < frames; k++) {
    world.step(1 / 60);
    const now = (energy(thrown) - start) / scale;
    outcome.rest = -Infinity;
    for (const one of thrown) {
      const corners = cornersOf(one, origin, size);
      const depths = corners.map(([x, y, z]) => depth(x, y, z));
      // A mesh that has left the target may hang down beside it.
      one.isGone ||= Math.min(...depths) === -Infinity;
      if (!one.isGone) outcome.rest = Math.max(outcome.rest, ...depths);
      for (const other of thrown)
        if (other !== one) outcome.rest = Math.max(outcome.rest, depthInside(other, corners, origin, size));
    }
    outcome.gain = Math.max(outcome.gain, now);
    outcome.depth = Math.max(outcome.depth, outcome.rest);
    outcome.contacts = Math.max(outcome.contacts, world.contacts.count);
    trace?.(`${k}: energy ${now.toFixed(4)}, depth ${outcome.rest.toFixed(4)}, contacts ${world.contacts.count}`);
  }
  return outcome;
}

interface Thrown {
  readonly name: string;
  readonly body: RigidBody;
  readonly mesh: Mesh;
  isGone: boolean;
}

const vector = (value: (axis: number) => number): Vec3 => [value(0), value(1), value(2)];

/** Depth of a point in a mesh about the origin, for meshes with a simple formula. */
const INSIDE: Readonly<Record<string, (p: Vec3) => number>> = {
  cube: ([x, y, z]) => 0.5 - Math.max(Math.abs(x), Math.abs(y), Math.abs(z)),
  "fine cube": ([x, y, z]) => 0.5 - Math.max(Math.abs(x), Math.abs(y), Math.abs(z)),
  ball: ([x, y, z]) => 0.48 - Math.hypot(x, y, z),
};

/** Largest depth of points (parts of the size, from the origin of the scene) inside of a body. */
function depthInside({ name, body }: Thrown, points: readonly Vec3[], origin: Vec3, size: number): number {
  const inside = name in INSIDE ? INSIDE[name] : undefined;
  if (!inside) return -Infinity;
  const { position, rotation } = body;
  const back: Quat = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
  let most = -Infinity;
  for (const p of points)
    most = Math.max(
      most,
      inside(
        rotate(
          back,
          vector((k) => p[k] - (position[k] - origin[k]) / size),
        ),
      ),
    );
  return most;
}

function energy(thrown: readonly { body: RigidBody }[]): number {
  return thrown.reduce((sum, { body }) => {
    const [x, y, z] = body.linearVelocity;
    return (
      sum + 0.5 * body.mass * (x * x + y * y + z * z) + spinEnergy(body) + body.mass * GRAVITY * body.centerOfMass[1]
    );
  }, 0);
}

/** Corners of a mesh, from the origin of the scene, as parts of the size. */
function cornersOf({ body, mesh }: Thrown, origin: Vec3, size: number): Vec3[] {
  const { position, rotation } = body;
  return Array.from({ length: mesh.positions.length / 3 }, (_, i) => {
    const p = rotate(
      rotation,
      vector((k) => mesh.positions[3 * i + k]),
    );
    return vector((k) => (p[k] + position[k] - origin[k]) / size);
  });
}
