import { determinant } from "../../math/determinant";
import {
  COLLIDER_SPHERE,
  COLLIDER_BOX,
  COLLIDER_CAPSULE,
  COLLIDER_CYLINDER,
  COLLIDER_HULL,
  COLLIDER_GRID,
  COLLIDER_HEIGHTFIELD,
} from "../../generated/constants";
import { boxOf } from "../../geometry/box";
import type { Quat, Vec3 } from "../../math/types";
import { type Affine, compose, decompose, IDENTITY, NO_TURN, transformPoint, transformPoints } from "../shape/affine";
import { convexHullPlanes } from "../shape/convex-hull";
import { cachedGrid } from "./grid-cache";
import { type ColliderShape, type HeightfieldShape, type MeshShape, validateShape } from "../shape/shape";
import { type SolidMaker, solidsOf } from "../shape/solids";
import { heightfieldTriangles, reversed } from "../shape/tessellation";
import { lengthOf } from "../../math/vectors";
import { Part } from "../../part";

/** Kind of a primitive; the shaders use the same numbers. */
export const PrimitiveKind = {
  sphere: COLLIDER_SPHERE,
  box: COLLIDER_BOX,
  capsule: COLLIDER_CAPSULE,
  cylinder: COLLIDER_CYLINDER,
  hull: COLLIDER_HULL,
  grid: COLLIDER_GRID,
  heightfield: COLLIDER_HEIGHTFIELD,
} as const;
export type PrimitiveKind = (typeof PrimitiveKind)[keyof typeof PrimitiveKind];

/** Values for the shaders' overrides `with…`, so that a pipeline contains only the kinds in use. */
export function kindConstants(primitives: readonly Primitive[]): Record<string, number> {
  const has = (kind: PrimitiveKind): number => (primitives.some((primitive) => primitive.kind === kind) ? 1 : 0);
  return {
    withSpheres: has(PrimitiveKind.sphere),
    withBoxes: has(PrimitiveKind.box),
    withCapsules: has(PrimitiveKind.capsule),
    withCylinders: has(PrimitiveKind.cylinder),
    withHulls: has(PrimitiveKind.hull),
    withGrids: has(PrimitiveKind.grid),
    withHeightfields: has(PrimitiveKind.heightfield),
  };
}

/**
 * A convex or sampled solid, centered in a frame of its own.
 *
 * | kind | size | data |
 * |---|---|---|
 * | sphere | radius | |
 * | box | half extents x, y, z | |
 * | capsule, cylinder | half height along Y (a capsule's without caps), radius | |
 * | hull | number of planes | planes nx, ny, nz, d: inside where n·x ≤ d |
 * | grid | samples along x, y, z, cell side | signed distances, x fastest |
 * | heightfield | samples along x and z, cell sides in x and z | lowest point of the solid, cosine of the steepest slope, heights |
 */
export interface Primitive {
  readonly kind: PrimitiveKind;
  /** lengths in meters */
  readonly size: readonly [number, number, number, number];
  readonly data: Float64Array;
  /** pose in the frame of the collider [m] */
  readonly position: Vec3;
  readonly rotation: Quat;
  /** box of the solid in its own frame [m] */
  readonly boundsMin: Vec3;
  readonly boundsMax: Vec3;
}

/** Upper bound of the distance of a point of a primitive from its own origin [m]. */
export function reachOf({ boundsMin: low, boundsMax: high }: Primitive): number {
  return lengthOf(Math.max(-low[0], high[0]), Math.max(-low[1], high[1]), Math.max(-low[2], high[2]));
}

const NO_DATA = new Float64Array();
const NONE = [0, 0, 0] as const;

/** Code for the distances of meshes. */
export const meshPart = new Part(() => import("./mesh-distance"));

/** Whether a shape needs the code for meshes, and that is not loaded yet. */
export function waitsForMeshes(shape: ColliderShape, isScaled = false): boolean {
  if (meshPart.loaded) return false;
  if (shape.type === "container")
    return shape.children.some((child) => waitsForMeshes(child.shape, isScaled || child.scale !== undefined));
  // Mirrored heightfields become meshes.
  return shape.type === "mesh" || (shape.type === "heightfield" && isScaled);
}

/**
 * Flattens a shape to primitives, see `solidsOf`. Grids of a shape that `waitsForMeshes` have their box alone.
 *
 * @param shape checked by `validateShape` first
 * @param object name of the owner of the shape, for messages
 * @throws PliantError as `validateShape`, and `degenerate-geometry` for points on a line or a mesh without area
 */
export function compileShape(shape: ColliderShape, object = "shape"): Primitive[] {
  validateShape(shape, object);
  return solidsOf(shape, IDENTITY, object, make);
}

const known = new WeakMap<ColliderShape, Primitive[]>();

/** Primitives of a shape that bodies may share, compiled once. It throws as `compileShape`. */
export function primitivesOf(shape: ColliderShape, object: string): readonly Primitive[] {
  let primitives = known.get(shape);
  if (!primitives) known.set(shape, (primitives = compileShape(shape, object)));
  return primitives;
}

