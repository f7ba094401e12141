import { optionNames } from "../option-names";
import type { ColliderShape } from "../collision/shape/shape";
import type { Quat, Vec3 } from "../math/types";

/** A pose within another frame: x ↦ position + rotation · x. Defaults: [0, 0, 0] m and the identity. */
export interface Frame {
  readonly position?: Vec3;
  readonly rotation?: Quat;
}

/** One number for every degree of freedom of a joint, or one for all of them. */
export type PerDof = number | readonly number[];

/** Axes of three rotations, each about an axis of the frame turned by the earlier ones (intrinsic). */
export type EulerOrder = "xyz" | "xzy" | "yxz" | "yzx" | "zxy" | "zyx" | "xyx" | "xzx" | "yxy" | "yzy" | "zxz" | "zyz";

/**
 * The kinds of joints, with their coordinates in order (angles in radians, lengths in meters):
 *
 * - `weld`: none
 * - `revolute`: angle about `axis`
 * - `prismatic`: displacement along `axis`
 * - `screw`: angle about `axis`, which also displaces by `pitch` meters per radian
 * - `universal`: angle about `axis`, then about `secondAxis` (which is turned by the first)
 * - `euler`: three angles, intrinsic, about the axes given by `order`
 * - `ball`: rotation vector φ; the rotation is exp(φ)
 * - `planar`: displacements along `axis` and `secondAxis`, then an angle about axis × secondAxis
 * - `translational-2d`: displacements along `axis` and `secondAxis`
 * - `translational`: displacements along x, y and z of the joint frame
 * - `free`: rotation vector φ, then displacements along x, y and z of the joint frame
 *
 * The velocity of a coordinate is always its time derivative, also for rotation vectors.
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

/** Motion of a link relative to its parent: T_parent→link = parentFrame · T(q) · childFrame⁻¹. */
export interface JointDescription {
  readonly type: JointType;
  /** Default: the name of the link. */
  readonly name?: string;
  /** First axis in the joint frame, of any length. Default z; x for universal, planar and translational-2d joints. */
  readonly axis?: Vec3;
  /** Second axis, not parallel to the first. Default y. Planar and translational-2d joints require a right angle. */
  readonly secondAxis?: Vec3;
  /** Pitch of a screw joint [m/rad]. Default 0. */
  readonly pitch?: number;
  /** Order of rotations of an Euler joint. Default "xyz". */
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
  /** Inertia of the drive, referred to the joint and added to the diagonal of M [kg·m² or kg], ≥ 0. Default 0. */
  readonly armature?: PerDof;
  /** Dry friction: bound on the force against motion [N·m or N], ≥ 0. Default 0. */
  readonly frictionLoss?: PerDof;
  /** Bound on |τ| of an actuator [N·m or N], ≥ 0; 0 for a coordinate without actuator. Default Infinity. */
  readonly effortLimit?: PerDof;
  /** Bound on |q̇| [rad/s or m/s], > 0. Default Infinity. */
  readonly velocityLimit?: PerDof;
  /** Initial coordinates and velocities. Default 0. */
  readonly initialPosition?: PerDof;
  readonly initialVelocity?: PerDof;
}

/** A collision shape of a link, or of the world. */
export interface LinkShape {
  readonly shape: ColliderShape;
  /** Pose in the axes of the link. Defaults: the origin of the link [m], no rotation. */
  readonly position?: Vec3;
  readonly rotation?: Quat;
  /** Coulomb's coefficient, ≥ 0. */
  readonly friction?: number;
  /** Coefficient of restitution, from 0 to 1. */
  readonly restitution?: number;
  /**
   * 32 bits each: shapes of links and of the ground touch only if the category of one and `meets` of the other share a
   * bit, in either direction. Default 1. Bodies of a world, which have no bits, meet all shapes.
   */
  readonly category?: number;
  readonly meets?: number;
  readonly name?: string;
}

/** Moments [xx, yy, zz, xy, xz, yz] of a symmetric tensor [kg·m²]. */
export type InertiaTensor = readonly [number, number, number, number, number, number];

/** A rigid body and the joint that holds it. */
export interface LinkDescription {
  /** Unique in the mechanism. */
  readonly name: string;
  /** Name of the parent link; the world if absent. */
  readonly parent?: string;
  readonly joint: JointDescription;
  /** [kg] ≥ 0. A movable joint needs mass or armature somewhere behind it. */
  readonly mass: number;
  /** [m] in the link's axes. Default: the link's origin. */
  readonly centerOfMass?: Vec3;
  /** Inertia about the center of mass, in the link's axes; positive semidefinite, not zero. Default: a point mass. */
  readonly inertia?: InertiaTensor;
  readonly shapes?: readonly LinkShape[];
  /** Part of the weight that a force at the center of mass carries; 1 makes the link weightless. Default 0. */
  readonly gravityCompensation?: number;
}

