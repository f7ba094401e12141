import type { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsMassProperties, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { Vec3, World } from "../../src/index";
import type { SceneFrame } from "../scene-frame";
import { withCarried, type CarriedMass } from "./carried-mass";
import { EngineBody } from "./engine-body";
import { deepVersion, type ShapeData } from "../shape/shape-data";
import { massOfShape, type MassProperties, resolveMass } from "./mass-properties";
import { MatrixWatch } from "./node-pose";

/** Where a body is: origin of its node and orientation, in the scene and its units, as all of the state. */
export interface Pose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

/** The engine's world, and where it is in the scene. */
export interface EngineHost {
  readonly world: World;
  readonly frame: SceneFrame;
}

let lastId = 0;

/** All that changes of one body, or of one instance of a body with thin instances. */
export class RigidState implements Pose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
  /** of the centre of mass, units/s */
  readonly linearVelocity = Vector3.Zero();
  /** rad/s, world axes */
  readonly angularVelocity = Vector3.Zero();
  /** kg·units/s² and kg·units²/s², applied in every step of the next frame */
  readonly force = Vector3.Zero();
  readonly torque = Vector3.Zero();
  /** The forces have been there for a frame without a step: new ones replace them. */
  forcesAreOld = false;
  /** 1/s */
  linearDamping = 0;
  /** 1/s */
  angularDamping = 0.1;
  gravityFactor = 1;
  /** which events of collisions are sent */
  eventMask = 0;
  /** It sleeps until something touches it: asked for when the body was made, done in the first step. */
  startsAsleep = false;
  /** It may fall asleep when it is still. */
  canSleep = true;
  userMass: PhysicsMassProperties = {};
  /** of itself, and with all that it carries */
  ownMass: MassProperties = massOfShape(undefined);
  mass: MassProperties = this.ownMass;
  readonly carried = new Map<object, CarriedMass>();
  /** Where an animated body is to be at the end of the next frame, and whether its node is there already. */
  target: (Pose & { readonly ofNode: boolean }) | undefined;
  /** The body moved, its node is still to follow. */
  nodeIsBehind = false;
  /** It was put elsewhere since the last step: there is no way from there to here. */
  hasJumped = false;
  /** The velocity is that of the last target, not one that the user set. */
  velocityIsFromTarget = false;
  /** Scaling of a thin instance beside that of its mesh, which is in the shape already. */
  scale: Vec3 | undefined;
  /** The name that Havok has for an id of a body, by which Babylon's `PhysicsCharacterController` knows it. */
  readonly hpBodyId: readonly [number] = [++lastId];
  /** how the scene and the engine's world say the same */
  readonly frame: SceneFrame;
  readonly world: World;
  readonly engine: EngineBody;
  readonly watch = new MatrixWatch();
  private shape: ShapeData | undefined;
  private version = -1;
  private disposed = false;
  /** of what it could not be simulated */
  private failedWith: readonly unknown[] | undefined;

  constructor(
    host: EngineHost,
    /** As the user knows it, for messages. Asked for when needed: a body is made before it knows its node. */
    readonly label: () => string,
    public motionType: PhysicsMotionType,
    pose: Pose,
    /** which thin instance, undefined for a body without */
    readonly index?: number,
  ) {
    this.frame = host.frame;
    this.world = host.world;
    this.position = pose.position.clone();
    this.rotation = pose.rotation.clone().normalize();
    this.engine = new EngineBody(this, host.frame);
  }

  /** Whether it was taken out of the simulation, perhaps by an observer in the middle of a frame. */
  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether it is out of the simulation because of what is wrong with it. */
  get isLeftOut(): boolean {
    return this.failedWith !== undefined;
  }

  get isSimulated(): boolean {
    return !this.disposed && !this.isLeftOut;
  }

  /** Takes it out of the simulation for good. */
  dispose(): void {
    this.disposed = true;
    this.engine.dispose();
  }

  /** Takes it out of the simulation until what it is made of changes. */
  leaveOut(madeOf: readonly unknown[]): void {
    this.failedWith = madeOf;
    this.target = undefined;
    this.engine.dispose();
  }

  /** Whether it is to be tried again. */
  returns(madeOf: readonly unknown[]): boolean {
    if (!this.failedWith || madeOf.every((part, i) => Object.is(part, this.failedWith![i]))) return false;
    this.failedWith = undefined;
    return true;
  }

  /** Whether its mass is that of this shape as it is now; shapes are shared and change behind a body's back. */
  isOf(shape: ShapeData | undefined): boolean {
    return shape === this.shape && (shape ? deepVersion(shape) : -1) === this.version;
  }

  takeShape(shape: ShapeData | undefined): void {
    this.shape = shape;
    this.version = shape ? deepVersion(shape) : -1;
    this.weigh(resolveMass(this.userMass, shape));
  }

  /** Brings `mass` up to date. */
  weigh(ownMass = this.ownMass): void {
    this.ownMass = ownMass;
    this.mass = withCarried(ownMass, this.carried.values());
  }

  /** Centre of mass, world space. */
  centre(): Vector3 {
    return this.mass.centerOfMass.applyRotationQuaternion(this.rotation).addInPlace(this.position);
  }
}
