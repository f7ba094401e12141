import { dotProduct } from "../../math/dense";
import { TOUCHING, SAME_SIDE, SAME_WAY, MOST_STEPS, LEAST_STEP, BISECTIONS } from "../../generated/constants";
import type { ColliderSet } from "../obstacles/collider-set";
import { POSE, rotate, rotateAt, toFrame } from "../shape/pose";
import { PrimitiveKind, type Primitive } from "../distance/primitives";
import { distanceAt } from "../distance/signed-distance";
import { sureWay } from "./clearance";

/** Result of `sweepContact`. */
export type SweepContact = ReturnType<typeof createSweepContact>;

export function createSweepContact() {
  return {
    /** unit normal, world space, pointing out of the obstacle */
    normal: new Float64Array(3),
    /** meters to move along the normal; 0 if the point only touches */
    push: 0,
    /** displacement of the obstacle's surface at the contact during the substep, world space [m] */
    surfaceDisplacement: new Float64Array(3),
    /**
     * change of the normal, which turns with the obstacle, during the substep; a point above the surface moves by its
     * height times this in addition
     */
    normalChange: new Float64Array(3),
    /** without contact: a way [m] that the point may go, less that of the obstacle, before it can touch */
    clearance: 0,
  };
}

/**
 * TOUCHING: a point this fraction of the thickness above the thickness still touches, so that friction continues to
 * act. SAME_SIDE: normals that agree better than this cosine are on the same side of an obstacle. LEAST_STEP: a path is
 * followed in steps of at least this fraction of the thickness; a point may miss the edge of a thinner part that it passes closely.
 * A path that is not finished after MOST_STEPS runs along the surface, and counts as entering there. SAME_WAY: if the
 * normals at both ends of a path agree better than this cosine, the path can enter a convex primitive only on their
 * side.
 */

const p0 = new Float64Array(3);
const p1 = new Float64Array(3);
/** gradients, and φ in place 3: at both ends of the path, and where a search looks */
const n0 = new Float64Array(4);
const n1 = new Float64Array(4);
/** where the path enters, and φ there */
const entry = new Float64Array(4);
const pushed = new Float64Array(3);
const interpolated0 = new Float64Array(POSE);
const interpolated1 = new Float64Array(POSE);

/**
 * Contact of a material point with one primitive during a substep. Nothing is remembered between calls.
 *
 * The computation uses the frame of the primitive, in which the point moves from p0 to p1 and the surface is at rest. φ
 * is the signed distance; its slope is at most 1. Mostly the path cannot have met the surface (φ(p1) > |p1 - p0|, or
 * φ(p0) + φ(p1) > |p1 - p0|): the point is pushed along ∇φ(p1) until φ = thickness. Otherwise the path is followed from
 * p0 (conservative advancement) to its entry. If the shortest way out from p1 is on another side, the point moves back
 * to the near side of the tangent plane at the entry, whatever its depth.
 *
 * @param k primitive
 * @param start position of the material point at the start of the substep [m]; `end` has its current position
 * @param i first coordinate of the point in `start` and `end`
 * @param asked distance to keep [m], less than 0 for points that may be within; start and end of the substep in the frame, 0 to 1: if both
 * are 1 obstacles rest where the frame leaves them
 * @param out normal, push, surface displacement and change of the normal; unspecified if the result is false
 * @param isPrediction whether `end` is where the point would go without contact, and so may be far from where it will be
 * @returns whether the point touches
 */
