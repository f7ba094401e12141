import { IdList } from "../../math/arrays";
import { closestOnConvex, ClosestSurfacePoint } from "../narrow/convex/closest-point";
import { type Convex, sphereConvex } from "../narrow/shapes/convex";
import { collideConvex } from "../narrow/convex/convex-pair";
import { composeFrames, identityFrame, poseToFrame, relativeFrame } from "../narrow/frame";
import { Manifold } from "../narrow/manifold";
import { boxAround, Placed } from "../narrow/shapes/placed";
import type { RigidShape, ShapePart } from "../narrow/shapes/rigid-shape";
import { SurfaceTriangle, type TriangleSurface } from "../narrow/surfaces/triangle-surface";

/** The closest points of two shapes, in the world. One object may be used for many queries. */
export class Proximity {
  /** signed distance [m], negative where the shapes overlap */
  distance = Infinity;
  /** closest points on A and on B */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** unit, from A to B */
  readonly normal = new Float64Array(3);
  /** part of B; the next is its triangle, if that is a mesh or heightfield, else −1 */
  partB = -1;
  triangleB = -1;
}

/** Chooses the pairs of parts that a proximity query looks at; default all. */
export type PairFilter = (partA: number, partB: number) => boolean;

const poseA = identityFrame();
const poseB = identityFrame();
const frameA = identityFrame();
const frameB = identityFrame();
const relative = identityFrame();
const plain = new Placed();
const placed = new Placed();
const manifold = new Manifold();
const triangles = new IdList();
const triangle = new SurfaceTriangle();
const box = new Float64Array(6);

/**
 * The closest points of two shapes at their poses. A surface of triangles has two sides; ground is solid below. Two
 * surfaces never meet: one of the two shapes should be made of convex parts.
 *
 * @param maxDistance [m]; 0 to ask for overlaps only
 * @returns false, with `out` unchanged, if the shapes are further apart
 */
export function shapeDistance(
  a: RigidShape,
  posesA: ArrayLike<number>,
  atA: number,
  b: RigidShape,
  posesB: ArrayLike<number>,
  atB: number,
  maxDistance: number,
  out: Proximity,
  accepts?: PairFilter,
): boolean {
  poseToFrame(posesA, atA, poseA);
  poseToFrame(posesB, atB, poseB);
  let limit = maxDistance;
  let found = false;
  for (let i = 0; i < a.parts.length; i++)
    for (let j = 0; j < b.parts.length; j++) {
      if (accepts && !accepts(i, j)) continue;
      if (!partDistance(a.parts[i], b.parts[j], j, limit, out, found)) continue;
      found = true;
      limit = Math.min(limit, out.distance);
    }
  return found;
}

function partDistance(a: ShapePart, b: ShapePart, j: number, limit: number, out: Proximity, isLater: boolean): boolean {
  composeFrames(poseA, a.frame, frameA);
  composeFrames(poseB, b.frame, frameB);
  let source = -1;
  if (a.convex && b.convex) {
    relativeFrame(frameA, frameB, relative);
    plain.setPlain(a.convex);
    placed.setAt(b.convex, relative);
    collideConvex(plain, placed, limit, manifold);
  } else if (a.surface && b.convex) {
    relativeFrame(frameA, frameB, relative);
    source = surfaceDistance(a.surface, b.convex, limit);
  } else if (a.convex && b.surface) {
    relativeFrame(frameB, frameA, relative);
    source = surfaceDistance(b.surface, a.convex, limit);
  } else return false;
  const k = deepestOf(manifold);
  if (k < 0 || (isLater && manifold.separation[k] >= limit)) return false;
  const isSwapped = a.convex !== undefined && b.surface !== undefined;
  write(manifold, k, isSwapped ? frameB : frameA, isSwapped, out);
  out.partB = j;
  out.triangleB = isSwapped ? source : -1;
  return true;
}

/** The contact with the least separation, −1 if there is none. */
export function deepestOf(m: Manifold): number {
  let best = -1;
  for (let i = 0; i < m.count; i++) if (best < 0 || m.separation[i] < m.separation[best]) best = i;
  return best;
}

