import type { Vec3 } from "./types";

/*
 * Vectors of three numbers as tuples, for code outside a frame's inner loops, which work on flat arrays. Lengths use
 * square roots, because `Math.hypot` rounds differently between engines.
 */

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function subtract(a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** x a */
export function scaled(a: ArrayLike<number>, x: number): [number, number, number] {
  return [a[0] * x, a[1] * x, a[2] * x];
}

/** ‖a‖ */
export function norm(a: ArrayLike<number>): number {
  return lengthOf(a[0], a[1], a[2]);
}

/** ‖a‖ of three numbers from `at` of a list */
export function lengthAt(a: ArrayLike<number>, at: number): number {
  return Math.sqrt(a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2]);
}

/** Length of the vector (x, y, z, w). */
export function lengthOf(x: number, y: number, z = 0, w = 0): number {
  return Math.sqrt(x * x + y * y + z * z + w * w);
}

/** Distance of the points of three numbers from `i` and from `j` of a list. */
export function distanceBetween(x: ArrayLike<number>, i: number, j: number): number {
  return lengthOf(x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]);
}

/** ‖a − b‖ */
export function distance(a: Vec3, b: Vec3): number {
  return norm(subtract(a, b));
}

/** a / ‖a‖, not finite for zero. */
export function normalised(a: Vec3): [number, number, number] {
  const length = norm(a);
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** Writes two directions behind a unit vector n that make a right-handed basis with it; the same ones for the same n. */
export function writeTangents(g: Float64Array, at: number): void {
  const x = g[at];
  const y = g[at + 1];
  const z = g[at + 2];
  // The first is the cross product with the axis that n is least along.
  let tx = 0;
  let ty = -z;
  let tz = y;
  if (Math.abs(x) > Math.abs(y) || Math.abs(x) > Math.abs(z))
    if (Math.abs(y) <= Math.abs(z)) {
      tx = z;
      ty = 0;
      tz = -x;
    } else {
      tx = -y;
      ty = x;
      tz = 0;
    }
  const scale = 1 / Math.sqrt(tx * tx + ty * ty + tz * tz);
  tx *= scale;
  ty *= scale;
  tz *= scale;
  g[at + 3] = tx;
  g[at + 4] = ty;
  g[at + 5] = tz;
  g[at + 6] = y * tz - z * ty;
  g[at + 7] = z * tx - x * tz;
  g[at + 8] = x * ty - y * tx;
}
