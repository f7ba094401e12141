/**
 * Rigid bodies and particles as the solver sees them, in flat arrays, one place for each body. Data that never change
 * in a step, data that a step changes, and data that exist only within a step are kept in three separate objects.
 *
 * The frame of a body has its origin at the center of mass and its axes along the principal axes, so inertia is three
 * numbers. A particle is a body without inverse inertia: contacts and joints cannot turn it (9.3). Static and kinematic
 * bodies have no inverse mass either.
 */

import { Table } from "../../../math/table";
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

/** A bit of `retry`: the impulses of the body's island changed in the last step. */
export const SETTLING = 128;

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
export class BodyModel extends Table {
  /** see Motion */
  motion = new Uint8Array(1);
  /** [1/kg]; 0 for immovable bodies */
  inverseMass = new Float64Array(1);
  /** 3 a body [1/(kg m²)], about the principal axes */
  inverseInertia = new Float64Array(3);
  /** 3 a body [kg m²]: 0 if the inverse is 0 */
  inertia = new Float64Array(3);
  gravityFactor = new Float64Array(1);
  /** [1/s] */
  linearDamping = new Float64Array(1);
  /** [1/s] */
  angularDamping = new Float64Array(1);
  /** [m/s] */
  maxLinearSpeed = new Float64Array(1);
  /** [rad/s] */
  maxAngularSpeed = new Float64Array(1);
  /** units of a body's thresholds for lengths and for speeds, see scale.ts */
  grain = new Float64Array(1);
  pace = new Float64Array(1);
}

/** Poses and velocities of bodies: all the data that a snapshot needs. */
export class BodyState extends Table {
  /** POSE_SIZE a body: q of the paper (87) */
  pose = new Float64Array(POSE_SIZE);
  /** TWIST_SIZE a body: u of the paper (87) */
  velocity = new Float64Array(TWIST_SIZE);
  /** TWIST_SIZE a body: force [N] and torque about the center of mass [N m] in world axes, for the next frame */
  force = new Float64Array(TWIST_SIZE);
  /** time for which the body has been slow [s] */
  restTime = new Float64Array(1);
  /** 1 for sleeping bodies */
  asleep = new Uint8Array(1);
  /** remaining steps in which the body's island does not try sparse factors, after they failed; and SETTLING */
  retry = new Uint8Array(1);
}

/** Intermediate results of a step for each body. */
export class BodyScratch extends Table {
  /** q⁻: poses at the start of the step */
  startPose = new Float64Array(POSE_SIZE);
  /** u: the current Newton iterate */
  velocity = new Float64Array(TWIST_SIZE);
  /** ũ: velocity at the end of a step without constraints */
  freeVelocity = new Float64Array(TWIST_SIZE);
  /** 3 a body: mean angular velocity of the free motion minus that at its end [rad/s] */
  spinOffset = new Float64Array(3);
  /** [1/kg]: 0 for all bodies that are immovable in this step, including sleeping ones */
  inverseMass = new Float64Array(1);
  /** 4 a body: orientation at the end of the free motion */
  freeRotation = new Float64Array(4);
  /** 6 a body: inverse inertia in world axes at the free end, xx, xy, xz, yy, yz, zz */
  worldInverseInertia = new Float64Array(6);
  /** 6 a body: implicit rotational stiffness h² K of joint forces [kg m²], in the same order; 0 for most bodies */
  stiffness = new Float64Array(6);
  /** TWIST_SIZE a body: Jᵀ x, an impulse and its moment about the center of mass */
  wrench = new Float64Array(TWIST_SIZE);
  /** TWIST_SIZE a body: M⁻¹ Jᵀ x */
  response = new Float64Array(TWIST_SIZE);
}

/** Model, state and scratch of all bodies, places 0 to count − 1. */
export class BodyTable {
  count = 0;
  readonly model = new BodyModel();
  readonly state = new BodyState();
  readonly scratch = new BodyScratch();
  /** so often bodies at rest were woken, or changed */
  wakes = 0;
  /** responses of bodies that are led in this step, by place */
  readonly led = new Map<number, LedResponse>();
  /** places of the bodies that may move, in ascending order: a frame does not look at others, unless these touch them */
  awake = new Int32Array(0);
  awakeCount = 0;
  /** whether all bodies count as awake: others than rigid bodies and joints look at what a step writes of bodies at rest */
  isWhole = false;

  get capacity(): number {
    return this.model.capacity;
  }

  /** Appends a place with zero numbers and no rotation. */
  append(): number {
    const slot = this.count++;
    for (const table of [this.model, this.state, this.scratch]) table.append();
    this.state.pose[POSE_SIZE * slot + 6] = 1;
    return slot;
  }

  /** Finds the bodies that are awake. */
  findAwake(): void {
    if (this.awake.length < this.count) this.awake = new Int32Array(this.capacity);
    const { awake, isWhole, count } = this;
    const { motion } = this.model;
    const { asleep } = this.state;
    let found = 0;
    for (let slot = 0; slot < count; slot++)
      if (isWhole || (motion[slot] !== Motion.static && asleep[slot] === 0)) awake[found++] = slot;
    this.awakeCount = found;
  }

  /** Takes the forces off bodies that are awake: others have none. */
  clearForces(): void {
    const { awake, awakeCount, state } = this;
    for (let k = 0; k < awakeCount; k++)
      for (let i = TWIST_SIZE * awake[k]; i < TWIST_SIZE * (awake[k] + 1); i++) state.force[i] = 0;
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
    for (const table of [this.model, this.state]) table.permute(slotOf, count);
    this.scratch.response.fill(0);
    this.count = this.scratch.count = count;
  }
}
