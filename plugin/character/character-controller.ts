import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import type {
  CharacterShapeOptions,
  CharacterSupportedState,
  CharacterSurfaceInfo,
  ICharacterControllerCollisionEvent,
  PhysicsCharacterController,
} from "@babylonjs/core/Physics/v2/characterController";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { type PhysicsShape, PhysicsShapeCapsule } from "@babylonjs/core/Physics/v2/physicsShape";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, PliantError } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import { requireFiniteVector, requirePositive } from "../geometry/convert";
import { pluginOf } from "../plugin-of";
import type { PliantPlugin } from "../pliant-plugin";
import type { FirstHit, Neighbour, ShapeQuery } from "../queries/around-shape";
import { teleport } from "../rigid/bodies";
import { masksOf } from "../shape/leaves";
import { dataOf } from "../shape/shape-data";
import { movementToRef } from "./movement";
import { pushBodies } from "./push";
import type { CharacterSettings } from "./settings";
import { stepUp } from "./step-up";
import { descentSpeed, Support, supportOf } from "./support";
import { slide, surfacesOf, velocityAtRest } from "./surfaces";

const OBJECT = "CharacterController";
/** shorter times count as zero, s */
const MOMENT = 1e-5;
/** shorter ways count as zero, m */
const SHORT = 1e-7;
/** a character that leaves the ground faster than this jumps, m/s */
const LEAVING = 1e-3;

/**
 * A character that walks, slides along walls, climbs slopes and steps, rides on platforms and pushes bodies, for scenes
 * with a `PliantPlugin`. Properties and methods are those of Babylon's `PhysicsCharacterController`, which works in
 * such scenes as well; but this one does not stop now and then while it pushes a crate.
 *
 * @example
 * ```ts
 * const gravity = new Vector3(0, -9.81, 0);
 * const size = { capsuleHeight: 1.8, capsuleRadius: 0.3 };
 * const controller = new CharacterController(new Vector3(0, 1, 0), size, scene);
 * scene.onBeforeAnimationsObservable.add(() => {
 *   const dt = 1 / 60;
 *   const support = controller.checkSupport(dt, Vector3.Down());
 *   controller.setVelocity(new Vector3(1, controller.getVelocity().y - 9.81 * dt, 0));
 *   controller.integrate(dt, support, gravity);
 * });
 * ```
 */
