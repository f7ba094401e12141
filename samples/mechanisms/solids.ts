import type { InertiaTensor } from "../../src/articulated/description";
import type { Vec3 } from "../../src/math/types";

/** The same moment about every axis [kg·m²]. */
export function isotropicInertia(moment: number): InertiaTensor {
  return [moment, moment, moment, 0, 0, 0];
}

/** Inertia of a solid box with sides `size` [m] about its center. */
export function boxInertia(mass: number, [x, y, z]: Vec3): InertiaTensor {
  const s = mass / 12;
  return [s * (y * y + z * z), s * (x * x + z * z), s * (x * x + y * y), 0, 0, 0];
}

/** Inertia with moment `across` about two axes and `along` about z [kg·m²]. */
export function roundInertia(across: number, along: number): InertiaTensor {
  return [across, across, along, 0, 0, 0];
}

/** Degrees to radians as in the published scripts, with four digits of π: their start states depend on it. */
export function scriptDegrees(angle: number): number {
  return (angle * 3.1415) / 180;
}
