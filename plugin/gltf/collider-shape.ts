import { type Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import {
  PhysicsShapeBox,
  PhysicsShapeCapsule,
  PhysicsShapeConvexHull,
  PhysicsShapeCylinder,
  PhysicsShapeMesh,
  PhysicsShapeSphere,
  type PhysicsShape,
} from "@babylonjs/core/Physics/v2/physicsShape";
import type { Scene } from "@babylonjs/core/scene";
import { unsupported } from "../../src/errors";
import { poseOfMatrix } from "../rigid/node-pose";
import type { Shape } from "./json";

/** Triangles in the frame of a node. */
export interface Triangles {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** Half size of a plane without a size, and the thickness of planes, in units of the file. */
const PLANE = { reach: 500, thickness: 0.1 };
/** Points around an end of a tapered shape, and rows of them over a round end. */
const AROUND = 24;
const ROWS = 4;

/**
 * A shape of `KHR_implicit_shapes` in the frame of a body. Spheres, capsules and cylinders that a node scales unequally take the largest
 * scale across; tapered ones become hulls; planes become thick plates below their surface.
 *
 * @param toBody from the frame of the shape's node to that of the body; it may scale and mirror
 * @throws PliantError `unsupported` for a type that the specification does not have
 */
export function implicitShape(object: string, shape: Shape, toBody: Matrix, scene: Scene): PhysicsShape {
  const { scaling, rotation, position } = poseOfMatrix(toBody);
  const [sx, sy, sz] = [scaling.x, scaling.y, scaling.z].map(Math.abs);
  const at = (x: number, y: number, z: number): Vector3 => Vector3.TransformCoordinates(new Vector3(x, y, z), toBody);
  switch (shape.type) {
    case "sphere":
      return new PhysicsShapeSphere(position, (shape.sphere?.radius ?? 0.5) * Math.max(sx, sy, sz), scene);
    case "box": {
      const [x, y, z] = shape.box?.size ?? [1, 1, 1];
      return new PhysicsShapeBox(position, rotation, new Vector3(x * sx, y * sy, z * sz), scene);
    }
    case "plane": {
      const { sizeX = 2 * PLANE.reach, sizeZ = 2 * PLANE.reach } = shape.plane ?? {};
      const size = new Vector3(sizeX * sx, PLANE.thickness * sy, sizeZ * sz);
      return new PhysicsShapeBox(at(0, -PLANE.thickness / 2, 0), rotation, size, scene);
    }
    case "capsule":
    case "cylinder": {
      const isRound = shape.type === "capsule";
      const sizes = (isRound ? shape.capsule : shape.cylinder) ?? {};
      const { height = 0.5, radiusTop: top = 0.25, radiusBottom: bottom = 0.25 } = sizes;
      if (top !== bottom)
        return hullOf(isRound ? roundCone(height, top, bottom) : cone(height, top, bottom), toBody, scene);
      const [a, b, radius] = [at(0, -height / 2, 0), at(0, height / 2, 0), top * Math.max(sx, sz)];
      return isRound ? new PhysicsShapeCapsule(a, b, radius, scene) : new PhysicsShapeCylinder(a, b, radius, scene);
    }
    default:
      throw unsupported(`${object}.type`, shape.type, "must be sphere, box, capsule, cylinder or plane");
  }
}

/** The mesh of a node as a shape in the frame of a body: a hull, or all triangles. */
export function meshShape(
  { positions, indices }: Triangles,
  isConvex: boolean,
  toBody: Matrix,
  scene: Scene,
): PhysicsShape {
  if (isConvex) return hullOf(positions, toBody, scene);
  const turned = Array.from(indices);
  // The outside of a mirrored triangle is still outside.
  if (toBody.determinant() < 0)
    for (let k = 0; k < turned.length; k += 3) [turned[k], turned[k + 1]] = [turned[k + 1], turned[k]];
  return withMesh(moved(positions, toBody), turned, scene, (mesh) => new PhysicsShapeMesh(mesh, scene));
}

function hullOf(positions: ArrayLike<number>, toBody: Matrix, scene: Scene): PhysicsShape {
  const corners = Array.from({ length: 3 * Math.floor(positions.length / 9) }, (_, k) => k);
  return withMesh(moved(positions, toBody), corners, scene, (mesh) => new PhysicsShapeConvexHull(mesh, scene));
}

/** Babylon makes shapes of meshes only. */
function withMesh(positions: number[], indices: number[], scene: Scene, make: (mesh: Mesh) => PhysicsShape) {
  const mesh = new Mesh("collider", scene);
  const data = new VertexData();
  data.positions = positions;
  data.indices = indices;
  // Normals tell the side that triangles of a file show: that from which they wind counterclockwise.
  data.normals = [];
  VertexData.ComputeNormals(positions, indices, data.normals, { useRightHandedSystem: true });
  data.applyToMesh(mesh);
  try {
    return make(mesh);
  } finally {
    mesh.dispose();
  }
}

function moved(positions: ArrayLike<number>, matrix: Matrix): number[] {
  const places: number[] = [];
  const point = new Vector3();
  for (let k = 0; k < positions.length; k += 3) {
    Vector3.TransformCoordinatesFromFloatsToRef(positions[k], positions[k + 1], positions[k + 2], matrix, point);
    places.push(point.x, point.y, point.z);
  }
  return places;
}

/** Points of two circles around y. */
function cone(height: number, top: number, bottom: number): number[] {
  return [...circle(top, height / 2), ...circle(bottom, -height / 2)];
}

/** Points of two spheres on y. */
function roundCone(height: number, top: number, bottom: number): number[] {
  const points: number[] = [];
  for (const [radius, y] of [
    [top, height / 2],
    [bottom, -height / 2],
  ])
    for (let row = -ROWS; row <= ROWS; row++) {
      const angle = (row * Math.PI) / (2 * ROWS);
      points.push(...circle(radius * Math.cos(angle), y + radius * Math.sin(angle)));
    }
  return points;
}

function circle(radius: number, y: number): number[] {
  return Array.from({ length: AROUND }, (_, k) => {
    const angle = (2 * Math.PI * k) / AROUND;
    return [radius * Math.cos(angle), y, radius * Math.sin(angle)];
  }).flat();
}
