import type { ColliderShape, Quat, RigidBody, Vec3 } from "../src/index";
import { apply, identity, multiply, type Transform } from "../src/articulated/loaders/transform";
import { conjugate, product, turn, unitQuaternion } from "../src/math/quaternions";
import { cross, dot, normalised } from "../src/math/vectors";
import type { Surface } from "./grip";
import type { Cast } from "./rigid";
import type { PropMaterial, SoftSurface } from "./scene";
import type { SoftBall } from "./soft-ball";

/** A place at which a fingertip touches a thing, in the axes of the thing. */
export interface Hold {
  /** [m] */
  readonly point: Vec3;
  /** into the thing */
  readonly normal: Vec3;
}

/** A thing that a hand holds. Its axes are those of the hand: x from the palm to it, and z from the thumb to the other fingers. */
export interface Held {
  readonly weight: number;
  /** of index, middle and ring finger, and thumb */
  readonly holds: readonly Hold[];
  /** half of the size along x: it lies on a stand so far below its middle [m] */
  readonly half: number;
  readonly tetrahedra: number;
  readonly softs: readonly SoftSurface[];
  /** direction into the thing at a place near its surface, for a hold */
  normalAt(hold: number, place: Vec3): Vec3;
  surface(): Promise<Surface>;
  /** of its middle */
  pose(): Promise<Transform>;
}

export interface ThingOptions {
  readonly position: Vec3;
  readonly rotation: Quat;
  /** [kg/m³] */
  readonly density: number;
  readonly friction: number;
  /** distance between neighbouring fingers [m] */
  readonly spread: number;
}

export const things = ["cube", "hammer", "ball"] as const;

/** Side of the cube [m]. */
const SIDE = 0.05;
/** Handle of the hammer: thickness, and length [m]. Its head: thickness and length [m], and how many times as dense it is. */
const [THICK, LONG] = [0.026, 0.26];
const [HEAD, WIDE, DENSE] = [0.026, 0.075, 4];

export function addCube(cast: Cast, { spread, ...options }: ThingOptions, gravity: number): Held {
  const half = SIDE / 2;
  const body = cast.add("amber", {
    name: "cube",
    shape: { type: "box", halfExtents: [half, half, half] },
    canSleep: false,
    ...options,
  });
  return rigidThing(body, [half, half, half], [0, 0, 0], spread, gravity);
}

/** A hammer, held where it balances. */
export function addHammer(cast: Cast, { spread, density, ...options }: ThingOptions, gravity: number): Held {
  const [handle, head]: Vec3[] = [
    [THICK / 2, LONG / 2, THICK / 2],
    [WIDE / 2, HEAD / 2, HEAD / 2],
  ];
  const mass = (half: Vec3, times: number): number => 8 * half[0] * half[1] * half[2] * density * times;
  const [a, b] = [mass(handle, 1), mass(head, DENSE)];
  // The middle of mass is the origin.
  const apart = (LONG + HEAD) / 2;
  const [handleAt, headAt] = [(apart * b) / (a + b), (-apart * a) / (a + b)];
  const moment = (half: Vec3, m: number, at: number): Vec3 => {
    const [x, y, z] = half.map((h) => (h * h * m) / 3);
    return [y + z + m * at * at, x + z, x + y + m * at * at];
  };
  const [ia, ib] = [moment(handle, a, handleAt), moment(head, b, headAt)];
  const shapeOf = (halfExtents: Vec3): ColliderShape => ({ type: "box", halfExtents });
  const parts: [PropMaterial, ColliderShape, Vec3][] = [
    ["wood", shapeOf(handle), [0, handleAt, 0]],
    ["steel", shapeOf(head), [0, headAt, 0]],
  ];
  const body = cast.addOf(parts, {
    name: "hammer",
    shape: { type: "container", children: parts.map(([, shape, position]) => ({ shape, position })) },
    mass: a + b,
    centerOfMass: [0, 0, 0],
    inertia: [ia[0] + ib[0], ia[1] + ib[1], ia[2] + ib[2]],
    canSleep: false,
    ...options,
  });
  return rigidThing(body, handle, [0, handleAt, 0], spread, gravity);
}

