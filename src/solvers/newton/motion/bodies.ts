/**
 * Rigid bodies and particles as the solver sees them, in flat arrays, one place a body. What never changes in a step, what
 * a step changes, and what only lives within a step are three things, apart from each other.
 *
 * The frame of a body is the one of its centre of mass and principal axes, so its inertia is three numbers. A particle is
 * a body without inverse inertia: contacts and joints cannot turn it (9.3). Static and kinematic bodies have no inverse
 * mass either.
 */

import type { Vec3 } from "../../../math/types";

/** Numbers of a pose: centre of mass [m], then a unit quaternion x, y, z, w from principal axes to the world. */
export const POSE_SIZE = 7;
/** Numbers of a velocity: linear [m/s], then angular [rad/s], both in world axes. */
export const TWIST_SIZE = 6;
/** Numbers of a row of a Jacobian of two bodies A and B: linear and angular for A, then for B. */
export const ROW_SIZE = 12;

/**
 * How a body moves. One that is `led` goes where it is told as a kinematic one does, and gives way to what deformable bodies do to it;
 * see LedResponse. It is kinematic in steps in which none touches it. One that is `linked` answers together with others, see Linkage.
 */
export const Motion = { static: 0, kinematic: 1, dynamic: 2, led: 3, linked: 4 } as const;
export type Motion = (typeof Motion)[keyof typeof Motion];

/** How a body that is led answers to impulses in a step; world axes. */
export interface LedResponse {
  /** [1/kg] */
  readonly inverseMass: number;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)] */
  readonly inverseInertia: ArrayLike<number>;
  /** s, shorter than 1: it answers by (I − s sᵀ) / m */
  readonly support: Vec3;
}

/** What a body is: changed by the user only. */
export class BodyModel {
  /** see Motion */
  motion = new Uint8Array(0);
  /** [1/kg]; 0 for bodies that nothing can push */
  inverseMass = new Float64Array(0);
  /** 3 a body [1/(kg m²)], about the principal axes */
  inverseInertia = new Float64Array(0);
  /** 3 a body [kg m²]: 0 where the inverse is */
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
  /** what its thresholds are measured in, as lengths and as speeds, see scale.ts */
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

/** Where bodies are and how they move: all that a snapshot needs of them. */
export class BodyState {
  /** POSE_SIZE a body: q of the paper (87) */
  pose = new Float64Array(0);
  /** TWIST_SIZE a body: u of the paper (87) */
  velocity = new Float64Array(0);
  /** TWIST_SIZE a body: force [N] and torque about the centre of mass [N m] in world axes, for the next frame */
  force = new Float64Array(0);
  /** [s] for which the body has been slow */
  restTime = new Float64Array(0);
  /** 1 where the body sleeps */
  asleep = new Uint8Array(0);
  /** steps for which the body's island is not tried with sparse factors, after they led nowhere */
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

/** What a step computes for each body on its way. */
export class BodyScratch {
  /** q⁻: poses at the start of the step */
  startPose = new Float64Array(0);
  /** u: the current Newton iterate */
  velocity = new Float64Array(0);
  /** ũ: velocity at the end of the step if nothing touched the body */
  freeVelocity = new Float64Array(0);
  /** 3 a body: mean angular velocity of the free motion less that at its end [rad/s] */
  spinOffset = new Float64Array(0);
  /** [1/kg]: 0 for all that nothing can push in this step, so also for bodies that sleep */
  inverseMass = new Float64Array(0);
  /** 4 a body: orientation at the end of the free motion */
  freeRotation = new Float64Array(0);
  /** 6 a body: inverse inertia in world axes at the free end, xx, xy, xz, yy, yz, zz */
  worldInverseInertia = new Float64Array(0);
  /** 6 a body: rotational stiffness h² K of joint forces that is taken implicitly [kg m²], as above; 0 on most bodies */
  stiffness = new Float64Array(0);
  /** TWIST_SIZE a body: Jᵀ x, an impulse and its moment about the centre of mass */
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
  /** by place, of bodies that are led in this step */
  readonly led = new Map<number, LedResponse>();

  /** Makes a place at the end, its numbers all zero, its rotation none. */
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

  /** What acts on a body is over, and, if wished, its motion. */
  halt(slot: number, stops: boolean): void {
    const { velocity, force } = this.state;
    const at = TWIST_SIZE * slot;
    force.fill(0, at, at + TWIST_SIZE);
    if (stops) velocity.fill(0, at, at + TWIST_SIZE);
  }

  /** Gives bodies other places: `slotOf[old]` is the new one, negative for those that go. `count` is how many stay. */
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

/** Moves rows of `width` numbers: row k to row `slotOf[k]`, or away where that is negative. Free rows become zero. */
function permute(array: Float64Array | Uint8Array, width: number, slotOf: Int32Array, count: number): void {
  const old = array.slice(0, width * count);
  array.fill(0);
  for (let k = 0; k < count; k++)
    for (let i = 0; i < width; i++) if (slotOf[k] >= 0) array[width * slotOf[k] + i] = old[width * k + i];
}

/** Copies the old numbers, as many as fit. */
export function resized<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from.length > to.length ? from.subarray(0, to.length) : from);
  return to;
}
