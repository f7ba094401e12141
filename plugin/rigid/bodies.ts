import type { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsPrestepType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PliantError } from "../../src/errors";
import { requireFiniteVector, requireRotation } from "../convert";
import { deepVersion, type ShapeData } from "../shape/shape-data";
import type { RigidSurroundings } from "./engine-body";
import { aim, clearForces, coast, follow } from "./motion";
import { matrixOf, poseOfMatrix, writeInstancePose, writeNodePose } from "./node-pose";
import type { Pose, RigidState } from "./rigid-state";

/** As the user knows a body, for messages. */
export function nameOf(body: PhysicsBody): string {
  // the constructor of a body asks for its pose before it knows its node
  return `PhysicsBody "${(body.transformNode as PhysicsBody["transformNode"] | undefined)?.name ?? ""}"`;
}

/**
 * States of a body: one, or one for each thin instance.
 *
 * @throws PliantError when the body was disposed
 */
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

/**
 * State of one instance; of the first one where no index is given.
 *
 * @throws PliantError when there is no such instance
 */
export function stateOf(body: PhysicsBody, index = 0): RigidState {
  const state = statesOf(body)[index];
  if (!state)
    throw new PliantError(
      "index-out-of-range",
      `${nameOf(body)} instance`,
      index,
      `must be below ${statesOf(body).length}`,
    );
  return state;
}

/** States that a call means: one instance, or all of them where no index is given. */
export function meant(body: PhysicsBody, index: number | undefined): readonly RigidState[] {
  return index === undefined ? statesOf(body) : [stateOf(body, index)];
}

/**
 * As `meant`, for what is to happen in the simulation.
 *
 * @throws PliantError `disposed` also where the body is left over from a plugin that was disposed
 */
export function simulated(body: PhysicsBody, index: number | undefined): readonly RigidState[] {
  const states = meant(body, index);
  if (states.some(({ isDisposed }) => isDisposed))
    throw new PliantError("disposed", nameOf(body), index, "was disposed with its plugin");
  return states;
}

/**
 * Before the steps of a frame: takes over what was done to a node.
 *
 * Static bodies stand where their node is. Animated bodies go to where their node was moved to, with the velocity that
 * takes, so that cloth is dragged along. Dynamic bodies lead their node, unless the prestep type says otherwise.
 *
 * @param returns the body was left out till now, and starts where its node is, unless it leads that
 * @throws PliantError `non-finite` for a node that is nowhere
 */
export function readNode(body: PhysicsBody, state: RigidState, timeStep: number, returns: boolean): void {
  const matrix = matrixOf(body.transformNode, state.index);
  const first = !state.watch.started;
  if (!state.watch.changed(matrix) && !returns) return;
  const { motionType } = state;
  const prestep = body.getPrestepType();
  const isLed = motionType === PhysicsMotionType.DYNAMIC && prestep === PhysicsPrestepType.DISABLED;
  if (isLed && isFinitePose(state)) {
    // somebody else moved the node, or what it hangs on
    state.nodeIsBehind = true;
    return;
  }
  const pose = poseOfMatrix(matrix);
  requirePose(state.label(), pose);
  // a node without a size, such as one that is hidden so, has no orientation
  if (pose.scaling.x * pose.scaling.y * pose.scaling.z === 0) pose.rotation.copyFrom(state.rotation);
  // what the body was created from, but for the rounding of a matrix
  if (first && samePose(pose, state)) return;
  if (returns || isLed || motionType === PhysicsMotionType.STATIC) put(state, pose);
  else if (motionType === PhysicsMotionType.ANIMATED) {
    // what the user set counts more; in frames without a step a node may move on
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

/** All that decides whether a body can be simulated: whoever is left out is tried again when some of it changes. */
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

/** Puts a body somewhere at once, without a velocity for the way there. */
export function teleport(body: PhysicsBody, position: Vector3, rotation: Quaternion): void {
  for (const state of statesOf(body)) {
    put(state, { position, rotation });
    state.target = undefined;
    state.linearVelocity.setAll(0);
    state.angularVelocity.setAll(0);
  }
}

/** Puts a body where a node is, or its instances where those of the node are; velocities stay. */
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
  private readonly start: Pose;
  private readonly target: RigidState["target"];

  constructor(
    readonly body: PhysicsBody,
    readonly state: RigidState,
    private readonly shape: ShapeData | undefined,
  ) {
    this.start = { position: state.position.clone(), rotation: state.rotation.clone() };
    this.target = state.motionType === PhysicsMotionType.ANIMATED ? state.target : undefined;
    state.target = undefined;
    if (!this.target && state.velocityIsFromTarget) {
      state.linearVelocity.setAll(0);
      state.angularVelocity.setAll(0);
    }
    state.velocityIsFromTarget = this.target !== undefined;
  }

  /**
   * Before a step of `dt` seconds, at the end of which the part `fraction` of the frame is over: animated bodies go on, and
   * the solver is told what was changed.
   */
  prepare(fraction: number, dt: number, around: RigidSurroundings): void {
    const { state } = this;
    if (!state.isSimulated) return;
    if (state.motionType === PhysicsMotionType.ANIMATED) this.animate(fraction, dt);
    state.engine.push(this.shape, around);
  }

  /** When all bodies are in the solver: those that are to start asleep, and that nobody has pushed, do so. */
  layToSleep(): void {
    const { state } = this;
    if (!state.startsAsleep || !state.isSimulated) return;
    state.startsAsleep = false;
    const isPushed = isMoving(state) || state.force.lengthSquared() > 0 || state.torque.lengthSquared() > 0;
    if (!isPushed) state.engine.sleep();
  }

  /**
   * After a step of the rigid bodies, and after one of the deformable ones, which have pushed some.
   *
   * @throws PliantError `non-finite` for a body that the solver has lost
   */
  finishStep(): void {
    const { state } = this;
    if (state.isSimulated && state.engine.pull()) state.nodeIsBehind = true;
  }

  private animate(fraction: number, dt: number): void {
    const { state, target } = this;
    if (target) follow(state, this.start, target, fraction, dt);
    else if (isMoving(state)) coast(state, dt);
    else return;
    state.nodeIsBehind = !target?.ofNode;
  }

  /** After the last step. */
  finish(): void {
    clearForces(this.state);
  }
}

function isMoving(state: RigidState): boolean {
  return state.linearVelocity.lengthSquared() > 0 || state.angularVelocity.lengthSquared() > 0;
}

/** After the steps of a frame: the node, or its thin instances, go where the body is. */
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
