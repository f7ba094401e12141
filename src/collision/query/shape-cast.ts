import { IdList } from "../../math/arrays";
import type { Vec3 } from "../../math/types";
import type { Convex } from "../narrow/shapes/convex";
import { collideConvex } from "../narrow/convex/convex-pair";
import { composeFrames, identityFrame, poseToFrame, relativeFrame } from "../narrow/frame";
import { Manifold } from "../narrow/manifold";
import { boxAround, Placed } from "../narrow/shapes/placed";
import type { RigidShape, ShapePart } from "../narrow/shapes/rigid-shape";
import { SurfaceTriangle, type TriangleSurface } from "../narrow/surfaces/triangle-surface";
import { copyContact, deepestOf, type PairFilter } from "./proximity";

/** The first touch of a moving shape and another one, in the world. One object may be used for many casts. */
export class ShapeCastHit {
  /** part of the way that is free, 0 to 1; 0 if the shapes touch at the start */
  fraction = 1;
  /** touching point on the shape that is hit; if the shapes overlap already at the start, its deepest point */
  readonly point = new Float64Array(3);
  /** unit, out of the shape that is hit */
  readonly normal = new Float64Array(3);
  /** touching part of the shape that is hit */
  partB = -1;
  /** triangle of the shape that is hit, if it is a mesh or heightfield, else −1 */
  triangleB = -1;
}

/** Shapes closer than this touch [m]. */
const TOUCH = 1e-6;
const MAX_STEPS = 64;

const poseA = identityFrame();
const poseB = identityFrame();
const frameA = identityFrame();
const frameB = identityFrame();
const start = identityFrame();
const now = identityFrame();
const move = new Float64Array(3);
const target = new Placed();
const moving = new Placed();
const manifold = new Manifold();
const touching = new Manifold();
const triangles = new IdList();
const triangle = new SurfaceTriangle();
const box = new Float64Array(6);

/**
 * Moves shape A along a straight way, without turning, until it touches shape B. Each pair of parts is solved by
 * conservative advancement (Mirtich 1996): the plane between closest points, which the pair cannot pass faster than it
 * moves along the normal, bounds the free way from below. A surface of triangles has two sides; two surfaces never
 * meet.
 *
 * @param a made of convex parts
 * @param way from start to end [m]
 * @returns false, with `out` unchanged, if A does not touch B on its way
 */
export function castShape(
  a: RigidShape,
  posesA: ArrayLike<number>,
  atA: number,
  way: Vec3,
  b: RigidShape,
  posesB: ArrayLike<number>,
  atB: number,
  out: ShapeCastHit,
  accepts?: PairFilter,
): boolean {
  poseToFrame(posesA, atA, poseA);
  poseToFrame(posesB, atB, poseB);
  let limit = 1;
  let found = false;
  for (let i = 0; i < a.parts.length; i++)
    for (let j = 0; j < b.parts.length; j++) {
      if (accepts && !accepts(i, j)) continue;
      if (!castPart(a.parts[i], b.parts[j], way, limit, found, out)) continue;
      found = true;
      limit = out.fraction;
      out.partB = j;
    }
  return found;
}

function castPart(a: ShapePart, b: ShapePart, way: Vec3, limit: number, isLater: boolean, out: ShapeCastHit): boolean {
  if (!a.convex) return false;
  composeFrames(poseA, a.frame, frameA);
  composeFrames(poseB, b.frame, frameB);
  relativeFrame(frameB, frameA, start);
  const f = frameB;
  for (let k = 0; k < 3; k++) move[k] = f[k] * way[0] + f[3 + k] * way[1] + f[6 + k] * way[2];
  let fraction: number;
  let source = -1;
  if (b.convex) {
    target.setPlain(b.convex);
    fraction = advance(a.convex, limit);
    if (Number.isNaN(fraction)) return false;
    copyContact(manifold, deepestOf(manifold), touching);
  } else if (b.surface) {
    fraction = castAtSurface(a.convex, b.surface, limit);
    source = castTriangle;
    if (source < 0) return false;
  } else return false;
  if (isLater && fraction >= limit) return false;
  write(fraction, source, out);
  return true;
}

function write(fraction: number, source: number, out: ShapeCastHit): void {
  const f = frameB;
  const p = touching.pointA;
  const { nx, ny, nz } = touching;
  out.fraction = fraction;
  out.triangleB = source;
  for (let r = 0; r < 3; r++) {
    out.point[r] = f[3 * r] * p[0] + f[3 * r + 1] * p[1] + f[3 * r + 2] * p[2] + f[9 + r];
    out.normal[r] = f[3 * r] * nx + f[3 * r + 1] * ny + f[3 * r + 2] * nz;
  }
}

/**
 * The part of the way that a convex can go before it touches `target`, its contacts there left in `manifold`.
 *
 * @returns NaN if the convex can move on to `limit`
 */
function advance(convex: Convex, limit: number): number {
  const length = Math.sqrt(move[0] * move[0] + move[1] * move[1] + move[2] * move[2]);
  for (let k = 0; k < 12; k++) now[k] = start[k];
  let t = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    for (let k = 0; k < 3; k++) now[9 + k] = start[9 + k] + t * move[k];
    moving.setAt(convex, now);
    collideConvex(target, moving, (limit - t) * length + TOUCH, manifold);
    if (manifold.count === 0) return NaN;
    const separation = manifold.separation[deepestOf(manifold)];
    if (separation <= TOUCH) return t;
    // Approach speed of the two along the normal, per unit of t.
    const speed = -(manifold.nx * move[0] + manifold.ny * move[1] + manifold.nz * move[2]);
    if (speed <= 0) return NaN;
    t += (separation - 0.5 * TOUCH) / speed;
    if (t > limit) return NaN;
  }
  return t;
}

/** Triangle that the last cast at a surface touched first, for the user; −1 for none. */
let castTriangle = -1;

function castAtSurface(convex: Convex, surface: TriangleSurface, limit: number): number {
  sweptBox(convex);
  triangles.count = 0;
  surface.query(box, triangles);
  castTriangle = -1;
  let first = limit;
  for (let i = 0; i < triangles.count; i++) {
    surface.fetch(triangles.items[i], triangle);
    target.setPlain(triangle.convex);
    const t = advance(convex, first);
    if (Number.isNaN(t)) continue;
    const source = surface.source(triangles.items[i]);
    const isDeeper =
      castTriangle >= 0 && t === first && manifold.separation[deepestOf(manifold)] < touching.separation[0];
    if (castTriangle >= 0 && t >= first && !isDeeper) continue;
    first = t;
    castTriangle = source;
    copyContact(manifold, deepestOf(manifold), touching);
  }
  return first;
}

/** Writes the box around the convex on its whole way. */
function sweptBox(convex: Convex): void {
  moving.setAt(convex, start);
  boxAround(moving, convex.radius + TOUCH, box);
  for (let k = 0; k < 3; k++) {
    box[k] += Math.min(0, move[k]);
    box[3 + k] += Math.max(0, move[k]);
  }
}
