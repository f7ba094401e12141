import { invalid } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import { checkCombineMode, type CombineMode } from "../../collision/obstacles/combine";
import type { ColliderShape } from "../../collision/shape/shape";
import type { Quat, Vec3 } from "../../math/types";
import { finiteNumber, finiteQuat, finiteVector, notNegative, positive } from "./checks";
import type { BodyLeader } from "./contact/leader";

/** Mass, center and inertia of a body, in the frame of the body. */
export interface MassProperties {
  /** [kg] */
  readonly mass: number;
  /** [m] */
  readonly centerOfMass: Vec3;
  /** principal moments about the center of mass [kg m²] */
  readonly inertia: Vec3;
  /** rotation from the principal axes to the frame of the body */
  readonly inertiaRotation: Quat;
  /** the principal axes are those of the body's frame, and the center is its origin */
  readonly isPlain?: boolean;
}

/** Properties of a part of a body that matter to bodies that touch it. */
export interface BodySurface {
  /** default 0.5 */
  friction: number;
  /** friction coefficient of surfaces that do not slide on each other; default as `friction` */
  staticFriction?: number | undefined;
  /** default 0 */
  restitution: number;
  /**
   * of the modes of two bodies, the one that comes later in the list of `CombineMode` counts; default "geometric-mean"
   */
  frictionCombine: CombineMode;
  /** default "maximum" */
  restitutionCombine: CombineMode;
  /** 32 bits; two parts collide if each is a member of the set that the other collides with. Default all */
  membership: number;
  collideWith: number;
  /** whether the part reports contacts but pushes nothing */
  isTrigger: boolean;
}

export interface RigidBodyOptions extends Partial<BodySurface> {
  name?: string | undefined;
  /**
   * Bodies are solved in the order of their ids. So equal ids give equal bits, whatever the order of creation. Default:
   * the next free id.
   */
  id?: number | undefined;
  /** default "dynamic" */
  motion?: "static" | "kinematic" | "dynamic" | undefined;
  /** without one the body touches nothing */
  shape?: ColliderShape | undefined;
  /** [m] */
  position?: Vec3 | undefined;
  rotation?: Quat | undefined;
  /** velocity of the center of mass [m/s] */
  linearVelocity?: Vec3 | undefined;
  /** [rad/s] */
  angularVelocity?: Vec3 | undefined;
  /** [kg]; default from `density` and the shape, or 1 without a shape */
  mass?: number | undefined;
  /** [kg/m³], default 1000 */
  density?: number | undefined;
  /** in place of the center of mass of the shape */
  centerOfMass?: Vec3 | undefined;
  /** principal moments [kg m²]; if all are zero, nothing turns the body */
  inertia?: Vec3 | undefined;
  inertiaRotation?: Quat | undefined;
  /** [1/s], default 0 */
  linearDamping?: number | undefined;
  /** [1/s], default 0 */
  angularDamping?: number | undefined;
  /** default 1 */
  gravityFactor?: number | undefined;
  /** [m/s], default 1000, more in stronger gravity */
  maxLinearSpeed?: number | undefined;
  /** [rad/s], default 200, more for bodies smaller than 5 cm and in stronger gravity */
  maxAngularSpeed?: number | undefined;
  /** default true */
  canSleep?: boolean | undefined;
  /**
   * For a shape of several parts: one surface for each of its leaves, in the order of the containers. A property that
   * is left out is that of the body. Masks of the body have to contain those of its parts.
   */
  surfaces?: readonly Partial<BodySurface>[] | undefined;
  /** bodies that this body meets: rigid ones, deformable ones, or "all" (default) */
  meets?: "all" | "rigid" | "deformable" | undefined;
  /** moves the body in place of the solver, and feels the pushes of others; for kinematic bodies. Default none */
  leader?: BodyLeader | undefined;
}

/** Properties that can be changed later; see `RigidBody.change`. */
export type RigidBodyChanges = Omit<
  RigidBodyOptions,
  "name" | "id" | "position" | "rotation" | "linearVelocity" | "angularVelocity"
>;

const bodySurfaceNames = optionNames<BodySurface>()(
  "friction staticFriction restitution frictionCombine restitutionCombine membership collideWith isTrigger?",
);

export const bodyChangeNames = optionNames<RigidBodyChanges>()(
  `
  motion shape mass density centerOfMass inertia inertiaRotation linearDamping angularDamping gravityFactor
  maxLinearSpeed maxAngularSpeed canSleep? surfaces meets leader
`,
  bodySurfaceNames,
);

const bodyOptionNames = optionNames<RigidBodyOptions>()(
  "name id position rotation linearVelocity angularVelocity",
  bodyChangeNames,
);

export type ResolvedBodyOptions = {
  -readonly [K in Exclude<keyof RigidBodyOptions, OptionalKey>]-?: Exclude<RigidBodyOptions[K], undefined>;
} & Pick<RigidBodyOptions, OptionalKey>;

