import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { nonFinite } from "../../src/errors";
import type { ColliderShape, Quat, Vec3 } from "../../src/index";
import type { BodySurface, RigidBodyChanges } from "../../src/world/rigid/body-options";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";
import { toQuat, toVec3 } from "../geometry/convert";
import { combineModeOf } from "../materials";
import { leavesOf } from "../shape/leaves";
import { deepVersion, type ShapeData, wholeGeometry } from "../shape/shape-data";
import type { SceneFrame } from "../scene-frame";
import type { MassProperties } from "./mass-properties";
import type { Pose } from "./node-pose";

/** The data that all bodies of a scene share. */
export interface RigidSurroundings {
  readonly rigid: RigidWorld;
  /** units/s */
  readonly maxLinearVelocity: number;
  /** rad/s */
  readonly maxAngularVelocity: number;
}

const found = new Float64Array(13);
/** numbers of a position and a quaternion, before those of velocities */
const POSE = 7;

/** Whether numbers from one place to another differ. Functions of lists would make an object of each number. */
function differ(a: Float64Array, b: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (a[i] !== b[i]) return true;
  return false;
}

/** kg m²: replaces the infinite inertia about one axis of a body that turns about others */
const UNTURNABLE = 1e9;

/** The state that Babylon reads and writes, see `RigidState`. */
export interface SolvedState extends Pose {
  readonly linearVelocity: Vector3;
  readonly angularVelocity: Vector3;
  readonly force: Vector3;
  readonly torque: Vector3;
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly gravityFactor: number;
  readonly motionType: PhysicsMotionType;
  readonly mass: MassProperties;
  readonly scale: Vec3 | undefined;
  readonly canSleep: boolean;
  hasJumped: boolean;
  label(): string;
}

/**
 * A body of the scene in the rigid solver. Babylon reads and writes the state. Before a step, changes of the state go
 * to the solver; after it, the motion comes back.
 */
export class EngineBody {
  /** where the body was in the solver, if the scene has put it elsewhere since the last step */
  from: { readonly position: Vec3; readonly rotation: Quat } | undefined;
  private body: RigidBody | undefined;
  private madeOf: readonly unknown[] = [];
  /** geometry in units of the scene, and the shape made from it for the solver */
  private geometry: ColliderShape | undefined;
  private scale: Vec3 | undefined;
  private shape: ColliderShape | undefined;
  /** pose and velocities in the solver */
  private readonly known = new Float64Array(13);
  private readonly now = new Float64Array(13);
  /** pose and velocities in the solver at the last pull */
  private readonly seen = new Float64Array(13);

  constructor(
    private readonly state: SolvedState,
    private readonly frame: SceneFrame,
  ) {}

  /** The body in the solver; it exists from the first step on. */
  get solverBody(): RigidBody | undefined {
    return this.body;
  }

  /** The body in the solver, which is made if it does not exist yet. */
  ensure(shape: ShapeData | undefined, around: RigidSurroundings): RigidBody {
    this.make(shape, around);
    return this.body!;
  }

  /** Hands changes of the state to the solver. */
  push(shape: ShapeData | undefined, around: RigidSurroundings): void {
    const { state, frame } = this;
    const body = this.ensure(shape, around);
    body.linearDamping = state.linearDamping;
    body.angularDamping = state.angularDamping;
    if (body.gravityFactor !== state.gravityFactor) body.gravityFactor = state.gravityFactor;
    const { now, known } = this;
    this.write(now);
    const moved = differ(now, known, 0, POSE);
    const goes = body.motion === "kinematic" && state.motionType === PhysicsMotionType.ANIMATED && !state.hasJumped;
    state.hasJumped = false;
    this.from = moved ? { position: body.position, rotation: body.rotation } : undefined;
    if (moved && goes) body.moveTo(frame.point(state.position), toQuat(state.rotation));
    else if (moved) body.teleport(frame.point(state.position), toQuat(state.rotation));
    if (body.motion === "dynamic") {
      if (differ(now, known, POSE, now.length)) {
        body.linearVelocity = frame.offset(state.linearVelocity);
        body.angularVelocity = toVec3(state.angularVelocity);
      }
      const { force, torque } = state;
      if (force.lengthSquared() > 0) body.applyForce(frame.offset(force));
      if (torque.lengthSquared() > 0) body.applyTorque(frame.moment(torque));
    }
    // A state that the scene changed is read after the step, even if the step leads back to the last one.
    if (differ(now, known, 0, now.length)) this.seen.fill(NaN);
    known.set(now);
  }

  /**
   * Takes over the motion of a dynamic body in a step.
   *
   * @returns whether it moved
   * @throws PliantError `non-finite` for a pose or velocity that is not finite; the state then stays that of the step
   * before
   */
  pull(): boolean {
    const { state, body, known, frame, seen } = this;
    if (body?.motion !== "dynamic") return false;
    body.stateToRef(found);
    if (!differ(found, seen, 0, found.length)) return false;
    const moved = differ(found, seen, 0, POSE);
    seen.set(found);
    const { position, rotation, linearVelocity, angularVelocity } = body;
    if (!found.every(Number.isFinite)) throw nonFinite(state.label(), position, "must be somewhere after a step");
    frame.pointInSceneToRef(position, state.position);
    state.rotation.set(...rotation);
    frame.offsetInSceneToRef(linearVelocity, state.linearVelocity);
    state.angularVelocity.set(...angularVelocity);
    this.write(known);
    return moved;
  }

