/**
 * Degrees of freedom of a joint, numbered as Babylon's `PhysicsConstraintAxis`: translations [m] of the pivot of B along the
 * axes of A's frame, rotations [rad] of B's frame about them, and the distance of the pivots [m].
 */

export const JointAxis = {
  linearX: 0,
  linearY: 1,
  linearZ: 2,
  angularX: 3,
  angularY: 4,
  angularZ: 5,
  distance: 6,
} as const;
export type JointAxis = (typeof JointAxis)[keyof typeof JointAxis];

export const AXIS_COUNT = 7;

export type AxisMode = "free" | "locked" | "limited";
export type MotorType = "none" | "velocity" | "position";

/** Settings of a joint along one axis. Forces are [N] along translations and [N m] about rotations. */
export interface AxisSettings {
  mode: AxisMode;
  /** lower limit [m or rad], −Infinity for none; for `limited` */
  min: number;
  /** upper limit [m or rad], Infinity for none; for `limited` */
  max: number;
  /** stiffness of the limits, or of the lock [N/m or N m/rad]; 0 for hard ones */
  stiffness: number;
  /** damping of the limits, or of the lock [N s/m or N m s/rad] */
  damping: number;
  /** dry friction: the largest force that holds the axis still */
  friction: number;
  motor: MotorType;
  /** target velocity [m/s or rad/s] or position [m or rad] of the motor */
  target: number;
  /** largest force of the motor */
  maxForce: number;
  /**
   * stiffness of a position motor; 0 for a motor as stiff as `maxForce` allows, which settles with the time constant
   * `settlingTime`
   */
  motorStiffness: number;
  /** damping of a position motor with a stiffness */
  motorDamping: number;
}

/** Time constant of a position motor without a stiffness [s]. */
export const settlingTime = 0.05;

export function freeAxis(): AxisSettings {
  return {
    mode: "free",
    min: -Infinity,
    max: Infinity,
    stiffness: 0,
    damping: 0,
    friction: 0,
    motor: "none",
    target: 0,
    maxForce: Infinity,
    motorStiffness: 0,
    motorDamping: 0,
  };
}