export function sweepBy(
  set: ColliderSet,
  k: number,
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  i: number,
  asked: Float64Array,
  out: SweepContact,
  isPrediction: boolean,
): boolean {
  const thickness = asked[0];
  const reach = (thickness < 0 ? 1 - TOUCHING : 1 + TOUCHING) * thickness;
  const { bounds } = set;
  const b = 6 * k;
  // Distance of the box of the path from that of the primitive, along the axis where it is greatest; negative where they overlap.
  let gap = -Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const from = start[i + axis];
    const to = end[i + axis];
    gap = Math.max(gap, Math.min(from, to) - bounds[b + 3 + axis], bounds[b + axis] - Math.max(from, to));
  }
  out.clearance = gap - reach - set.slack[k];
  // Written so that NaN counts as a miss.
  if (!(out.clearance <= 0)) return false;
  const primitive = set.primitives[k];
  const moving = set.proxyOf[k] >= 0 || set.moving[k] === 1;
  let pose0 = set.startPoses;
  let pose1 = set.startPoses;
  let at = POSE * k;
  if (moving) {
    // The second of two parts is the same if the substep is at the end of the frame.
    set.readPoseBy(k, asked[1] === 1, asked, 1, (pose0 = interpolated0));
    set.readPoseBy(k, true, asked, 1, (pose1 = interpolated1));
    at = 0;
  }
  toFrame(pose0, at, start, i, p0, 0);
  toFrame(pose1, at, end, i, p1, 0);
  const length = Math.sqrt((p1[0] - p0[0]) ** 2 + (p1[1] - p0[1]) ** 2 + (p1[2] - p0[2]) ** 2);
  distanceAt(primitive, p1, 0, n1);
  const phi1 = n1[3];
  out.clearance = Math.max(0, sureWay(primitive) * (phi1 - reach));
  if (phi1 > length + reach) return false;
  path[LENGTH] = length;
  path[KEPT] = thickness;
  path[SHIFT] = NOT_ENTERED;
  if (phi1 <= length) findShift(primitive, isPrediction);
  const isBeside = path[SHIFT] === NOT_ENTERED;
  if (isBeside) {
    out.push = Math.max(thickness - phi1, 0);
    if (phi1 > reach) return false;
    pushed[0] = p1[0];
    pushed[1] = p1[1];
    pushed[2] = p1[2];
  } else {
    pushOut(primitive, out);
    if (out.push === 0) return false;
  }
  // From `pushed` down to the surface point below the contact.
  const below = isBeside ? phi1 : thickness;
  rotateAt(pose1, at, n1, 0, out.normal, 0);
  if (moving) {
    const x = pushed[0] - below * n1[0];
    const y = pushed[1] - below * n1[1];
    const z = pushed[2] - below * n1[2];
    surfaceMotion(pose0, pose1, x, y, z, out.surfaceDisplacement);
    rotateAt(pose0, 0, n1, 0, before, 0);
    for (let axis = 0; axis < 3; axis++) out.normalChange[axis] = out.normal[axis] - before[axis];
  } else
    for (let axis = 0; axis < 3; axis++) {
      out.surfaceDisplacement[axis] = 0;
      out.normalChange[axis] = 0;
    }
  return true;
}

const asking = new Float64Array(3);

/** As `sweepBy`, with what is asked as numbers. */
export function sweepContact(
  set: ColliderSet,
  k: number,
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  i: number,
  thickness: number,
  fraction0: number,
  fraction1: number,
  out: SweepContact,
  isPrediction = false,
): boolean {
  asking[0] = thickness;
  asking[1] = fraction0;
  asking[2] = fraction1;
  return sweepBy(set, k, start, end, i, asking, out, isPrediction);
}

/** The length of the path, the distance to keep, and how far its end is to be pushed [m] */
const path = new Float64Array(3);
const [LENGTH, KEPT, SHIFT] = [0, 1, 2];
const NOT_ENTERED = -1;

/**
 * Checks whether the path from p0 to p1 enters the solid. If so, n0 becomes the direction in which to push p1, and `path` has
 * the distance: along ∇φ(p1) if that leads out on the side of the entry, otherwise to the near side of the
 * tangent plane at the entry (or at p0, if the path starts inside). A predicted path that ends beside the solid, but nearer than the
 * thickness and with another normal than it came from, has gone round an edge: so it has entered where φ = thickness. The rim of
 * a body that lies on a box of its own size would otherwise be pushed sideways, and not be borne.
 */
function findShift(primitive: Primitive, isPrediction: boolean): void {
  const length = path[LENGTH];
  const thickness = path[KEPT];
  const phi1 = n1[3];
  distanceAt(primitive, p0, 0, n0);
  const phi0 = n0[3];
  let entered = phi0 <= 0;
  const agreement = n0[0] * n1[0] + n0[1] * n1[1] + n0[2] * n1[2];
  if (entered) {
    entry.set(p0);
    entry[3] = phi0;
  } else if (phi1 <= 0 || phi0 + phi1 <= length) {
    if (primitive.kind <= PrimitiveKind.hull && agreement > SAME_WAY) {
      // Following the path would give the same result.
      n0.set(n1);
      if (phi1 <= 0) path[SHIFT] = thickness - phi1;
      return;
    }
    entered = followPath(primitive, length, phi0, phi1, 0, thickness);
  }
  if (entered && dotProduct(n0, n1, 3) < SAME_SIDE) {
    toTangentPlane();
    return;
  }
  if (phi1 <= 0) {
    n0.set(n1);
    path[SHIFT] = Math.max(thickness - phi1, 0);
    return;
  }
  if (!isPrediction || phi0 <= 0 || phi1 >= thickness || agreement >= SAME_WAY) return;
  if (phi0 > thickness) followPath(primitive, length, phi0, phi1, thickness, thickness);
  else {
    lookAt(primitive, 0);
    entry[3] = n0[3];
  }
  if (dotProduct(n0, n1, 3) < SAME_WAY) toTangentPlane();
}

