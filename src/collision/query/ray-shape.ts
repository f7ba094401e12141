import { IdList } from "../../math/arrays";
import type { Vec3 } from "../../math/types";
import { composeFrames, identityFrame, poseToFrame } from "../narrow/frame";
import type { RigidShape, ShapePart } from "../narrow/shapes/rigid-shape";
import { SurfaceTriangle } from "../narrow/surfaces/triangle-surface";
import { type Ray, rayConvex, RayEntry } from "./ray-convex";

/** The point where a ray enters a shape, in the world. */
export interface ShapeRayHit {
  /** along the ray [m] */
  readonly distance: number;
  readonly point: Vec3;
  /** unit, out of the shape; against triangles towards the start of the ray */
  readonly normal: Vec3;
  /** number of the part of the shape */
  readonly part: number;
  /** of a mesh (place in the user's indices / 3) or a heightfield, else −1 */
  readonly triangle: number;
}

const pose = identityFrame();
const frame = identityFrame();
const start = new Float64Array(3);
const along = new Float64Array(3);
const ray: Ray = { x: 0, y: 0, z: 0, dx: 0, dy: 0, dz: 0 };
const candidates = new IdList();
const triangle = new SurfaceTriangle();
const entry = new RayEntry();
const best = new RayEntry();

/**
 * First point where a ray enters a shape at a pose. A ray that starts inside a convex part does not enter it.
 *
 * @param origin start of the ray [m]
 * @param direction unit vector
 * @param length of the ray [m]
 * @param accepts leaves parts out; default all count
 * @returns undefined if the ray misses
 */
export function rayShape(
  shape: RigidShape,
  poses: ArrayLike<number>,
  at: number,
  origin: Vec3,
  direction: Vec3,
  length: number,
  accepts?: (part: number) => boolean,
): ShapeRayHit | undefined {
  poseToFrame(poses, at, pose);
  let nearest: ShapeRayHit | undefined;
  for (let i = 0; i < shape.parts.length; i++) {
    if (accepts && !accepts(i)) continue;
    const hit = rayPart(shape.parts[i], i, origin, direction, nearest?.distance ?? length);
    if (hit && !(nearest && hit.distance >= nearest.distance)) nearest = hit;
  }
  return nearest;
}

function rayPart(
  part: ShapePart,
  index: number,
  origin: Vec3,
  direction: Vec3,
  length: number,
): ShapeRayHit | undefined {
  composeFrames(pose, part.frame, frame);
  const f = frame;
  for (let k = 0; k < 3; k++) {
    start[k] = 0;
    along[k] = 0;
    for (let r = 0; r < 3; r++) {
      start[k] += f[3 * r + k] * (origin[r] - f[9 + r]);
      along[k] += f[3 * r + k] * direction[r];
    }
  }
  ray.x = start[0];
  ray.y = start[1];
  ray.z = start[2];
  ray.dx = along[0];
  ray.dy = along[1];
  ray.dz = along[2];
  let source = -1;
  if (part.convex) {
    if (!rayConvex(part.convex, ray, length, best)) return undefined;
  } else if (part.surface) {
    source = raySurface(part, length);
    if (source < 0) return undefined;
  } else return undefined;
  const { distance: t, nx, ny, nz } = best;
  return {
    distance: t,
    point: [origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]],
    normal: [f[0] * nx + f[1] * ny + f[2] * nz, f[3] * nx + f[4] * ny + f[5] * nz, f[6] * nx + f[7] * ny + f[8] * nz],
    part: index,
    triangle: source,
  };
}

/** The nearest triangle that the ray meets, for the user; −1 if it meets none. */
function raySurface({ surface }: ShapePart, length: number): number {
  if (!surface) return -1;
  candidates.count = 0;
  surface.queryRay(start, along, length, candidates);
  let found = -1;
  let limit = length;
  for (let i = 0; i < candidates.count; i++) {
    surface.fetch(candidates.items[i], triangle);
    const { convex } = triangle;
    if (!rayConvex(convex, ray, limit, entry)) continue;
    const source = surface.source(candidates.items[i]);
    // Among triangles at the same distance the one with the lowest number wins, so that the result does not depend on
    // the order of the tree.
    if (found >= 0 && entry.distance === limit && source > found) continue;
    limit = entry.distance;
    found = source;
    best.set(entry.distance, entry.nx, entry.ny, entry.nz);
  }
  return found;
}
