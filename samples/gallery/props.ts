import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { PliantError } from "../../src/errors";
import { quickhull } from "../../src/collision/hull/quickhull";
import type { ColliderShape, Quat, Vec3 } from "../../src/index";

/**
 * A mesh that looks like a collider's shape, in the collider's frame.
 *
 * @throws PliantError `unsupported` for shapes that no scene of the gallery has
 */
export function meshOfShape(name: string, shape: ColliderShape, scene: Scene): Mesh {
  switch (shape.type) {
    case "sphere": {
      const mesh = MeshBuilder.CreateSphere(name, { diameter: 2 * shape.radius, segments: 48 }, scene);
      return placed(mesh, shape.center, undefined);
    }
    case "box": {
      const [width, height, depth] = shape.halfExtents.map((half) => 2 * half);
      return placed(MeshBuilder.CreateBox(name, { width, height, depth }, scene), shape.center, shape.rotation);
    }
    case "cylinder": {
      const height = distance(shape.pointA, shape.pointB);
      const mesh = MeshBuilder.CreateCylinder(name, { height, diameter: 2 * shape.radius, tessellation: 64 }, scene);
      return along(mesh, shape.pointA, shape.pointB);
    }
    case "capsule": {
      const height = distance(shape.pointA, shape.pointB) + 2 * shape.radius;
      const mesh = MeshBuilder.CreateCapsule(name, { height, radius: shape.radius, tessellation: 48 }, scene);
      return along(mesh, shape.pointA, shape.pointB);
    }
    case "convex-hull":
      return hullMesh(name, shape.positions, scene);
    case "container": {
      const parts = shape.children.map(({ shape: child, position, rotation }) =>
        placed(meshOfShape(name, child, scene), position, rotation),
      );
      return Mesh.MergeMeshes(parts, true)!;
    }
    case "mesh":
      return triangleMesh(name, shape.positions, shape.indices, scene);
    default:
      throw new PliantError("unsupported", `prop "${name}"`, shape.type, "must be a shape that the gallery draws");
  }
}

/** Smooth-shaded triangles; they are counter-clockwise from outside, which is Babylon's back in a left-handed scene. */
function triangleMesh(name: string, positions: ArrayLike<number>, indices: ArrayLike<number>, scene: Scene): Mesh {
  const mesh = new Mesh(name, scene);
  const data = new VertexData();
  data.positions = Array.from(positions);
  const flipped: number[] = [];
  for (let i = 0; i < indices.length; i += 3) flipped.push(indices[i], indices[i + 2], indices[i + 1]);
  data.indices = flipped;
  const normals: number[] = [];
  VertexData.ComputeNormals(data.positions, data.indices, normals);
  data.normals = normals;
  data.applyToMesh(mesh);
  return mesh;
}

/** A hull with flat faces, each triangle with corners of its own. */
function hullMesh(name: string, given: ArrayLike<number>, scene: Scene): Mesh {
  const positions: number[] = [];
  const { points, facets } = quickhull(given, name);
  for (const { corners } of facets)
    for (const corner of corners) for (let i = 0; i < 3; i++) positions.push(points[3 * corner + i]);
  return triangleMesh(
    name,
    positions,
    positions.filter((_, i) => i % 3 === 0).map((_, i) => i),
    scene,
  );
}

function placed(mesh: Mesh, center: Vec3 | undefined, rotation: Quat | undefined): Mesh {
  const transform = Matrix.Compose(
    Vector3.One(),
    rotation === undefined ? Quaternion.Identity() : new Quaternion(...rotation),
    center === undefined ? Vector3.Zero() : new Vector3(...center),
  );
  mesh.bakeTransformIntoVertices(transform);
  return mesh;
}

/** Turns a mesh that stands along y so that it reaches from one point to the other. */
function along(mesh: Mesh, pointA: Vec3, pointB: Vec3): Mesh {
  const a = new Vector3(...pointA);
  const b = new Vector3(...pointB);
  const rotation = Quaternion.FromUnitVectorsToRef(Vector3.Up(), b.subtract(a).normalize(), new Quaternion());
  mesh.bakeTransformIntoVertices(Matrix.Compose(Vector3.One(), rotation, Vector3.Center(a, b)));
  return mesh;
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
