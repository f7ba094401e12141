import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { Primitive } from "../../collision/distance/primitives";
import { POSE } from "../../collision/shape/pose";
import { areApart, sizeOf, type Box } from "../../geometry/box";
import type { RigidBody } from "../rigid/rigid-body";
import { POSE_SIZE } from "../../solvers/newton/motion/bodies";
import { boxOfRigid, meetAny } from "./places";
import type { SleepScene } from "./scene";

/** An obstacle or a rigid body near sleeping bodies, as it was when they fell asleep. */
interface Thing {
  readonly what: Primitive | RigidBody;
  /** friction of an obstacle and how it combines, or the revision of a body */
  readonly marks: readonly [number, number];
  /** seven numbers */
  readonly pose: Float64Array;
}

/**
 * All that lies around sleeping bodies. They wake if anything of it differs at the start of a frame: it may have been
 * moved, however slowly, taken away, replaced, or have got another surface, by whatever call.
 */
export class Surroundings {
  private readonly things: readonly Thing[];
  /** longest side of a box [m] */
  private readonly size: number;

  constructor(
    private readonly scene: SleepScene,
    private readonly boxes: readonly Box[],
    private readonly gravity: number,
  ) {
    const things: Thing[] = [];
    this.visit((what, marks, poses, at) => {
      things.push({ what, marks, pose: poses.slice(at, at + POSE) });
      return true;
    });
    this.things = things;
    this.size = Math.max(0, ...boxes.map(sizeOf));
  }

  /** Call it at the start of a frame, when the table of obstacles is up to date. */
  get differ(): boolean {
    let k = 0;
    const areSame = this.visit((what, marks, poses, at) => {
      const known = this.things[k++];
      if (known?.what !== what || known.marks[0] !== marks[0] || known.marks[1] !== marks[1]) return false;
      // Steps round the poses of sleeping bodies.
      const slack = "motion" in what && what.motion === "dynamic" ? ROUNDING : 0;
      for (let i = 0; i < POSE; i++) {
        const most = i < 3 ? slack * (this.size + Math.abs(known.pose[i])) : slack;
        if (!(Math.abs(known.pose[i] - poses[at + i]) <= most)) return false;
      }
      return true;
    });
    return !areSame || k !== this.things.length;
  }

  /** Poses of all that is there, for snapshots. */
  get poses(): Float64Array {
    return Float64Array.from(this.things.flatMap(({ pose }) => [...pose]));
  }

  /** @returns whether `see` returned true for all of them */
  private visit(
    see: (what: Primitive | RigidBody, marks: readonly [number, number], poses: Float64Array, at: number) => boolean,
  ): boolean {
    const { boxes, gravity } = this;
    const { colliderSet: set, rigid } = this.scene;
    for (let k = 0; k < set.primitiveCount; k++) {
      if (set.owners[k] || !boxes.some((box) => isIn(set, k, box))) continue;
      if (!see(set.primitives[k], [set.friction[k], set.frictionCombine[k]], set.endPoses, POSE * k)) return false;
    }
    for (const body of rigid.bodies) {
      if (body.options.isTrigger || !meetAny(boxes, boxOfRigid(body, rigid, gravity))) continue;
      if (!see(body, [body.revision, 0], rigid.poses, POSE_SIZE * body.record.slot)) return false;
    }
    return true;
  }
}

/** Whether an obstacle meets a box on its way in the frame. */
export function isIn({ bounds }: ColliderSet, k: number, { min, max }: Box): boolean {
  const at = 6 * k;
  return !areApart(
    { min, max },
    { min: [bounds[at], bounds[at + 1], bounds[at + 2]], max: [bounds[at + 3], bounds[at + 4], bounds[at + 5]] },
  );
}

const ROUNDING = 1e-11;
