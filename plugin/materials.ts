import { PhysicsMaterialCombineMode, type PhysicsMaterial } from "@babylonjs/core/Physics/v2/physicsMaterial";
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

/** Coefficient of a pair of surfaces. */
export function combine(mode: PhysicsMaterialCombineMode, a: number, b: number): number {
  switch (mode) {
    case PhysicsMaterialCombineMode.GEOMETRIC_MEAN:
      return Math.sqrt(a * b);
    case PhysicsMaterialCombineMode.MINIMUM:
      return Math.min(a, b);
    case PhysicsMaterialCombineMode.MAXIMUM:
      return Math.max(a, b);
    case PhysicsMaterialCombineMode.ARITHMETIC_MEAN:
      return (a + b) / 2;
    case PhysicsMaterialCombineMode.MULTIPLY:
      return a * b;
  }
}

/**
 * The friction coefficient to give a collider so that its contacts with cloth have the combined coefficient.
 *
 * The engine takes the geometric mean √(µ_cloth µ_collider) of a pair, so for another mode the collider gets
 * µ_collider = combine(µ_cloth, µ_shape)² / µ_cloth. This is exact while all cloth of the scene has one friction
 * coefficient; `clothFriction` is their mean otherwise.
 */
export function colliderFriction(material: SurfaceMaterial, clothFriction: number): number {
  if (material.frictionCombine === PhysicsMaterialCombineMode.GEOMETRIC_MEAN || clothFriction <= 0)
    return material.friction;
  return combine(material.frictionCombine, clothFriction, material.friction) ** 2 / clothFriction;
}
