import type { Bone } from "@babylonjs/core/Bones/bone";
import { invalid } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import type { ColliderShape } from "../../src/index";
import { requireAtLeast } from "../geometry/convert";

/** Options for the colliders of a skeleton. */
export interface SkeletonOptions {
  /** bones that get a collider; default: all bones that move some vertices more than other bones do */
  bones?: readonly Bone[] | ((bone: Bone) => boolean);
  /**
   * `capsule` (default): the smallest capsule around the vertices of a bone; `convex-hull`: their hull, which fits a
   * body that is not round more closely, and costs more
   */
  shape?: "capsule" | "convex-hull";
  /**
   * Shapes of single bones by name, in the bone's frame without scaling, m; they replace shapes made from vertices. A
   * container gives a bone several capsules, for example for a torso that is not round
   */
  shapes?: Readonly<Record<string, ColliderShape>>;
  /** added all around, m, default 0; negative if cloth is to lie within the mesh. Only for fitted capsules */
  margin?: number;
  /** least radius, m, default 0.01: thinner capsules are left out, for example those of fingers or eyes */
  minimumRadius?: number;
  /** Coulomb coefficient, default 0.5 */
  friction?: number;
  /**
   * Bones that move faster than this have jumped: their colliders move at once, and attached bodies jump along without
   * being stretched. m/s, default 40; `Infinity` for never
   */
  teleportSpeed?: number;
}

const skeletonOptionNames = optionNames<SkeletonOptions>()(
  "bones shape shapes margin minimumRadius friction teleportSpeed",
);

export type CheckedOptions = Required<Omit<SkeletonOptions, "bones">> & { bones: (bone: Bone) => boolean };

/** @throws PliantError for an option out of its range */
export function checkOptions(object: string, options: SkeletonOptions): CheckedOptions {
  checkNames(object, options, skeletonOptionNames);
  const { shape = "capsule", shapes = {}, margin = 0, minimumRadius = 0.01, friction = 0.5 } = options;
  const { teleportSpeed = 40, bones } = options;
  if (shape !== "capsule" && shape !== "convex-hull")
    throw invalid(`${object}.shape`, shape, "must be one of capsule, convex-hull");
  requireAtLeast(`${object}.margin`, margin, -Infinity);
  requireAtLeast(`${object}.minimumRadius`, minimumRadius, 0);
  requireAtLeast(`${object}.friction`, friction, 0);
  if (!(teleportSpeed > 0)) throw invalid(`${object}.teleportSpeed`, teleportSpeed, "must be positive");
  const chosen = typeof bones === "function" ? bones : (bone: Bone) => bones === undefined || bones.includes(bone);
  return { shape, shapes, margin, minimumRadius, friction, teleportSpeed, bones: chosen };
}
