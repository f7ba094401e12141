/**
 * Rigid bodies and particles as the solver sees them, in flat arrays, one place for each body. Data that never change
 * in a step, data that a step changes, and data that exist only within a step are kept in three separate objects.
 *
 * The frame of a body has its origin at the center of mass and its axes along the principal axes, so inertia is three
 * numbers. A particle is a body without inverse inertia: contacts and joints cannot turn it (9.3). Static and kinematic
 * bodies have no inverse mass either.
 */

import { resized } from "../../../math/arrays";
import type { Vec3 } from "../../../math/types";

/** Numbers of a pose: center of mass [m], then a unit quaternion x, y, z, w from principal axes to the world. */
export const POSE_SIZE = 7;
/** Numbers of a velocity: linear [m/s], then angular [rad/s], both in world axes. */
export const TWIST_SIZE = 6;
/** Numbers of a row of a Jacobian of two bodies A and B: linear and angular for A, then for B. */
export const ROW_SIZE = 12;

/**
 * Motion type of a body. A `led` body follows its prescribed motion like a kinematic one, but yields to impulses of
 * deformable bodies; see LedResponse. It is kinematic in steps in which none touches it. A `linked` body responds
 * together with others, see Linkage.
 */
export const Motion = { static: 0, kinematic: 1, dynamic: 2, led: 3, linked: 4 } as const;
export type Motion = (typeof Motion)[keyof typeof Motion];

/** Response of a led body to impulses in a step; world axes. */
export interface LedResponse {
  /** [1/kg] */
  readonly inverseMass: number;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)] */
  readonly inverseInertia: ArrayLike<number>;
  /** s, shorter than 1: the body responds by (I − s sᵀ) / m */
  readonly support: Vec3;
}

/** Properties of bodies, changed only by the user. */
export class BodyModel {
  /** see Motion */
  motion = new Uint8Array(0);
  /** [1/kg]; 0 for immovable bodies */
  inverseMass = new Float64Array(0);
  /** 3 a body [1/(kg m²)], about the principal axes */
  inverseInertia = new Float64Array(0);
  /** 3 a body [kg m²]: 0 if the inverse is 0 */
  inertia = new Float64Array(0);
  gravityFactor = new Float64Array(0);
  /** [1/s] */
  linearDamping = new Float64Array(0);
  /** [1/s] */
  angularDamping = new Float64Array(0);
  /** [m/s] */
  maxLinearSpeed = new Float64Array(0);
  /** [rad/s] */
  maxAngularSpeed = new Float64Array(0);
  /** units of a body's thresholds for lengths and for speeds, see scale.ts */
  grain = new Float64Array(0);
  pace = new Float64Array(0);

  resize(capacity: number): void {
    this.motion = resized(this.motion, new Uint8Array(capacity));
    this.inverseMass = resized(this.inverseMass, new Float64Array(capacity));
    this.inverseInertia = resized(this.inverseInertia, new Float64Array(3 * capacity));
    this.inertia = resized(this.inertia, new Float64Array(3 * capacity));
    this.gravityFactor = resized(this.gravityFactor, new Float64Array(capacity));
    this.linearDamping = resized(this.linearDamping, new Float64Array(capacity));
    this.angularDamping = resized(this.angularDamping, new Float64Array(capacity));
    this.maxLinearSpeed = resized(this.maxLinearSpeed, new Float64Array(capacity));
    this.maxAngularSpeed = resized(this.maxAngularSpeed, new Float64Array(capacity));
    this.grain = resized(this.grain, new Float64Array(capacity));
    this.pace = resized(this.pace, new Float64Array(capacity));
  }
}

/** Poses and velocities of bodies: all the data that a snapshot needs. */
export class BodyState {
  /** POSE_SIZE a body: q of the paper (87) */
  pose = new Float64Array(0);
  /** TWIST_SIZE a body: u of the paper (87) */
  velocity = new Float64Array(0);
  /** TWIST_SIZE a body: force [N] and torque about the center of mass [N m] in world axes, for the next frame */
  force = new Float64Array(0);
  /** time for which the body has been slow [s] */
  restTime = new Float64Array(0);
  /** 1 for sleeping bodies */
  asleep = new Uint8Array(0);
  /** remaining steps in which the body's island does not try sparse factors, after they failed */
  retry = new Uint8Array(0);

  resize(capacity: number): void {
    this.pose = resized(this.pose, new Float64Array(POSE_SIZE * capacity));
    this.velocity = resized(this.velocity, new Float64Array(TWIST_SIZE * capacity));
    this.force = resized(this.force, new Float64Array(TWIST_SIZE * capacity));
    this.restTime = resized(this.restTime, new Float64Array(capacity));
    this.asleep = resized(this.asleep, new Uint8Array(capacity));
    this.retry = resized(this.retry, new Uint8Array(capacity));
  }
}

