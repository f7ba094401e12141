import { updatePositions } from "../../src/articulated/dynamics/kinematics";
import { linkPose } from "../../src/articulated/link-pose";
import { apply } from "../../src/articulated/loaders/transform";
import type { ArticulatedModel } from "../../src/articulated/model";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import type { Vec3 } from "../../src/math/types";

/** Place of a point of a link in the world [m]. */
export function placeOf(model: ArticulatedModel, q: Float64Array, link: string, point: Vec3): Vec3 {
  const scratch = new ArticulatedScratch(model);
  updatePositions(scratch, q);
  return apply(linkPose(scratch, model.linkIndex(link)), point);
}
