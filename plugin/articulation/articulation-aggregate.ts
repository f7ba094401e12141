import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { PliantError } from "../../src/errors";
import { checkNames } from "../../src/option-names";
import { ArticulatedSimulation, mechanismPlacedAt, type MechanismDescription } from "../../src/index";
import { addWrenches } from "../../src/articulated/dynamics/jacobian";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { linkPose, type LinkPose } from "../../src/articulated/link-pose";
import { updatePositions } from "../../src/articulated/dynamics/kinematics";
import { requireFiniteVector, toQuat, toVec3 } from "../convert";
import { pluginOf } from "../plugin-of";
import type { PliantPlugin } from "../pliant-plugin";
import { writeNodePose } from "../rigid/node-pose";
import {
  articulationOptionNames,
  requireTimeStep,
  type ArticulationOptions,
  type HierarchyLink,
} from "./articulation-options";
import { describeHierarchy } from "./describe-hierarchy";
import { LinkObstacle } from "./link-obstacle";

const MAX_TIME_STEP = 1 / 480;

/**
 * A mechanism in generalised coordinates (a robot, a rig) that moves nodes of a scene and is stepped with its physics:
 *
 *     const { mechanism } = await loadUrdf(text);
 *     const arm = new ArticulationAggregate(mechanism, { nodes: { hand: handNode } }, scene);
 *     arm.setControl("elbow", 12);
 *
 * Joints and links keep their names. Links are obstacles for the scene's cloth and bodies, which push
 * them back.
 */
export class ArticulationAggregate {
  /** The simulation itself: state, contacts, derivatives. */
  readonly simulation: ArticulatedSimulation;
  /** Node of each link, by name. */
  readonly nodes: ReadonlyMap<string, TransformNode>;
  /** The mechanism turned non-finite and stands still since then; the rest of the scene goes on. */
  readonly onFrozenObservable = new Observable<PliantError>();
  readonly onDisposeObservable = new Observable<ArticulationAggregate>();
  private readonly name: string;
  private readonly plugin: PliantPlugin;
  private readonly ownNodes: TransformNode[] = [];
  private readonly scratch: ArticulatedScratch;
  /** links as cloth and bodies meet them */
  private readonly obstacles: LinkObstacle[] = [];
  /** Controls that stay, and what acts in the next step only. */
  private readonly torques: Float64Array;
  private readonly external: Float64Array;
  private readonly wrenches: Float64Array;
  private readonly stopListening: () => void;
  /** simulated time that is still to come, s */
  private behind = 0;
  private frozen = false;
  private disposed = false;

  /**
   * @param mechanism its world is the scene's, moved by `position` and `rotation`
   * @throws PliantError for a mechanism, option or node that is not valid, or a scene without this plugin; nothing is
   * changed then
   */
  constructor(mechanism: MechanismDescription, options: ArticulationOptions, scene: Scene) {
    const object = `ArticulationAggregate "${mechanism.name}"`;
    this.name = object;
    this.plugin = pluginOf(object, scene);
    checkNames(object, options, articulationOptionNames);
    const {
      maxTimeStep = MAX_TIME_STEP,
      nodes = {},
      position = Vector3.Zero(),
      rotation = Quaternion.Identity(),
      collideWithCloth = true,
      collideWithBodies = true,
      ...simulation
    } = options;
    requireTimeStep(object, maxTimeStep);
    requireFiniteVector(`${object}.position`, position);
    const base = { position: this.plugin.frame.point(position), rotation: toQuat(rotation) };
    const frame = this.plugin._runningTimeStep;
    this.simulation = new ArticulatedSimulation(mechanismPlacedAt(mechanism, base), {
      limits: true,
      penetrationCorrection: 0.1,
      ...simulation,
      gravity: this.plugin.world.gravity,
      timeStep: frame / Math.ceil(frame / maxTimeStep - 1e-9),
    });
    const { model } = this.simulation;
    for (const [link, node] of Object.entries(nodes)) {
      model.linkIndex(link);
      if (node.isDisposed())
        throw new PliantError("disposed", `${object}.nodes`, link, "needs nodes that are not disposed");
    }
    this.scratch = new ArticulatedScratch(model);
    this.torques = new Float64Array(model.nv);
    this.external = new Float64Array(model.nv);
    this.wrenches = new Float64Array(6 * model.linkCount);
    updatePositions(this.scratch, this.simulation.q);
    this.addObstacles(collideWithCloth, collideWithBodies);

    // nothing is refused from here on
    this.nodes = new Map(model.linkNames.map((link) => [link, nodes[link] ?? this.makeNode(link, scene)]));
    const { onBeforeStepObservable, onAfterStepObservable } = this.plugin;
    const before = onBeforeStepObservable.add((dt) => this.step(dt));
    const after = onAfterStepObservable.add(() => this.writeNodes());
    const gone = scene.onDisposeObservable.add(() => this.dispose());
    this.stopListening = () => {
      onBeforeStepObservable.remove(before);
      onAfterStepObservable.remove(after);
      scene.onDisposeObservable.remove(gone);
    };
    this.writeNodes();
  }

