import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { MassProperties } from "./mass-properties";
import { principalAxes } from "./principal-axes";

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
