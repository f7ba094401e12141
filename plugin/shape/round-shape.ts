import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { ColliderShape } from "../../src/index";
import { toVec3 } from "../geometry/convert";
import { transformPoints } from "../geometry/mesh-transform";
import { trianglesOf } from "../geometry/triangles";
import { principalAxes } from "../rigid/principal-axes";

type RoundShape = Extract<ColliderShape, { type: "capsule" | "cylinder" }>;

/** A fit whose volume is larger than the least one by this part is as good. */
const AS_GOOD = 0.05;
/** Part of a fit that a mesh has to fill to count as round about its axis: a hexagonal prism fills 0.83, a square one 0.64. */
const FILLED = 0.75;

/**
 * The capsule or cylinder around a mesh, for one that Babylon's `PhysicsAggregate` took from the bounding box. Babylon
 * assumes that the mesh is round about y, with its middle at x = z = 0, and not mirrored: a `CreateCapsule` with an
 * `orientation` becomes a ball. Scaling is baked in.
 *
 * @returns undefined where the numbers are not Babylon's, or fit
 */
export function roundShapeOf(shape: RoundShape, node: TransformNode): RoundShape | undefined {
  if (!(node instanceof AbstractMesh)) return undefined;
  const local = node.getVerticesData(VertexBuffer.PositionKind);
  if (!local?.length || !isBabylons(shape, node)) return undefined;
  const { type, radius, pointA, pointB } = shape;
  const scaling = node.absoluteScaling;
  const points = transformPoints(local, Matrix.Scaling(scaling.x, scaling.y, scaling.z));
  const middle = node.getRawBoundingInfo().boundingBox.center.multiply(scaling);
  const axes = [Vector3.Up(), Vector3.Right(), Vector3.Forward(), ...principal(points, middle)];
  const fits = axes.map((axis) => fitAlong(type, points, middle, axis));
  const least = Math.min(...fits.map(({ volume }) => volume));
  const best = fits.find(({ volume }) => volume <= (1 + AS_GOOD) * least)!;
  if (best.axis.y !== 1 && volumeOf(points, trianglesOf(node, points.length / 3), middle) > FILLED * best.volume)
    return along(type, middle, best.axis.scale(best.half), best.radius);
  // About y, all but the place is right.
  const half = new Vector3(0, (pointB[1] - pointA[1]) / 2, 0);
  const isInPlace = Vector3.Distance(middle, new Vector3(...pointA).add(half)) < 1e-4 * (radius + best.half);
  return isInPlace ? undefined : along(type, middle, half, radius);
}

function along(type: RoundShape["type"], middle: Vector3, half: Vector3, radius: number): RoundShape {
  return { type, pointA: toVec3(middle.subtract(half)), pointB: toVec3(middle.add(half)), radius };
}

/** Whether a shape has the numbers that `PhysicsAggregate` computes for the mesh. */
function isBabylons({ type, pointA, pointB, radius }: RoundShape, mesh: AbstractMesh): boolean {
  const { extendSize, minimum } = mesh.getRawBoundingInfo().boundingBox;
  const { x, y } = mesh.absoluteScaling;
  const [width, height] = [2 * Math.abs(extendSize.x * x), 2 * Math.abs(extendSize.y * y)];
  const low = minimum.y * y;
  const cap = type === "capsule" ? width / 2 : 0;
  const wanted = [width / 2, 0, low + cap, 0, 0, low + height - cap, 0];
  return [radius, ...pointA, ...pointB].every((value, i) => Math.abs(value - wanted[i]) <= 1e-6 * (width + height));
}

/** Principal axes of points about a place: those of Σ r² 1 − r rᵀ. */
function principal(points: ArrayLike<number>, middle: Vector3): Vector3[] {
  const sum = new Array<number>(9).fill(0);
  for (let i = 0; i < points.length; i += 3) {
    const r = [points[i] - middle.x, points[i + 1] - middle.y, points[i + 2] - middle.z];
    const squared = r[0] ** 2 + r[1] ** 2 + r[2] ** 2;
    for (let j = 0; j < 9; j++) sum[j] += (j % 4 === 0 ? squared : 0) - r[j % 3] * r[Math.floor(j / 3)];
  }
  const { rotation } = principalAxes(sum);
  return [Vector3.Right(), Vector3.Up(), Vector3.Forward()].map((axis) => axis.applyRotationQuaternion(rotation));
}

/** Volume inside of triangles, whichever way they wind. */
function volumeOf(points: ArrayLike<number>, triangles: ArrayLike<number>, middle: Vector3): number {
  let sum = 0;
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => Vector3.FromArray(points, 3 * triangles[f + k]).subtractInPlace(middle));
    sum += Vector3.Dot(a, Vector3.Cross(b, c)) / 6;
  }
  return Math.abs(sum);
}

/** The smallest shape along an axis that holds all points. */
function fitAlong(type: RoundShape["type"], points: ArrayLike<number>, middle: Vector3, axis: Vector3) {
  let [radius, reach] = [0, 0];
  const r = new Vector3();
  for (let i = 0; i < points.length; i += 3) {
    Vector3.FromArrayToRef(points, i, r).subtractInPlace(middle);
    const along = Vector3.Dot(r, axis);
    reach = Math.max(reach, Math.abs(along));
    radius = Math.max(radius, Math.sqrt(Math.max(0, r.lengthSquared() - along * along)));
  }
  const half = type === "capsule" ? Math.max(0, reach - radius) : reach;
  const volume = Math.PI * radius ** 2 * (2 * half + (type === "capsule" ? (4 / 3) * radius : 0));
  return { axis, radius, half, volume };
}
