import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsConstraintParameters } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { requireFiniteVector } from "../convert";

/** Where a constraint takes hold of its two bodies: all of it is there, and no axis is along another. */
export type ConstraintFrames = Required<
  Pick<PhysicsConstraintParameters, "pivotA" | "pivotB" | "axisA" | "axisB" | "perpAxisA" | "perpAxisB">
>;

const keys = ["pivotA", "pivotB", "axisA", "axisB", "perpAxisA", "perpAxisB"] as const;

/**
 * Pivots and axes of a constraint as it stands, with what is taken for those that are not given, see `completeAxes`.
 *
 * @throws PliantError `non-finite` naming the one that is
 */
export function framesOf(constraint: PhysicsConstraint): ConstraintFrames {
  const options = constraint.options as PhysicsConstraintParameters | undefined;
  for (const key of keys) {
    const vector: Vector3 | undefined = options?.[key];
    if (vector) requireFiniteVector(`PhysicsConstraint.${key}`, vector);
  }
  const a = completeAxes(options?.axisA, options?.perpAxisA);
  const b = completeAxes(options?.axisB, options?.perpAxisB);
  return {
    pivotA: options?.pivotA?.clone() ?? Vector3.Zero(),
    pivotB: options?.pivotB?.clone() ?? Vector3.Zero(),
    axisA: a.axis,
    perpAxisA: a.perpendicular,
    axisB: b.axis,
    perpAxisB: b.perpendicular,
  };
}

/** Below this length [m] a vector has no direction. */
const NOTHING = 1e-9;
/** Sine of the angle below which two vectors are along each other. */
const PARALLEL = 1e-6;

/**
 * The first two axes of a constraint's frame. As with Babylon's Havok plugin an axis that is not given is x, and a second one that is
 * not given is `getNormalToRef` of the first. A vector of length zero says nothing: then x and y are turned the short way to the
 * other one. A second axis along the first says nothing either, and counts as not given: Havok bends both of them by 53 degrees then,
 * so that a hinge no longer turns about its axis.
 */
function completeAxes(axis = Vector3.Right(), perpendicular?: Vector3): { axis: Vector3; perpendicular: Vector3 } {
  const hasAxis = axis.length() > NOTHING;
  const hasPerpendicular = perpendicular !== undefined && perpendicular.length() > NOTHING;
  if (!hasAxis)
    return hasPerpendicular
      ? { axis: turnedAlong(Vector3.Up(), perpendicular, Vector3.Right()), perpendicular: perpendicular.clone() }
      : { axis: Vector3.Right(), perpendicular: Vector3.Up() };
  if (perpendicular && !hasPerpendicular)
    return { axis: axis.clone(), perpendicular: turnedAlong(Vector3.Right(), axis, Vector3.Up()) };
  const isAlong =
    hasPerpendicular && Vector3.Cross(axis, perpendicular).length() < PARALLEL * axis.length() * perpendicular.length();
  return {
    axis: axis.clone(),
    perpendicular: hasPerpendicular && !isAlong ? perpendicular.clone() : axis.getNormalToRef(new Vector3()),
  };
}

/** `vector` after the shortest turn that takes `from`, of length 1, to the direction of `to`. */
function turnedAlong(from: Vector3, to: Vector3, vector: Vector3): Vector3 {
  const turn = Quaternion.FromUnitVectorsToRef(from, to.normalizeToNew(), new Quaternion());
  return vector.applyRotationQuaternion(turn);
}
