import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { applyAngularImpulse } from "./motion";
import type { MassProperties } from "./mass-properties";
import { principalAxes } from "./principal-axes";
import type { RigidState } from "./rigid-state";

/** Particles that a body carries: they add to its weight. */
export interface CarriedMass {
  /** [kg] */
  readonly masses: readonly number[];
  /** in the frame of the body, in units of the scene, three numbers each */
  readonly places: ArrayLike<number>;
}

/**
 * Mass properties of a body with the particles that it carries. An infinite inertia, which is written as 0, stays
 * infinite.
 */
export function withCarried(own: MassProperties, carried: Iterable<CarriedMass>): MassProperties {
  if (!(own.mass > 0)) return own;
  const points = [...carried].flatMap(({ masses, places }) =>
    masses.map((mass, i) => ({ mass, place: Vector3.FromArray(places, 3 * i) })),
  );
  if (points.length === 0) return own;
  const mass = points.reduce((sum, point) => sum + point.mass, own.mass);
  if (own.inertia.asArray().some((moment) => !(moment > 0))) return { ...own, mass };
  const centre = points
    .reduce((sum, point) => sum.addInPlace(point.place.scale(point.mass)), own.centerOfMass.scale(own.mass))
    .scaleInPlace(1 / mass);
  const tensor = new Array<number>(9).fill(0);
  own.inertia.asArray().forEach((moment, k) => {
    const axis = new Vector3(+(k === 0), +(k === 1), +(k === 2)).applyRotationQuaternion(own.inertiaOrientation);
    addProduct(tensor, axis, own.mass * moment);
  });
  for (const { mass: m, place } of [{ mass: own.mass, place: own.centerOfMass }, ...points]) {
    const arm = place.subtract(centre);
    for (const c of [0, 4, 8]) tensor[c] += m * arm.lengthSquared();
    addProduct(tensor, arm, -m);
  }
  const { moments, rotation } = principalAxes(tensor.map((value) => value / mass));
  return { mass, centerOfMass: centre, inertia: Vector3.FromArray(moments), inertiaOrientation: rotation };
}

/** Adds factor · v vᵀ to a tensor (row-major). */
function addProduct(tensor: number[], v: Vector3, factor: number): void {
  const a = v.asArray();
  for (let i = 0; i < 9; i++) tensor[i] += factor * a[Math.floor(i / 3)] * a[i % 3];
}

/**
 * Lets a body carry particles, or ends that. The motion of the body continues. Particles with a velocity of their own
 * share it with the body, so that momentum is conserved.
 *
 * @param owner owner of the particles
 * @param velocities velocities of the particles, in the scene, three numbers each; default: that of the body
 */
export function setCarried(
  state: RigidState,
  owner: object,
  carried: CarriedMass | undefined,
  velocities?: ArrayLike<number>,
): void {
  const before = state.centre();
  if (carried) state.carried.set(owner, carried);
  else state.carried.delete(owner);
  state.weigh();
  const centre = state.centre();
  state.linearVelocity.addInPlace(Vector3.Cross(state.angularVelocity, centre.subtract(before)));
  if (!carried || !velocities) return;
  const impulse = Vector3.Zero();
  const angular = Vector3.Zero();
  carried.masses.forEach((mass, i) => {
    const arm = Vector3.FromArray(carried.places, 3 * i).applyRotationQuaternionInPlace(state.rotation);
    arm.addInPlace(state.position).subtractInPlace(centre);
    const moving = state.linearVelocity.add(Vector3.Cross(state.angularVelocity, arm));
    const given = Vector3.FromArray(velocities, 3 * i)
      .subtractInPlace(moving)
      .scaleInPlace(mass);
    impulse.addInPlace(given);
    angular.addInPlace(Vector3.Cross(arm, given));
  });
  if (state.mass.mass > 0) state.linearVelocity.addInPlace(impulse.scale(1 / state.mass.mass));
  applyAngularImpulse(state, angular);
}

/** The place of a point in the frame of a body. */
export function placeIn(state: RigidState, point: Vector3): Vector3 {
  return point.subtract(state.position).applyRotationQuaternionInPlace(Quaternion.Inverse(state.rotation));
}