  /** Moves the body after the engine's origin has moved. */
  originMoved(): void {
    const { state, body, frame } = this;
    if (!body) return;
    body.teleport(frame.point(state.position), toQuat(state.rotation));
    body.linearVelocity = frame.offset(state.linearVelocity);
    body.angularVelocity = toVec3(state.angularVelocity);
  }

  /** Puts the body to sleep at its place. */
  sleep(): void {
    this.body?.sleep();
  }

  dispose(): void {
    this.body?.dispose();
    this.body = undefined;
  }

  /** Makes the body in the solver, or changes its properties there. */
  private make(shape: ShapeData | undefined, around: RigidSurroundings): void {
    const { state, frame } = this;
    const { maxLinearVelocity, maxAngularVelocity } = around;
    const version = shape && deepVersion(shape);
    const limits = [maxLinearVelocity, maxAngularVelocity];
    const madeOf = [shape, version, state.mass, state.scale, state.motionType, state.canSleep, ...limits];
    if (this.body && madeOf.every((part, i) => part === this.madeOf[i])) return;
    const made: RigidBodyChanges = {
      ...massOf(state, frame),
      ...surfacesOf(shape),
      shape: this.shapeOf(shape),
      // Babylon's rule: a mass of zero means an infinite mass
      motion: motionOf(state.motionType, state.mass.mass),
      linearDamping: state.linearDamping,
      angularDamping: state.angularDamping,
      gravityFactor: state.gravityFactor,
      canSleep: state.canSleep,
      maxLinearSpeed: Math.max(frame.length(maxLinearVelocity), 1e-9),
      maxAngularSpeed: Math.max(maxAngularVelocity, 1e-9),
    };
    if (this.body) {
      // A body that was held continues with the velocity in the scene.
      if (this.body.motion !== made.motion) this.known.fill(NaN, 7);
      this.body.change(made);
    } else {
      this.body = around.rigid.addBody({
        ...made,
        name: state.label(),
        position: frame.point(state.position),
        rotation: toQuat(state.rotation),
        linearVelocity: frame.offset(state.linearVelocity),
        angularVelocity: toVec3(state.angularVelocity),
      });
      this.write(this.known);
    }
    this.madeOf = madeOf;
  }

  /** Returns the same object as long as the geometry is the same. */
  private shapeOf(shape: ShapeData | undefined): ColliderShape | undefined {
    const geometry = shape && wholeGeometry(shape);
    const { scale } = this.state;
    if (geometry !== this.geometry || scale !== this.scale) this.shape = geometry && this.frame.shape(geometry, scale);
    [this.geometry, this.scale] = [geometry, scale];
    return this.shape;
  }

  private write(out: Float64Array): void {
    const { position: p, rotation: q, linearVelocity: v, angularVelocity: w } = this.state;
    out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]);
  }
}

function massOf(state: SolvedState, frame: SceneFrame): RigidBodyChanges {
  const { mass, centerOfMass, inertia, inertiaOrientation } = state.mass;
  const moments = frame.moment(inertia).map((moment) => mass * moment);
  const turns = moments.some((moment) => moment > 0);
  return {
    mass: mass > 0 ? mass : undefined,
    centerOfMass: frame.offset(centerOfMass),
    inertia: turns ? (moments.map((moment) => (moment > 0 ? moment : UNTURNABLE)) as Triple) : [0, 0, 0],
    inertiaRotation: toQuat(inertiaOrientation),
  };
}

/** The surface of each part of the shape; the masks of the body are those of all parts together. */
function surfacesOf(shape: ShapeData | undefined): RigidBodyChanges {
  const surfaces: BodySurface[] = [];
  for (const leaf of shape ? leavesOf(shape) : []) {
    const { material } = leaf;
    const surface: BodySurface = {
      friction: material.friction,
      staticFriction: material.staticFriction === material.friction ? undefined : material.staticFriction,
      restitution: material.restitution,
      frictionCombine: combineModeOf[material.frictionCombine],
      restitutionCombine: combineModeOf[material.restitutionCombine],
      membership: leaf.membershipMask,
      collideWith: leaf.collideMask,
      isTrigger: leaf.isTrigger,
    };
    for (let part = 0; part < leaf.partCount; part++) surfaces.push(surface);
  }
  if (surfaces.length < 2) return { ...NO_SURFACE, ...surfaces[0], surfaces: undefined };
  return {
    ...NO_SURFACE,
    surfaces,
    membership: surfaces.reduce((mask, { membership }) => mask | membership, 0),
    collideWith: surfaces.reduce((mask, { collideWith }) => mask | collideWith, 0),
  };
}

/** Resets properties of a body that its parts have themselves. */
const NO_SURFACE: RigidBodyChanges = {
  friction: undefined,
  staticFriction: undefined,
  restitution: undefined,
  frictionCombine: undefined,
  restitutionCombine: undefined,
  membership: undefined,
  collideWith: undefined,
  isTrigger: undefined,
};

type Triple = [number, number, number];

function motionOf(type: PhysicsMotionType, mass: number): "static" | "kinematic" | "dynamic" {
  if (type === PhysicsMotionType.STATIC) return "static";
  return type === PhysicsMotionType.DYNAMIC && mass > 0 ? "dynamic" : "kinematic";
}