/** From p1 to a thickness above the plane through `entry`. */
function toTangentPlane(): void {
  let height = entry[3] - path[KEPT];
  for (let axis = 0; axis < 3; axis++) height += n0[axis] * (p1[axis] - entry[axis]);
  path[SHIFT] = Math.max(-height, 0);
}

/** Conservative advancement along the path to φ = level; after an entry, `entry` and n0 are its position and normal. */
function followPath(
  primitive: Primitive,
  length: number,
  phi0: number,
  phi1: number,
  level: number,
  thickness: number,
): boolean {
  let outside = 0;
  let inside = 0;
  entry[3] = phi0;
  for (let step = 0; step < MOST_STEPS && inside === 0; step++) {
    const least = LEAST_STEP * thickness;
    const isLeast = entry[3] - level < least;
    const t = outside + Math.max(entry[3] - level, least) / length;
    if (t >= 1) {
      if (isLeast && goesThrough(n0, n1)) break;
      if (phi1 > level) return false;
      inside = 1;
    } else {
      before.set(n0);
      lookAt(primitive, t);
      if (n0[3] <= level) inside = t;
      else if (isLeast && goesThrough(before, n0)) break;
      else {
        outside = t;
        entry[3] = n0[3];
      }
    }
  }
  for (let n = 0; n < BISECTIONS && inside > 0; n++) {
    const middle = 0.5 * (outside + inside);
    lookAt(primitive, middle);
    if (n0[3] <= level) inside = middle;
    else outside = middle;
  }
  lookAt(primitive, outside);
  entry[3] = n0[3];
  return true;
}

/** Whether a step of the path, from a normal to the next one, goes through what is thinner than the step. */
function goesThrough(from: Float64Array, to: Float64Array): boolean {
  if (dotProduct(from, to, 3) >= -SAME_SIDE) return false;
  return from[0] * (p1[0] - p0[0]) + from[1] * (p1[1] - p0[1]) + from[2] * (p1[2] - p0[2]) < 0;
}

/** Sets `entry` and n0 to position, gradient and φ at a fraction of the path. */
function lookAt(primitive: Primitive, t: number): void {
  for (let axis = 0; axis < 3; axis++) entry[axis] = p0[axis] + t * (p1[axis] - p0[axis]);
  distanceAt(primitive, entry, 0, n0);
}

/**
 * Moves p1 by the shift along n0, then up to twice along ∇φ: a tangent plane is not the surface, and φ of a
 * heightfield or grid may underestimate the depth. `pushed` becomes the new position, n1 the direction to it, and the push the distance.
 */
function pushOut(primitive: Primitive, out: SweepContact): void {
  const thickness = path[KEPT];
  for (let axis = 0; axis < 3; axis++) pushed[axis] = p1[axis] + path[SHIFT] * n0[axis];
  for (let n = 0; n < 2; n++) {
    distanceAt(primitive, pushed, 0, n1);
    const phi = n1[3];
    if (phi >= thickness) break;
    for (let axis = 0; axis < 3; axis++) pushed[axis] += (thickness - phi) * n1[axis];
  }
  const dx = pushed[0] - p1[0];
  const dy = pushed[1] - p1[1];
  const dz = pushed[2] - p1[2];
  const push = Math.sqrt(dx * dx + dy * dy + dz * dz);
  out.push = push;
  if (push === 0) return;
  n1[0] = dx / push;
  n1[1] = dy / push;
  n1[2] = dz / push;
}

const before = new Float64Array(4);

/** Displacement of a point, given in the obstacle's frame, from one pose to the other. */
function surfaceMotion(
  pose0: Float64Array,
  pose1: Float64Array,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  rotate(pose0, 0, x, y, z, before, 0);
  rotate(pose1, 0, x, y, z, out, 0);
  for (let axis = 0; axis < 3; axis++) out[axis] += pose1[axis] - (before[axis] + pose0[axis]);
}
