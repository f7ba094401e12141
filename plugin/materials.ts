import { PhysicsMaterialCombineMode, type PhysicsMaterial } from "@babylonjs/core/Physics/v2/physicsMaterial";
import type { CombineMode } from "../src/collision/obstacles/combine";
import { requireAtLeast } from "./convert";

/** A Babylon physics material with every property known. */
export type SurfaceMaterial = Readonly<Required<PhysicsMaterial>>;

/** What a shape has until it is given a material: the values Babylon's other plugin has. */
export const defaultMaterial: SurfaceMaterial = {
  friction: 0.5,
  staticFriction: 0.5,
  restitution: 0,
  frictionCombine: PhysicsMaterialCombineMode.GEOMETRIC_MEAN,
  restitutionCombine: PhysicsMaterialCombineMode.GEOMETRIC_MEAN,
};

/**
 * Fills a material up as Babylon documents it: static friction is the dynamic one, friction combines by the minimum,
 * restitution by the maximum.
 *
 * @throws PliantError when friction or restitution is negative or not finite
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

/** The engine's names. */
export const combineModeOf: Readonly<Record<PhysicsMaterialCombineMode, CombineMode>> = {
  [PhysicsMaterialCombineMode.GEOMETRIC_MEAN]: "geometric-mean",
  [PhysicsMaterialCombineMode.MINIMUM]: "minimum",
  [PhysicsMaterialCombineMode.MAXIMUM]: "maximum",
  [PhysicsMaterialCombineMode.ARITHMETIC_MEAN]: "arithmetic-mean",
  [PhysicsMaterialCombineMode.MULTIPLY]: "multiply",
};
