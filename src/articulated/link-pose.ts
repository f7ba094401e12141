import { quaternionOfMatrix } from "../math/quaternions";
import type { Quat, Vec3 } from "../math/types";
import type { ArticulatedScratch } from "./scratch";

/** Pose of a link: x_world = position + rotation · x_link. */
export interface LinkPose {
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** Pose of a link in the world. Call after `updatePositions`. */
export function linkPose(scratch: ArticulatedScratch, link: number): LinkPose {
  const { linkPosition: p, linkRotation: r } = scratch;
  return { position: [p[3 * link], p[3 * link + 1], p[3 * link + 2]], rotation: quaternionOfMatrix(r, 9 * link) };
}
