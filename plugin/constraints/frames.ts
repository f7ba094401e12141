import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsConstraintParameters } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { requireFiniteVector } from "../geometry/convert";

/** The frames of a constraint on its two bodies: complete, with axes that are not parallel. */
export type ConstraintFrames = Required<
  Pick<PhysicsConstraintParameters, "pivotA" | "pivotB" | "axisA" | "axisB" | "perpAxisA" | "perpAxisB">
>;

const keys = ["pivotA", "pivotB", "axisA", "axisB", "perpAxisA", "perpAxisB"] as const;

/**
 * Present pivots and axes of a constraint, with defaults for those that are not given, see `completeAxes`.
 *
 * @throws PliantError `non-finite` naming the vector
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
/** Sine of the angle below which two vectors count as parallel. */
const PARALLEL = 1e-6;

/**
 * The first two axes of a constraint's frame. As with Babylon's Havok plugin, the first axis defaults to x, and the
 * second one to `getNormalToRef` of the first. For a vector of length zero, x and y are turned by the shortest turn to
 * the other axis. A second axis along the first counts as not given. (Havok turns both of them by 53 degrees in this
 * case, so that a hinge no longer turns about its axis.)
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
