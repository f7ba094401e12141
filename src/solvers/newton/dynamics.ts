/**
 * Rigid bodies and their step: that of bodies which nothing moves or which go where they are told here, that of all others by a
 * `Stepper`, whose code is loaded when there are such.
 */

import type { ContactBuffer } from "../../collision/narrow/contact-buffer";
import { BodyTable, Motion } from "./motion/bodies";
import type { ContactRows } from "./contact/contacts";
import type { DeformableCoupling } from "./deformable/contact/coupling";
import { moveKinematic } from "./motion/kinematic-motion";
import type { ImpulseCache } from "./contact/impulse-cache";
import type { Islands } from "./island/islands";
import type { Joint } from "./joints/joint";
import type { NewtonReport } from "./island/newton-solver";
import { defaultNewtonOptions, type NewtonOptions } from "./options";
import type { PairList } from "./contact/pairs";

/** Solves contacts and joints of a step, and takes all bodies through it. */
export interface Stepper {
  readonly contacts: ContactRows;
  readonly islands: Islands;
  readonly cache: ImpulseCache;
  /** contacts gave bodies more energy in the last step than there is, which was taken off again */
  readonly isDoubtful: boolean;
  /** deformable bodies, and their contacts with rigid ones */
  readonly deformables: DeformableCoupling;
  /**
   * Sum of what all contacts gave a body in the last step.
   *
   * @param slot place of the body
   * @param out impulse [N s] and angular impulse about the world's origin [N m s], six numbers: changed
   */
  contactWrench(slot: number, out: Float64Array): void;
  /**
   * Follows bodies that came or went since the step.
   *
   * @param slotOf new place of each body by its old one; −1 for one that is gone
   */
  renumber(slotOf: Int32Array): void;
  step(h: number, gravity: ArrayLike<number>, buffer: ContactBuffer, pairs: PairList, joints: readonly Joint[]): void;
}

export class RigidDynamics {
  readonly bodies = new BodyTable();
  /** residuals of each island of the last step, when asked for */
  reports: NewtonReport[] | undefined;
  /** bodies of islands that turned non-finite in the last step; they stand where they were */
  readonly broken: number[] = [];
  /** without one no body may be dynamic */
  stepper: Stepper | undefined;

  constructor(readonly options: NewtonOptions = { ...defaultNewtonOptions }) {}

  /** Contacts of the last step; with a stepper only, as all below. */
  get contacts(): ContactRows {
    return this.stepper!.contacts;
  }

  get deformables(): DeformableCoupling {
    return this.stepper!.deformables;
  }

  /**
   * One step by the stepper.
   *
   * @param h [s]
   * @param gravity 3 numbers [m/s²]
   * @param buffer contacts of the pairs, found at the poses in the state
   * @param joints joints that hold, in a fixed order
   */
  step(h: number, gravity: ArrayLike<number>, buffer: ContactBuffer, pairs: PairList, joints: readonly Joint[]): void {
    this.broken.length = 0;
    this.stepper!.step(h, gravity, buffer, pairs, joints);
  }

  /** One step of h [s] where no body is dynamic. */
  stepKinematic(h: number): void {
    const { bodies } = this;
    for (let slot = 0; slot < bodies.count; slot++)
      if (bodies.model.motion[slot] === Motion.kinematic) moveKinematic(bodies, slot, h);
  }
}