/** Intermediate results of a step for each body. */
export class BodyScratch {
  /** q⁻: poses at the start of the step */
  startPose = new Float64Array(0);
  /** u: the current Newton iterate */
  velocity = new Float64Array(0);
  /** ũ: velocity at the end of a step without constraints */
  freeVelocity = new Float64Array(0);
  /** 3 a body: mean angular velocity of the free motion minus that at its end [rad/s] */
  spinOffset = new Float64Array(0);
  /** [1/kg]: 0 for all bodies that are immovable in this step, including sleeping ones */
  inverseMass = new Float64Array(0);
  /** 4 a body: orientation at the end of the free motion */
  freeRotation = new Float64Array(0);
  /** 6 a body: inverse inertia in world axes at the free end, xx, xy, xz, yy, yz, zz */
  worldInverseInertia = new Float64Array(0);
  /** 6 a body: implicit rotational stiffness h² K of joint forces [kg m²], in the same order; 0 for most bodies */
  stiffness = new Float64Array(0);
  /** TWIST_SIZE a body: Jᵀ x, an impulse and its moment about the center of mass */
  wrench = new Float64Array(0);
  /** TWIST_SIZE a body: M⁻¹ Jᵀ x */
  response = new Float64Array(0);

  resize(capacity: number): void {
    this.startPose = resized(this.startPose, new Float64Array(POSE_SIZE * capacity));
    this.velocity = resized(this.velocity, new Float64Array(TWIST_SIZE * capacity));
    this.freeVelocity = resized(this.freeVelocity, new Float64Array(TWIST_SIZE * capacity));
    this.spinOffset = resized(this.spinOffset, new Float64Array(3 * capacity));
    this.inverseMass = resized(this.inverseMass, new Float64Array(capacity));
    this.freeRotation = resized(this.freeRotation, new Float64Array(4 * capacity));
    this.worldInverseInertia = resized(this.worldInverseInertia, new Float64Array(6 * capacity));
    this.stiffness = resized(this.stiffness, new Float64Array(6 * capacity));
    this.wrench = resized(this.wrench, new Float64Array(TWIST_SIZE * capacity));
    this.response = resized(this.response, new Float64Array(TWIST_SIZE * capacity));
  }
}

/** Model, state and scratch of all bodies, places 0 to count − 1. */
export class BodyTable {
  count = 0;
  capacity = 0;
  readonly model = new BodyModel();
  readonly state = new BodyState();
  readonly scratch = new BodyScratch();
  /** responses of bodies that are led in this step, by place */
  readonly led = new Map<number, LedResponse>();

  /** Appends a place with zero numbers and no rotation. */
  append(): number {
    if (this.count === this.capacity) {
      this.capacity = Math.max(16, 2 * this.capacity);
      this.model.resize(this.capacity);
      this.state.resize(this.capacity);
      this.scratch.resize(this.capacity);
    }
    const slot = this.count++;
    this.state.pose[POSE_SIZE * slot + 6] = 1;
    return slot;
  }

  /** Ends the forces on a body, and, if wished, its motion. */
  halt(slot: number, stops: boolean): void {
    const { velocity, force } = this.state;
    const at = TWIST_SIZE * slot;
    force.fill(0, at, at + TWIST_SIZE);
    if (stops) velocity.fill(0, at, at + TWIST_SIZE);
  }

  /**
   * Renumbers bodies: `slotOf[old]` is the new place, negative for removed bodies. `count` is the number of bodies that
   * stay.
   */
  renumber(slotOf: Int32Array, count: number): void {
    const { model, state } = this;
    const move = (array: Float64Array | Uint8Array, width: number): void => permute(array, width, slotOf, this.count);
    for (const array of [model.motion, model.inverseMass, model.gravityFactor, model.linearDamping]) move(array, 1);
    for (const array of [model.angularDamping, model.maxLinearSpeed, model.maxAngularSpeed]) move(array, 1);
    for (const array of [model.grain, model.pace]) move(array, 1);
    for (const array of [model.inverseInertia, model.inertia]) move(array, 3);
    move(state.pose, POSE_SIZE);
    for (const array of [state.velocity, state.force]) move(array, TWIST_SIZE);
    for (const array of [state.restTime, state.asleep, state.retry]) move(array, 1);
    this.scratch.response.fill(0);
    this.count = count;
  }
}

/**
 * Moves rows of `width` numbers: row k becomes row `slotOf[k]`, or is dropped if that is negative. Free rows become
 * zero.
 */
function permute(array: Float64Array | Uint8Array, width: number, slotOf: Int32Array, count: number): void {
  const old = array.slice(0, width * count);
  array.fill(0);
  for (let k = 0; k < count; k++)
    for (let i = 0; i < width; i++) if (slotOf[k] >= 0) array[width * slotOf[k] + i] = old[width * k + i];
}
