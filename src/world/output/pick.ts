import type { Vec3 } from "../../math/types";
import { dot, norm, subtract } from "../../math/vectors";
import type { BodyModel } from "../backend/body-settings";

/** A particle that a ray points at. */
export interface RayHit {
  readonly particle: number;
  /** distance along the ray [m] */
  readonly distance: number;
  /** point at which the ray meets the surface, or passes the particle [m] */
  readonly point: Vec3;
}

/**
 * Finds the first triangle that a ray meets, and returns the corner nearest to the hit. If the ray meets no triangle,
 * returns the particle nearest to the ray, within `radius`.
 */
export function nearestToRay(
  positions: ArrayLike<number>,
  faces: ArrayLike<number>,
  origin: Vec3,
  direction: Vec3,
  radius?: number,
): RayHit | undefined {
  const length = norm(direction);
  if (!(length > 0)) return undefined;
  const d = direction.map((value) => value / length) as unknown as Vec3;
  const at = (p: number): Vec3 => [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]];
  const pointAt = (t: number): Vec3 => [origin[0] + t * d[0], origin[1] + t * d[1], origin[2] + t * d[2]];
  let nearest = Infinity;
  let face = -1;
  for (let f = 0; f < faces.length; f += 3) {
    const t = rayTriangle(origin, d, at(faces[f]), at(faces[f + 1]), at(faces[f + 2]));
    if (t < nearest) {
      nearest = t;
      face = f;
    }
  }
  if (face >= 0) {
    const point = pointAt(nearest);
    const corners = [faces[face], faces[face + 1], faces[face + 2]];
    const separation = (p: number): number => norm(at(p).map((value, c) => value - point[c]));
    const particle = corners.reduce((best, p) => (separation(p) < separation(best) ? p : best));
    return { particle, distance: nearest, point };
  }
  const reach = radius ?? 0.02;
  let best: RayHit | undefined;
  let closest = reach;
  for (let p = 0; p < positions.length / 3; p++) {
    const x = at(p);
    const t = x.reduce((sum, value, c) => sum + (value - origin[c]) * d[c], 0);
    if (t < 0) continue;
    const point = pointAt(t);
    const separation = norm(x.map((value, c) => value - point[c]));
    if (separation < closest) {
      closest = separation;
      best = { particle: p, distance: t, point };
    }
  }
  return best;
}

/** Finds the edge of a rope nearest to a ray, within `reach`, and returns the particle at its nearer end. */
export function nearestEdgeToRay(
  positions: ArrayLike<number>,
  edges: ArrayLike<number>,
  origin: Vec3,
  direction: Vec3,
  reach: number,
): RayHit | undefined {
  const size = norm(direction);
  if (!(size > 0)) return undefined;
  const d: Vec3 = [direction[0] / size, direction[1] / size, direction[2] / size];
  const at = (p: number): Vec3 => [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]];
  let best: RayHit | undefined;
  let closest = reach;
  for (let e = 0; e < edges.length; e += 2) {
    const a = subtract(at(edges[e]), origin);
    const edge = subtract(at(edges[e + 1]), at(edges[e]));
    // in projection along the ray the edge is a line in a plane, and the ray is a point
    const along = (v: Vec3): number => dot(v, d);
    const flat = (v: Vec3): Vec3 => [v[0] - along(v) * d[0], v[1] - along(v) * d[1], v[2] - along(v) * d[2]];
    const [from, by] = [flat(a), flat(edge)];
    const u = Math.min(1, Math.max(0, -dot(from, by) / (dot(by, by) || 1)));
    const distance = along(a) + u * along(edge);
    const separation = norm([from[0] + u * by[0], from[1] + u * by[1], from[2] + u * by[2]]);
    if (distance < 0 || separation >= closest) continue;
    closest = separation;
    const point: Vec3 = [origin[0] + distance * d[0], origin[1] + distance * d[1], origin[2] + distance * d[2]];
    best = { particle: edges[u < 0.5 ? e : e + 1], distance, point };
  }
  return best;
}

/** Distance along the ray to a triangle, from either side (Möller and Trumbore); Infinity for a miss. */
function rayTriangle(origin: Vec3, d: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  const e1 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
  const e2 = [c[0] - a[0], c[1] - a[1], c[2] - a[2]] as const;
  const p = [d[1] * e2[2] - d[2] * e2[1], d[2] * e2[0] - d[0] * e2[2], d[0] * e2[1] - d[1] * e2[0]] as const;
  const determinant = e1[0] * p[0] + e1[1] * p[1] + e1[2] * p[2];
  if (determinant === 0) return Infinity;
  const s = [origin[0] - a[0], origin[1] - a[1], origin[2] - a[2]] as const;
  const u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / determinant;
  const q = [s[1] * e1[2] - s[2] * e1[1], s[2] * e1[0] - s[0] * e1[2], s[0] * e1[1] - s[1] * e1[0]] as const;
  const v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / determinant;
  const t = (e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2]) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : Infinity;
}

/** The particle of a body that is nearest to a ray, see `DeformableBody.pick`. */
export function nearestOf(
  model: BodyModel,
  positions: ArrayLike<number>,
  origin: Vec3,
  direction: Vec3,
  radius?: number,
): RayHit | undefined {
  const rods = "rods" in model ? model.rods : undefined;
  if (!rods) return nearestToRay(positions, model.faces, origin, direction, radius);
  return nearestEdgeToRay(positions, rods.edges, origin, direction, Math.max(radius ?? 0.02, rods.radius));
}
