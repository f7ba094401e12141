import type { ProxyResponse } from "../../../collision/obstacles/rigid-proxy";
import type { Vec3 } from "../../../math/types";

/** What others did to a body in a step. Angular parts are about its centre of mass. */
export interface Push {
  /** what the body yields to [N s] [N m s] */
  readonly impulse: Vec3;
  readonly angularImpulse: Vec3;
  /** what other contacts of it take up, known as the force that it is: as a velocity it would be an impact on what the body stands on */
  readonly held: Vec3;
  readonly angularHeld: Vec3;
  /** how it has gone along with that already: offset of the centre of mass [m] and turn about it [rad, rotation vector] */
  readonly offset: Vec3;
  readonly turn: Vec3;
}

/** What a body that somebody leads is by itself, as it stands before a step. */
export interface LedFreedom {
  /** [kg] */
  readonly mass: number;
  /** in the frame of the body [m] */
  readonly centerOfMass: Vec3;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)], world axes */
  readonly inverseInertia: readonly number[];
  /** directions in which joints hold it, see `ProxyResponse.blocked`; default none */
  readonly blocked?: readonly number[] | undefined;
  /** what its own engine's contacts and joints gave it in the step [N s] */
  readonly contacts: Vec3;
  /** what gravity gave it in the step [N s] */
  readonly weight: Vec3;
  /**
   * What it has after the step [m/s, rad/s]: what meets something on its way goes on otherwise than it went there. Default as it is moved
   */
  readonly endVelocity?: Vec3 | undefined;
  readonly endSpin?: Vec3 | undefined;
}

/**
 * Somebody who moves a kinematic body in place of the solver, by `RigidBody.moveTo`, and feels what others do to it: a mechanism, or another
 * physics engine.
 */
export interface BodyLeader {
  /** of links: their mechanism, whose links do not meet one another */
  readonly group?: object | undefined;
  /**
   * Called once a step, before it is taken, when the leader has said where the body is to go in the step of `dt` seconds. With a freedom,
   * deformable bodies move it off that way as they would a free body; without, it goes there whatever pushes it.
   */
  freedom?(dt: number): LedFreedom | undefined;
  /**
   * After the step, of one that gives way: how it came to the velocity that it has.
   *
   * @param before centre of mass [m], velocity [m/s] and spin [rad/s] before it
   */
  course?(before: Readonly<Record<"centre" | "velocity" | "spin", Vec3>>, dt: number): Partial<ProxyResponse>;
  /** What others did to the body since the last call. The body has gone along as the push says; the leader is to follow. */
  feel(push: Push): void;
}
