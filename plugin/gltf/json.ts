/**
 * Objects of the glTF extensions `KHR_physics_rigid_bodies` and `KHR_implicit_shapes`, as their specifications of the Khronos Group name
 * them. Lengths are in units of the file, angles in radians.
 */

export const RIGID_BODIES = "KHR_physics_rigid_bodies";
export const SHAPES = "KHR_implicit_shapes";

type Triple = [number, number, number];

/** `extensions.KHR_physics_rigid_bodies` of a node. */
export interface RigidNode {
  readonly motion?: Motion;
  readonly collider?: Collider;
  readonly trigger?: Trigger;
  readonly joint?: JointUse;
}

export interface Motion {
  readonly isKinematic?: boolean;
  /** kg; 0 stands for an infinite mass */
  readonly mass?: number;
  readonly centerOfMass?: Triple;
  /** kg m²; a 0 stands for infinity */
  readonly inertiaDiagonal?: Triple;
  readonly inertiaOrientation?: [number, number, number, number];
  readonly linearVelocity?: Triple;
  readonly angularVelocity?: Triple;
  readonly gravityFactor?: number;
}

/** One of: a shape of the list, or a node whose mesh is the geometry. */
export interface Geometry {
  readonly shape?: number;
  readonly node?: number;
  readonly convexHull?: boolean;
}

export interface Collider {
  readonly geometry?: Geometry;
  /** older files have the shape here */
  readonly shape?: number;
  readonly physicsMaterial?: number;
  readonly collisionFilter?: number;
}

export interface Trigger extends Omit<Collider, "physicsMaterial"> {
  /** nodes of a compound trigger; each of them has a trigger of its own */
  readonly nodes?: readonly number[];
}

/** A joint between the node that has it and another one. */
export interface JointUse {
  readonly connectedNode: number;
  /** of the list `physicsJoints` */
  readonly joint: number;
  readonly enableCollision?: boolean;
}

/** `extensions.KHR_physics_rigid_bodies` of the file. */
export interface RigidFile {
  readonly physicsMaterials?: readonly Material[];
  readonly physicsJoints?: readonly Joint[];
  readonly collisionFilters?: readonly Filter[];
}

export interface Material {
  readonly staticFriction?: number;
  readonly dynamicFriction?: number;
  readonly restitution?: number;
  readonly frictionCombine?: Combine;
  readonly restitutionCombine?: Combine;
}

export type Combine = "average" | "minimum" | "maximum" | "multiply";

export interface Filter {
  readonly collisionSystems?: readonly string[];
  readonly collideWithSystems?: readonly string[];
  readonly notCollideWithSystems?: readonly string[];
}

export interface Joint {
  readonly limits?: readonly Limit[];
  readonly drives?: readonly Drive[];
}

/** A range of one to three axes, 0 to 2; without a bound the range is open there. */
export interface Limit {
  readonly linearAxes?: readonly number[];
  readonly angularAxes?: readonly number[];
  readonly min?: number;
  readonly max?: number;
  readonly stiffness?: number;
  readonly damping?: number;
}

export interface Drive {
  readonly type: "linear" | "angular";
  readonly mode?: "force" | "acceleration";
  readonly axis: number;
  readonly maxForce?: number;
  readonly positionTarget?: number;
  readonly velocityTarget?: number;
  readonly stiffness?: number;
  readonly damping?: number;
}

/** `extensions.KHR_implicit_shapes` of the file. */
export interface ShapesFile {
  readonly shapes: readonly Shape[];
}

export interface Shape {
  readonly type: string;
  readonly sphere?: { readonly radius?: number };
  readonly box?: { readonly size?: Triple };
  readonly capsule?: Tapered;
  readonly cylinder?: Tapered;
  readonly plane?: { readonly sizeX?: number; readonly sizeZ?: number };
}

/** A body along y; `height` of a capsule is the distance between the middles of its ends. */
interface Tapered {
  readonly height?: number;
  readonly radiusTop?: number;
  readonly radiusBottom?: number;
}