type OptionalKey =
  | "maxLinearSpeed"
  | "maxAngularSpeed"
  | "shape"
  | "mass"
  | "centerOfMass"
  | "inertia"
  | "inertiaRotation"
  | "staticFriction"
  | "surfaces"
  | "leader";

/** @throws PliantError for values out of range */
export function resolveBodyOptions(given: RigidBodyOptions, nextId: number): ResolvedBodyOptions {
  const name = given?.name ?? `body ${given?.id ?? nextId}`;
  const object = (key: string): string => `rigid body "${name}".${key}`;
  checkNames(`rigid body "${name}"`, given, bodyOptionNames);
  const id = given.id ?? nextId;
  if (!Number.isInteger(id) || id < 0) throw invalid(object("id"), id, "must be a whole number that is not negative");
  const motion = given.motion ?? "dynamic";
  if (!["static", "kinematic", "dynamic"].includes(motion))
    throw invalid(object("motion"), motion, "must be static, kinematic or dynamic");
  const { meets = "all", leader } = given;
  if (!["all", "rigid", "deformable"].includes(meets))
    throw invalid(object("meets"), meets, "must be all, rigid or deformable");
  if (leader && motion !== "kinematic") throw invalid(object("leader"), motion, "is for kinematic bodies");
  checkSurface(object, given);
  given.surfaces?.forEach((surface, part) => {
    checkNames(object(`surfaces[${part}]`), surface, bodySurfaceNames);
    checkSurface((key) => object(`surfaces[${part}].${key}`), surface);
  });
  if (given.mass !== undefined) positive(object("mass"), given.mass);
  if (given.centerOfMass) finiteVector(object("centerOfMass"), given.centerOfMass);
  if (given.inertia) {
    finiteVector(object("inertia"), given.inertia);
    given.inertia.forEach((value) => notNegative(object("inertia"), value));
    if (given.inertia.includes(0) && given.inertia.some((value) => value !== 0))
      throw invalid(object("inertia"), given.inertia, "must be positive, or all zero");
  }
  const inertiaRotation = given.inertiaRotation && finiteQuat(object("inertiaRotation"), given.inertiaRotation);
  return {
    name,
    id,
    motion,
    shape: given.shape,
    position: finiteVector(object("position"), given.position ?? [0, 0, 0]),
    rotation: finiteQuat(object("rotation"), given.rotation ?? [0, 0, 0, 1]),
    linearVelocity: finiteVector(object("linearVelocity"), given.linearVelocity ?? [0, 0, 0]),
    angularVelocity: finiteVector(object("angularVelocity"), given.angularVelocity ?? [0, 0, 0]),
    mass: given.mass,
    density: positive(object("density"), given.density ?? 1000),
    centerOfMass: given.centerOfMass,
    inertia: given.inertia,
    inertiaRotation,
    staticFriction: given.staticFriction,
    friction: notNegative(object("friction"), given.friction ?? 0.5),
    restitution: notNegative(object("restitution"), given.restitution ?? 0),
    frictionCombine: given.frictionCombine ?? "geometric-mean",
    restitutionCombine: given.restitutionCombine ?? "maximum",
    linearDamping: notNegative(object("linearDamping"), given.linearDamping ?? 0),
    angularDamping: notNegative(object("angularDamping"), given.angularDamping ?? 0),
    gravityFactor: finiteNumber(object("gravityFactor"), given.gravityFactor ?? 1),
    maxLinearSpeed:
      given.maxLinearSpeed === undefined ? undefined : positive(object("maxLinearSpeed"), given.maxLinearSpeed),
    maxAngularSpeed:
      given.maxAngularSpeed === undefined ? undefined : positive(object("maxAngularSpeed"), given.maxAngularSpeed),
    canSleep: given.canSleep ?? true,
    membership: given.membership ?? ~0,
    collideWith: given.collideWith ?? ~0,
    isTrigger: given.isTrigger ?? false,
    surfaces: given.surfaces,
    meets,
    leader,
  };
}

function checkSurface(object: (key: string) => string, given: Partial<Record<keyof BodySurface, unknown>>): void {
  for (const key of ["frictionCombine", "restitutionCombine"] as const) {
    const mode = given[key];
    if (mode !== undefined) checkCombineMode(object(key), mode as CombineMode);
  }
  for (const key of ["friction", "staticFriction", "restitution"] as const)
    if (given[key] !== undefined) notNegative(object(key), given[key] as number);
}

/** The surface of a part of a body. The body's own surface has the properties that the part leaves out. */
export function surfaceOf(options: ResolvedBodyOptions, part: number): BodySurface {
  const own = options.surfaces?.[part];
  return own ? { ...options, ...own } : options;
}

/** Whether deformable bodies meet a part of a body, if they meet the body. */
export function isMetBySoft({ isTrigger, membership, collideWith }: BodySurface): boolean {
  return !isTrigger && membership !== 0 && collideWith !== 0;
}
