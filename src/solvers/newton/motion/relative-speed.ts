/** Speeds of two bodies relative to each other. They are written to the second number of a list: functions that returned them would allocate. */

import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { POSE_SIZE, TWIST_SIZE } from "./bodies";

/**
 * Speed at which the points of a contact approach each other [m/s].
 *
 * @param v velocities of the bodies, TWIST_SIZE each
 * @param pose their poses, POSE_SIZE each
 */
export function approachSpeed(
  { pointA, pointB, normal }: ContactBuffer,
  c: number,
  pose: Float64Array,
  a: number,
  b: number,
  v: Float64Array,
  speed: Float64Array,
): void {
  const u = TWIST_SIZE * a;
  const w = TWIST_SIZE * b;
  const x = POSE_SIZE * a;
  const y = POSE_SIZE * b;
  const i = 3 * c;
  const px = pointA[i] - pose[x];
  const py = pointA[i + 1] - pose[x + 1];
  const pz = pointA[i + 2] - pose[x + 2];
  const qx = pointB[i] - pose[y];
  const qy = pointB[i + 1] - pose[y + 1];
  const qz = pointB[i + 2] - pose[y + 2];
  speed[1] =
    normal[i] * (v[u] + v[u + 4] * pz - v[u + 5] * py - v[w] - v[w + 4] * qz + v[w + 5] * qy) +
    normal[i + 1] * (v[u + 1] + v[u + 5] * px - v[u + 3] * pz - v[w + 1] - v[w + 5] * qx + v[w + 3] * qz) +
    normal[i + 2] * (v[u + 2] + v[u + 3] * py - v[u + 4] * px - v[w + 2] - v[w + 3] * qy + v[w + 4] * qx);
}

/** Makes it at least the linear speed of one body relative to another [m/s]. */
export function raiseSpeed(v: Float64Array, a: number, b: number, speed: Float64Array): void {
  const i = TWIST_SIZE * a;
  const j = TWIST_SIZE * b;
  const x = v[i] - v[j];
  const y = v[i + 1] - v[j + 1];
  const z = v[i + 2] - v[j + 2];
  speed[1] = Math.max(speed[1], Math.sqrt(x * x + y * y + z * z));
}
