import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsMassProperties } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { compose, IDENTITY, type Affine } from "../../src/collision/shape/affine";
import type { ColliderShape } from "../../src/index";
import { requireAtLeast, requireFiniteVector, requireRotation } from "../geometry/convert";
import { shapeMoments, sumMoments, type Moments } from "../../src/collision/shape/moments";
import type { ShapeData } from "../shape/shape-data";
import { principalAxes } from "./principal-axes";

/** Mass [kg], center of mass [m], and principal inertia of a unit mass [m²] with the orientation of its axes. */
export type MassProperties = Readonly<Required<PhysicsMassProperties>>;

/** The mass properties of a body without a shape. */
const pointMass = (): MassProperties => ({
  mass: 1,
  centerOfMass: Vector3.Zero(),
  inertia: Vector3.One(),
  inertiaOrientation: Quaternion.Identity(),
});

/** Moments of geometry in its own frame, so that a hull of many points is integrated only once. */
const known = new WeakMap<ColliderShape, Moments>();

/** Mass properties of a shape from its densities. */
export function massOfShape(data: ShapeData | undefined): MassProperties {
  const parts = data ? collect(data, IDENTITY) : [];
  const { volume: mass, first, second } = sumMoments(parts);
  if (!(mass > 0)) return pointMass();
  const centre = first.map((value) => value / mass);
  // second moment about the center, for a unit mass
  const about = second.map((value, i) => value / mass - centre[Math.floor(i / 3)] * centre[i % 3]);
  const trace = about[0] + about[4] + about[8];
  const tensor = about.map((value, i) => (i % 4 === 0 ? trace - value : -value));
  const { moments, rotation } = principalAxes(tensor);
  return {
    mass,
    centerOfMass: Vector3.FromArray(centre),
    inertia: Vector3.FromArray(moments),
    inertiaOrientation: rotation,
  };
}

/** The user's values, completed from the shape. */
export function resolveMass(user: PhysicsMassProperties, data: ShapeData | undefined): MassProperties {
  const computed = massOfShape(data);
  return {
    mass: user.mass ?? computed.mass,
    centerOfMass: user.centerOfMass?.clone() ?? computed.centerOfMass,
    inertia: user.inertia?.clone() ?? computed.inertia,
    inertiaOrientation: user.inertiaOrientation?.clone() ?? computed.inertiaOrientation,
  };
}

/** @throws PliantError for a negative mass or inertia and for values that are not finite; zero means infinite */
export function requireMassProperties(object: string, properties: PhysicsMassProperties): void {
  const { mass, centerOfMass, inertia, inertiaOrientation } = properties;
  if (mass !== undefined) requireAtLeast(`${object}.mass`, mass, 0);
  if (centerOfMass) requireFiniteVector(`${object}.centerOfMass`, centerOfMass);
  if (inertia) for (const value of inertia.asArray()) requireAtLeast(`${object}.inertia`, value, 0);
  if (inertiaOrientation) requireRotation(`${object}.inertiaOrientation`, inertiaOrientation);
}

function collect(data: ShapeData, map: Affine): { moments: Moments; density: number }[] {
  if (data.geometry) return [{ moments: momentsOf(data.geometry, map), density: data.density }];
  return data.children.flatMap(({ data: child, position, rotation, scale }) =>
    collect(child, compose(map, position, rotation, scale)),
  );
}

function momentsOf(geometry: ColliderShape, map: Affine): Moments {
  if (map !== IDENTITY) return shapeMoments(geometry, map);
  const cached = known.get(geometry) ?? shapeMoments(geometry);
  known.set(geometry, cached);
  return cached;
}
