import type { DeformableModel } from "./deformable";

/** Gravity in which thresholds were chosen [m/s²]. */
export const EARTH = 9.81;

/**
 * By what lengths that are usual on Earth are to be multiplied: with another unit of length gravity has another number. See
 * newton/scale.ts for bodies of which more is known.
 *
 * @param gravity |g| [m/s²]
 */
export function grainOf(gravity: number): number {
  return gravity > 0 ? gravity / EARTH : 1;
}

/** Part of the mean edge that a surface keeps from others at most: with more, neighbours of a vertex would be in its way. */
const SHARE = 0.5;

/** Mean length of the edges of a body's surface, or of its links where it has none [m]; Infinity for a body without either. */
export function meanEdge({ positions, faces }: Pick<DeformableModel, "positions" | "faces">): number {
  let length = 0;
  for (let i = 0; i < faces.length; i++) {
    const a = 3 * faces[i];
    const b = 3 * faces[i % 3 === 2 ? i - 2 : i + 1];
    const [x, y, z] = [
      positions[b] - positions[a],
      positions[b + 1] - positions[a + 1],
      positions[b + 2] - positions[a + 2],
    ];
    length += Math.sqrt(x * x + y * y + z * z);
  }
  return faces.length > 0 ? length / faces.length : Infinity;
}

/**
 * The distance that a body keeps from what it touches where nobody says: what is usual, or half an edge of its mesh where that is
 * less. A cloth of millimetres would be thrown by a distance of several.
 *
 * @param usual [m]
 * @param grain of the world
 */
export function fittingThickness(usual: number, model: DeformableModel, grain: number): number {
  return Math.min(usual * grain, SHARE * meanEdge(model));
}
