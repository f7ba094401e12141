import type { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsPrestepType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { outOfRange, PliantError } from "../../src/errors";
import { requireFiniteVector, requireRotation } from "../geometry/convert";
import { deepVersion, type ShapeData } from "../shape/shape-data";
import type { RigidSurroundings } from "./engine-body";
import { aim, clearForces, coast, follow } from "./motion";
import { matrixOf, type Pose, poseOfMatrix, writeInstancePose, writeNodePose } from "./node-pose";
import type { RigidState } from "./rigid-state";

/** The user's name of a body, for messages. */
export function nameOf(body: PhysicsBody): string {
  // the constructor of a body asks for its pose before the body knows its node
  return `PhysicsBody "${(body.transformNode as PhysicsBody["transformNode"] | undefined)?.name ?? ""}"`;
}

/** States of a body: one, or one for each thin instance. @throws PliantError if the body was disposed of */
export function statesOf(body: PhysicsBody): readonly RigidState[] {
  const instances = body._pluginDataInstances as RigidState[];
  if (instances.length > 0) return instances;
  const single = body._pluginData as RigidState | null | undefined;
  if (!single) {
    if (body.isDisposed) throw new PliantError("disposed", nameOf(body), undefined, "was disposed");
    return [];
  }
  return [single];
}

/** State of one instance; of the first one without an index. @throws PliantError for an unknown instance */
export function stateOf(body: PhysicsBody, index = 0): RigidState {
  const state = statesOf(body)[index];
  if (!state) throw outOfRange(`${nameOf(body)} instance`, index, `must be below ${statesOf(body).length}`);
  return state;
}

/** States that a call affects: one instance, or all of them without an index. */
export function meant(body: PhysicsBody, index: number | undefined): readonly RigidState[] {
  return index === undefined ? statesOf(body) : [stateOf(body, index)];
}

/**
 * As `meant`, for calls that change the simulation.
 *
 * @throws PliantError `disposed`, also for a body of a plugin that was disposed of
 */
export function simulated(body: PhysicsBody, index: number | undefined): readonly RigidState[] {
  const states = meant(body, index);
  if (states.some(({ isDisposed }) => isDisposed))
    throw new PliantError("disposed", nameOf(body), index, "was disposed with its plugin");
  return states;
}

/**
 * Before the steps of a frame: takes over changes of a node.
 *
 * Static bodies stay at their node. Animated bodies go to the new place of their node, with the velocity that this
 * needs, so that they drag cloth along. Dynamic bodies lead their node, unless the prestep type says otherwise.
 *
 * @param returns whether the body was left out until now: then it starts at its node, unless it leads the node
 * @throws PliantError `non-finite` for a node without a finite pose
 */
export function readNode(body: PhysicsBody, state: RigidState, timeStep: number, returns: boolean): void {
  const matrix = matrixOf(body.transformNode, state.index);
  const first = !state.watch.started;
  if (!state.watch.changed(matrix) && !returns) return;
  const { motionType } = state;
  const prestep = body.getPrestepType();
  const isLed = motionType === PhysicsMotionType.DYNAMIC && prestep === PhysicsPrestepType.DISABLED;
  if (isLed && isFinitePose(state)) {
    // something else moved the node, or one of its ancestors
    state.nodeIsBehind = true;
    return;
  }
  const pose = poseOfMatrix(matrix);
  requirePose(state.label(), pose);
  // a node with a zero scaling, such as one that is hidden in this way, has no orientation
  if (pose.scaling.x * pose.scaling.y * pose.scaling.z === 0) pose.rotation.copyFrom(state.rotation);
  // the pose that the body was created with, except for the rounding of a matrix
  if (first && samePose(pose, state)) return;
  if (returns || isLed || motionType === PhysicsMotionType.STATIC) put(state, pose);
  else if (motionType === PhysicsMotionType.ANIMATED) {
    // a target that the user set takes precedence; in frames without a step a node may move on
    if (state.target?.ofNode !== false) state.target = { ...pose, ofNode: true };
  } else if (prestep === PhysicsPrestepType.TELEPORT) put(state, pose);
  else if (prestep === PhysicsPrestepType.ACTION) aim(state, pose, timeStep);
}

/** @throws PliantError `non-finite` */
function requirePose(label: string, { position, rotation }: Pose): void {
  requireFiniteVector(`${label} position of the node`, position);
  requireRotation(`${label} rotation of the node`, rotation);
}

function isFinitePose({ position: p, rotation: q }: Pose): boolean {
  return Number.isFinite(p.x + p.y + p.z + q.x + q.y + q.z + q.w);
}

/**
 * Everything that decides whether a body can be simulated: a body that was left out is tried again when any of it
 * changes.
 */
export function partsOf({ transformNode }: PhysicsBody, state: RigidState, shape: ShapeData | undefined): unknown[] {
  const { position, rotation, linearVelocity, angularVelocity } = state;
  return [
    ...[shape, shape && deepVersion(shape), state.userMass, state.motionType],
    ...matrixOf(transformNode, state.index).asArray(),
    ...[position, rotation, linearVelocity, angularVelocity].flatMap((value) => value.asArray()),
  ];
}

function put(state: RigidState, pose: Pose): void {
  state.position.copyFrom(pose.position);
  state.rotation.copyFrom(pose.rotation);
  state.hasJumped = true;
}

/** Moves a body at once, without a velocity for the way there. */
export function teleport(body: PhysicsBody, position: Vector3, rotation: Quaternion): void {
  for (const state of statesOf(body)) {
    put(state, { position, rotation });
    state.isPut = true;
    state.target = undefined;
    state.linearVelocity.setAll(0);
    state.angularVelocity.setAll(0);
  }
}

/** Moves a body to a node, or its instances to those of the node; velocities stay. */
export function putAtNode(body: PhysicsBody, node: TransformNode): void {
  for (const state of statesOf(body)) {
    put(state, poseOfMatrix(matrixOf(node, state.index)));
    state.nodeIsBehind = true;
  }
}

const ROUNDING = 1e-5;

function samePose(a: Pose, b: Pose): boolean {
  const turn = Math.abs(
    a.rotation.x * b.rotation.x +
      a.rotation.y * b.rotation.y +
      a.rotation.z * b.rotation.z +
      a.rotation.w * b.rotation.w,
  );
  return a.position.equalsWithEpsilon(b.position, ROUNDING * (1 + b.position.length())) && turn > 1 - ROUNDING;
}

/** The way of a body through the steps of one frame. */
export class FrameMotion {
  /** @internal */
  readonly start: Pose = { position: this.state.position.clone(), rotation: this.state.rotation.clone() };
  /** @internal */
  readonly target: RigidState["target"];

  constructor(
    readonly body: PhysicsBody,
    readonly state: RigidState,
    private readonly shape: ShapeData | undefined,
  ) {
    this.target = state.motionType === PhysicsMotionType.ANIMATED ? state.target : undefined;
    state.target = undefined;
    state.isPut = false;
    if (!this.target && state.velocityIsFromTarget) {
      state.linearVelocity.setAll(0);
      state.angularVelocity.setAll(0);
    }
    state.velocityIsFromTarget = this.target !== undefined;
  }

  /**
   * Before a step of `dt` seconds, after which the part `fraction` of the frame is over: moves animated bodies, and
   * hands changes to the solver.
   */
  prepare(fraction: number, dt: number, around: RigidSurroundings): void {
    const { state } = this;
    if (!state.isSimulated) return;
    if (state.motionType === PhysicsMotionType.ANIMATED) this.animate(fraction, dt);
    state.engine.push(this.shape, around);
  }

  /** When all bodies are in the solver: puts those to sleep that are to start asleep and that nothing has pushed. */
  layToSleep(): void {
    const { state } = this;
    if (!state.startsAsleep || !state.isSimulated) return;
    state.startsAsleep = false;
    const isPushed = isMoving(state) || state.force.lengthSquared() > 0 || state.torque.lengthSquared() > 0;
    if (!isPushed) state.engine.sleep();
  }

  /**
   * Takes over the motion after a step of the rigid bodies, and again after one of the deformable bodies, which have
   * pushed some.
   *
   * @throws PliantError `non-finite` for a body whose state in the solver is no longer finite
   */
  finishStep(): void {
    const { state } = this;
    if (state.isSimulated && state.engine.pull()) state.nodeIsBehind = true;
  }

  private animate(fraction: number, dt: number): void {
    const { state } = this;
    const target = state.isPut ? undefined : this.target;
    if (target) follow(state, this.start, target, fraction, dt);
    else if (isMoving(state)) coast(state, dt);
    else return;
    state.nodeIsBehind = !target?.ofNode;
  }

  /** Called after the last step. */
  finish(): void {
    clearForces(this.state);
  }
}

function isMoving(state: RigidState): boolean {
  return state.linearVelocity.lengthSquared() > 0 || state.angularVelocity.lengthSquared() > 0;
}

/** After the steps of a frame: moves nodes, or their thin instances, to their bodies. */
export function writeNodes(body: PhysicsBody): void {
  const node = body.transformNode;
  let instancesChanged = false;
  for (const state of statesOf(body)) {
    if (!state.nodeIsBehind) continue;
    state.nodeIsBehind = false;
    if (state.index === undefined) state.nodeIsBehind = !writeNodePose(node, state);
    else {
      writeInstancePose(node, state.index, state, poseOfMatrix(matrixOf(node, state.index)).scaling);
      instancesChanged = true;
    }
    state.watch.changed(matrixOf(node, state.index));
  }
  if (instancesChanged) (node as Mesh).thinInstanceBufferUpdated("matrix");
}
