import type { Vec3 } from "./types";
import { cross, dot, scaled } from "./vectors";

/** Nine numbers, row-major. */
export type Matrix3 = readonly [number, number, number, number, number, number, number, number, number];

export function add(a: Vec3, b: Vec3): [number, number, number] {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** M v */
export function times(m: Matrix3, v: Vec3): [number, number, number] {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ];
}

/** Mᵀ v */
export function timesTransposed(m: Matrix3, v: Vec3): [number, number, number] {
  return [
    m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
    m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
    m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
  ];
}

export function matrixProduct(a: Matrix3, b: Matrix3): Matrix3 {
  const row = (r: number): [number, number, number] => timesTransposed(b, [a[r], a[r + 1], a[r + 2]]);
  return [...row(0), ...row(3), ...row(6)];
}

export function transposed(m: Matrix3): Matrix3 {
  return [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
}

/** M⁻¹ v; not finite if M is singular. */
export function solve3(m: Matrix3, v: Vec3): [number, number, number] {
  return times(inverse3(m), v);
}

/** M⁻¹; not finite if M is singular. */
export function inverse3(m: Matrix3): Matrix3 {
  const [a, b, c]: Vec3[] = [
    [m[0], m[1], m[2]],
    [m[3], m[4], m[5]],
    [m[6], m[7], m[8]],
  ];
  const [x, y, z] = [cross(b, c), cross(c, a), cross(a, b)];
  const scale = 1 / dot(a, x);
  return transposed([...scaled(x, scale), ...scaled(y, scale), ...scaled(z, scale)]);
}
