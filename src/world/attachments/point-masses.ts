/** Particles of GPBD that a rigid body carries: they have no mass of their own there, so the body has it. */
import { quaternionOfAxes, turn } from "../../math/quaternions";
import { eigenSymmetric3 } from "../../math/eigen/symmetric3";
import type { Vec3 } from "../../math/types";
import { cross, dot, subtract } from "../../math/vectors";
import type { MassProperties } from "../rigid/body-options";
import type { RigidBody } from "../rigid/rigid-body";
import { plus } from "./places";

export interface PointMass {
  readonly mass: number;
  /** in the frame of the body [m] */
  readonly point: Vec3;
}

/** Mass properties of a body with points that it carries. Infinite moments, written as 0, stay infinite. */
function withPoints(own: MassProperties, points: readonly PointMass[]): MassProperties {
  if (points.length === 0) return own;
  const mass = points.reduce((sum, point) => sum + point.mass, own.mass);
  const all = [{ mass: own.mass, point: own.centerOfMass }, ...points];
  if (own.inertia.some((moment) => !(moment > 0))) return { ...own, mass };
  const centre = [0, 1, 2].map((c) => all.reduce((sum, { mass: m, point }) => sum + m * point[c], 0) / mass);
  const tensor = new Float64Array(9);
  own.inertia.forEach((moment, k) => {
    const axis = turn(own.inertiaRotation, [+(k === 0), +(k === 1), +(k === 2)]);
    for (let i = 0; i < 9; i++) tensor[i] += moment * axis[Math.floor(i / 3)] * axis[i % 3];
  });
  for (const { mass: m, point } of all) {
    const arm = subtract(point, centre as unknown as Vec3);
    const squared = dot(arm, arm);
    for (let i = 0; i < 9; i++) tensor[i] += m * ((i % 4 === 0 ? squared : 0) - arm[Math.floor(i / 3)] * arm[i % 3]);
  }
  const values = new Float64Array(3);
  const v = new Float64Array(9);
  eigenSymmetric3([tensor[0], tensor[4], tensor[8], tensor[1], tensor[5], tensor[2]], values, v);
  const axis = (k: number): Vec3 => [v[k], v[3 + k], v[6 + k]];
  return {
    mass,
    centerOfMass: centre as unknown as Vec3,
    inertia: [values[0], values[1], values[2]],
    inertiaRotation: quaternionOfAxes(axis(0), axis(1), cross(axis(0), axis(1))),
  };
}

/** The points that a body carries, by their owners, and the body's own mass properties. */
interface Load {
  readonly own: MassProperties;
  readonly points: Map<object, readonly PointMass[]>;
}

const loads = new WeakMap<RigidBody, Load>();

/**
 * Gives a dynamic body the mass of particles. They share their momentum with it.
 *
 * @param velocities of the particles [m/s]; undefined to take their mass away
 */
export function carryPoints(
  body: RigidBody,
  owner: object,
  points: readonly PointMass[],
  velocities?: readonly Vec3[],
): void {
  if (body.motion !== "dynamic") return;
  const load = loads.get(body) ?? { own: body.massProperties, points: new Map<object, readonly PointMass[]>() };
  loads.set(body, load);
  if (points.length > 0) load.points.set(owner, points);
  else load.points.delete(owner);
  const before = body.centerOfMass;
  const { linearVelocity, angularVelocity } = body;
  const { mass, centerOfMass, inertia, inertiaRotation } = withPoints(load.own, [...load.points.values()].flat());
  body.change({ mass, centerOfMass, inertia, inertiaRotation });
  if (load.points.size === 0) loads.delete(body);
  const centre = body.centerOfMass;
  body.linearVelocity = plus(linearVelocity, cross(angularVelocity, subtract(centre, before)));
  body.angularVelocity = angularVelocity;
  if (!velocities) return;
  const v = body.linearVelocity;
  points.forEach(({ mass: m, point }, k) => {
    const arm = subtract(plus(body.position, turn(body.rotation, point)), centre);
    const moving = plus(v, cross(angularVelocity, arm));
    const given = subtract(velocities[k], moving).map((value) => m * value) as unknown as Vec3;
    body.applyImpulse(given);
    body.applyAngularImpulse(cross(arm, given));
  });
}
