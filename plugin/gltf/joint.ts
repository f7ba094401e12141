import { Vector3, type Matrix } from "@babylonjs/core/Maths/math.vector";
import { PhysicsConstraintAxis, PhysicsConstraintMotorType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { Physics6DoFConstraint, type Physics6DoFLimit } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { Logger } from "@babylonjs/core/Misc/logger";
import type { Scene } from "@babylonjs/core/scene";
import type { Drive, Joint, Limit } from "./json";

const LINEAR = [PhysicsConstraintAxis.LINEAR_X, PhysicsConstraintAxis.LINEAR_Y, PhysicsConstraintAxis.LINEAR_Z];
const ANGULAR = [PhysicsConstraintAxis.ANGULAR_X, PhysicsConstraintAxis.ANGULAR_Y, PhysicsConstraintAxis.ANGULAR_Z];

/** A body, and the frame of a joint on it. */
export interface JointSide {
  readonly body: PhysicsBody;
  /** from the frame of the joint's node to that of the body; it may scale and mirror */
  readonly toBody: Matrix;
}

/**
 * Joins two bodies. A range of distances from an axis, and a cone of rotations, become equal ranges along and about each of their axes; a
 * drive in mode `acceleration` counts as one in mode `force`, and springs of drives as motors with a bound of force.
 *
 * @param isMirrored whether the file was mirrored into the scene: the third axis, and rotations about the others, then have another sign
 */
export function makeJoint(
  object: string,
  { limits = [], drives = [] }: Joint,
  first: JointSide,
  second: JointSide,
  collision: boolean,
  isMirrored: boolean,
  scene: Scene,
): Physics6DoFConstraint {
  const [a, b] = [frameOf(first), frameOf(second)];
  const ranges = limits.flatMap((limit) => rangesOf(object, limit, isMirrored));
  const constraint = new Physics6DoFConstraint(
    { ...{ pivotA: a.pivot, axisA: a.axis, perpAxisA: a.perpendicular }, ...sideB(b), collision },
    ranges,
    scene,
  );
  first.body.addConstraint(second.body, constraint);
  for (const drive of drives) setMotor(object, constraint, drive, isMirrored);
  return constraint;
}

const sideB = ({ pivot, axis, perpendicular }: ReturnType<typeof frameOf>) => ({
  pivotB: pivot,
  axisB: axis,
  perpAxisB: perpendicular,
});

function frameOf({ toBody }: JointSide): { pivot: Vector3; axis: Vector3; perpendicular: Vector3 } {
  return {
    pivot: toBody.getTranslation(),
    axis: Vector3.TransformNormal(new Vector3(1, 0, 0), toBody).normalize(),
    perpendicular: Vector3.TransformNormal(new Vector3(0, 1, 0), toBody).normalize(),
  };
}

/** A mirror keeps the first two axes and turns the third one over; rotations about the first two turn over as well. */
function turnsOver(axis: PhysicsConstraintAxis): boolean {
  return (
    axis === PhysicsConstraintAxis.LINEAR_Z ||
    axis === PhysicsConstraintAxis.ANGULAR_X ||
    axis === PhysicsConstraintAxis.ANGULAR_Y
  );
}

function rangesOf(object: string, limit: Limit, isMirrored: boolean): Physics6DoFLimit[] {
  const { linearAxes = [], angularAxes = [], min, max, stiffness, damping } = limit;
  const soft = stiffness === undefined ? {} : { stiffness, damping: damping ?? 0 };
  if (linearAxes.length === 3 && max !== 0)
    return [{ axis: PhysicsConstraintAxis.LINEAR_DISTANCE, minLimit: min ?? 0, maxLimit: max, ...soft }];
  const isRound = linearAxes.length + angularAxes.length > 1 && (min ?? max) !== undefined && (min !== 0 || max !== 0);
  if (isRound) Logger.Warn(`${object}: a limit of several axes is taken as a limit of each`);
  const axes = [...linearAxes.map((k) => LINEAR[k]), ...angularAxes.map((k) => ANGULAR[k])];
  return axes.map((axis) => {
    // A limit of several axes is one of a distance or an angle, without a sign.
    const [low, high] = isRound ? [max === undefined ? undefined : -max, max] : [min, max];
    const range =
      isMirrored && turnsOver(axis)
        ? { minLimit: negative(high), maxLimit: negative(low) }
        : { minLimit: low, maxLimit: high };
    return { axis, ...range, ...soft };
  });
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : 0 - value;
}

function setMotor(object: string, constraint: Physics6DoFConstraint, drive: Drive, isMirrored: boolean): void {
  const { type, axis: k, mode, maxForce, positionTarget = 0, velocityTarget = 0, stiffness = 0, damping = 0 } = drive;
  if (stiffness === 0 && damping === 0) return;
  const axis = (type === "linear" ? LINEAR : ANGULAR)[k];
  const sign = isMirrored && turnsOver(axis) ? -1 : 1;
  const isPosition = stiffness > 0;
  if (mode === "acceleration") Logger.Warn(`${object}: the mode "acceleration" of a drive is taken as "force"`);
  constraint.setAxisMotorType(
    axis,
    isPosition ? PhysicsConstraintMotorType.POSITION : PhysicsConstraintMotorType.VELOCITY,
  );
  constraint.setAxisMotorTarget(axis, sign * (isPosition ? positionTarget : velocityTarget));
  constraint.setAxisMotorMaxForce(axis, maxForce ?? Infinity);
}