export class CharacterController
  implements Pick<PhysicsCharacterController, keyof PhysicsCharacterController>, CharacterSettings
{
  /** distance that the character keeps from surfaces, m */
  keepDistance = 0.05;
  /** distance beyond `keepDistance` up to which a surface still counts, m */
  keepContactTolerance = 0.1;
  /** most partial ways that are tried in a frame */
  maxCastIterations = 10;
  /** highest speed with which surfaces push the character out of an overlap, m/s */
  penetrationRecoverySpeed = 1;
  /** coefficient of the friction that holds the character at its place; 0: it slides freely */
  staticFriction = 0;
  /**
   * 1: surfaces take the component of the velocity that goes against them; 0: they turn the velocity along themselves
   * instead
   */
  dynamicFriction = 1;
  /** cosine of the steepest slope that the character can walk on */
  maxSlopeCosine = 0.5;
  /** highest step that the character climbs, m; 0: it climbs none, except those that its round foot rolls over */
  maxStepHeight = 0;
  /** distance from the position down to the foot, m */
  footOffset: number;
  /** highest speed of a surface that counts, m/s */
  maxCharacterSpeedForSolver = 10;
  /** upward direction, unit vector */
  up = new Vector3(0, 1, 0);
  /** largest force of a push, N */
  characterStrength = 1e38;
  /** part of the missing velocity that `calculateMovement` adds in a frame */
  acceleration = 0.05;
  /** m/s² */
  maxAcceleration = 50;
  /** mass with which the character stands on dynamic bodies, kg */
  characterMass = 0;
  /** notifies of dynamic bodies that the character pushes or stands on */
  readonly onTriggerCollisionObservable = new Observable<ICharacterControllerCollisionEvent>();
  private readonly plugin: PliantPlugin;
  private readonly node: TransformNode;
  private readonly body: PhysicsBody;
  private readonly position: Vector3;
  private readonly velocity = Vector3.Zero();
  private currentShape: PhysicsShape;
  private options: CharacterShapeOptions;
  private ownsShape: boolean;
  private disposed = false;

  /**
   * @param position center of the capsule, m
   * @throws PliantError for a position or a size that is not valid, and in a scene without a `PliantPlugin`
   */
  constructor(
    position: Vector3,
    characterShapeOptions: CharacterShapeOptions,
    private readonly scene: Scene,
  ) {
    const plugin = pluginOf(OBJECT, scene);
    const moving = scene.getPhysicsEngine()?.getPhysicsPlugin();
    if (moving !== plugin || !("_firstHit" in plugin))
      throw invalid(OBJECT, moving?.name, "needs a scene whose bodies a PliantPlugin moves");
    this.plugin = plugin as PliantPlugin;
    requireFiniteVector(`${OBJECT}.position`, position);
    this.position = position.clone();
    this.options = characterShapeOptions;
    this.footOffset = checkedHeight(characterShapeOptions) / 2;
    this.ownsShape = !characterShapeOptions.shape;
    this.currentShape = shapeOf(characterShapeOptions, scene);
    this.node = new TransformNode("character", scene);
    this.node.position.copyFrom(position);
    this.body = new PhysicsBody(this.node, PhysicsMotionType.ANIMATED, false, scene);
    this.body.shape = this.currentShape;
    this.body.disablePreStep = false;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    if (this.ownsShape) this.currentShape.dispose();
    this.body.dispose();
    this.node.dispose();
    this.onTriggerCollisionObservable.clear();
  }

  get shape(): PhysicsShape {
    return this.currentShape;
  }

  set shape(value: PhysicsShape) {
    this.check();
    dataOf(value);
    this.body.shape = value;
    if (this.ownsShape && this.currentShape !== value) this.currentShape.dispose();
    this.currentShape = value;
    this.ownsShape = false;
  }

  get shapeOptions(): CharacterShapeOptions {
    return this.options;
  }

  /**
   * Changes the capsule, or replaces it by another shape.
   *
   * @param preserveFootPosition whether the foot stays at its place, and the position moves; default true
   * @throws PliantError for a size that is not valid; nothing is changed then
   */
  setShapeOptions(characterShapeOptions: CharacterShapeOptions, preserveFootPosition = true): void {
    this.check();
    const footOffset = checkedHeight(characterShapeOptions) / 2;
    this.shape = shapeOf(characterShapeOptions, this.scene);
    this.ownsShape = !characterShapeOptions.shape;
    this.options = characterShapeOptions;
    if (preserveFootPosition) this.setPosition(this.position.add(this.up.scale(footOffset - this.footOffset)));
    this.footOffset = footOffset;
  }

  /** The position, m. The vector is the character's own. */
  getPosition(): Vector3 {
    return this.position;
  }

  /** Sets the position at once. */
  setPosition(position: Vector3): void {
    this.check();
    requireFiniteVector(`${OBJECT}.setPosition`, position);
    this.position.copyFrom(position);
    this.node.position.copyFrom(position);
    teleport(this.body, position, Quaternion.Identity());
  }

  /** The velocity, m/s. The vector is the character's own. */
  getVelocity(): Vector3 {
    return this.velocity;
  }

  /** @param velocity m/s */
  setVelocity(velocity: Vector3): void {
    this.check();
    requireFiniteVector(`${OBJECT}.setVelocity`, velocity);
    this.velocity.copyFrom(velocity);
  }

  /**
   * Finds the surfaces that the character stands on.
   *
   * @param deltaTime s
   * @param direction unit vector of the search, most often that of gravity
   */
  checkSupport(deltaTime: number, direction: Vector3): CharacterSurfaceInfo {
    const info: CharacterSurfaceInfo = {
      isSurfaceDynamic: false,
      supportedState: Support.unsupported,
      averageSurfaceNormal: Vector3.Zero(),
      averageSurfaceVelocity: Vector3.Zero(),
      averageAngularSurfaceVelocity: Vector3.Zero(),
    };
    this.checkSupportToRef(deltaTime, direction, info);
    return info;
  }

  checkSupportToRef(deltaTime: number, direction: Vector3, surfaceInfo: CharacterSurfaceInfo): void {
    this.check();
    requirePositive(`${OBJECT}.checkSupport deltaTime`, deltaTime);
    requireFiniteVector(`${OBJECT}.checkSupport direction`, direction);
    const surfaces = surfacesOf(this, this.contactsAt(this.position), this.position, deltaTime);
    supportOf(this, surfaces, direction, surfaceInfo);
  }

  /** Moves by a displacement [m] in the time of the scene's last frame, as far as surfaces allow. */
  moveWithCollisions(displacement: Vector3): void {
    this.check();
    requireFiniteVector(`${OBJECT}.moveWithCollisions`, displacement);
    const { deltaTime } = this.scene as { deltaTime: number | undefined };
    // there was no frame yet
    if (!deltaTime) return;
    displacement.scaleToRef(1000 / deltaTime, this.velocity);
    this.move(deltaTime / 1000, Vector3.ZeroReadOnly);
  }

  /**
   * Takes a frame of the character: it moves with its velocity as far as surfaces allow, and pushes bodies.
   *
   * @param deltaTime s
   * @param surfaceInfo result of `checkSupport`
   * @param gravity acceleration with which the character weighs on dynamic bodies, m/s²; it does not change the
   * velocity of the character
   */
  integrate(deltaTime: number, surfaceInfo: CharacterSurfaceInfo, gravity: Vector3): void {
    this.check();
    requirePositive(`${OBJECT}.integrate deltaTime`, deltaTime);
    requireFiniteVector(`${OBJECT}.integrate gravity`, gravity);
    const { supportedState, averageSurfaceNormal: normal, averageSurfaceVelocity: ground } = surfaceInfo;
    let descent = Vector3.ZeroReadOnly;
    if (supportedState === (Support.supported as CharacterSupportedState)) {
      const leaving = normal.dot(this.velocity.subtract(ground));
      if (leaving <= LEAVING) {
        const surfaces = surfacesOf(this, this.contactsAt(this.position), this.position, deltaTime);
        descent = normal.scale(-descentSpeed(this, surfaces, deltaTime));
      }
      // velocity that would only press the character against the ground does not count
      if (leaving < 0 && this.staticFriction === 0) this.velocity.subtractInPlace(normal.scale(leaving));
    }
    this.move(deltaTime, gravity, descent);
  }

  /** A velocity along a surface toward a desired one. Velocities m/s; see `movementToRef`. */
  calculateMovementToRef(...motion: Parameters<PhysicsCharacterController["calculateMovementToRef"]>): boolean {
    return movementToRef(this, ...motion);
  }

  calculateMovement(...motion: Parameters<PhysicsCharacterController["calculateMovement"]>): Vector3 {
    const result = Vector3.Zero();
    movementToRef(this, ...motion, result);
    return result;
  }

  /**
   * Moves along surfaces, in partial ways, until the time is over.
   *
   * @param descent velocity toward ground that is near already, in addition to the character's own velocity [m/s]
   */
  private move(deltaTime: number, gravity: Vector3, descent = Vector3.ZeroReadOnly): void {
    const wanted = this.velocity.add(descent);
    let left = deltaTime;
    let hasStepped = false;
    pushBodies(this, this.contactsAt(this.position), wanted, deltaTime, gravity, this.onTriggerCollisionObservable);
    for (let k = 0; k < this.maxCastIterations && left > MOMENT; k++) {
      const surfaces = surfacesOf(this, this.contactsAt(this.position), this.position, left);
      const velocity = slide(this, surfaces, wanted);
      if (!hasStepped) {
        const around = { cast: this.castFrom, contacts: this.contactsAt };
        const step = stepUp(this, around, surfaces, this.position, wanted, velocity, left);
        if (step) {
          hasStepped = true;
          this.position.copyFrom(step.position);
          left -= step.time;
          continue;
        }
      }
      const way = velocity.scale(left);
      const length = way.length();
      if (length < SHORT) break;
      const part = this.freePart(way, length);
      this.position.addInPlace(way.scale(part));
      left *= 1 - part;
      if (part === 1) break;
    }
    const surfaces = surfacesOf(this, this.contactsAt(this.position), this.position, deltaTime);
    this.velocity.copyFrom(velocityAtRest(surfaces, this.keepDistance, wanted.subtractInPlace(descent)));
    this.node.position.copyFrom(this.position);
  }

  /** The part of a way after which the character is at its distance from the body ahead. */
  private freePart(way: Vector3, length: number): number {
    const hit = this.castFrom(this.position, way);
    if (!hit) return 1;
    const against = -hit.normal.dot(way) / length;
    if (against <= 1e-6) return 1;
    return Math.min(1, Math.max(0, hit.fraction - this.keepDistance / (against * length)));
  }

  /** The first body on a way from a place, without bodies that the character overlaps: surfaces push it out of them. */
  private readonly castFrom = (from: Vector3, way: Vector3): FirstHit | undefined => {
    const query = this.queryAt(from);
    const inside = this.plugin._neighbours(query, 0).filter(({ distance }) => distance < 0);
    const ignores: ShapeQuery["ignores"] = (body, index) =>
      body === this.body || inside.some((other) => other.body === body && other.index === index);
    return this.plugin._firstHit({ ...query, ignores }, way);
  };

  private readonly contactsAt = (position: Vector3): readonly Neighbour[] =>
    this.plugin._neighbours(this.queryAt(position), this.keepDistance + this.keepContactTolerance);

  private queryAt(position: Vector3): ShapeQuery {
    const data = dataOf(this.currentShape);
    const rotation = Quaternion.Identity();
    return { data, position, rotation, ...masksOf(data), ignores: (body) => body === this.body };
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", OBJECT, "a call", "was disposed");
  }
}

const shapeOptionNames = optionNames<CharacterShapeOptions>()("shape capsuleHeight capsuleRadius");

/** @throws PliantError for an unknown option, and for an invalid capsule */
function checkedHeight(options: CharacterShapeOptions): number {
  checkNames(OBJECT, options, shapeOptionNames);
  const { capsuleHeight = 1.8, capsuleRadius = 0.6 } = options;
  requirePositive(`${OBJECT}.capsuleHeight`, capsuleHeight);
  requirePositive(`${OBJECT}.capsuleRadius`, capsuleRadius);
  return capsuleHeight;
}

function shapeOf(
  { shape, capsuleHeight = 1.8, capsuleRadius = 0.6 }: CharacterShapeOptions,
  scene: Scene,
): PhysicsShape {
  if (shape) {
    dataOf(shape);
    return shape;
  }
  const half = Math.max(0, capsuleHeight / 2 - capsuleRadius);
  return new PhysicsShapeCapsule(new Vector3(0, half, 0), new Vector3(0, -half, 0), capsuleRadius, scene);
}
