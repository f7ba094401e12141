import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import { type PliantPlugin, SkeletonAggregate } from "../../plugin/index";
import type { DeformableBody } from "../../src/index";
import type { BonePose, FigureBody, FigureDescription, FigureFactory } from "../scene";

/** Makes the figures of a session as skinned meshes. `dress` gives each its look. */
export function figuresIn(
  scene: Scene,
  plugin: PliantPlugin,
  dress: (mesh: Mesh, description: FigureDescription) => void,
): FigureFactory {
  return (description) => {
    const figure = new SkinnedFigure(description, scene, plugin);
    dress(figure.mesh, description);
    return figure;
  };
}

/** A skinned mesh. Its bones lead colliders, by `SkeletonAggregate`, and carry particles of cloth, by `attach`. */
export class SkinnedFigure implements FigureBody {
  readonly mesh: Mesh;
  /** The skin is drawn instead. */
  readonly props = [];
  private readonly bones: ReadonlyMap<string, Bone>;

  constructor(
    description: FigureDescription,
    scene: Scene,
    private readonly plugin: PliantPlugin,
  ) {
    const { name, friction } = description;
    this.mesh = skinMesh(description, scene);
    const skeleton = new Skeleton(name, name, scene);
    const bones = new Map<string, Bone>();
    for (const { name: boneName, parent, rest } of description.bones)
      bones.set(
        boneName,
        new Bone(boneName, skeleton, parent === undefined ? null : bones.get(parent)!, matrixOf(rest)),
      );
    this.bones = bones;
    this.mesh.skeleton = skeleton;
    const shapes = Object.fromEntries(description.bones.map(({ name: boneName, shape }) => [boneName, shape]));
    new SkeletonAggregate(this.mesh, { shapes, friction }, scene);
  }

  moveTo(poses: Readonly<Record<string, BonePose>>): void {
    for (const [name, bone] of this.bones) {
      const { position, rotation } = poses[name];
      bone.position = new Vector3(...position);
      bone.rotationQuaternion = new Quaternion(...rotation);
    }
  }

  poseOf(bone: string): BonePose {
    this.mesh.skeleton!.prepare(true);
    const [position, rotation] = [new Vector3(), new Quaternion()];
    this.bones.get(bone)!.getFinalMatrix().decompose(undefined, rotation, position);
    return {
      position: [position.x, position.y, position.z],
      rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
    };
  }

  carry(cloth: DeformableBody, particles: readonly number[], bone: string): void {
    // Before the first step the attachment is complete when this returns.
    void this.plugin.deformableAggregates
      .find(({ body }) => body === cloth)!
      .attach(particles, this.bones.get(bone)!, this.mesh);
  }
}

function matrixOf({ position, rotation }: BonePose): Matrix {
  return Matrix.Compose(Vector3.One(), new Quaternion(...rotation), new Vector3(...position));
}

/** World poses of the bones at rest. */
function skinMesh({ name, skin }: FigureDescription, scene: Scene): Mesh {
  const { positions, indices, bones, weights } = skin();
  const data = new VertexData();
  data.positions = Float32Array.from(positions);
  data.indices = indices;
  const normals = new Float32Array(positions.length);
  VertexData.ComputeNormals(data.positions, indices, normals);
  data.normals = normals;
  data.matricesIndices = Float32Array.from(bones);
  data.matricesWeights = Float32Array.from(weights);
  const mesh = new Mesh(name, scene);
  data.applyToMesh(mesh);
  mesh.numBoneInfluencers = 4;
  // its bounding box is that of the rest pose
  mesh.alwaysSelectAsActiveMesh = true;
  return mesh;
}
