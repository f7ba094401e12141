import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { poseOfMatrix, worldMatrixOf } from "../rigid/node-pose";

/** From the frame of a node to that of the body of another one, which has its pose without its scaling. */
export function between(node: TransformNode, owner: TransformNode): Matrix {
  const { position, rotation } = poseOfMatrix(worldMatrixOf(owner));
  return worldMatrixOf(node).multiply(Matrix.Invert(Matrix.Compose(Vector3.One(), rotation, position)));
}

/** The world matrix of a node without its lengths: directions stay as long as they are. */
export function directions(node: TransformNode): Matrix {
  const { scaling, rotation } = poseOfMatrix(worldMatrixOf(node));
  const signs = new Vector3(Math.sign(scaling.x), Math.sign(scaling.y), Math.sign(scaling.z));
  return Matrix.Compose(signs, rotation, Vector3.Zero());
}

/** The rotation whose axes are two directions, made orthogonal, and their cross product. */
export function rotationOf(x: Vector3, y: Vector3): Quaternion {
  const first = x.normalizeToNew();
  const third = Vector3.Cross(first, y).normalize();
  const axes = Matrix.Identity();
  Matrix.FromXYZAxesToRef(first, Vector3.Cross(third, first), third, axes);
  return Quaternion.FromRotationMatrix(axes);
}
