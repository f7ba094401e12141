import type { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsMassProperties, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { Vec3, World } from "../../src/index";
import type { SceneFrame } from "../scene-frame";
import { withCarried, type CarriedMass } from "./carried-mass";
import { EngineBody } from "./engine-body";
import { deepVersion, type ShapeData } from "../shape/shape-data";
import { massOfShape, type MassProperties, resolveMass } from "./mass-properties";
import { MatrixWatch, type Pose } from "./node-pose";

/** The engine's world, and its place in the scene. */
export interface EngineHost {
  readonly world: World;
  readonly frame: SceneFrame;
}

let lastId = 0;

/** The variable data of one body, or of one instance of a body with thin instances. */
export class RigidState implements Pose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
  /** velocity of the center of mass, units/s */
  readonly linearVelocity = Vector3.Zero();
  /** rad/s, world axes */
  readonly angularVelocity = Vector3.Zero();
  /** kg·units/s² and kg·units²/s², applied in every step of the next frame */
  readonly force = Vector3.Zero();
  readonly torque = Vector3.Zero();
  /** Whether the forces have been there for a frame without a step: then new ones replace them. */
  forcesAreOld = false;
  /** 1/s */
  linearDamping = 0;
  /** 1/s */
  angularDamping = 0.1;
  gravityFactor = 1;
  /** bits of the events of collisions that are sent */
  eventMask = 0;
  /** Whether the body is to sleep from the first step on, until something touches it. */
  startsAsleep = false;
  /** Whether the body may fall asleep when it is still. */
  canSleep = true;
  userMass: PhysicsMassProperties = {};
  /** mass properties of the body alone, and with everything that it carries */
  ownMass: MassProperties = massOfShape(undefined);
  mass: MassProperties = this.ownMass;
  readonly carried = new Map<object, CarriedMass>();
  /** Target of an animated body at the end of the next frame; `ofNode`: its node is there already. */
  target: (Pose & { readonly ofNode: boolean }) | undefined;
  /** Whether the body has moved, and its node has not followed yet. */
  nodeIsBehind = false;
  /** Whether the body was moved at once since the last step: then there is no way from the old place to the new one. */
  hasJumped = false;
  /** Whether the velocity follows from the last target, and was not set by the user. */
  velocityIsFromTarget = false;
  /** whether a call has put it elsewhere since the frame began: it goes no further toward the frame's target */
  isPut = false;
  /** Scaling of a thin instance relative to that of its mesh, which the shape already contains. */
  scale: Vec3 | undefined;
  /** Havok's kind of id for a body, by which Babylon's `PhysicsCharacterController` identifies it. */
  readonly hpBodyId: readonly [number] = [++lastId];
  /** converts between the scene and the engine's world */
  readonly frame: SceneFrame;
  readonly world: World;
  readonly engine: EngineBody;
  readonly watch = new MatrixWatch();
  private shape: ShapeData | undefined;
  private version = -1;
  private disposed = false;
  /** parts of the body with which the simulation failed */
  private failedWith: readonly unknown[] | undefined;

  constructor(
    host: EngineHost,
    /** The user's name of the body, for messages. A function, since a body is made before it knows its node. */
    readonly label: () => string,
    public motionType: PhysicsMotionType,
    pose: Pose,
    /** index of the thin instance, undefined for a body without instances */
    readonly index?: number,
  ) {
    this.frame = host.frame;
    this.world = host.world;
    this.position = pose.position.clone();
    this.rotation = pose.rotation.clone().normalize();
    this.engine = new EngineBody(this, host.frame);
  }

  /** Whether the body was taken out of the simulation, perhaps by an observer within a frame. */
  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether the body is out of the simulation because of an error. */
  get isLeftOut(): boolean {
    return this.failedWith !== undefined;
  }

  get isSimulated(): boolean {
    return !this.disposed && !this.isLeftOut;
  }

  /** Takes the body out of the simulation for good. */
  dispose(): void {
    this.disposed = true;
    this.engine.dispose();
  }

  /** Takes the body out of the simulation until its parts change. */
  leaveOut(madeOf: readonly unknown[]): void {
    this.failedWith = madeOf;
    this.target = undefined;
    this.engine.dispose();
  }

  /** Whether to try the body again. */
  returns(madeOf: readonly unknown[]): boolean {
    if (!this.failedWith || madeOf.every((part, i) => Object.is(part, this.failedWith![i]))) return false;
    this.failedWith = undefined;
    return true;
  }

  /**
   * Whether its mass is that of the present version of this shape; shapes are shared and change without notice to the
   * body.
   */
  isOf(shape: ShapeData | undefined): boolean {
    return shape === this.shape && (shape ? deepVersion(shape) : -1) === this.version;
  }

  takeShape(shape: ShapeData | undefined): void {
    this.shape = shape;
    this.version = shape ? deepVersion(shape) : -1;
    this.weigh(resolveMass(this.userMass, shape));
  }

  /** Updates `mass`. */
  weigh(ownMass = this.ownMass): void {
    this.ownMass = ownMass;
    this.mass = withCarried(ownMass, this.carried.values());
  }

  /** Center of mass, world space. */
  centre(): Vector3 {
    return this.mass.centerOfMass.applyRotationQuaternion(this.rotation).addInPlace(this.position);
  }
}
