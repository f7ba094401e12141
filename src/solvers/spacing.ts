import { nextCorner } from "../geometry/surface/twin-sides";
import { distanceBetween } from "../math/vectors";
import type { DeformableModel } from "./deformable";

/** Gravity for which thresholds were chosen [m/s²]. */
export const EARTH = 9.81;

/**
 * Factor for lengths that are usual on Earth: with another unit of length, gravity has another value. See
 * newton/scale.ts for bodies about which more is known.
 *
 * @param gravity |g| [m/s²]
 */
export function grainOf(gravity: number): number {
  return gravity > 0 ? gravity / EARTH : 1;
}

/** Speed at which bodies leave what they begin in [m/s], times the grain, as in newton/deformable/contact/coupled-solver.ts and finish.wgsl. */
const RECEDING = 0.5;

/** @param gravity |g| [m/s²] */
export const recedingSpeed = (gravity: number): number => RECEDING * grainOf(gravity);

/** Largest distance that a surface keeps, as a part of the mean edge: a vertex's neighbors would be in its way. */
const SHARE = 0.5;

/** Mean length of the edges of a body's surface, or else of its links [m]; Infinity for a body without either. */
export function meanEdge({ positions, faces }: Pick<DeformableModel, "positions" | "faces">): number {
  let length = 0;
  for (let i = 0; i < faces.length; i++) length += distanceBetween(positions, 3 * faces[nextCorner(i)], 3 * faces[i]);
  return faces.length > 0 ? length / faces.length : Infinity;
}

/**
 * The default distance that a body keeps from objects it touches: the usual one, or half an edge of its mesh if that is
 * less. A cloth millimeters in size would be thrown by a distance of several millimeters.
 *
 * @param usual usual distance [m]
 * @param grain see `grainOf`
 */
export function fittingThickness(usual: number, model: DeformableModel, grain: number): number {
  return Math.min(usual * grain, SHARE * meanEdge(model));
}
