import { PhysicsMaterialCombineMode, type PhysicsMaterial } from "@babylonjs/core/Physics/v2/physicsMaterial";
import type { CombineMode } from "../src/collision/obstacles/combine";
import { requireAtLeast } from "./geometry/convert";

/** A Babylon physics material with every property known. */
export type SurfaceMaterial = Readonly<Required<PhysicsMaterial>>;

/** The material of a shape until it is given one: the defaults of Babylon's other plugin. */
export const defaultMaterial: SurfaceMaterial = {
  friction: 0.5,
  staticFriction: 0.5,
  restitution: 0,
  frictionCombine: PhysicsMaterialCombineMode.GEOMETRIC_MEAN,
  restitutionCombine: PhysicsMaterialCombineMode.GEOMETRIC_MEAN,
};

/**
 * Completes a material according to Babylon's documentation: static friction defaults to the dynamic one, friction
 * combines by the minimum, restitution by the maximum.
 *
 * @throws PliantError if friction or restitution is negative or not finite
 */
export function completeMaterial(material: PhysicsMaterial): SurfaceMaterial {
  const friction = material.friction ?? defaultMaterial.friction;
  const staticFriction = material.staticFriction ?? friction;
  const restitution = material.restitution ?? defaultMaterial.restitution;
  requireAtLeast("PhysicsMaterial.friction", friction, 0);
  requireAtLeast("PhysicsMaterial.staticFriction", staticFriction, 0);
  requireAtLeast("PhysicsMaterial.restitution", restitution, 0);
  return {
    friction,
    staticFriction,
    restitution,
    frictionCombine: material.frictionCombine ?? PhysicsMaterialCombineMode.MINIMUM,
    restitutionCombine: material.restitutionCombine ?? PhysicsMaterialCombineMode.MAXIMUM,
  };
}

/** The engine's names of Babylon's modes. */
export const combineModeOf: Readonly<Record<PhysicsMaterialCombineMode, CombineMode>> = {
  [PhysicsMaterialCombineMode.GEOMETRIC_MEAN]: "geometric-mean",
  [PhysicsMaterialCombineMode.MINIMUM]: "minimum",
  [PhysicsMaterialCombineMode.MAXIMUM]: "maximum",
  [PhysicsMaterialCombineMode.ARITHMETIC_MEAN]: "arithmetic-mean",
  [PhysicsMaterialCombineMode.MULTIPLY]: "multiply",
};
