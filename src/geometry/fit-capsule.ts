/**
 * A small capsule around points. For an axis d, the circle around the points seen along d gives the radius r, and the
 * caps are as close to each other as the points allow: a point at height t and distance ρ from the axis is in the
 * capsule from a to b if a − √(r² − ρ²) ≤ t ≤ b + √(r² − ρ²).
 */
import { eigenSymmetric3 } from "../math/eigen/symmetric3";
import type { Vec3 } from "../math/types";
import { cross, dot, norm, normalised } from "../math/vectors";

export interface FittedCapsule {
  /** ends of the segment [m]; equal if a ball is the smallest */
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** [m] */
  readonly radius: number;
}

/** Steps towards the farthest point. Step k moves by 1/k of the way; then the radius is within 1/√k of the smallest. */
const CIRCLE_STEPS = 200;

/**
 * The smallest capsule around points among those along one of the points' principal axes or another given axis.
 *
 * @param points n × 3 [m], n ≥ 1
 * @param axes directions to try as well, of any length but zero
 */
export function fitCapsule(points: ArrayLike<number>, axes: readonly Vec3[] = []): FittedCapsule {
  let best: FittedCapsule | undefined;
  for (const axis of [...principalDirections(points), ...axes.map(normalised)]) {
    const found = alongAxis(points, axis);
    if (best === undefined || volume(found) < volume(best)) best = found;
  }
  return best!;
}

/** [m³] */
function volume({ pointA, pointB, radius }: FittedCapsule): number {
  const length = norm([pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2]]);
  return Math.PI * radius * radius * (length + (4 / 3) * radius);
}

function alongAxis(points: ArrayLike<number>, d: Vec3): FittedCapsule {
  const u = normalised(cross(d, Math.abs(d[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
  const v = cross(d, u);
  const count = points.length / 3;
  const at = (i: number): Vec3 => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  const flat = Array.from({ length: count }, (_, i) => [dot(at(i), u), dot(at(i), v), dot(at(i), d)] as const);
  const [x, y, radius] = circleAround(flat);
  let [a, b] = [Infinity, -Infinity];
  for (const [px, py, t] of flat) {
    const reach = Math.sqrt(Math.max(0, radius * radius - (px - x) ** 2 - (py - y) ** 2));
    a = Math.min(a, t + reach);
    b = Math.max(b, t - reach);
  }
  if (a > b) a = b = (a + b) / 2;
  const point = (t: number): Vec3 => [0, 1, 2].map((c) => x * u[c] + y * v[c] + t * d[c]) as unknown as Vec3;
  return { pointA: point(a), pointB: point(b), radius };
}

/** Center and radius of a circle around points of a plane (Bădoiu and Clarkson 2003, "Smaller core-sets for balls"). */
function circleAround(points: readonly (readonly [number, number, number])[]): [x: number, y: number, radius: number] {
  let x = 0;
  let y = 0;
  for (const [px, py] of points) {
    x += px / points.length;
    y += py / points.length;
  }
  for (let step = 1; ; step++) {
    let farthest = points[0];
    let squared = -1;
    for (const point of points) {
      const now = (point[0] - x) ** 2 + (point[1] - y) ** 2;
      if (now > squared) [squared, farthest] = [now, point];
    }
    if (step > CIRCLE_STEPS) return [x, y, Math.sqrt(squared)];
    x += (farthest[0] - x) / (step + 1);
    y += (farthest[1] - y) / (step + 1);
  }
}

function principalDirections(points: ArrayLike<number>): Vec3[] {
  const count = points.length / 3;
  const mean = [0, 0, 0];
  for (let i = 0; i < points.length; i++) mean[i % 3] += points[i] / count;
  const spread = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i] - mean[0], points[i + 1] - mean[1], points[i + 2] - mean[2]];
    [x * x, y * y, z * z, x * y, y * z, z * x].forEach((value, k) => (spread[k] += value));
  }
  const values = new Float64Array(3);
  const vectors = new Float64Array(9);
  eigenSymmetric3(spread, values, vectors);
  return [0, 1, 2].map((k) => [vectors[k], vectors[3 + k], vectors[6 + k]]);
}
