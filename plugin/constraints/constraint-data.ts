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
import { invalid, nonFinite, PliantError } from "../../src/errors";
import { type AxisSettings, freeAxis, JointAxis } from "../../src/solvers/newton/joints/axis";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import { type AxisName, lockedAxes, type RigidJoint } from "../../src/world/rigid/rigid-joint";
import { requireAtLeast, requireNumber } from "../geometry/convert";
import type { ConstraintFrames } from "./frames";

/** Two bodies, or instances of bodies, that a constraint joins. */
export interface ConstraintPair {
  readonly body: PhysicsBody;
  readonly index: number | undefined;
  readonly child: PhysicsBody;
  readonly childIndex: number | undefined;
  /** from the options at the time when the pair was made */
  readonly frames: ConstraintFrames;
  /** the solver's joint; made anew if one of the bodies was made anew */
  joint: RigidJoint | undefined;
  /** bodies that the solver could not join */
  failedWith?: readonly [RigidBody, RigidBody] | undefined;
}

/** The plugin's data of a Babylon `PhysicsConstraint`. */
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
 * The engine's name of an axis; the engine numbers the axes as Babylon does.
 *
 * @throws PliantError `invalid-argument` for an unknown axis
 */
export function axisName(axis: PhysicsConstraintAxis): AxisName {
  const name = names.find((candidate) => JointAxis[candidate] === (axis as number));
  if (!name) throw invalid("PhysicsConstraint axis", axis, "must be a PhysicsConstraintAxis");
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
 * Settings of a constraint along each axis, from its type, options and limits, interpreted as by Babylon's Havok
 * plugin.
 *
 * @throws PliantError naming constraint, value and rule
 */
export function createConstraintData(constraint: PhysicsConstraint): ConstraintData {
  const type = types[constraint.type];
  const options = constraint.options as PhysicsConstraintParameters | undefined;
  if (type === undefined) throw invalid("PhysicsConstraint.type", constraint.type, "must be a known type");
  // a motor has no force until it is given one
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

function checkLimit({ minLimit = -Infinity, maxLimit = Infinity, stiffness, damping }: Physics6DoFLimit): void {
  requireLimits(minLimit, maxLimit);
  if (stiffness !== undefined) requireAtLeast("PhysicsConstraint limit stiffness", stiffness, 0);
  if (damping !== undefined) requireAtLeast("PhysicsConstraint limit damping", damping, 0);
}

/** @throws PliantError `non-finite` for NaN, or a limit that leaves no finite place */
export function requireLimits(lower: number, upper: number): void {
  const object = "PhysicsConstraint axis limit";
  for (const limit of [lower, upper]) requireNumber(object, limit);
  if (lower === Infinity || upper === -Infinity)
    throw nonFinite(object, lower === Infinity ? lower : upper, "must leave a place to reach");
}

/** Replaces limits that cross, as they may while they are set one after the other, by the place halfway. */
export function reachable(axis: AxisSettings): AxisSettings {
  if (axis.min <= axis.max) return axis;
  const middle = (axis.min + axis.max) / 2;
  return { ...axis, min: middle, max: middle };
}

/**
 * Settings of a joint along an axis, for the engine: lengths are in units of the scene, and forces and torques in units
 * that follow from them.
 */
export function inMetres(axis: AxisSettings, name: AxisName, unitsPerMetre: number): AxisSettings {
  const s = unitsPerMetre;
  if (s === 1) return axis;
  const { min, max, friction, target, maxForce, stiffness, damping, motorStiffness, motorDamping } = axis;
  if (!name.startsWith("angular"))
    return { ...axis, min: min / s, max: max / s, target: target / s, friction: friction / s, maxForce: maxForce / s };
  return {
    ...axis,
    friction: friction / s ** 2,
    maxForce: maxForce / s ** 2,
    stiffness: stiffness / s ** 2,
    damping: damping / s ** 2,
    motorStiffness: motorStiffness / s ** 2,
    motorDamping: motorDamping / s ** 2,
  };
}

/** The plugin's data of a constraint; undefined before it has joined any bodies. @throws PliantError `disposed` */
export function constraintDataOf(constraint: PhysicsConstraint): ConstraintData | undefined {
  const data = (constraint._pluginData as ConstraintData | undefined) ?? undefined;
  if (data?.disposed) throw new PliantError("disposed", "PhysicsConstraint", types[constraint.type], "was disposed");
  return data;
}
