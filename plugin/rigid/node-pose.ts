import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";

/** Pose of a body or a node: its origin and orientation, in the scene and its units, as the whole state. */
export interface Pose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

/** World matrix of a node, up to date even if no frame was drawn since it was moved. */
export function worldMatrixOf(node: TransformNode): Matrix {
  return node.computeWorldMatrix(!node.isSynchronized());
}

/** Matrices (16 numbers each) of the thin instances of a node; undefined without instances. */
export function instanceMatrices(node: TransformNode): Float32Array | undefined {
  if (!(node instanceof Mesh) || !node.hasThinInstances) return undefined;
  return node._thinInstanceDataStorage.matrixData ?? undefined;
}

/** World matrix of a node, or of one of its thin instances. */
export function matrixOf(node: TransformNode, index?: number): Matrix {
  const world = worldMatrixOf(node);
  const instances = index === undefined ? undefined : instanceMatrices(node);
  return instances ? Matrix.FromArray(instances, 16 * index!).multiply(world) : world;
}

/** Splits a world matrix into pose and scaling. */
export function poseOfMatrix(matrix: Matrix): Pose & { scaling: Vector3 } {
  const [scaling, rotation, position] = [Vector3.One(), Quaternion.Identity(), Vector3.Zero()];
  matrix.decompose(scaling, rotation, position);
  return { position, rotation, scaling };
}

/**
 * Moves a node to a pose in the world; its scaling stays.
 *
 * @returns false if its parent, without a size or a finite pose, makes that impossible
 */
export function writeNodePose(node: TransformNode, pose: Pose): boolean {
  const parent = node.parent;
  let { position, rotation } = pose;
  if (parent) {
    const parentMatrix = parent.computeWorldMatrix(true);
    if (!parentMatrix.isIdentity()) {
      const determinant = parentMatrix.determinant();
      if (!Number.isFinite(determinant) || determinant === 0) return false;
      const world = Matrix.Compose(node.absoluteScaling, rotation, position);
      ({ position, rotation } = poseOfMatrix(world.multiply(Matrix.Invert(parentMatrix))));
    }
  }
  node.position.copyFrom(position);
  if (node.rotationQuaternion) node.rotationQuaternion.copyFrom(rotation);
  else node.rotation.copyFrom(rotation.toEulerAngles());
  return true;
}

/** Writes the pose of an instance into the matrices of its mesh. The caller reports the change to the mesh. */
export function writeInstancePose(node: TransformNode, index: number, pose: Pose, scaling: Vector3): void {
  const instances = instanceMatrices(node);
  if (!instances) return;
  const world = Matrix.Compose(scaling, pose.rotation, pose.position);
  world.multiply(Matrix.Invert(worldMatrixOf(node))).copyToArray(instances, 16 * index);
}

/** Remembers a matrix, to notice when something else moved the node. */
export class MatrixWatch {
  /** Whether it has seen a matrix yet. */
  started = false;
  private readonly seen = new Float64Array(16);

  /** Whether the matrix differs from the last one; it is the last one from now on. */
  changed(matrix: { asArray(): ArrayLike<number> }): boolean {
    const values = matrix.asArray();
    let different = !this.started;
    this.started = true;
    for (let i = 0; i < 16; i++) {
      if (this.seen[i] !== values[i]) different = true;
      this.seen[i] = values[i];
    }
    return different;
  }
}
