import { PliantError } from "../../errors";
import { compileParts, type Part } from "../contact/part";
import { tangents } from "../contact/tangents";
import { type ArticulatedModel, WORLD } from "../model";
import type { CheckedBatchOptions } from "./batch-options";

/** A point of a link, rounded by a radius, that may touch a plane of the ground: record `BatchTouch` of the shaders. */
export interface Touch {
  /** in the link's axes [m] */
  readonly position: ArrayLike<number>;
  readonly radius: number;
  readonly normal: ArrayLike<number>;
  readonly height: number;
  readonly tangent: ArrayLike<number>;
  readonly friction: number;
  readonly restitution: number;
  readonly link: number;
  readonly dof: number;
}

/**
 * All points of links that may touch a plane: centers of spheres, ends of capsules and corners of polytopes, as against the
 * face of a large box in `ArticulatedSimulation`.
 *
 * @throws PliantError `unsupported` for links of a mechanism that could touch each other; as `compileParts` for bad shapes
 */
export function touchesOf(model: ArticulatedModel, options: CheckedBatchOptions): Touch[] {
  const { planes, friction, restitution } = options;
  if (planes.length === 0) return [];
  const parts = model.shapes.flatMap((shapes, link) =>
    compileParts(shapes, link, `mechanism "${model.name}": link "${model.linkNames[link]}"`, friction, restitution),
  );
  requireOneTree(model, parts);
  const spared = new Set(model.description.exclusions?.flatMap((pair) => (pair.includes("world") ? pair : [])));
  const moved = parts.filter(
    ({ link, category, meets }) =>
      model.linkLastDof[link] !== WORLD && isForGround(category, meets) && !spared.has(model.linkNames[link]),
  );
  return planes.flatMap((plane) => {
    const tangent = new Float64Array(6);
    tangents(Float64Array.from(plane.normal), 0, tangent, 0);
    return moved.flatMap((part) =>
      Array.from({ length: part.local.length / 3 }, (_, i) => ({
        position: part.local.subarray(3 * i, 3 * i + 3),
        radius: part.radius,
        normal: plane.normal,
        height: plane.height,
        tangent: tangent.subarray(0, 3),
        friction: Math.min(part.friction, plane.friction),
        restitution: part.restitution * plane.restitution,
        link: part.link,
        dof: model.linkLastDof[part.link],
      })),
    );
  });
}

/** Whether bits of a shape let it touch the ground, which has the default ones. */
function isForGround(category: number, meets: number): boolean {
  return ((category | meets) & 1) !== 0;
}

/** Links of separate trees touch each other in `ArticulatedSimulation`; a batch does not know of that. */
function requireOneTree(model: ArticulatedModel, parts: readonly Part[]): void {
  const roots: number[] = [];
  model.parent.forEach((above, link) => roots.push(above === WORLD ? link : roots[above]));
  const own = new Set(parts.map(({ link }) => roots[link]));
  if (own.size > 1)
    throw new PliantError(
      "unsupported",
      "BatchSimulation.ground",
      model.name,
      "must be for a mechanism of one tree with shapes; ArticulatedSimulation lets trees touch each other",
    );
}