  /**
   * A mechanism from a hierarchy of nodes as it stands, see `HierarchyLink`.
   *
   * @param links by the names of the nodes, which may be the root or below it
   * @throws PliantError as the constructor, and for names that no node has or several have
   */
  static fromHierarchy(
    root: TransformNode,
    links: Readonly<Record<string, HierarchyLink>>,
    options: Omit<ArticulationOptions, "nodes" | "position" | "rotation"> = {},
    scene: Scene = root.getScene(),
  ): ArticulationAggregate {
    const { mechanism, nodes } = describeHierarchy(root, links);
    return new ArticulationAggregate(mechanism, { ...options, nodes }, scene);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether it stands still because its state was no longer finite; see `onFrozenObservable`. */
  get isFrozen(): boolean {
    return this.frozen;
  }

  /**
   * Sets the force of a joint's actuator, from the next step on.
   *
   * @param value N m or N; one number, or one for each degree of freedom of the joint
   * @throws PliantError for an unknown joint, a wrong number of values, or one that is not finite; nothing is changed then
   */
  setControl(joint: string, value: number | readonly number[]): void {
    const [dof, values] = this.valuesOf(joint, value, "setControl");
    this.torques.set(values, dof);
  }

  /** Coordinates of a joint, rad or m. */
  getPosition(joint: string): number[] {
    return this.read(joint, this.simulation.q);
  }

  /** Their rates, rad/s or m/s. */
  getVelocity(joint: string): number[] {
    return this.read(joint, this.simulation.qd);
  }

  /**
   * Puts a joint somewhere at once, without a velocity.
   *
   * @throws PliantError as `setControl`
   */
  setPosition(joint: string, value: number | readonly number[]): void {
    const [dof, values] = this.valuesOf(joint, value, "setPosition");
    this.simulation.q.set(values, dof);
    this.simulation.qd.fill(0, dof, dof + values.length);
    updatePositions(this.scratch, this.simulation.q);
    for (const obstacle of this.obstacles) obstacle.teleport(linkPose(this.scratch, obstacle.link));
    this.frozen = false;
    this.writeNodes();
  }

  /**
   * Pulls at a point of a link in the next step of the physics.
   *
   * @param force N, in scenes of other units kg units/s²; world space
   * @param point world space
   * @throws PliantError for an unknown link or a vector that is not finite
   */
  applyForce(link: string, force: Vector3, point: Vector3): void {
    this.check();
    requireFiniteVector(`${this.name}.applyForce`, force);
    requireFiniteVector(`${this.name}.applyForce`, point);
    const index = this.simulation.model.linkIndex(link);
    const { frame } = this.plugin;
    const pull = frame.offset(force);
    const turn = Vector3.Cross(Vector3.FromArray(frame.point(point)), Vector3.FromArray(pull));
    this.wrenches.fill(0);
    this.wrenches.set([turn.x, turn.y, turn.z, ...pull], 6 * index);
    updatePositions(this.scratch, this.simulation.q);
    addWrenches(this.scratch, this.wrenches, this.external);
  }

  /** Where a link is in the scene. */
  poseOf(link: string | number): LinkPose {
    const index = typeof link === "number" ? link : this.simulation.model.linkIndex(link);
    const { position, rotation } = linkPose(this.scratch, index);
    return { position: toVec3(this.plugin.frame.pointInScene(position)), rotation };
  }

  /** Takes the mechanism out of the simulation. Nodes that were given stay where they are, others are disposed. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.stopListening();
    for (const obstacle of this.obstacles) obstacle.dispose();
    for (const node of this.ownNodes) node.dispose(true);
    this.onDisposeObservable.notifyObservers(this);
    this.onDisposeObservable.clear();
    this.onFrozenObservable.clear();
  }

  private addObstacles(forCloth: boolean, forBodies: boolean): void {
    const { model } = this.simulation;
    if (!forCloth && !forBodies) return;
    const meets = forCloth && forBodies ? "all" : forCloth ? "deformable" : "rigid";
    try {
      for (let link = 0; link < model.linkCount; link++) {
        const shapes = model.shapes[link];
        if (shapes.length === 0) continue;
        const name = `${this.name} link "${model.linkNames[link]}"`;
        const pose = linkPose(this.scratch, link);
        this.obstacles.push(new LinkObstacle(this.plugin.rigid, link, name, shapes, pose, meets));
      }
    } catch (error) {
      for (const obstacle of this.obstacles) obstacle.dispose();
      throw error;
    }
  }

  private makeNode(link: string, scene: Scene): TransformNode {
    const node = new TransformNode(link, scene);
    node.rotationQuaternion = Quaternion.Identity();
    this.ownNodes.push(node);
    return node;
  }

  /** Whole time steps up to the end of a step of the physics; links then are on their way there for the cloth. */
  private step(dt: number): void {
    if (this.frozen) return;
    const { simulation } = this;
    this.behind += dt;
    try {
      this.feelContacts(dt);
      for (; this.behind > 0.5 * simulation.timeStep; this.behind -= simulation.timeStep) {
        for (let k = 0; k < simulation.nv; k++) simulation.control[k] = this.torques[k] + this.external[k];
        simulation.step();
      }
    } catch (error) {
      if (!(error instanceof PliantError)) throw error;
      this.frozen = true;
      this.behind = 0;
      this.onFrozenObservable.notifyObservers(error);
    }
    this.external.fill(0);
    updatePositions(this.scratch, simulation.q);
    for (const obstacle of this.obstacles) obstacle.move(linkPose(this.scratch, obstacle.link));
  }

  /** What cloth and bodies gave the links in the last step acts as a force over this one: τ += Σ Jᵀ w / Δt. */
  private feelContacts(dt: number): void {
    const { scratch, wrenches, simulation } = this;
    wrenches.fill(0);
    let any = false;
    for (const obstacle of this.obstacles) any = obstacle.take(wrenches, 6 * obstacle.link) || any;
    if (!any) return;
    for (let i = 0; i < wrenches.length; i++) wrenches[i] /= dt;
    updatePositions(scratch, simulation.q);
    addWrenches(scratch, wrenches, this.external);
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
    if (values.length !== count)
      throw new PliantError("invalid-argument", `${this.name}.${what} "${joint}"`, value, `must be ${count} numbers`);
    if (!values.every(Number.isFinite))
      throw new PliantError("non-finite", `${this.name}.${what} "${joint}"`, value, "must be finite");
    return [dof, values];
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", this.name, "a call", "was disposed");
  }
}
