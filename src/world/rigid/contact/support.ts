import type { ProxyResponse } from "../../../collision/obstacles/rigid-proxy";
import type { Vec3 } from "../../../math/types";
import { dot } from "../../../math/vectors";

/** Frames after which earlier loads on a body no longer count. */
const FORGOTTEN = 8;

export type SupportedResponse = Pick<
  ProxyResponse,
  "inverseMass" | "inverseInertia" | "free" | "support" | "blocked" | "mobility" | "turning"
>;

/** The state of a support between frames. */
export interface SupportMemory {
  readonly given: Vec3;
  readonly isNew: boolean;
  readonly age: number;
  readonly part: number;
  readonly direction: Vec3;
}

/**
 * The part of the push of deformable bodies on a rigid body that its other contacts take up: all of it for a body that
 * stands on the ground. The body yields to deformable bodies by the rest only. If it yielded as a free body, it would
 * give way until the response of the ground is known, a frame later or more, and then be thrown back, or pushed through
 * the ground.
 *
 * Before the response to a load is known, the weight decides: the part of the weight that contacts carry is held along
 * the weight.
 */
export class Support {
  /** last impulse of deformable bodies [N s], and the number of frames since then */
  private given: Vec3 = [0, 0, 0];
  private age = FORGOTTEN;
  /** the response of the other contacts is not known yet */
  private isNew = false;
  private part = 0;
  /**
   * vector along the weight, whose length is the root of the part of the weight that contacts carry: see
   * `ProxyResponse.support`
   */
  direction: Vec3 = [0, 0, 0];

  /** @param impulse impulse of deformable bodies that the body's next step contains [N s] */
  note(impulse: ArrayLike<number>): void {
    const before = this.isNew ? this.given : [0, 0, 0];
    this.given = [before[0] + impulse[0], before[1] + impulse[1], before[2] + impulse[2]];
    this.isNew = true;
  }

  /**
   * Updates the support after a step of the body.
   *
   * @param contacts impulse of its other contacts in the step [N s]
   * @param weight impulse of gravity in the step [N s]
   * @param last what that of the contacts would be if all of the step were as its last part
   */
  hear(contacts: Vec3, weight: Vec3, last = contacts): void {
    const most = (load: Vec3): number => Math.max(takenUp(contacts, load), takenUp(last, load));
    if (this.isNew) this.part = most(this.given);
    this.age = this.isNew ? 0 : this.age + 1;
    this.isNew = false;
    const carried = most(weight);
    const length = carried > 0 ? Math.sqrt(carried / dot(weight, weight)) : 0;
    this.direction = [length * weight[0], length * weight[1], length * weight[2]];
  }

  /**
   * The part of the body's mobility that deformable bodies feel, in directions in which its weight is not held, 0 to 1.
   */
  get mobility(): number {
    return this.age < FORGOTTEN ? 1 - this.part : 1;
  }

  /** The same part for rotation: a standing body does not tip before the response to a load is known. */
  get turning(): number {
    return this.mobility * Math.max(0, 1 - dot(this.direction, this.direction));
  }

  /**
   * The response of the body to deformable bodies, for `ProxyResponse`.
   *
   * @param inverseMass of the free body [1/kg], 0 for a body that does not yield
   * @param inverseInertia of the free body, six numbers [1/(kg m²)]
   */
  response(inverseMass: number, inverseInertia: readonly number[]): SupportedResponse {
    const { mobility, turning, direction } = this;
    return {
      inverseMass: mobility * inverseMass,
      inverseInertia: inverseInertia.map((value) => turning * value),
      free: [inverseMass, ...inverseInertia],
      support: direction,
      mobility,
      turning,
    };
  }

  /** The part of an impulse [N s] that the body yields to. */
  yielding(impulse: Vec3): Vec3 {
    const { mobility, direction } = this;
    // A support bears, and does not pull.
    const held = Math.max(0, dot(direction, impulse));
    return [0, 1, 2].map((c) => mobility * (impulse[c] - held * direction[c])) as unknown as Vec3;
  }

  /** The body yields to all of a push. */
  forget(): void {
    this.release([0, 0, 0]);
  }

  /** It yields to all that a direction along the weight does not hold. */
  release(direction: ArrayLike<number>): void {
    const [x, y, z] = Array.from(direction);
    this.load({ given: [0, 0, 0], isNew: false, age: FORGOTTEN, part: 0, direction: [x, y, z] });
  }

  save(): SupportMemory {
    const { given, isNew, age, part, direction } = this;
    return { given, isNew, age, part, direction };
  }

  load(memory: SupportMemory): void {
    Object.assign(this, memory);
  }
}

/** The part of a load [N s] that contacts take up, 0 to 1. */
function takenUp(contacts: Vec3, load: Vec3): number {
  const size = dot(load, load);
  return size > 0 ? Math.min(1, Math.max(0, -dot(contacts, load) / size)) : 0;
}
