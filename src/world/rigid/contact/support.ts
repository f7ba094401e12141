import type { ProxyResponse } from "../../../collision/obstacles/rigid-proxy";
import type { Vec3 } from "../../../math/types";
import { dot } from "../../../math/vectors";

/** Frames after which it no longer counts what a body has leant on. */
const FORGOTTEN = 8;

export type SupportedResponse = Pick<
  ProxyResponse,
  "inverseMass" | "inverseInertia" | "support" | "blocked" | "mobility" | "turning"
>;

/** What is known of a support from frame to frame. */
export interface SupportMemory {
  readonly given: Vec3;
  readonly isNew: boolean;
  readonly age: number;
  readonly part: number;
  readonly direction: Vec3;
}

/**
 * Which part of what deformable bodies give to a rigid one its other contacts take up: all of it where it stands on the ground. It yields
 * to deformable bodies by the rest only. As if it were free it would give way until its ground is heard of, a frame later or more, and be
 * thrown back, or pushed through.
 *
 * Before a load is heard of, the weight tells: what contacts carry of that is held along it.
 */
export class Support {
  /** what deformable bodies gave last [N s], and how many frames ago that was */
  private given: Vec3 = [0, 0, 0];
  private age = FORGOTTEN;
  /** the answer of the other contacts is still to come */
  private isNew = false;
  private part = 0;
  /** along the weight, as long as the root of the part of it that contacts carry: see `ProxyResponse.support` */
  direction: Vec3 = [0, 0, 0];

  /** @param impulse that deformable bodies gave, and that the body's next step knows [N s] */
  note(impulse: ArrayLike<number>): void {
    const before = this.isNew ? this.given : [0, 0, 0];
    this.given = [before[0] + impulse[0], before[1] + impulse[1], before[2] + impulse[2]];
    this.isNew = true;
  }

  /**
   * After a step of the body.
   *
   * @param contacts impulse of its other contacts in the step [N s]
   * @param weight impulse of gravity in the step [N s]
   */
  hear(contacts: Vec3, weight: Vec3): void {
    if (this.isNew) this.part = takenUp(contacts, this.given);
    this.age = this.isNew ? 0 : this.age + 1;
    this.isNew = false;
    const carried = takenUp(contacts, weight);
    const length = carried > 0 ? Math.sqrt(carried / dot(weight, weight)) : 0;
    this.direction = [length * weight[0], length * weight[1], length * weight[2]];
  }

  /** The part of its mobility that deformable bodies feel, in directions in which its weight is not held, 0 to 1. */
  get mobility(): number {
    return this.age < FORGOTTEN ? 1 - this.part : 1;
  }

  /** The same of its rotation: what stands does not tip before it is heard of. */
  get turning(): number {
    return this.mobility * Math.max(0, 1 - dot(this.direction, this.direction));
  }

  /**
   * How the body answers to deformable ones, for `ProxyResponse`.
   *
   * @param inverseMass of the free body [1/kg], 0 for one that does not yield
   * @param inverseInertia of the free body, six numbers [1/(kg m²)]
   */
  response(inverseMass: number, inverseInertia: readonly number[]): SupportedResponse {
    const { mobility, turning, direction } = this;
    return {
      inverseMass: mobility * inverseMass,
      inverseInertia: inverseInertia.map((value) => turning * value),
      support: direction,
      mobility,
      turning,
    };
  }

  /** The part of an impulse [N s] that the body yields to. */
  yielding(impulse: Vec3): Vec3 {
    const { mobility, direction } = this;
    // It bears, and does not pull.
    const held = Math.max(0, dot(direction, impulse));
    return [0, 1, 2].map((c) => mobility * (impulse[c] - held * direction[c])) as unknown as Vec3;
  }

  save(): SupportMemory {
    const { given, isNew, age, part, direction } = this;
    return { given, isNew, age, part, direction };
  }

  load(memory: SupportMemory): void {
    Object.assign(this, memory);
  }
}

/** Which part of a load [N s] contacts take up, 0 to 1. */
function takenUp(contacts: Vec3, load: Vec3): number {
  const size = dot(load, load);
  return size > 0 ? Math.min(1, Math.max(0, -dot(contacts, load) / size)) : 0;
}
