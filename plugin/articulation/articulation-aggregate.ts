import { checkFinite } from "../../src/checks";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, nonFinite, PliantError } from "../../src/errors";
import { checkNames } from "../../src/option-names";
import {
  type ArticulatedSimulation,
  type Mechanism,
  type MechanismDescription,
  type InverseKinematicsOptions,
  type LinkSensor,
  mechanismModel,
  mechanismPlacedAt,
  solveInverseKinematics,
  type VisualShape,
} from "../../src/index";
import type { LinkPose } from "../../src/articulated/link-pose";
import { requireFiniteVector, toQuat, toVec3 } from "../geometry/convert";
import { pluginOf, requireAlive, requireKind } from "../plugin-of";
import type { ClothPlugin } from "../cloth-plugin";
import { writeNodePose } from "../rigid/node-pose";
import { articulationOptionNames, type ArticulationOptions, type HierarchyLink } from "./articulation-options";
import { describeHierarchy } from "./describe-hierarchy";
import { checkVisuals, VisualMeshes } from "./visual-meshes";

/** A place in the scene for a point of a link, a rotation of the link, or both. */
export interface ReachGoal {
  readonly link: string;
  /** Point in the axes of the link [m]. Default its origin. */
  readonly point?: Vector3;
  readonly position?: Vector3;
  readonly rotation?: Quaternion;
  /** Weight beside other goals, if not all can be reached. Default 1. */
  readonly weight?: number;
}

/** Result of `ArticulationAggregate.reach`. */
export interface Reach {
  /** Coordinates of each joint that moves, by name, for `setPosition` or servos [rad or m]. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** Whether all goals are reached; otherwise these are the nearest positions that were found. */
  readonly converged: boolean;
  /** Largest distance of a point from its goal [m], and largest angle of a link to its goal [rad]. */
  readonly positionError: number;
  readonly rotationError: number;
}

/**
 * A mechanism in generalized coordinates (a robot, a rig) that moves nodes of a scene and is stepped with its physics.
 * Joints and links keep their names. Links are bodies of the scene: they push, grip and lift others, and others push
 * them.
 *
 * @example
 * ```ts
 * const { mechanism } = await loadUrdf(text);
 * const arm = new ArticulationAggregate(mechanism, { nodes: { hand: node } }, scene);
 * arm.setControl("elbow", 12);
 * ```
 */
export class ArticulationAggregate {
  /** The mechanism in the plugin's world. */
  readonly mechanism: Mechanism;
  /** Node of each link, by name. */
  readonly nodes: ReadonlyMap<string, TransformNode>;
  /** Notifies when the mechanism has turned non-finite. From then on it stands still; the rest of the scene goes on. */
  readonly onFrozenObservable = new Observable<PliantError>();
  readonly onDisposeObservable = new Observable<ArticulationAggregate>();
  private readonly name: string;
  private readonly plugin: ClothPlugin;
  private readonly visuals: VisualMeshes;
  private readonly ownNodes: TransformNode[] = [];
  private readonly stopListening: () => void;
  private disposed = false;

  /**
   * @param mechanism its world is that of the scene, moved by `position` and `rotation`
   * @throws PliantError for a mechanism, option or node that is not valid, or a scene without this plugin; nothing is
   * changed then
   */
  constructor(mechanism: MechanismDescription, options: ArticulationOptions, scene: Scene) {
    if (!Array.isArray(mechanism?.links))
      throw invalid("ArticulationAggregate", mechanism, "must be a mechanism with links");
    const object = `ArticulationAggregate "${mechanism.name}"`;
    this.name = object;
    this.plugin = pluginOf(object, scene);
    checkNames(object, options, articulationOptionNames);
    const {
      nodes = {},
      position = Vector3.Zero(),
      rotation = Quaternion.Identity(),
      collideWithCloth = true,
      collideWithBodies = true,
      visuals = [],
      ...simulation
    } = options;
    requireFiniteVector(`${object}.position`, position);
    requireKind(`${object}.rotation`, rotation, "toRotationMatrix", "a quaternion");
    for (const name of ["visuals", "ground", "actuators"] as const)
      if (options[name] !== undefined) requireObjects(`${object}.${name}`, options[name]);
    requireNodes(`${object}.nodes`, nodes, mechanism);
    const base = { position: this.plugin.frame.point(position), rotation: toQuat(rotation) };
    const meets = collideWithCloth ? (collideWithBodies ? "all" : "deformable") : collideWithBodies ? "rigid" : "none";
    const described = mechanismModel(mechanismPlacedAt(mechanism, base), { ...simulation, meets });
    checkVisuals(object, visuals, new Set(mechanism.links.map(({ name }) => name)));
    this.mechanism = this.plugin.world.addMechanism(described);
    const { model } = this.simulation;

    // there are no refusals from here on
    this.nodes = new Map(model.linkNames.map((link) => [link, nodes[link] ?? this.makeNode(link, scene)]));
    this.visuals = this.draw(visuals, position, rotation, scene);
    const { onAfterStepObservable } = this.plugin;
    this.mechanism.onFrozen.add((error) => this.onFrozenObservable.notifyObservers(error));
    const after = onAfterStepObservable.add(() => this.writeNodes());
    const gone = scene.onDisposeObservable.add(() => this.dispose());
    this.stopListening = () => {
      onAfterStepObservable.remove(after);
      scene.onDisposeObservable.remove(gone);
    };
    this.writeNodes();
  }

