import type { Quat, Vec3 } from "../math/types";
import type { ArticulatedScratch } from "./scratch";

/** Where a link is: x_world = position + rotation · x_link. */
export interface LinkPose {
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** Pose of a link in the world. After `updatePositions`. */
export function linkPose(scratch: ArticulatedScratch, link: number): LinkPose {
  const { linkPosition: p, linkRotation: r } = scratch;
  return { position: [p[3 * link], p[3 * link + 1], p[3 * link + 2]], rotation: quaternionOf(r, 9 * link) };
}

/** The quaternion of a rotation matrix (row-major, from offset `at`), by the largest of its four squares. */
function quaternionOf(r: Float64Array, at: number): Quat {
  const [r00, r01, r02] = [r[at], r[at + 1], r[at + 2]];
  const [r10, r11, r12] = [r[at + 3], r[at + 4], r[at + 5]];
  const [r20, r21, r22] = [r[at + 6], r[at + 7], r[at + 8]];
  const squares = [1 + r00 - r11 - r22, 1 - r00 + r11 - r22, 1 - r00 - r11 + r22, 1 + r00 + r11 + r22];
  const largest = squares.indexOf(Math.max(...squares));
  const s = squares[largest];
  const rows: readonly Quat[] = [
    [s, r01 + r10, r02 + r20, r21 - r12],
    [r01 + r10, s, r12 + r21, r02 - r20],
    [r02 + r20, r12 + r21, s, r10 - r01],
    [r21 - r12, r02 - r20, r10 - r01, s],
  ];
  const [x, y, z, w] = rows[largest];
  const scale = 1 / (2 * Math.sqrt(s));
  return [x * scale, y * scale, z * scale, w * scale];
}
