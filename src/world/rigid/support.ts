import type { Vec3 } from "../../math/types";
import { dot } from "../../math/vectors";

/** Frames after which it no longer counts what a body has leant on. */
const FORGOTTEN = 8;

/** What is known of a support from frame to frame. */
export interface SupportMemory {
  readonly given: Vec3;
  readonly isNew: boolean;
  readonly age: number;
  readonly part: number;
}

/**
 * Which part of what deformable bodies give to a rigid one its other contacts take up: all of it where it stands on the ground. It yields
 * to deformable bodies by the rest only. As if it were free it would give way until its ground is heard of, a frame later or more, and be
 * thrown back, or pushed through.
 */
export class Support {
  /** what deformable bodies gave last [N s], and how many frames ago that was */
  private given: Vec3 = [0, 0, 0];
  private age = FORGOTTEN;
  /** the answer of the other contacts is still to come */
  private isNew = false;
  private part = 0;

  /** @param impulse that deformable bodies gave, and that the body's next step knows [N s] */
  note(impulse: ArrayLike<number>): void {
    const before = this.isNew ? this.given : [0, 0, 0];
    this.given = [before[0]! + impulse[0]!, before[1]! + impulse[1]!, before[2]! + impulse[2]!];
    this.isNew = true;
  }

  /**
   * After a step of the body: the part of its mobility that deformable bodies feel, 0 to 1.
   *
   * @param contacts impulse of its other contacts in the step [N s]
   */
  share(contacts: Vec3): number {
    if (this.isNew) {
      const size = dot(this.given, this.given);
      this.part = size > 0 ? Math.min(1, Math.max(0, -dot(contacts, this.given) / size)) : 0;
    }
    this.age = this.isNew ? 0 : this.age + 1;
    this.isNew = false;
    return this.mobility;
  }

  /** What `share` said last. */
  get mobility(): number {
    return this.age < FORGOTTEN ? 1 - this.part : 1;
  }

  save(): SupportMemory {
    const { given, isNew, age, part } = this;
    return { given, isNew, age, part };
  }

  load(memory: SupportMemory): void {
    Object.assign(this, memory);
  }
}
