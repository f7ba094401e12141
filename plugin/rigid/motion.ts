import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { integrateRotation, rotationVectorToRef } from "../geometry/convert";
import type { Pose } from "./node-pose";
import type { RigidState } from "./rigid-state";

/** The properties that determine the response of a body to impulses. */
type Inert = Pick<RigidState, "mass" | "rotation">;

/** R Q diag(f(m Iₖ)) Qᵀ Rᵀ v: the inertia tensor in world axes (f(i) = i) or its inverse (f(i) = 1/i) times a vector. */
function byInertia(body: Inert, rotation: Quaternion, v: Vector3, f: (inertia: number) => number): Vector3 {
  const { mass, inertia, inertiaOrientation } = body.mass;
  const axes = rotation.multiply(inertiaOrientation);
  const local = v.applyRotationQuaternion(Quaternion.Inverse(axes));
  local.set(f(mass * inertia.x) * local.x, f(mass * inertia.y) * local.y, f(mass * inertia.z) * local.z);
  return local.applyRotationQuaternion(axes);
}

/** Babylon's rule: zero means infinite. */
const inverse = (value: number): number => (value > 0 ? 1 / value : 0);

/** Changes the velocity by an impulse [N·s] at a point [m] of the body, world space. */
export function applyImpulse(state: RigidState, impulse: Vector3, location: Vector3): void {
  state.linearVelocity.addInPlace(impulse.scale(inverse(state.mass.mass)));
  applyAngularImpulse(state, Vector3.Cross(location.subtract(state.centre()), impulse));
}

/** Changes the angular velocity by an angular impulse [N·m·s], world axes. */
export function applyAngularImpulse(state: RigidState, impulse: Vector3): void {
  state.angularVelocity.addInPlace(byInertia(state, state.rotation, impulse, inverse));
}

/**
 * Gives a body that was turned the angular velocity that conserves its angular momentum.
 *
 * @param body body in its present orientation
 * @param turn rotation vector by which it was turned [rad]
 * @param angularVelocity rad/s, changed
 */
export function keepMomentum(body: Inert, turn: Vector3, angularVelocity: Vector3): void {
  const { mass, rotation } = body;
  // An infinite moment, which is written as 0, does not determine the momentum.
  if (!(mass.mass > 0) || mass.inertia.asArray().some((moment) => !(moment > 0))) return;
  const before = integrateRotation(rotation.clone(), turn, -1);
  const momentum = byInertia(body, before, angularVelocity, (inertia) => inertia);
  angularVelocity.copyFrom(byInertia(body, rotation, momentum, inverse));
}

/** Inverse inertia tensor in world axes [1/(kg m²)]: xx, yy, zz, xy, xz, yz. */
export function inverseInertia(state: Inert): number[] {
  const [x, y, z] = [Vector3.Right(), Vector3.Up(), Vector3.Forward()].map((axis) =>
    byInertia(state, state.rotation, axis, inverse),
  );
  return [x.x, y.y, z.z, x.y, x.z, y.z];
}

/** Adds a force [N] at a point [m] to the forces of the next frame. */
export function applyForce(state: RigidState, force: Vector3, location: Vector3): void {
  forgetOldForces(state);
  state.force.addInPlace(force);
  state.torque.addInPlace(Vector3.Cross(location.subtract(state.centre()), force));
}

/** Adds a torque [N·m] to the torques of the next frame. */
export function applyTorque(state: RigidState, torque: Vector3): void {
  forgetOldForces(state);
  state.torque.addInPlace(torque);
}

function forgetOldForces(state: RigidState): void {
  if (state.forcesAreOld) clearForces(state);
}

/** Clears forces after the steps of a frame. */
export function clearForces(state: RigidState): void {
  state.force.setAll(0);
  state.torque.setAll(0);
  state.forcesAreOld = false;
}

/** Moves an animated body with the velocity that the user gave it. */
export function coast(state: RigidState, dt: number): void {
  const centre = state.centre().addInPlace(state.linearVelocity.scale(dt));
  integrateRotation(state.rotation, state.angularVelocity, dt);
  state.position.copyFrom(centre).subtractInPlace(state.mass.centerOfMass.applyRotationQuaternion(state.rotation));
}

/**
 * Moves a body by the part `fraction` of the way from `start` to `target`, in `dt` seconds; its velocity follows from
 * the way.
 */
export function follow(state: RigidState, start: Pose, target: Pose, fraction: number, dt: number): void {
  const from = { position: state.position.clone(), rotation: state.rotation.clone(), centre: state.centre() };
  if (fraction >= 1) {
    state.position.copyFrom(target.position);
    state.rotation.copyFrom(target.rotation).normalize();
  } else {
    Vector3.LerpToRef(start.position, target.position, fraction, state.position);
    Quaternion.SlerpToRef(start.rotation, target.rotation, fraction, state.rotation);
  }
  state
    .centre()
    .subtractToRef(from.centre, state.linearVelocity)
    .scaleInPlace(1 / dt);
  rotationVectorToRef(from.rotation, state.rotation, state.angularVelocity).scaleInPlace(1 / dt);
}

/** Gives a dynamic body the velocity that would bring it to `target` in `dt` seconds. */
export function aim(state: RigidState, target: Pose, dt: number): void {
  const centre = state.mass.centerOfMass.applyRotationQuaternion(target.rotation).addInPlace(target.position);
  centre.subtractToRef(state.centre(), state.linearVelocity).scaleInPlace(1 / dt);
  rotationVectorToRef(state.rotation, target.rotation, state.angularVelocity).scaleInPlace(1 / dt);
}

/** Shortens a vector to a maximal length. */
export function limit(v: Vector3, longest: number): void {
  const length = v.length();
  if (length > longest) v.scaleInPlace(longest / length);
}
