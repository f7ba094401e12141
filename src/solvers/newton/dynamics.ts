/**
 * Rigid bodies and their step. Static and kinematic bodies are stepped here, all others by a `Stepper`, whose code is
 * loaded when such bodies exist.
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
import type { JointRows } from "./contact/rows";

/** Solves contacts and joints of a step, and moves all bodies. */
export interface Stepper {
  readonly contacts: ContactRows;
  readonly rows: JointRows;
  readonly islands: Islands;
  readonly cache: ImpulseCache;
  /** whether contacts gave bodies too much energy in the last step, which was then removed */
  readonly isDoubtful: boolean;
  /** deformable bodies, and their contacts with rigid ones */
  readonly deformables: DeformableCoupling;
  /**
   * Sum of the impulses of all contacts on a body in the last step.
   *
   * @param slot place of the body
   * @param out impulse [N s] and angular impulse about the world's origin [N m s], six numbers: changed
   */
  contactWrench(slot: number, out: Float64Array): void;
  /**
   * Renumbers bodies after additions or removals since the step.
   *
   * @param slotOf new place of each body by its old one; −1 for a removed body
   */
  renumber(slotOf: Int32Array): void;
  step(h: number, gravity: ArrayLike<number>, buffer: ContactBuffer, pairs: PairList, joints: readonly Joint[]): void;
  /**
   * Closes joints of the last step that bodies were moved out of since, by motions without speed.
   *
   * @param moved places of these bodies
   */
  closeJoints(moved: ReadonlySet<number>): void;
}

export class RigidDynamics {
  readonly bodies = new BodyTable();
  /** residuals of each island of the last step, if requested */
  reports: NewtonReport[] | undefined;
  /** bodies of islands that turned non-finite in the last step; they keep their earlier poses */
  readonly broken: number[] = [];
  /** required if a body is dynamic */
  stepper: Stepper | undefined;

  constructor(readonly options: NewtonOptions = { ...defaultNewtonOptions }) {}

  /** Contacts of the last step. This and all members below need a stepper. */
  get contacts(): ContactRows {
    return this.stepper!.contacts;
  }

  get deformables(): DeformableCoupling {
    return this.stepper!.deformables;
  }

  /**
   * Makes a step by the stepper.
   *
   * @param h [s]
   * @param gravity 3 numbers [m/s²]
   * @param buffer contacts of the pairs, found at the poses in the state
   * @param joints active joints, in a fixed order
   */
  step(h: number, gravity: ArrayLike<number>, buffer: ContactBuffer, pairs: PairList, joints: readonly Joint[]): void {
    this.broken.length = 0;
    this.stepper!.step(h, gravity, buffer, pairs, joints);
  }

  /** Makes a step of h [s] without dynamic bodies. */
  stepKinematic(h: number): void {
    const { bodies } = this;
    for (let slot = 0; slot < bodies.count; slot++)
      if (bodies.model.motion[slot] === Motion.kinematic) moveKinematic(bodies, slot, h);
  }
}