const make: SolidMaker<Primitive> = {
  sphere: (r, position) => symmetric(PrimitiveKind.sphere, [r, 0, 0, 0], [r, r, r], position, NO_TURN),
  box: (half, position, rotation) => symmetric(PrimitiveKind.box, [...half, 0], half, position, rotation),
  capsule: (half, r, position, rotation) =>
    symmetric(PrimitiveKind.capsule, [half, r, 0, 0], [r, half + r, r], position, rotation),
  cylinder: (half, r, position, rotation) =>
    symmetric(PrimitiveKind.cylinder, [half, r, 0, 0], [r, half, r], position, rotation),
  hull(points, middle, half, object, maxVertices) {
    const data = convexHullPlanes(points, object, maxVertices);
    return { ...symmetric(PrimitiveKind.hull, [data.length / 4, 0, 0, 0], half, middle, NO_TURN), data };
  },
  mesh: compileMesh,
  heightfield: compileHeightfield,
};

function symmetric(
  kind: PrimitiveKind,
  size: Primitive["size"],
  half: Vec3,
  position: Vec3,
  rotation: Quat,
): Primitive {
  return { kind, size, data: NO_DATA, position, rotation, boundsMin: [-half[0], -half[1], -half[2]], boundsMax: half };
}

function compileMesh(
  { positions, indices, resolution }: Omit<MeshShape, "type">,
  map: Affine,
  object: string,
): Primitive {
  // A rotation stays in the pose, so that flat parts along the axes of the mesh are flat in the grid.
  const parts = decompose(map);
  const rotation = parts?.rotation ?? NO_TURN;
  const geometry: Affine = parts
    ? { a: [parts.scale[0], 0, 0, 0, parts.scale[1], 0, 0, 0, parts.scale[2]], t: [0, 0, 0] }
    : { a: map.a, t: [0, 0, 0] };
  const points = transformPoints(geometry, positions);
  const wound = determinant(map.a) < 0 ? reversed(indices) : indices;
  const used = Float64Array.from(
    { length: 3 * indices.length },
    (_, i) => points[3 * indices[Math.floor(i / 3)] + (i % 3)],
  );
  const { min, max } = boxOf(used);
  const half: Vec3 = [(max[0] - min[0]) / 2, (max[1] - min[1]) / 2, (max[2] - min[2]) / 2];
  const { loaded } = meshPart;
  const grid = loaded
    ? cachedGrid(points, wound, resolution, () => loaded.meshDistanceGrid(points, wound, resolution, object))
    : {
        samples: NONE,
        cell: 0,
        center: min.map((low, axis) => low + half[axis]) as number[] as [number, number, number],
        values: NO_DATA,
      };
  const pose = compose({ a: IDENTITY.a, t: map.t }, undefined, rotation);
  const size = [...grid.samples, grid.cell] as const;
  const position = transformPoint(pose, grid.center);
  return { ...symmetric(PrimitiveKind.grid, size, half, position, rotation), data: grid.values };
}

function compileHeightfield(shape: HeightfieldShape, map: Affine, object: string): Primitive {
  const parts = decompose(map);
  if (!parts || parts.scale.some((factor) => factor < 0)) return compileMesh(heightfieldTriangles(shape), map, object);
  const [sx, sy, sz] = parts.scale;
  const { samplesX, samplesZ } = shape;
  const cellX = (shape.sizeX * sx) / (samplesX - 1);
  const cellZ = (shape.sizeZ * sz) / (samplesZ - 1);
  const heights = Float64Array.from(shape.heights, (height) => height * sy);
  let low = Infinity;
  let high = -Infinity;
  for (const height of heights) {
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  const middle = (low + high) / 2;
  let steepest = 0;
  for (let j = 0; j < samplesZ; j++)
    for (let i = 0; i < samplesX; i++) {
      const at = j * samplesX + i;
      const alongX = i + 1 < samplesX ? (heights[at + 1] - heights[at]) / cellX : 0;
      const alongZ = j + 1 < samplesZ ? (heights[at + samplesX] - heights[at]) / cellZ : 0;
      // Both triangles at a sample: slopes that start at this corner, and slopes of the previous cell that end at it.
      const beforeX = i > 0 ? (heights[at] - heights[at - 1]) / cellX : 0;
      const beforeZ = j > 0 ? (heights[at] - heights[at - samplesX]) / cellZ : 0;
      steepest = Math.max(steepest, lengthOf(alongX, 0, alongZ), lengthOf(beforeX, 0, beforeZ));
    }
  const bottom = low - Math.max(cellX, cellZ);
  const data = new Float64Array(2 + heights.length);
  data.set([bottom - middle, 1 / lengthOf(1, steepest, 0)]);
  data.set(
    heights.map((height) => height - middle),
    2,
  );
  const halfX = (cellX * (samplesX - 1)) / 2;
  const halfZ = (cellZ * (samplesZ - 1)) / 2;
  const pose = compose({ a: IDENTITY.a, t: map.t }, undefined, parts.rotation);
  return {
    kind: PrimitiveKind.heightfield,
    size: [samplesX, samplesZ, cellX, cellZ],
    data,
    position: transformPoint(pose, [0, middle, 0]),
    rotation: parts.rotation,
    boundsMin: [-halfX, bottom - middle, -halfZ],
    boundsMax: [halfX, high - middle, halfZ],
  };
}
