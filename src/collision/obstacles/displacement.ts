import { POSE, rotate } from "../shape/pose";

const turning = new Float64Array(POSE);
const turned = new Float64Array(3);

/**
 * @param place pose: changed
 * @param from position of the pose relative to the center of rotation [m]
 * @param displacement offset [m] and rotation vector [rad] from place `at` on
 */
export function displacePose(
  place: Float64Array,
  from: ArrayLike<number>,
  displacement: ArrayLike<number>,
  at: number,
): void {
  smallRotation(displacement, at + 3, turning);
  rotate(turning, 0, from[0], from[1], from[2], turned, 0);
  for (let c = 0; c < 3; c++) place[c] += displacement[at + c] + turned[c] - from[c];
  const ax = turning[3];
  const ay = turning[4];
  const az = turning[5];
  const aw = turning[6];
  const bx = place[3];
  const by = place[4];
  const bz = place[5];
  const bw = place[6];
  place[3] = aw * bx + ax * bw + ay * bz - az * by;
  place[4] = aw * by - ax * bz + ay * bw + az * bx;
  place[5] = aw * bz + ax * by - ay * bx + az * bw;
  place[6] = aw * bw - ax * bx - ay * by - az * bz;
}

/**
 * Unit quaternion of a small rotation vector φ: (φ/2, 1), normalized; its error is φ³/12, negligible for the rotation
 * of a frame.
 */
export function smallRotation(vector: ArrayLike<number>, at: number, out: Float64Array): void {
  const x = vector[at] / 2;
  const y = vector[at + 1] / 2;
  const z = vector[at + 2] / 2;
  const scale = 1 / Math.sqrt(1 + x * x + y * y + z * z);
  out[3] = scale * x;
  out[4] = scale * y;
  out[5] = scale * z;
  out[6] = scale;
}