/** A thing that is held by a box of it. */
function rigidThing(body: RigidBody, half: Vec3, center: Vec3, spread: number, gravity: number): Held {
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z].map((s, c) => center[c] + s * half[c]) as unknown as Vec3)),
  );
  const quad = (a: number, b: number, c: number, d: number): number[] => [a, b, c, b, d, c];
  const faces = [
    quad(0, 1, 2, 3),
    quad(4, 5, 6, 7),
    quad(0, 1, 4, 5),
    quad(2, 3, 6, 7),
    quad(0, 2, 4, 6),
    quad(1, 3, 5, 7),
  ].flat();
  const holds = holdsOn(half[2], spread);
  const pose = (): Transform => ({ position: body.position, rotation: body.rotation as Quat });
  return {
    weight: body.massProperties.mass * gravity,
    holds,
    half: half[0],
    tetrahedra: 0,
    softs: [],
    normalAt: (hold) => holds[hold].normal,
    surface: () => Promise.resolve({ x: corners.flatMap((corner) => apply(pose(), corner)), faces }),
    pose: () => Promise.resolve(pose()),
  };
}

/** A soft ball around `position`. */
export function softThing({ body, mesh, mass }: SoftBall, radius: number, thing: ThingOptions, gravity: number): Held {
  const { position, spread } = thing;
  let rotation: Quat = [0, 0, 0, 1];
  return {
    weight: mass * gravity,
    holds: holdsOn(radius, spread).map(({ point: [x, y, z] }) => {
      const point: Vec3 = [x, y, Math.sign(z) * Math.sqrt(radius ** 2 - y ** 2)];
      return { point, normal: inward(point) };
    }),
    half: radius,
    tetrahedra: mesh.tetrahedra.length / 4,
    softs: [{ body, material: "rubber" }],
    normalAt: (_, place) => inward(place),
    surface: async () => ({ x: await body.readPositions(), faces: body.model.faces }),
    async pose() {
      const x = await body.readPositions();
      const middle = middleOf(x);
      rotation = turnOf(mesh.positions, position, x, middle, rotation);
      return multiply({ position: middle, rotation }, { ...identity, rotation: thing.rotation });
    },
  };
}

function holdsOn(half: number, spread: number): Hold[] {
  const opposite = [spread, 0, -spread].map((y): Hold => ({ point: [0, y, half], normal: [0, 0, -1] }));
  return [...opposite, { point: [0, 0, -half], normal: [0, 0, 1] }];
}

function inward(place: Vec3): Vec3 {
  const [x, y, z] = normalised(place);
  return [-x, -y, -z];
}

function middleOf(x: ArrayLike<number>): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) sum[i % 3] += (3 * x[i]) / x.length;
  return sum;
}

/** The rotation that brings points at first nearest to those now (Müller et al. 2016, "A robust method to extract the rotational part"). */
function turnOf(first: ArrayLike<number>, from: Vec3, now: ArrayLike<number>, to: Vec3, guess: Quat): Quat {
  let rotation = guess;
  for (let iteration = 0; iteration < 20; iteration++) {
    const torque: [number, number, number] = [0, 0, 0];
    let along = 0;
    for (let i = 0; i < now.length; i += 3) {
      const a = turn(rotation, [first[i] - from[0], first[i + 1] - from[1], first[i + 2] - from[2]]);
      const b: Vec3 = [now[i] - to[0], now[i + 1] - to[1], now[i + 2] - to[2]];
      cross(a, b).forEach((value, c) => (torque[c] += value));
      along += dot(a, b);
    }
    const [x, y, z] = torque.map((value) => value / (2 * along));
    rotation = unitQuaternion(product([x, y, z, 1], rotation));
  }
  return rotation;
}

/** A place of the scene in the axes of a pose. */
export function within({ position, rotation }: Transform, place: Vec3): Vec3 {
  return turn(conjugate(rotation), [place[0] - position[0], place[1] - position[1], place[2] - position[2]]);
}
