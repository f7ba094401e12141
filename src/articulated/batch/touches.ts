import {
  TOUCH_HULL,
  TOUCH_HULLS,
  TOUCH_OTHER_SEGMENT,
  TOUCH_PLANE,
  TOUCH_SECOND,
  TOUCH_SEGMENT,
} from "../../generated/constants";
import { ContactDetector } from "../contact/detect";
import { PartKind, type Part } from "../contact/part";
import { tangents } from "../contact/tangents";
import { type ArticulatedModel, WORLD } from "../model";
import type { CheckedBatchOptions } from "./batch-options";
import { HullTable } from "./hull-table";

/** Shapes that may touch: record `BatchTouch` of the shaders. */
export interface Touch {
  readonly kind: number;
  readonly position: ArrayLike<number>;
  readonly radius: number;
  readonly end?: ArrayLike<number>;
  readonly normal?: ArrayLike<number>;
  readonly height?: number;
  readonly tangent?: ArrayLike<number>;
  readonly otherStart?: ArrayLike<number>;
  readonly otherEnd?: ArrayLike<number>;
  readonly otherRadius?: number;
  readonly hull?: number;
  readonly otherHull?: number;
  readonly friction: number;
  readonly restitution: number;
  readonly link: number;
  readonly other: number;
  readonly dof: number;
  readonly otherDof: number;
  readonly join: number;
  readonly branch: number;
  readonly otherBranch: number;
  /** how many contacts there may be, and how many degrees of freedom move any of both links */
  readonly slots: number;
  readonly length: number;
}

/**
 * All shapes that may touch: points of links with planes, as against the face of a large box in `ArticulatedSimulation`; and spheres,
 * capsules and hulls of links with those of others and of the world.
 *
 * @throws PliantError as `compileParts`
 */
export function touchesOf(
  model: ArticulatedModel,
  options: CheckedBatchOptions,
): { readonly touches: Touch[]; readonly hulls: Float32Array } {
  const { planes, obstacles, selfCollision, friction, restitution } = options;
  const { parts, pairs } = new ContactDetector(model, obstacles, selfCollision, friction, restitution);
  const spared = new Set(model.description.exclusions?.flatMap((pair) => (pair.includes("world") ? pair : [])));
  const moved = parts.filter(
    (part) => isMoved(model, part.link) && isForGround(part) && !spared.has(model.linkNames[part.link]),
  );
  const touches: Touch[] = planes.flatMap((plane) => {
    const tangent = new Float64Array(6);
    tangents(Float64Array.from(plane.normal), 0, tangent, 0);
    return moved.flatMap((part) =>
      Array.from({ length: part.local.length / 3 }, (_, i) => ({
        kind: TOUCH_PLANE,
        position: pointOf(part, i),
        radius: part.radius,
        normal: plane.normal,
        height: plane.height,
        tangent: tangent.subarray(0, 3),
        friction: Math.min(part.friction, plane.friction),
        restitution: part.restitution * plane.restitution,
        slots: 1,
        ...waysOf(model, part.link, WORLD),
      })),
    );
  });
  const hulls = new HullTable();
  for (let p = 0; p < pairs.length; p += 2) {
    const [a, b] = [parts[pairs[p]], parts[pairs[p + 1]]];
    if (isMoved(model, a.link) || isMoved(model, b.link)) touches.push(touchOf(model, hulls, a, b));
  }
  return { touches, hulls: Float32Array.from(hulls.numbers) };
}

function touchOf(model: ArticulatedModel, hulls: HullTable, a: Part, b: Part): Touch {
  // The first is round, and the other one may be of the world.
  const isSwapped = !a.polytope === !b.polytope ? !isMoved(model, a.link) : a.polytope !== undefined;
  const [one, other] = isSwapped ? [b, a] : [a, b];
  const [first, second] = [one, other].map(({ polytope }) => polytope && hulls.add(polytope));
  const [isSegment, isOther] = [one, other].map(({ kind }) => kind === PartKind.Segment);
  const shared = {
    position: first?.middle ?? pointOf(one, 0),
    ...(isSegment ? { end: pointOf(one, 1) } : {}),
    radius: one.radius,
    otherStart: second?.middle ?? pointOf(other, 0),
    ...(isOther ? { otherEnd: pointOf(other, 1) } : {}),
    otherRadius: other.radius,
    friction: Math.min(one.friction, other.friction),
    restitution: one.restitution * other.restitution,
    ...waysOf(model, one.link, other.link),
  };
  if (first && second)
    return {
      kind: TOUCH_HULLS + (isSwapped ? TOUCH_SECOND : 0),
      hull: first.at,
      otherHull: second.at,
      // corners of the face of one in the face of the other, and two on each side that it crosses
      slots: first.mostSides + second.mostSides,
      ...shared,
    };
  return {
    kind: (isSegment ? TOUCH_SEGMENT : 0) + (isOther ? TOUCH_OTHER_SEGMENT : 0) + (second ? TOUCH_HULL : 0),
    ...(second ? { otherHull: second.at } : {}),
    // the ends of a capsule and two places between them; or two places of capsules side by side
    slots: !isSegment ? 1 : second ? 4 : isOther ? 2 : 1,
    ...shared,
  };
}

/** Degrees of freedom that move one link and another one. */
function waysOf(
  model: ArticulatedModel,
  link: number,
  other: number,
): Pick<Touch, "link" | "other" | "dof" | "otherDof" | "join" | "branch" | "otherBranch" | "length"> {
  const [own, others] = [model.dofsAbove(link), model.dofsAbove(other)];
  const shared = own.filter((k) => others.includes(k));
  return {
    link,
    other,
    dof: own[0] ?? WORLD,
    otherDof: others[0] ?? WORLD,
    join: shared[0] ?? WORLD,
    branch: own.length - shared.length,
    otherBranch: others.length - shared.length,
    length: own.length + others.length - shared.length,
  };
}

const pointOf = (part: Part, i: number): Float64Array => part.local.subarray(3 * i, 3 * i + 3);

const isMoved = ({ linkLastDof }: ArticulatedModel, link: number): boolean =>
  link !== WORLD && linkLastDof[link] !== WORLD;

/** Whether bits of a shape let it touch the ground, which has the default ones. */
function isForGround({ category, meets }: Part): boolean {
  return ((category | meets) & 1) !== 0;
}
