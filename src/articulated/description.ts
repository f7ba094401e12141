import { type NamesOf } from "../option-names";
import type { ColliderShape } from "../collision/shape/shape";
import type { Quat, Vec3 } from "../math/types";

/** A pose within another frame: x ↦ position + rotation · x. Defaults: [0, 0, 0] m and the identity. */
export interface Frame {
  readonly position?: Vec3;
  readonly rotation?: Quat;
}

/** One number for every degree of freedom of a joint, or one for all of them. */
export type PerDof = number | readonly number[];

/** Axes of three rotations, each about an axis of the frame that the former ones have turned (intrinsic). */
export type EulerOrder = "xyz" | "xzy" | "yxz" | "yzx" | "zxy" | "zyx" | "xyx" | "xzx" | "yxy" | "yzy" | "zxz" | "zyz";

/**
 * The kinds of joints. What their coordinates are, in this order (angles in radians, lengths in metres):
 *
 * - `weld`: none
 * - `revolute`: angle about `axis`
 * - `prismatic`: displacement along `axis`
 * - `screw`: angle about `axis`, which also displaces by `pitch` metres a radian
 * - `universal`: angle about `axis`, then about `secondAxis` (which the first has turned)
 * - `euler`: three angles, intrinsic, about the axes that `order` names
 * - `ball`: rotation vector φ; the rotation is exp(φ)
 * - `planar`: displacements along `axis` and `secondAxis`, then an angle about axis × secondAxis
 * - `translational-2d`: displacements along `axis` and `secondAxis`
 * - `translational`: displacements along x, y and z of the joint frame
 * - `free`: rotation vector φ, then displacements along x, y and z of the joint frame
 *
 * The velocity of a coordinate is always its time derivative, for rotation vectors too.
 */
export type JointType =
  | "weld"
  | "revolute"
  | "prismatic"
  | "screw"
  | "universal"
  | "euler"
  | "ball"
  | "planar"
  | "translational-2d"
  | "translational"
  | "free";

/** How a link moves relative to its parent: T_parent→link = parentFrame · T(q) · childFrame⁻¹. */
export interface JointDescription {
  readonly type: JointType;
  /** Default: the name of the link. */
  readonly name?: string;
  /** First axis in the joint frame, normalised here. Default z; x for universal, planar and translational-2d joints. */
  readonly axis?: Vec3;
  /** Second axis, not parallel to the first. Default y. Planar and translational-2d joints need it at a right angle. */
  readonly secondAxis?: Vec3;
  /** Of a screw joint [m/rad]. Default 0. */
  readonly pitch?: number;
  /** Of an Euler joint. Default "xyz". */
  readonly order?: EulerOrder;
  /** Joint frame in the axes of the parent link (or of the world). */
  readonly parentFrame?: Frame;
  /** Joint frame in the axes of this link. */
  readonly childFrame?: Frame;
  /** Limits of the coordinates [rad or m]. Default none (∓Infinity). */
  readonly lower?: PerDof;
  readonly upper?: PerDof;
  /** Spring towards `restPosition` [N·m/rad or N/m], ≥ 0. Default 0. */
  readonly stiffness?: PerDof;
  /** [rad or m], default 0 */
  readonly restPosition?: PerDof;
  /** Viscous damping [N·m·s/rad or N·s/m], ≥ 0. Default 0. */
  readonly damping?: PerDof;
  /** Inertia of the drive as felt at the joint, added to the diagonal of M [kg·m² or kg], ≥ 0. Default 0. */
  readonly armature?: PerDof;
  /** Bound on |τ| of an actuator [N·m or N], ≥ 0: 0 says that the coordinate has none. Default Infinity. */
  readonly effortLimit?: PerDof;
  /** Bound on |q̇| [rad/s or m/s], > 0. Default Infinity. */
  readonly velocityLimit?: PerDof;
  /** Coordinates and velocities at the start. Default 0. */
  readonly initialPosition?: PerDof;
  readonly initialVelocity?: PerDof;
}

/** A collision shape of a link, or of the world. */
export interface LinkShape {
  readonly shape: ColliderShape;
  /** Pose in the axes of the link. Defaults: its origin [m], no rotation. */
  readonly position?: Vec3;
  readonly rotation?: Quat;
  /** Coulomb's coefficient, ≥ 0. */
  readonly friction?: number;
  /** From 0 to 1. */
  readonly restitution?: number;
  readonly name?: string;
}

/** Moments [xx, yy, zz, xy, xz, yz] of a symmetric tensor [kg·m²]. */
export type InertiaTensor = readonly [number, number, number, number, number, number];

/** A rigid body and the joint that holds it. */
export interface LinkDescription {
  /** Unique in the mechanism. */
  readonly name: string;
  /** Name of the parent link; absent: the world. */
  readonly parent?: string;
  readonly joint: JointDescription;
  /** [kg] ≥ 0. A joint that moves needs mass or armature somewhere behind it. */
  readonly mass: number;
  /** [m] in the link's axes. Default its origin. */
  readonly centerOfMass?: Vec3;
  /** About the centre of mass, in the link's axes; positive definite. Default: a point mass. */
  readonly inertia?: InertiaTensor;
  readonly shapes?: readonly LinkShape[];
}

/** A forest of links as plain data: what loaders make and what `ArticulatedModel` compiles. */
export interface MechanismDescription {
  readonly name: string;
  /** In any order; coordinates are ordered as the links are, parents before children. */
  readonly links: readonly LinkDescription[];
}

export const frameNames = {
  position: true,
  rotation: true,
} satisfies NamesOf<Frame>;

export const jointNames = {
  type: true,
  name: true,
  axis: true,
  secondAxis: true,
  pitch: true,
  order: true,
  parentFrame: true,
  childFrame: true,
  lower: true,
  upper: true,
  stiffness: true,
  restPosition: true,
  damping: true,
  armature: true,
  effortLimit: true,
  velocityLimit: true,
  initialPosition: true,
  initialVelocity: true,
} satisfies NamesOf<JointDescription>;

export const linkShapeNames = {
  shape: true,
  position: true,
  rotation: true,
  friction: true,
  restitution: true,
  name: true,
} satisfies NamesOf<LinkShape>;

export const linkNames = {
  name: true,
  parent: true,
  joint: true,
  mass: true,
  centerOfMass: true,
  inertia: true,
  shapes: true,
} satisfies NamesOf<LinkDescription>;

export const mechanismNames = {
  name: true,
  links: true,
} satisfies NamesOf<MechanismDescription>;

/**
 * Several mechanisms as one forest. With more than one, names of links become "mechanism/link".
 *
 * @param mechanisms their coordinates follow each other in this order
 * @param name of the result; default: the names joined by "+"
 */
export function mergeMechanisms(mechanisms: readonly MechanismDescription[], name?: string): MechanismDescription {
  const joined = name ?? mechanisms.map((mechanism) => mechanism.name).join("+");
  if (mechanisms.length === 1) return { name: joined, links: mechanisms[0].links };
  const links = mechanisms.flatMap((mechanism) =>
    mechanism.links.map((link) => ({
      ...link,
      name: `${mechanism.name}/${link.name}`,
      ...(link.parent === undefined ? {} : { parent: `${mechanism.name}/${link.parent}` }),
    })),
  );
  return { name: joined, links };
}
