import type { Bone } from "@babylonjs/core/Bones/bone";
import { PliantError } from "../../src/errors";
import { checkNames, type NamesOf } from "../../src/option-names";
import type { ColliderShape } from "../../src/index";
import { requireAtLeast } from "../convert";

/** How the colliders of a skeleton are made. */
export interface SkeletonOptions {
  /** which bones get one; default: all that move some vertices more than others do */
  bones?: readonly Bone[] | ((bone: Bone) => boolean);
  /**
   * `capsule` (default): the smallest one around the vertices of a bone; `convex-hull`: their hull, which is nearer to a body that is
   * not round, and costs more
   */
  shape?: "capsule" | "convex-hull";
  /**
   * Shapes of single bones by their names, in the bone's frame without scaling, m: in place of what would be made of the
   * vertices. A container makes several capsules of a bone, as of a torso that is not round
   */
  shapes?: Readonly<Record<string, ColliderShape>>;
  /** added all around, m, default 0; negative where cloth is to lie within the mesh. Of capsules that are fitted only */
  margin?: number;
  /** capsules that are thinner are left out, as of fingers or eyes, m, default 0.01 */
  minimumRadius?: number;
  /** Coulomb coefficient, default 0.5 */
  friction?: number;
  /**
   * Bones that go faster have jumped: they are where they are at once, and what they carry jumps along without being stretched.
   * m/s, default 40; `Infinity` for never
   */
  teleportSpeed?: number;
}

const skeletonOptionNames = {
  bones: true,
  shape: true,
  shapes: true,
  margin: true,
  minimumRadius: true,
  friction: true,
  teleportSpeed: true,
} satisfies NamesOf<SkeletonOptions>;

export type CheckedOptions = Required<Omit<SkeletonOptions, "bones">> & { bones: (bone: Bone) => boolean };

/** @throws PliantError for an option out of its range */
export function checkOptions(object: string, options: SkeletonOptions): CheckedOptions {
  checkNames(object, options, skeletonOptionNames);
  const { shape = "capsule", shapes = {}, margin = 0, minimumRadius = 0.01, friction = 0.5 } = options;
  const { teleportSpeed = 40, bones } = options;
  if (shape !== "capsule" && shape !== "convex-hull")
    throw new PliantError("invalid-argument", `${object}.shape`, shape, "must be one of capsule, convex-hull");
  requireAtLeast(`${object}.margin`, margin, -Infinity);
  requireAtLeast(`${object}.minimumRadius`, minimumRadius, 0);
  requireAtLeast(`${object}.friction`, friction, 0);
  if (!(teleportSpeed > 0))
    throw new PliantError("invalid-argument", `${object}.teleportSpeed`, teleportSpeed, "must be positive");
  const chosen = typeof bones === "function" ? bones : (bone: Bone) => bones === undefined || bones.includes(bone);
  return { shape, shapes, margin, minimumRadius, friction, teleportSpeed, bones: chosen };
}
