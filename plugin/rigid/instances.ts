import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { invalid, type PliantError } from "../../src/errors";
import type { Vec3 } from "../../src/index";
import { matrixOf, poseOfMatrix, worldMatrixOf } from "./node-pose";
import { type EngineHost, RigidState } from "./rigid-state";

/** Makes a state for each thin instance of a mesh from index `first` on. */
export function createInstances(
  host: EngineHost,
  motionType: PhysicsMotionType,
  mesh: Mesh,
  first: number,
): RigidState[] {
  const states: RigidState[] = [];
  for (let i = first; i < mesh.thinInstanceCount; i++) {
    const matrix = matrixOf(mesh, i);
    const label = (): string => `PhysicsBody "${mesh.name}" instance ${i}`;
    const state = new RigidState(host, label, motionType, poseOfMatrix(matrix), i);
    state.scale = instanceScale(mesh, i);
    state.watch.changed(matrix);
    states.push(state);
  }
  return states;
}

/** Scaling of an instance relative to that of its mesh, which the shape already contains; undefined without scaling. */
function instanceScale(node: TransformNode, index: number): Vec3 | undefined {
  const own = poseOfMatrix(matrixOf(node, index)).scaling;
  worldMatrixOf(node);
  const mesh = node.absoluteScaling;
  const scale: Vec3 = [own.x / mesh.x, own.y / mesh.y, own.z / mesh.z];
  return scale.every((factor) => Math.abs(factor - 1) < 1e-4) ? undefined : scale;
}

/** Whether an instance has a size; an instance with a zero scaling, for example a hidden one, has none. */
export function isUsable({ scale }: RigidState): boolean {
  return !scale || scale.every((factor) => Number.isFinite(factor) && factor !== 0);
}

/** Takes over the present scaling of an instance. */
export function rescale(state: RigidState, node: TransformNode): void {
  state.scale = instanceScale(node, state.index!);
}

export function scalingError(state: RigidState): PliantError {
  return invalid(`${state.label()} scaling`, state.scale, "must be finite and not zero");
}

/** Adds or removes states until there is one for each thin instance; new ones are like the first. */
export function resizeInstances(
  host: EngineHost,
  body: PhysicsBody,
  mesh: Mesh,
  giveShape: (state: RigidState) => void,
): void {
  const states = body._pluginDataInstances as RigidState[];
  while (states.length > mesh.thinInstanceCount) states.pop()?.dispose();
  const single = body._pluginData as RigidState | undefined;
  const like = states[0] ?? single;
  if (!like) return;
  for (const state of createInstances(host, like.motionType, mesh, states.length)) {
    state.linearDamping = like.linearDamping;
    state.angularDamping = like.angularDamping;
    state.gravityFactor = like.gravityFactor;
    state.eventMask = like.eventMask;
    state.userMass = like.userMass;
    state.canSleep = like.canSleep;
    giveShape(state);
    states.push(state);
  }
  // the first instances replace the body that the mesh was before
  if (single && states.length > 0) {
    single.dispose();
    body._pluginData = undefined;
  }
}
