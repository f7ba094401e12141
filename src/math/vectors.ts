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
export function norm(a: Vec3): number {
  return Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/** ‖a‖ of three numbers from `at` of a list */
export function lengthAt(a: ArrayLike<number>, at: number): number {
  return Math.sqrt(a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2]);
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
