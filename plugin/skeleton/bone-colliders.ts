import type { Bone } from "@babylonjs/core/Bones/bone";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { compileShape } from "../../src/collision/distance/primitives";
import { validateShape } from "../../src/collision/shape/shape";
import { degenerate, invalid, nonFinite } from "../../src/errors";
import { fitCapsule } from "../../src/geometry/fit-capsule";
import type { ColliderShape } from "../../src/index";
import { transformPoints } from "../geometry/mesh-transform";
import { poseOfMatrix, worldMatrixOf } from "../rigid/node-pose";
import type { Pose } from "../rigid/node-pose";
import { frameOf } from "../scene-frame";
import type { CheckedOptions } from "./skeleton-options";
import type { Skin, SkinPose } from "./skin";

/** The shape of a bone's collider, in the bone's frame without scaling, in meters. */
export interface BoneShape {
  readonly bone: Bone;
  readonly shape: ColliderShape;
  /** largest distance of a point of the shape from the bone, m */
  readonly reach: number;
}

/** Fewest vertices that determine the shape of a bone. */
const FEWEST = 4;

/** Poses of bones in the engine's world; scaling is left out. @param mesh mesh that their skeleton moves */
export function bonePoses(bones: readonly Bone[], mesh: AbstractMesh): Pose[] {
  mesh.skeleton?.prepare(true);
  const world = worldMatrixOf(mesh);
  const frame = frameOf(mesh.getScene());
  return bones.map((bone) => {
    const { position, rotation } = poseOfMatrix(bone.getFinalMatrix().multiply(world));
    return { position: Vector3.FromArray(frame.point(position)), rotation };
  });
}

/**
 * Shapes around the vertices that each bone moves more than any other bone does, or the shapes that were given.
 *
 * @throws PliantError `degenerate-geometry` if no bone has such vertices, or the mesh has no size; `invalid-argument`
 * for a given shape of an unknown bone; also as `validateShape`
 */
export function shapesOfBones(object: string, skin: Skin, options: CheckedOptions): BoneShape[] {
  const { mesh, skeleton } = skin;
  const pose = skin.pose();
  const verticesOf = new Map<number, number[]>();
  for (let vertex = 0; vertex < skin.vertexCount; vertex++) {
    const [bone] = skin.dominant(vertex);
    const known = verticesOf.get(bone);
    if (known) known.push(vertex);
    else verticesOf.set(bone, [vertex]);
  }
  for (const name of Object.keys(options.shapes))
    if (!skeleton.bones.some((bone) => bone.name === name))
      throw invalid(`${object}.shapes`, name, `must be a bone of "${skeleton.name}"`);
  const shapes: BoneShape[] = [];
  skeleton.bones.forEach((bone) => {
    if (Object.hasOwn(options.shapes, bone.name)) {
      if (!options.bones(bone)) return;
      const shape = options.shapes[bone.name];
      validateShape(shape, `${object} bone "${bone.name}"`);
      const inMetres = frameOf(mesh.getScene()).shape(shape);
      shapes.push({ bone, shape: inMetres, reach: reachOf(inMetres) });
      return;
    }
    const vertices = verticesOf.get(bone.getIndex());
    if (!vertices || vertices.length < FEWEST || !options.bones(bone)) return;
    const [{ position, rotation }] = bonePoses([bone], mesh);
    const frame = Matrix.Compose(unit, rotation, position);
    if (!Number.isFinite(frame.determinant()))
      throw nonFinite(`${object} bone "${bone.name}"`, position.asArray(), "must have a finite pose");
    const points = transformPoints(placedBy(skin, pose, bone.getIndex(), vertices), Matrix.Invert(frame));
    const shape = shapeAround(points, bone, options);
    if (shape) shapes.push({ bone, shape, reach: farthest(points) + Math.max(0, options.margin) });
  });
  if (shapes.length === 0) throw degenerate(object, mesh.name, "must have bones that move vertices of their own");
  return shapes;
}

const unit = Vector3.One();

/** World places that the vertices would have if one bone alone moved them. */
function placedBy(skin: Skin, pose: SkinPose, index: number, vertices: readonly number[]): Float64Array {
  const m = pose.subarray(12 * index, 12 * index + 12);
  const p = skin.positions;
  return Float64Array.from({ length: 3 * vertices.length }, (_, i) => {
    const [at, c] = [3 * vertices[(i / 3) | 0], i % 3];
    return p[at] * m[c] + p[at + 1] * m[3 + c] + p[at + 2] * m[6 + c] + m[9 + c];
  });
}

function shapeAround(points: Float64Array, bone: Bone, options: CheckedOptions): ColliderShape | undefined {
  const { margin, minimumRadius } = options;
  const { pointA, pointB, radius } = fitCapsule(points, towardsChildren(bone));
  if (!(radius + margin >= minimumRadius && radius + margin > 0)) return undefined;
  if (options.shape === "convex-hull" && !isFlat(points, radius)) return { type: "convex-hull", positions: points };
  return { type: "capsule", pointA, pointB, radius: radius + margin };
}

/** Limbs lie along the way to the next joint, whatever the spread of their vertices suggests. */
function towardsChildren(bone: Bone): [number, number, number][] {
  return bone.children
    .map((child) => child.getLocalMatrix().getTranslation())
    .filter((offset) => offset.length() > 1e-6)
    .map(({ x, y, z }) => [x, y, z]);
}

/** Whether points lie near a plane, so that they have no hull. */
function isFlat(points: Float64Array, size: number): boolean {
  const flattened = [0, 1, 2].map((axis) => {
    const values = points.filter((_, i) => i % 3 === axis);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.min(...flattened) < 1e-3 * size;
}

/** Upper bound of the distance of a shape from the origin of its frame, m. */
function reachOf(shape: ColliderShape): number {
  return compileShape(shape).reduce((most, { position, boundsMin, boundsMax }) => {
    const corner = [0, 1, 2].map((c) => Math.max(Math.abs(boundsMin[c]), Math.abs(boundsMax[c])));
    return Math.max(most, Math.hypot(...position) + Math.hypot(...corner));
  }, 0);
}

function farthest(points: Float64Array): number {
  let most = 0;
  for (let i = 0; i < points.length; i += 3) most = Math.max(most, Math.hypot(points[i], points[i + 1], points[i + 2]));
  return most;
}
