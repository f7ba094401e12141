import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import {
  type PhysicsConstraintAxis,
  PhysicsConstraintAxisLimitMode,
  PhysicsConstraintMotorType,
  type PhysicsConstraintParameters,
  PhysicsConstraintType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type {
  Physics6DoFConstraint,
  Physics6DoFLimit,
  PhysicsConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PliantError } from "../../src/errors";
import { type AxisSettings, freeAxis, JointAxis } from "../../src/solvers/newton/joints/axis";
import { type AxisName, lockedAxes, type RigidJoint } from "../../src/world/rigid/rigid-joint";
import { requireAtLeast, requireFiniteVector, requireNumber } from "../convert";

/** Two bodies, or instances of bodies, that a constraint joins. */
export interface ConstraintPair {
  readonly body: PhysicsBody;
  readonly index: number | undefined;
  readonly child: PhysicsBody;
  readonly childIndex: number | undefined;
  /** the solver's joint; made anew when one of the bodies was */
  joint: RigidJoint | undefined;
}

/** What the plugin knows of a Babylon `PhysicsConstraint`. */
export interface ConstraintData {
  readonly pairs: ConstraintPair[];
  readonly axes: Record<AxisName, AxisSettings>;
  enabled: boolean;
  collision: boolean;
  disposed: boolean;
}

const types: Readonly<Record<PhysicsConstraintType, keyof typeof lockedAxes>> = {
  [PhysicsConstraintType.BALL_AND_SOCKET]: "ball",
  [PhysicsConstraintType.DISTANCE]: "distance",
  [PhysicsConstraintType.HINGE]: "hinge",
  [PhysicsConstraintType.SLIDER]: "slider",
  [PhysicsConstraintType.LOCK]: "lock",
  [PhysicsConstraintType.PRISMATIC]: "prismatic",
  [PhysicsConstraintType.SIX_DOF]: "six-dof",
};

const names = Object.keys(JointAxis) as AxisName[];

/**
 * The engine numbers the axes as Babylon does.
 *
 * @throws PliantError `invalid-argument` for no axis of a constraint
 */
export function axisName(axis: PhysicsConstraintAxis): AxisName {
  const name = names.find((candidate) => JointAxis[candidate] === (axis as number));
  if (!name)
    throw new PliantError("invalid-argument", "PhysicsConstraint axis", axis, "must be a PhysicsConstraintAxis");
  return name;
}

export const axisModes: Readonly<Record<PhysicsConstraintAxisLimitMode, AxisSettings["mode"]>> = {
  [PhysicsConstraintAxisLimitMode.FREE]: "free",
  [PhysicsConstraintAxisLimitMode.LIMITED]: "limited",
  [PhysicsConstraintAxisLimitMode.LOCKED]: "locked",
};

export const motorTypes: Readonly<Record<PhysicsConstraintMotorType, AxisSettings["motor"]>> = {
  [PhysicsConstraintMotorType.NONE]: "none",
  [PhysicsConstraintMotorType.VELOCITY]: "velocity",
  [PhysicsConstraintMotorType.POSITION]: "position",
};

/**
 * What a constraint does along each axis, from its type, options and limits, as Babylon's Havok plugin reads them.
 *
 * @throws PliantError naming constraint, value and rule
 */
export function createConstraintData(constraint: PhysicsConstraint): ConstraintData {
  const type = types[constraint.type];
  const options = constraint.options as PhysicsConstraintParameters | undefined;
  if (type === undefined)
    throw new PliantError("invalid-argument", "PhysicsConstraint.type", constraint.type, "must be a known type");
  for (const key of ["pivotA", "pivotB", "axisA", "axisB", "perpAxisA", "perpAxisB"] as const) {
    const vector: Vector3 | undefined = options?.[key];
    if (!vector) continue;
    requireFiniteVector(`PhysicsConstraint.${key}`, vector);
    if (!key.startsWith("pivot") && vector.lengthSquared() === 0)
      throw new PliantError("invalid-argument", `PhysicsConstraint.${key}`, vector.asArray(), "must have a direction");
  }
  // a motor is without force until it is given one
  const axes = Object.fromEntries(
    names.map((name) => [name, { ...freeAxis(), maxForce: 0 }]),
  ) as ConstraintData["axes"];
  for (const name of lockedAxes[type]) axes[name].mode = "locked";
  if (constraint.type === PhysicsConstraintType.DISTANCE) {
    const distance = options?.maxDistance ?? 0;
    requireAtLeast("PhysicsConstraint.maxDistance", distance, 0);
    Object.assign(axes.distance, { mode: "limited", min: distance, max: distance });
  }
  if (constraint.type === PhysicsConstraintType.SIX_DOF)
    for (const limit of (constraint as Physics6DoFConstraint).limits) {
      const axis = axes[axisName(limit.axis)];
      checkLimit(limit);
      if (limit.minLimit === 0 && limit.maxLimit === 0) axis.mode = "locked";
      else if (limit.minLimit !== undefined || limit.maxLimit !== undefined) {
        axis.mode = "limited";
        axis.min = limit.minLimit ?? -Infinity;
        axis.max = limit.maxLimit ?? Infinity;
      }
      // a spring without limits pulls to zero
      if (limit.stiffness && axis.mode === "free") Object.assign(axis, { mode: "limited", min: 0, max: 0 });
      axis.stiffness = limit.stiffness ?? 0;
      axis.damping = limit.damping ?? 0;
    }
  return { pairs: [], axes, enabled: true, collision: options?.collision ?? false, disposed: false };
}

function checkLimit({ minLimit, maxLimit, stiffness, damping }: Physics6DoFLimit): void {
  const object = "PhysicsConstraint limit";
  for (const value of [minLimit, maxLimit]) if (value !== undefined) requireNumber(object, value);
  if (minLimit !== undefined && maxLimit !== undefined && minLimit > maxLimit)
    throw new PliantError("invalid-argument", object, [minLimit, maxLimit], "the lower one must not exceed the upper");
  if (stiffness !== undefined) requireAtLeast(`${object} stiffness`, stiffness, 0);
  if (damping !== undefined) requireAtLeast(`${object} damping`, damping, 0);
}

/** Pivots and axes of a constraint, with what Babylon takes for those that are not given. */
export function framesOf(constraint: PhysicsConstraint): PhysicsConstraintParameters {
  const { pivotA, pivotB, axisA, axisB, perpAxisA, perpAxisB } = constraint.options;
  const xA = axisA?.clone() ?? Vector3.Right();
  const xB = axisB?.clone() ?? Vector3.Right();
  return {
    pivotA: pivotA?.clone() ?? Vector3.Zero(),
    pivotB: pivotB?.clone() ?? Vector3.Zero(),
    axisA: xA,
    axisB: xB,
    perpAxisA: perpAxisA?.clone() ?? xA.getNormalToRef(new Vector3()),
    perpAxisB: perpAxisB?.clone() ?? xB.getNormalToRef(new Vector3()),
  };
}

/**
 * The plugin's data of a constraint; undefined before it joined anything.
 *
 * @throws PliantError `disposed`
 */
export function constraintDataOf(constraint: PhysicsConstraint): ConstraintData | undefined {
  const data = (constraint._pluginData as ConstraintData | undefined) ?? undefined;
  if (data?.disposed) throw new PliantError("disposed", "PhysicsConstraint", types[constraint.type], "was disposed");
  return data;
}
