import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";

/** A skinned arm along the x axis: two bones of 0.5 m and a radius of 0.1 m; the joint at the origin bends smoothly. */
export interface Arm {
  readonly mesh: Mesh;
  readonly skeleton: Skeleton;
  readonly upper: Bone;
  readonly lower: Bone;
}

export const ARM_RADIUS = 0.1;

export function makeArm(scene: Scene): Arm {
  const mesh = CreateCapsule(
    "arm",
    {
      radius: ARM_RADIUS,
      height: 1.2,
      orientation: Vector3.Right(),
      subdivisions: 24,
      tessellation: 24,
      updatable: true,
    },
    scene,
  );
  const skeleton = new Skeleton("arm", "arm", scene);
  const upper = new Bone("upper", skeleton, null, Matrix.Translation(-0.5, 0, 0));
  const lower = new Bone("lower", skeleton, upper, Matrix.Translation(0.5, 0, 0));
  const positions = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const indices: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    const share = Math.min(1, Math.max(0, 0.5 + positions[i] / 0.2));
    indices.push(0, 1, 0, 0);
    weights.push(1 - share, share, 0, 0);
  }
  mesh.setVerticesData(VertexBuffer.MatricesIndicesKind, indices, false);
  mesh.setVerticesData(VertexBuffer.MatricesWeightsKind, weights, false);
  mesh.skeleton = skeleton;
  return { mesh, skeleton, upper, lower };
}