  /**
   * Makes a mechanism from a hierarchy of nodes in its present pose, see `HierarchyLink`.
   *
   * @param links by the names of the nodes, each the root or a node below it
   * @throws PliantError as the constructor; also for a name of no node, or of several nodes
   */
  static fromHierarchy(
    root: TransformNode,
    links: Readonly<Record<string, HierarchyLink>>,
    options: Omit<ArticulationOptions, "nodes" | "position" | "rotation"> = {},
    scene?: Scene,
  ): ArticulationAggregate {
    const { mechanism, nodes } = describeHierarchy(root, links);
    return new ArticulationAggregate(mechanism, { ...options, nodes }, scene ?? root.getScene());
  }

  /** State, contacts and derivatives. */
  get simulation(): ArticulatedSimulation {
    return this.mechanism.simulation;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether the mechanism stands still because its state was no longer finite; see `onFrozenObservable`. */
  get isFrozen(): boolean {
    return this.mechanism.isFrozen;
  }

  /**
   * Sets the force of a joint's actuator, from the next step on.
   *
   * @param value N m or N; one number, or one for each degree of freedom of the joint
   * @throws PliantError for an unknown joint, a wrong number of values, or one that is not finite; nothing is changed then
   */
  setControl(joint: string, value: number | readonly number[]): void {
    const [dof, values] = this.valuesOf(joint, value, "setControl");
    this.simulation.control.set(values, dof);
  }

  /**
   * Sets the input of a motor or servo of the option `actuators`, from the next step on: a force, or the position or
   * velocity that a servo seeks.
   *
   * @throws PliantError for an unknown actuator, or an input that is not finite; nothing is changed then
   */
  setActuator(name: string, input: number): void {
    this.check();
    const { actuators } = this.simulation;
    const index = actuators.indexOf(name);
    checkFinite(input, `${this.name}.setActuator "${name}"`);
    actuators.input[index] = input;
  }

  /** Coordinates of a joint, rad or m. */
  getPosition(joint: string): number[] {
    return this.read(joint, this.simulation.q);
  }

  /** Rates of the coordinates of a joint, rad/s or m/s. */
  getVelocity(joint: string): number[] {
    return this.read(joint, this.simulation.qd);
  }

  /** Sets the coordinates of a joint at once, without a velocity. @throws PliantError as `setControl` */
  setPosition(joint: string, value: number | readonly number[]): void {
    const [dof, values] = this.valuesOf(joint, value, "setPosition");
    this.simulation.q.set(values, dof);
    this.simulation.qd.fill(0, dof, dof + values.length);
    this.mechanism.place();
    this.writeNodes();
  }

  /**
   * Applies a force at a point of a link in the next step of the physics.
   *
   * @param force N, or kg units/s² in scenes with other units; world space
   * @param point world space
   * @throws PliantError for an unknown link or a vector that is not finite
   */
  applyForce(link: string, force: Vector3, point: Vector3): void {
    this.check();
    requireFiniteVector(`${this.name}.applyForce`, force);
    requireFiniteVector(`${this.name}.applyForce`, point);
    const { frame } = this.plugin;
    this.mechanism.applyForce(link, frame.offset(force), frame.point(point));
  }

  /** The pose of a link in the scene. */
  poseOf(link: string | number): LinkPose {
    const { position, rotation } = this.mechanism.poseOf(link);
    return { position: toVec3(this.plugin.frame.pointInScene(position)), rotation };
  }

  /**
   * Puts a sensor on a link: gyroscope, accelerometer and load cell of its joint, which read from the end of the next frame
   * on, in the axes of the sensor.
   *
   * @param place place and axes of the sensor on the link, default those of the link
   * @throws PliantError for an unknown link, or numbers that are not finite
   */
  addSensor(link: string, place: { readonly position?: Vector3; readonly rotation?: Quaternion } = {}): LinkSensor {
    this.check();
    const { position, rotation } = place;
    return this.mechanism.addSensor(link, {
      ...(position && { position: toVec3(position) }),
      ...(rotation && { rotation: toQuat(rotation) }),
    });
  }

  /** Mean force of the contacts of a link in the last frame [N]. */
  getContactForce(link: string): Vector3 {
    this.check();
    return new Vector3(...this.mechanism.contactForceOf(link));
  }

  /**
   * Finds positions of the joints, within their limits, by which links are where the goals say (inverse kinematics). The
   * search begins at the present positions. Nothing moves by it.
   *
   * @throws PliantError `invalid-argument` or `non-finite`: unknown links and joints, numbers out of their range
   */
  reach(goals: readonly ReachGoal[], options: InverseKinematicsOptions = {}): Reach {
    this.check();
    requireObjects(`${this.name}.reach`, goals);
    const { frame } = this.plugin;
    const { model, q } = this.simulation;
    const inWorld = goals.map(({ link, point, position, rotation, weight }) => ({
      link,
      ...(point && { point: toVec3(point) }),
      ...(position && { position: frame.point(position) }),
      ...(rotation && { rotation: toQuat(rotation) }),
      ...(weight !== undefined && { weight }),
    }));
    const found = solveInverseKinematics(model, inWorld, { start: q, ...options });
    const { converged, positionError, rotationError } = found;
    const moving = model.jointNames.filter((_, link) => model.linkDofCount[link] > 0);
    const positions = new Map(moving.map((joint) => [joint, this.read(joint, found.q)]));
    return { positions, converged, positionError, rotationError };
  }

  /** Takes the mechanism out of the simulation. The user's own nodes keep their poses, others are disposed of. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.stopListening();
    this.mechanism.dispose();
    this.visuals.dispose();
    for (const node of this.ownNodes) node.dispose(true);
    this.onDisposeObservable.notifyObservers(this);
    this.onDisposeObservable.clear();
    this.onFrozenObservable.clear();
  }

  /** Meshes that draw the mechanism. */
  get visualMeshes(): readonly AbstractMesh[] {
    return this.visuals.meshes;
  }

  /** Draws shapes below the nodes of their links; those of the world below a node of their own. */
  private draw(visuals: readonly VisualShape[], position: Vector3, rotation: Quaternion, scene: Scene): VisualMeshes {
    let world: TransformNode | undefined;
    const makeWorld = (): TransformNode => {
      const node = this.makeNode(`${this.mechanism.name} world`, scene);
      node.position.copyFrom(position);
      node.rotationQuaternion!.copyFrom(rotation);
      return node;
    };
    const nodeOf = (link: string | undefined): TransformNode =>
      link === undefined ? (world ??= makeWorld()) : this.nodes.get(link)!;
    return new VisualMeshes(visuals, nodeOf, scene, this.plugin.frame.unitsPerMetre);
  }

  private makeNode(link: string, scene: Scene): TransformNode {
    const node = new TransformNode(link, scene);
    node.rotationQuaternion = Quaternion.Identity();
    this.ownNodes.push(node);
    return node;
  }

  private writeNodes(): void {
    const { model } = this.simulation;
    for (let link = 0; link < model.linkCount; link++) {
      const node = this.nodes.get(model.linkNames[link])!;
      if (node.isDisposed()) continue;
      const { position, rotation } = this.poseOf(link);
      writeNodePose(node, { position: new Vector3(...position), rotation: new Quaternion(...rotation) });
    }
  }

  private read(joint: string, from: Float64Array): number[] {
    this.check();
    const dof = this.simulation.model.jointDof(joint);
    return Array.from(from.subarray(dof, dof + this.dofCount(joint)));
  }

  private dofCount(joint: string): number {
    const { model } = this.simulation;
    return model.linkDofCount[model.jointNames.indexOf(joint)];
  }

  private valuesOf(joint: string, value: number | readonly number[], what: string): [number, readonly number[]] {
    this.check();
    const dof = this.simulation.model.jointDof(joint);
    const values = typeof value === "number" ? [value] : value;
    const count = this.dofCount(joint);
    if (values.length !== count) throw invalid(`${this.name}.${what} "${joint}"`, value, `must be ${count} numbers`);
    if (!values.every(Number.isFinite)) throw nonFinite(`${this.name}.${what} "${joint}"`, value, "must be finite");
    return [dof, values];
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", this.name, "a call", "was disposed");
  }
}

/** @throws PliantError `invalid-argument` for anything but a list of objects */
function requireObjects(object: string, list: unknown): void {
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== "object" || entry === null))
    throw invalid(object, list, "must be a list of objects");
}

/** @throws PliantError for nodes of links that the mechanism does not have, or that are disposed */
function requireNodes(object: string, nodes: unknown, { links }: MechanismDescription): void {
  if (typeof nodes !== "object" || nodes === null) throw invalid(object, nodes, "must be nodes by the names of links");
  for (const [link, node] of Object.entries(nodes as Record<string, TransformNode>)) {
    if (links.every(({ name }) => name !== link)) throw invalid(object, link, "is not a link");
    requireAlive(`${object}.${link}`, node, "a node");
  }
}
