/**
 * What a step of rigid bodies works on, and the step: that of bodies which nothing moves or which go where they are told here, that of all
 * others by a `Stepper`, which is loaded when there are such.
 */

import type { ContactBuffer } from "../../collision/narrow/contact-buffer";
import { BodyTable, Motion } from "./bodies";
import { ContactRows } from "./contacts";
import { DeformableCoupling } from "./deformable/coupling";
import { moveKinematic } from "./free-motion";
import { ImpulseCache } from "./impulse-cache";
import { Islands } from "./islands";
import type { Joint } from "./joints/joint";
import type { NewtonReport } from "./newton-solver";
import { defaultNewtonOptions, type NewtonOptions } from "./options";
import type { PairList } from "./pairs";
import { JointRows } from "./rows";

/** Solves contacts and joints of a step, and takes all bodies through it. */
export interface Stepper {
  /** what restitution added to the normal impulse of each contact in the last step [N s] */
  readonly impactImpulses: Float64Array;
  step(h: number, gravity: ArrayLike<number>, buffer: ContactBuffer, pairs: PairList, joints: readonly Joint[]): void;
}

const none = new Float64Array();

export class RigidDynamics {
  readonly bodies = new BodyTable();
  readonly contacts = new ContactRows();
  readonly rows = new JointRows();
  readonly islands = new Islands();
  readonly cache = new ImpulseCache();
  /** deformable bodies, and their contacts with rigid ones */
  readonly deformables: DeformableCoupling;
  /** residuals of each island of the last step, when asked for */
  reports: NewtonReport[] | undefined;
  /** bodies of islands that turned non-finite in the last step; they stand where they were */
  readonly broken: number[] = [];
  /** without one no body may be dynamic */
  stepper: Stepper | undefined;

  constructor(readonly options: NewtonOptions = { ...defaultNewtonOptions }) {
    this.deformables = new DeformableCoupling(this.bodies, options);
  }

  get impactImpulses(): Float64Array {
    return this.stepper?.impactImpulses ?? none;
  }

  /**
   * One step.
   *
   * @param h [s]
   * @param gravity 3 numbers [m/s²]
   * @param buffer contacts of the pairs, found at the poses in the state
   * @param joints joints that hold, in a fixed order
   */
  step(h: number, gravity: ArrayLike<number>, buffer: ContactBuffer, pairs: PairList, joints: readonly Joint[]): void {
    this.broken.length = 0;
    if (this.stepper) {
      this.stepper.step(h, gravity, buffer, pairs, joints);
      return;
    }
    const { bodies } = this;
    for (let slot = 0; slot < bodies.count; slot++)
      if (bodies.model.motion[slot] === Motion.kinematic) moveKinematic(bodies, slot, h);
  }
}