/**
 * A coordinate as a polynomial of another one: q = c₀ + c₁ p + c₂ p² + …, p the coordinate of the driver. Both joints
 * have one coordinate.
 */
export interface JointCoupling {
  readonly joint: string;
  /** Default none: q = c₀. */
  readonly driver?: string;
  /** c₀, c₁, … */
  readonly coefficients: readonly number[];
}

/** Points of two links that stay together: the joint that closes a loop. */
export interface LinkClosure {
  readonly linkA: string;
  /** Default the world. */
  readonly linkB?: string;
  /** The points in the axes of the links [m]. Default the origins. */
  readonly pointA?: Vec3;
  readonly pointB?: Vec3;
  /** Rotation of link A in the axes of link B that is kept as well. Default none: the links turn freely. */
  readonly rotation?: Quat;
}

/** A forest of links as plain data. Loaders produce it, and `ArticulatedModel` compiles it. */
export interface MechanismDescription {
  readonly name: string;
  /** Links in any order; coordinates follow the order of links, parents before children. */
  readonly links: readonly LinkDescription[];
  /** Coordinates that depend on others: fingers that move together. Default none. */
  readonly couplings?: readonly JointCoupling[];
  /** Loops. Default none. */
  readonly closures?: readonly LinkClosure[];
  /** Pairs of links that do not touch each other; "world" stands for the ground. Default none. */
  readonly exclusions?: readonly (readonly [string, string])[];
}

export const frameNames = optionNames<Frame>()("position rotation");

export const jointNames = optionNames<JointDescription>()(`
  type name axis secondAxis pitch order parentFrame childFrame lower upper stiffness restPosition damping armature
  frictionLoss effortLimit velocityLimit initialPosition initialVelocity
`);

export const linkShapeNames = optionNames<LinkShape>()(
  "shape position rotation friction restitution category meets name",
);

export const linkNames = optionNames<LinkDescription>()(
  "name parent joint mass centerOfMass inertia shapes gravityCompensation",
);

export const mechanismNames = optionNames<MechanismDescription>()("name links couplings closures exclusions");

export const closureNames = optionNames<LinkClosure>()("linkA linkB pointA pointB rotation");

export const couplingNames = optionNames<JointCoupling>()("joint driver coefficients");

/**
 * Merges several mechanisms into one forest. If there are several, names of links become "mechanism/link".
 *
 * @param mechanisms mechanisms, in the order of their coordinates in the result
 * @param name name of the result; default: the names joined by "+"
 */
export function mergeMechanisms(mechanisms: readonly MechanismDescription[], name?: string): MechanismDescription {
  const joined = name ?? mechanisms.map((mechanism) => mechanism.name).join("+");
  if (mechanisms.length === 1) return { ...mechanisms[0], name: joined };
  const links = mechanisms.flatMap((mechanism) =>
    mechanism.links.map((link) => ({
      ...link,
      name: `${mechanism.name}/${link.name}`,
      ...(link.parent === undefined ? {} : { parent: `${mechanism.name}/${link.parent}` }),
    })),
  );
  // A joint without a name has that of its link.
  const jointIn = ({ links: own, name: prefix }: MechanismDescription, joint: string): string =>
    own.some((link) => link.joint.name === joint) ? joint : `${prefix}/${joint}`;
  const couplings = mechanisms.flatMap((mechanism) =>
    (mechanism.couplings ?? []).map((coupling) => ({
      ...coupling,
      joint: jointIn(mechanism, coupling.joint),
      ...(coupling.driver === undefined ? {} : { driver: jointIn(mechanism, coupling.driver) }),
    })),
  );
  const linkIn = (prefix: string, link: string): string => (link === "world" ? link : `${prefix}/${link}`);
  const closures = mechanisms.flatMap(({ name: prefix, closures: loops = [] }) =>
    loops.map((closure) => ({
      ...closure,
      linkA: `${prefix}/${closure.linkA}`,
      ...(closure.linkB === undefined ? {} : { linkB: `${prefix}/${closure.linkB}` }),
    })),
  );
  const exclusions = mechanisms.flatMap(({ name: prefix, exclusions: pairs = [] }) =>
    pairs.map(([a, b]) => [linkIn(prefix, a), linkIn(prefix, b)] as const),
  );
  return {
    name: joined,
    links,
    ...(couplings.length > 0 ? { couplings } : {}),
    ...(closures.length > 0 ? { closures } : {}),
    ...(exclusions.length > 0 ? { exclusions } : {}),
  };
}
