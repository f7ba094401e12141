import type { DeformableModel } from "../../deformable";
import { EARTH, meanEdge } from "../../spacing";

/** A frame that nobody says anything about [s]. */
const FRAME = 1 / 60;
/** Mean edges that a body at rest may fall in such a frame if one step is to be enough for it. */
const FALL_OF_ONE_STEP = 1.25;
/** Where one step is not enough: what it may fall in a frame, for each of the steps. */
const FALL = 0.6;
const MOST_SUBSTEPS = 32;

/**
 * Default substeps of a body. A step predicts where vertices go without contact, and contact pushes them back from there. Where
 * they are many edges deep in an obstacle, the directions of that contradict each other: iterations stretch the mesh, and the
 * energy comes back as motion. And the share that inertia has in A = M + h² Σ wᵢ GᵢᵀGᵢ falls with the square of h over the edge:
 * where it is small, a sheet in f32 never comes to rest. So the finer a mesh is, the shorter are its steps. For a mesh of 2 mm on
 * Earth that is one step a frame, for one of 1 mm four.
 *
 * @param grain of the world, see spacing.ts
 */
export function fineSubsteps(model: DeformableModel, grain: number): number {
  const edges = (EARTH * grain * FRAME * FRAME) / meanEdge(model);
  return edges <= FALL_OF_ONE_STEP ? 1 : Math.min(MOST_SUBSTEPS, Math.ceil(edges / FALL));
}
