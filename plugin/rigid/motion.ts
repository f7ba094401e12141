import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { integrateRotation, rotationVectorToRef } from "../convert";
import type { Pose, RigidState } from "./rigid-state";

/** What acts on all bodies. */
export interface Surroundings {
  /** m/s² */
  readonly gravity: Vector3;
  /** m/s */
  readonly maxLinearVelocity: number;
  /** rad/s */
  readonly maxAngularVelocity: number;
}

/** R Q diag(f(m Iₖ)) Qᵀ Rᵀ v: the inertia tensor in world axes (f(i) = i) or its inverse (f(i) = 1/i) times a vector. */
function byInertia(state: RigidState, rotation: Quaternion, v: Vector3, f: (inertia: number) => number): Vector3 {
  const { mass, inertia, inertiaOrientation } = state.mass;
  const axes = rotation.multiply(inertiaOrientation);
  const local = v.applyRotationQuaternion(Quaternion.Inverse(axes));
  local.set(f(mass * inertia.x) * local.x, f(mass * inertia.y) * local.y, f(mass * inertia.z) * local.z);
  return local.applyRotationQuaternion(axes);
}

/** Babylon's rule: zero means infinite. */
const inverse = (value: number): number => (value > 0 ? 1 / value : 0);

/** Change of velocity by an impulse [N·s] at a point [m] of the body, world space. */
export function applyImpulse(state: RigidState, impulse: Vector3, location: Vector3): void {
  state.linearVelocity.addInPlace(impulse.scale(inverse(state.mass.mass)));
  applyAngularImpulse(state, Vector3.Cross(location.subtract(state.centre()), impulse));
}

/** Change of angular velocity by an angular impulse [N·m·s], world axes. */
export function applyAngularImpulse(state: RigidState, impulse: Vector3): void {
  state.angularVelocity.addInPlace(byInertia(state, state.rotation, impulse, inverse));
}

/**
 * Change of velocity by a wrench that was summed up in the world's frame. About the world's origin, angular momentum is kept
 * wherever the body has gone since.
 *
 * @param wrench impulse [N s] and angular impulse about the world's origin [N m s]
 */
export function applyWrench(state: RigidState, wrench: ArrayLike<number>): void {
  const impulse = new Vector3(wrench[0], wrench[1], wrench[2]);
  const angularImpulse = new Vector3(wrench[3], wrench[4], wrench[5]);
  state.linearVelocity.addInPlace(impulse.scale(inverse(state.mass.mass)));
  applyAngularImpulse(state, angularImpulse.subtractInPlace(Vector3.Cross(state.centre(), impulse)));
}

/** Inverse inertia tensor in world axes [1/(kg m²)]: xx, yy, zz, xy, xz, yz. */
export function inverseInertia(state: RigidState): number[] {
  const [x, y, z] = [Vector3.Right(), Vector3.Up(), Vector3.Forward()].map((axis) =>
    byInertia(state, state.rotation, axis, inverse),
  );
  return [x.x, y.y, z.z, x.y, x.z, y.z];
}

/** Adds a force [N] at a point [m] to what acts in the next frame. */
export function applyForce(state: RigidState, force: Vector3, location: Vector3): void {
  forgetOldForces(state);
  state.force.addInPlace(force);
  state.torque.addInPlace(Vector3.Cross(location.subtract(state.centre()), force));
}

/** Adds a torque [N·m]. */
export function applyTorque(state: RigidState, torque: Vector3): void {
  forgetOldForces(state);
  state.torque.addInPlace(torque);
}

function forgetOldForces(state: RigidState): void {
  if (state.forcesAreOld) clearForces(state);
}

/** After the steps of a frame, when the forces have acted. */
export function clearForces(state: RigidState): void {
  state.force.setAll(0);
  state.torque.setAll(0);
  state.forcesAreOld = false;
}

/**
 * Free flight of a body for `dt` seconds. The centre of mass moves by the trapezoidal rule, which is exact under constant
 * force. The rotation keeps the angular momentum L: ω = I⁻¹ L with the inertia of the orientation in the middle of the
 * step, so a spinning body neither gains nor loses momentum.
 */
export function flyFreely(state: RigidState, dt: number, around: Surroundings): void {
  const { linearVelocity: v, angularVelocity: omega, mass } = state;
  const centre = state.centre();
  const before = v.clone();
  if (mass.mass > 0) {
    v.addInPlace(around.gravity.scale(state.gravityFactor * dt));
    v.addInPlace(state.force.scale(dt / mass.mass));
  }
  v.scaleInPlace(Math.exp(-state.linearDamping * dt));
  limit(v, around.maxLinearVelocity);
  centre.addInPlace(before.addInPlace(v).scaleInPlace(dt / 2));

  const momentum = byInertia(state, state.rotation, omega, (inertia) => inertia);
  momentum.addInPlace(state.torque.scale(dt)).scaleInPlace(Math.exp(-state.angularDamping * dt));
  const spins = mass.mass > 0 && mass.inertia.x > 0 && mass.inertia.y > 0 && mass.inertia.z > 0;
  // an axis of infinite inertia has no finite momentum: its velocity just stays
  const rate = (rotation: Quaternion): Vector3 =>
    spins ? byInertia(state, rotation, momentum, inverse) : omega.clone();
  const middle = integrateRotation(state.rotation.clone(), rate(state.rotation), dt / 2);
  integrateRotation(state.rotation, rate(middle), dt);
  omega.copyFrom(rate(state.rotation));
  limit(omega, around.maxAngularVelocity);
  state.position.copyFrom(centre).subtractInPlace(mass.centerOfMass.applyRotationQuaternion(state.rotation));
}

/** An animated body goes on with the velocity that the user gave it. */
export function coast(state: RigidState, dt: number): void {
  const centre = state.centre().addInPlace(state.linearVelocity.scale(dt));
  integrateRotation(state.rotation, state.angularVelocity, dt);
  state.position.copyFrom(centre).subtractInPlace(state.mass.centerOfMass.applyRotationQuaternion(state.rotation));
}

/** Brings a body the part `fraction` of the way from `start` to `target`, in `dt` seconds; its velocity follows. */
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

/** Shortens a vector to a length. */
export function limit(v: Vector3, longest: number): void {
  const length = v.length();
  if (length > longest) v.scaleInPlace(longest / length);
}
