import { closestPointOnTriangle } from "../src/geometry/triangles/triangle";
import type { RigidBody, Vec3 } from "../src/index";
import { conjugate, turn } from "../src/math/quaternions";
import { distance } from "../src/math/vectors";

type Quaternion = RigidBody["rotation"];

/** The present surface of a soft body: n × 3 [m], and its triangles. */
export interface Surface {
  readonly x: ArrayLike<number>;
  readonly faces: ArrayLike<number>;
}

/** A point that moves with the material of a surface: three vertices and their weights. */
export interface MaterialPoint {
  readonly vertices: Vec3;
  readonly weights: Vec3;
}

/** Points of a finger and of the held body that touched when the measurement began. */
interface Touch {
  readonly finger: number;
  readonly point: MaterialPoint;
  /** point of a soft body, or a place in the frame of a rigid one [m] */
  readonly held: MaterialPoint | Vec3;
  /** vector from one to the other at that time, in the axes of the hand [m] */
  readonly apart: Vec3;
}

/** The held body: a soft body, or a rigid capsule along z, whose ends are `half` from its middle [m]. */
export type Held = Surface | { readonly capsule: RigidBody; readonly half: number; readonly radius: number };

/** Slip of contacts between fingers and the held body since `start`: the largest [m]. */
export class GripMeter {
  private touches: readonly Touch[] = [];

  /**
   * @param hand orientation of the hand
   * @param reach points closer to each other than this touch [m]
   */
  start(fingers: readonly Surface[], held: Held, hand: Quaternion, reach: number): void {
    this.touches = fingers.flatMap((surface, finger) => {
      const pairs = "capsule" in held ? onCapsule(surface, held, reach) : onSurface(surface, held, reach);
      return pairs.map(([point, other]) => ({
        finger,
        point,
        held: other,
        apart: apart(surface, point, held, other, hand),
      }));
    });
  }

  get count(): number {
    return this.touches.length;
  }

  slip(fingers: readonly Surface[], held: Held, hand: Quaternion): number {
    let most = 0;
    for (const touch of this.touches) {
      const now = apart(fingers[touch.finger], touch.point, held, touch.held, hand);
      most = Math.max(most, distance(now, touch.apart));
    }
    return most;
  }
}

type Pair = readonly [point: MaterialPoint, held: MaterialPoint | Vec3];

/** Pairs the vertices of each with the faces of the other. */
function onSurface(finger: Surface, held: Surface, reach: number): Pair[] {
  return [
    ...vertices(finger).flatMap((point) => nearest(held, placeOf(finger, point), reach).map((on): Pair => [point, on])),
    ...vertices(held).flatMap((point) => nearest(finger, placeOf(held, point), reach).map((on): Pair => [on, point])),
  ];
}

/** The points of each face of the finger that are nearest to the ends and the middle of the axis. */
function onCapsule(finger: Surface, { capsule, half, radius }: Exclude<Held, Surface>, reach: number): Pair[] {
  const pairs: Pair[] = [];
  for (const along of [-half, 0, half]) {
    const [x, y, z] = turn(capsule.rotation, [0, 0, along]);
    const [cx, cy, cz] = capsule.position;
    for (let f = 0; f < finger.faces.length; f += 3) {
      const [point, gap] = nearestOfFace(finger, f, [x + cx, y + cy, z + cz]);
      if (gap < radius + reach) pairs.push([point, inFrame(capsule, placeOf(finger, point))]);
    }
  }
  return pairs;
}

function vertices({ faces }: Surface): MaterialPoint[] {
  return [...new Set(Array.from(faces))].map((v) => ({ vertices: [v, v, v], weights: [1, 0, 0] }));
}

/** The nearest point of a surface, if it is within reach. */
export function nearest(surface: Surface, place: Vec3, reach: number): MaterialPoint[] {
  let found: MaterialPoint[] = [];
  for (let f = 0; f < surface.faces.length; f += 3) {
    const [point, gap] = nearestOfFace(surface, f, place);
    if (gap >= reach) continue;
    reach = gap;
    found = [point];
  }
  return found;
}

function nearestOfFace({ x, faces }: Surface, f: number, [px, py, pz]: Vec3): [MaterialPoint, number] {
  const corners: Vec3 = [faces[f], faces[f + 1], faces[f + 2]];
  const triangle = corners.flatMap((v) => [x[3 * v], x[3 * v + 1], x[3 * v + 2]]);
  const out = new Float64Array(6);
  const squared = closestPointOnTriangle(triangle, 0, px, py, pz, out);
  return [{ vertices: corners, weights: [out[3], out[4], out[5]] }, Math.sqrt(squared)];
}

export function placeOf({ x }: Surface, { vertices: corners, weights }: MaterialPoint): Vec3 {
  const at = (c: number): number => corners.reduce((sum, v, k) => sum + weights[k] * x[3 * v + c], 0);
  return [at(0), at(1), at(2)];
}

function inFrame({ position, rotation }: RigidBody, [x, y, z]: Vec3): Vec3 {
  return turn(conjugate(rotation), [x - position[0], y - position[1], z - position[2]]);
}

function apart(finger: Surface, point: MaterialPoint, held: Held, other: MaterialPoint | Vec3, hand: Quaternion): Vec3 {
  const from = placeOf(finger, point);
  let to: Vec3;
  if ("capsule" in held) {
    const arm = turn(held.capsule.rotation, other as Vec3);
    const [x, y, z] = held.capsule.position;
    to = [x + arm[0], y + arm[1], z + arm[2]];
  } else to = placeOf(held, other as MaterialPoint);
  return turn(conjugate(hand), [to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
}