function write(m: Manifold, k: number, f: Float64Array, isSwapped: boolean, out: Proximity): void {
  const a = isSwapped ? m.pointB : m.pointA;
  const b = isSwapped ? m.pointA : m.pointB;
  const sign = isSwapped ? -1 : 1;
  for (let r = 0; r < 3; r++) {
    const [p, q, s] = [f[3 * r], f[3 * r + 1], f[3 * r + 2]];
    out.pointA[r] = p * a[3 * k] + q * a[3 * k + 1] + s * a[3 * k + 2] + f[9 + r];
    out.pointB[r] = p * b[3 * k] + q * b[3 * k + 1] + s * b[3 * k + 2] + f[9 + r];
    out.normal[r] = sign * (p * m.nx + q * m.ny + s * m.nz);
  }
  out.distance = m.separation[k];
}

const trial = new Manifold();

/** The closest triangle to a convex at `relative`; its contacts are left in `manifold`. Returns its number, or −1. */
function surfaceDistance(surface: TriangleSurface, convex: Convex, limit: number): number {
  placed.setAt(convex, relative);
  triangles.count = 0;
  surface.query(boxAround(placed, convex.radius + limit, box), triangles);
  manifold.count = 0;
  let found = -1;
  let least = limit;
  for (let i = 0; i < triangles.count; i++) {
    surface.fetch(triangles.items[i], triangle);
    plain.setPlain(triangle.convex);
    const n = triangle.convex.faceNormals;
    const height = n[0] * relative[9] + n[1] * relative[10] + n[2] * relative[11] - triangle.convex.faceOffsets[0];
    collideConvex(plain, placed, least, trial);
    const k = deepestOf(trial);
    if (k < 0) continue;
    const source = surface.source(triangles.items[i]);
    let separation = trial.separation[k];
    if (separation > 0 && height < 0 && surface.isBottomless) {
      // Under the ground: as deep as the surface is away.
      separation = -separation;
      trial.separation[k] = separation;
      trial.nx = -trial.nx;
      trial.ny = -trial.ny;
      trial.nz = -trial.nz;
    }
    if (found >= 0 && separation >= least) continue;
    least = Math.min(limit, separation);
    found = source;
    copyContact(trial, k, manifold);
  }
  return found;
}

/** Contact k of a manifold becomes the only one of another. */
export function copyContact(from: Manifold, k: number, to: Manifold): void {
  const { pointA: a, pointB: b } = from;
  to.begin(from.nx, from.ny, from.nz, from.kind);
  to.add(a[3 * k], a[3 * k + 1], a[3 * k + 2], b[3 * k], b[3 * k + 1], b[3 * k + 2], from.separation[k], 0, 0);
}

const closest = new ClosestSurfacePoint();
const pointPose = Float64Array.of(0, 0, 0, 0, 0, 0, 1);

/** A ball of radius zero, for parts that are not convex. */
const POINT: ShapePart = {
  convex: sphereConvex(0),
  surface: undefined,
  frame: identityFrame(),
  isPlain: true,
  bounds: new Float64Array(6),
};

/**
 * The point of a shape that is closest to a point: A is the point, B the shape. Inside a convex part the distance is
 * negative and the normal shows the shortest way in.
 *
 * @returns false, with `out` unchanged, if the shape is further away than `maxDistance` [m]
 */
export function pointDistance(
  x: number,
  y: number,
  z: number,
  shape: RigidShape,
  poses: ArrayLike<number>,
  at: number,
  maxDistance: number,
  out: Proximity,
  accepts?: (part: number) => boolean,
): boolean {
  let limit = maxDistance;
  let found = false;
  poseToFrame(poses, at, poseB);
  for (let j = 0; j < shape.parts.length; j++) {
    const part = shape.parts[j];
    if (accepts && !accepts(j)) continue;
    if (part.surface) {
      pointPose[0] = x;
      pointPose[1] = y;
      pointPose[2] = z;
      poseToFrame(pointPose, 0, poseA);
      if (!partDistance(POINT, part, j, limit, out, found)) continue;
    } else if (part.convex) {
      composeFrames(poseB, part.frame, frameB);
      placed.setAt(part.convex, frameB);
      if (!closestOnConvex(placed, x, y, z, limit, closest)) continue;
      if (found && closest.distance >= limit) continue;
      out.distance = closest.distance;
      out.pointA.set([x, y, z]);
      out.pointB.set([closest.x, closest.y, closest.z]);
      out.normal.set([-closest.nx, -closest.ny, -closest.nz]);
      out.partB = j;
      out.triangleB = -1;
    } else continue;
    found = true;
    limit = Math.min(limit, out.distance);
  }
  return found;
}
