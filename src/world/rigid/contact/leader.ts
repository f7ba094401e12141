import type { ProxyResponse } from "../../../collision/obstacles/rigid-proxy";
import type { Vec3 } from "../../../math/types";

/** The effect of other bodies on a body in a step. Angular parts are about its center of mass. */
export interface Push {
  /** the part that the body yields to [N s] [N m s] */
  readonly impulse: Vec3;
  readonly angularImpulse: Vec3;
  /**
   * the part that the body's other contacts take up, to be applied as a force: as a change of velocity it would be an
   * impact on the support of the body
   */
  readonly held: Vec3;
  readonly angularHeld: Vec3;
  /**
   * displacement that the body has already made under the push: offset of the center of mass [m] and turn about it
   * [rad, rotation vector]
   */
  readonly offset: Vec3;
  readonly turn: Vec3;
}

/** The properties of a led body that it would have as a free body before a step. */
export interface LedFreedom {
  /** [kg] */
  readonly mass: number;
  /** in the frame of the body [m] */
  readonly centerOfMass: Vec3;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)], world axes */
  readonly inverseInertia: readonly number[];
  /** directions in which joints hold the body, see `ProxyResponse.blocked`; default none */
  readonly blocked?: readonly number[] | undefined;
  /** impulse of its own engine's contacts and joints in the step [N s] */
  readonly contacts: Vec3;
  /** impulse of gravity in the step [N s] */
  readonly weight: Vec3;
  /**
   * Velocity and spin after the step [m/s, rad/s], with which a body that meets something on its way continues.
   * Default: those of the way
   */
  readonly endVelocity?: Vec3 | undefined;
  readonly endSpin?: Vec3 | undefined;
}

/**
 * Moves a kinematic body in place of the solver, by `RigidBody.moveTo`, and feels the pushes of other bodies: a
 * mechanism, or another physics engine.
 */
export interface BodyLeader {
  /** for links: their mechanism. Links of one mechanism do not meet one another */
  readonly group?: object | undefined;
  /** whether a joint connects its body to that of another of the group */
  isJoined?(other: BodyLeader): boolean;
  /**
   * Called once before each step of `dt` seconds, after the leader has set the target of the body. If it returns a
   * freedom, deformable bodies push the body off its way as they would push a free body. Otherwise the body reaches its
   * target whatever pushes it.
   */
  freedom?(dt: number): LedFreedom | undefined;
  /**
   * After the step, for a body that gives way: the accelerations that led to its velocity.
   *
   * @param before center of mass [m], velocity [m/s] and spin [rad/s] before the step
   */
  course?(before: Readonly<Record<"centre" | "velocity" | "spin", Vec3>>, dt: number): Partial<ProxyResponse>;
  /**
   * Takes the effect of other bodies since the last call. The body has already been displaced as the push says; the
   * leader is to follow.
   *
   * @returns the impulse that its own contacts answer in its next step [N s]; default all of the push
   */
  feel(push: Push): Vec3 | undefined;
}
