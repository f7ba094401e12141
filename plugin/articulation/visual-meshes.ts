import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, unsupported } from "../../src/errors";
import type { ColliderShape, VisualShape } from "../../src/index";
import { turnOver } from "../geometry/triangles";

/** Meshes and materials that draw a mechanism. */
export class VisualMeshes {
  readonly meshes: Mesh[] = [];
  private readonly materials = new Map<string, StandardMaterial>();

  /**
   * @param nodeOf node of a link, or of the mechanism's world if there is no name
   * @param unitsPerMetre of the scene
   */
  constructor(
    visuals: readonly VisualShape[],
    nodeOf: (link: string | undefined) => TransformNode,
    private readonly scene: Scene,
    unitsPerMetre: number,
  ) {
    for (const visual of visuals) {
      const node = nodeOf(visual.link);
      const mesh = makeMesh(visual.name ?? visual.link ?? "visual", visual.shape, scene);
      const placed = new Quaternion(...(visual.rotation ?? [0, 0, 0, 1]));
      const at = new Vector3(...(visual.position ?? [0, 0, 0]));
      // A shape has a place of its own in the frame of the visual.
      mesh.computeWorldMatrix(true);
      const local = mesh.getWorldMatrix().multiply(Matrix.Compose(Vector3.One(), placed, at));
      mesh.rotationQuaternion = new Quaternion();
      local.decompose(undefined, mesh.rotationQuaternion, mesh.position);
      mesh.position.scaleInPlace(unitsPerMetre);
      mesh.scaling.setAll(unitsPerMetre);
      mesh.parent = node;
      if (visual.color !== undefined) mesh.material = this.materialOf(visual.color);
      this.meshes.push(mesh);
    }
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose();
    for (const material of this.materials.values()) material.dispose();
  }

  private materialOf([r, g, b, alpha]: NonNullable<VisualShape["color"]>): StandardMaterial {
    const key = `${r} ${g} ${b} ${alpha}`;
    let material = this.materials.get(key);
    if (material === undefined) {
      material = new StandardMaterial(`color ${key}`, this.scene);
      material.diffuseColor = new Color3(r, g, b);
      material.alpha = alpha;
      this.materials.set(key, material);
    }
    return material;
  }
}

/** @throws PliantError for visuals of links that the mechanism does not have, or shapes that cannot be drawn */
export function checkVisuals(object: string, visuals: readonly VisualShape[], links: ReadonlySet<string>): void {
  visuals.forEach(({ link, shape }, index) => {
    const name = `${object}.visuals[${index}]`;
    if (link !== undefined && !links.has(link)) throw invalid(name, link, "is not a link");
    if (!drawable.has(shape.type)) throw unsupported(name, shape.type, `must be one of ${[...drawable].join(", ")}`);
  });
}

const drawable: ReadonlySet<string> = new Set(["sphere", "box", "capsule", "cylinder", "mesh"]);

/** A mesh of a shape, in meters, at the place that the shape gives. */
function makeMesh(name: string, shape: ColliderShape, scene: Scene): Mesh {
  switch (shape.type) {
    case "sphere": {
      const mesh = CreateSphere(name, { diameter: 2 * shape.radius, segments: 16 }, scene);
      mesh.position.fromArray(shape.center ?? [0, 0, 0]);
      return mesh;
    }
    case "box": {
      const [width, height, depth] = shape.halfExtents.map((half) => 2 * half);
      const mesh = CreateBox(name, { width, height, depth }, scene);
      mesh.position.fromArray(shape.center ?? [0, 0, 0]);
      mesh.rotationQuaternion = new Quaternion(...(shape.rotation ?? [0, 0, 0, 1]));
      return mesh;
    }
    case "capsule":
    case "cylinder": {
      const [a, b] = [new Vector3(...shape.pointA), new Vector3(...shape.pointB)];
      const length = Vector3.Distance(a, b);
      const { radius } = shape;
      const mesh =
        shape.type === "capsule"
          ? CreateCapsule(name, { radius, height: length + 2 * radius }, scene)
          : CreateCylinder(name, { diameter: 2 * radius, height: length }, scene);
      mesh.position = Vector3.Center(a, b);
      const axis = length > 0 ? b.subtract(a).scaleInPlace(1 / length) : Vector3.Up();
      mesh.rotationQuaternion = Quaternion.FromUnitVectorsToRef(Vector3.Up(), axis, new Quaternion());
      return mesh;
    }
    case "mesh":
      return triangleMesh(name, shape.positions, shape.indices, scene);
    default:
      throw unsupported(name, shape.type, "must be a shape that can be drawn");
  }
}

function triangleMesh(name: string, given: ArrayLike<number>, faces: ArrayLike<number>, scene: Scene): Mesh {
  // Triangles of files wind counterclockwise, those that Babylon draws clockwise, in scenes of either handedness.
  const indices = Uint32Array.from(faces);
  turnOver(indices);
  const positions = Float32Array.from(given);
  const normals = new Float32Array(positions.length);
  VertexData.ComputeNormals(positions, indices, normals);
  const data = new VertexData();
  Object.assign(data, { positions, indices, normals });
  const mesh = new Mesh(name, scene);
  data.applyToMesh(mesh);
  return mesh;
}
