import type { DeformableModel } from "../../deformable";
import { EARTH, meanEdge } from "../../spacing";

/** Assumed length of a frame [s]. */
export const FRAME = 1 / 60;
/** Mean edges that a body at rest may fall in such a frame if one step is to be enough for it. */
export const FALL_OF_ONE_STEP = 1.25;
/** Mean edges that it may fall in a frame for each of its steps if one is not enough. */
const FALL = 0.6;
const MOST_SUBSTEPS = 32;

/**
 * Default substeps of a body. A step predicts the motion of vertices without contact, and contact pushes them back from there. If
 * they are many edges deep in an obstacle, the directions of these pushes contradict each other: iterations stretch the mesh, and
 * the energy comes back as motion. And the share of inertia in A = M + h² Σ wᵢ GᵢᵀGᵢ falls with the square of the edge over h: if
 * it is small, a sheet in f32 never comes to rest. So a finer mesh has shorter steps. On Earth a mesh of 2 mm has one step a frame,
 * a mesh of 1 mm four.
 *
 * @param grain of the world, see spacing.ts
 */
export function fineSubsteps(model: DeformableModel, grain: number): number {
  const edges = (EARTH * grain * FRAME * FRAME) / meanEdge(model);
  return edges <= FALL_OF_ONE_STEP ? 1 : Math.min(MOST_SUBSTEPS, Math.ceil(edges / FALL));
}
