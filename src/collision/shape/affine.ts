import { determinant } from "../../math/determinant";
import { quaternionOfMatrix, unitQuaternion } from "../../math/quaternions";
import type { Quat, Vec3 } from "../../math/types";
import { lengthOf } from "../../math/vectors";

/** p ↦ A p + t, with A row-major. */
export interface Affine {
  readonly a: readonly number[];
  readonly t: Vec3;
}

/** A = R(rotation) · diag(scale), with positive scale, except that a mirror gives one negative factor. */
export interface Decomposition {
  readonly rotation: Quat;
  readonly scale: Vec3;
}

export const IDENTITY: Affine = { a: [1, 0, 0, 0, 1, 0, 0, 0, 1], t: [0, 0, 0] };

export const NO_TURN: Quat = [0, 0, 0, 1];

/** The map `outer` after "scale, then rotate, then shift". */
export function compose(
  outer: Affine,
  position: Vec3 = [0, 0, 0],
  rotation: Quat = NO_TURN,
  scale: Vec3 = [1, 1, 1],
): Affine {
  const r = rotationMatrix(rotation);
  const a: number[] = [];
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += outer.a[3 * row + k] * r[3 * k + column];
      a.push(sum * scale[column]);
    }
  return { a, t: transformPoint(outer, position) };
}

/** p ↦ outer(inner(p)). */
export function after(outer: Affine, inner: Affine): Affine {
  const [x, y, z] = [0, 1, 2].map((c) => {
    const column: Vec3 = [inner.a[c], inner.a[3 + c], inner.a[6 + c]];
    return transformPoint({ a: outer.a, t: [0, 0, 0] }, column);
  });
  return {
    a: [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]],
    t: transformPoint(outer, inner.t),
  };
}

export function transformPoint({ a, t }: Affine, p: ArrayLike<number>, offset = 0): [number, number, number] {
  const x = p[offset];
  const y = p[offset + 1];
  const z = p[offset + 2];
  return [
    a[0] * x + a[1] * y + a[2] * z + t[0],
    a[3] * x + a[4] * y + a[5] * z + t[1],
    a[6] * x + a[7] * y + a[8] * z + t[2],
  ];
}

/** All points of a list (n × 3). */
export function transformPoints(map: Affine, points: ArrayLike<number>): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) out.set(transformPoint(map, points, i), i);
  return out;
}

/** Splits A into rotation and scale along the axes, or returns undefined if A shears. */
export function decompose({ a }: Affine): Decomposition | undefined {
  const scale = [0, 1, 2].map((c) => lengthOf(a[c], a[3 + c], a[6 + c]));
  for (const [c, d] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ]) {
    const dot = a[c] * a[d] + a[3 + c] * a[3 + d] + a[6 + c] * a[6 + d];
    if (Math.abs(dot) > 1e-9 * scale[c] * scale[d]) return undefined;
  }
  if (determinant(a) < 0) scale[0] = -scale[0];
  const r = a.map((value, i) => value / scale[i % 3]);
  return { rotation: quaternionOfMatrix(r), scale: [scale[0], scale[1], scale[2]] };
}

/** Rotation matrix, row-major, of a quaternion of any length but zero. */
export function rotationMatrix(q: Quat): number[] {
  const n = 1 / lengthOf(...q);
  const [x, y, z, w] = [q[0] * n, q[1] * n, q[2] * n, q[3] * n];
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
}

/** Half of the way between two points, and the map `outer` after the one that takes the Y axis to it, from its middle. */
export function alongAxis(outer: Affine, { pointA: a, pointB: b }: { pointA: Vec3; pointB: Vec3 }) {
  const axis: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const middle: Vec3 = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
  return { half: lengthOf(...axis) / 2, frame: compose(outer, middle, rotationFromY(axis)) };
}

export const nearlyEqual = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** The shortest rotation that takes the Y axis to the direction of `v`. */
function rotationFromY(v: Vec3): Quat {
  const size = lengthOf(...v);
  if (size === 0) return [0, 0, 0, 1];
  const y = v[1] / size;
  // Half-angle form of (Y × v, 1 + Y·v); for straight down no rotation is shortest, and any half turn will do.
  if (y < -1 + 1e-12) return [1, 0, 0, 0];
  return unitQuaternion([v[2] / size, 0, -v[0] / size, 1 + y]);
}
