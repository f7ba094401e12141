import { checkAllFinite, checkFinite, checkList } from "../../checks";
import { degenerate, invalid, outOfRange } from "../../errors";
import { triangleSize } from "../../geometry/surface/validate-mesh";
import { checkLikelyNames, optionNames } from "../../option-names";
import type { Quat, Vec3 } from "../../math/types";

/** A ball. `radius` [m] > 0; `center` [m] in the collider's frame, default its origin. */
export interface SphereShape {
  type: "sphere";
  radius: number;
  center?: Vec3;
}

/** A box. `halfExtents` [m], each > 0; `center` [m] and `rotation` in the collider's frame. */
export interface BoxShape {
  type: "box";
  halfExtents: Vec3;
  center?: Vec3;
  rotation?: Quat;
}

/** All points within `radius` [m] of the segment from `pointA` to `pointB` [m]; the two points may coincide. */
export interface CapsuleShape {
  type: "capsule";
  pointA: Vec3;
  pointB: Vec3;
  radius: number;
}

/** A right circular cylinder, its flat ends centered on `pointA` and `pointB` [m], which differ. */
export interface CylinderShape {
  type: "cylinder";
  pointA: Vec3;
  pointB: Vec3;
  radius: number;
}

/** Convex hull of points (n × 3, meters), n ≥ 3, not all on a line. A flat hull gets 2e-4 of its size as thickness. */
export interface ConvexHullShape {
  type: "convex-hull";
  positions: ArrayLike<number>;
  /**
   * Largest number of corners of the hull, at least 4. The hull keeps the corners that stick out most, and lies inside
   * the full hull. Default: all.
   */
  maxVertices?: number | undefined;
}

/**
 * A triangle mesh, turned into a grid of signed distances. Triangles are counter-clockwise seen from outside
 * (right-handed normals). A closed mesh is solid, whichever way its triangles wind; holes that are small compared with
 * the mesh are bridged. A clearly open one (a ground, a terrain patch) is solid behind its front faces.
 */
export interface MeshShape {
  type: "mesh";
  /** n × 3, meters */
  positions: ArrayLike<number>;
  /** 3 vertex indices for each triangle */
  indices: ArrayLike<number>;
  /**
   * Grid cells along the longest side, an integer from 4 to 256. By default the grid has about 48³ cells, and more if a
   * thin part needs them.
   */
  resolution?: number;
}

/**
 * Ground of samplesX × samplesZ heights [m] over a rectangle sizeX × sizeZ [m] that is centered on the origin, solid
 * below. Sample (i, j) stands at x = -sizeX/2 + i·sizeX/(samplesX - 1), z = -sizeZ/2 + j·sizeZ/(samplesZ - 1) and is
 * heights[j·samplesX + i]. A cell is split along the diagonal from (i, j + 1) to (i + 1, j).
 */
export interface HeightfieldShape {
  type: "heightfield";
  sizeX: number;
  sizeZ: number;
  samplesX: number;
  samplesZ: number;
  heights: ArrayLike<number>;
}

/** A child of a container: p ↦ position + rotation · (scale ∘ p). */
export interface ContainerChild {
  shape: ColliderShape;
  position?: Vec3;
  rotation?: Quat;
  /** Factor along each axis of the child, none of them zero. Default 1. */
  scale?: Vec3;
}

/** Several shapes that move as one. */
export interface ContainerShape {
  type: "container";
  children: readonly ContainerChild[];
}

/** The shape of an obstacle. Lengths are in meters, in the frame of the collider. */
export type ColliderShape =
  | SphereShape
  | BoxShape
  | CapsuleShape
  | CylinderShape
  | ConvexHullShape
  | MeshShape
  | HeightfieldShape
  | ContainerShape;

const shapeNames = {
  sphere: optionNames<SphereShape>()("type radius center"),
  box: optionNames<BoxShape>()("type halfExtents center rotation"),
  capsule: optionNames<CapsuleShape>()("type pointA pointB radius"),
  cylinder: optionNames<CylinderShape>()("type pointA pointB radius"),
  "convex-hull": optionNames<ConvexHullShape>()("type positions maxVertices"),
  mesh: optionNames<MeshShape>()("type positions indices resolution"),
  heightfield: optionNames<HeightfieldShape>()("type sizeX sizeZ samplesX samplesZ heights"),
  container: optionNames<ContainerShape>()("type children"),
} satisfies Record<ColliderShape["type"], object>;

const childNames = optionNames<ContainerChild>()("shape position rotation scale");

/** Greatest depth of nested containers; deeper nesting is most likely a cycle. */
const MAX_DEPTH = 32;

/**
 * Checks a shape and all shapes in it. Collinear points of a hull are found only when the hull is built.
 *
 * @param shape the shape to check
 * @param object name of the owner of the shape, for the error message
 * @throws PliantError `invalid-argument`, `non-finite`, `index-out-of-range` or `degenerate-geometry`
 */
export function validateShape(shape: ColliderShape, object = "shape"): void {
  checkShape(shape, object, 0);
}

function checkShape(shape: ColliderShape, object: string, depth: number): void {
  if (typeof shape !== "object" || shape === null) throw invalid(object, shape, "must be a shape");
  const name = `${object} (${String(shape.type)})`;
  if (Object.hasOwn(shapeNames, shape.type)) checkLikelyNames(name, shape, shapeNames[shape.type]);
  switch (shape.type) {
    case "sphere":
      checkPositive(shape.radius, `${name}.radius`);
      checkOptionalVector(shape.center, `${name}.center`);
      return;
    case "box":
      checkVector(shape.halfExtents, `${name}.halfExtents`);
      shape.halfExtents.forEach((value) => checkPositive(value, `${name}.halfExtents`));
      checkOptionalVector(shape.center, `${name}.center`);
      checkOptionalRotation(shape.rotation, `${name}.rotation`);
      return;
    case "capsule":
    case "cylinder":
      checkPositive(shape.radius, `${name}.radius`);
      checkVector(shape.pointA, `${name}.pointA`);
      checkVector(shape.pointB, `${name}.pointB`);
      if (shape.type === "cylinder" && shape.pointA.every((value, axis) => value === shape.pointB[axis]))
        throw degenerate(`${name}.pointB`, shape.pointB, "must differ from pointA");
      return;
    case "convex-hull":
      checkPositions(shape.positions, `${name}.positions`, 3);
      checkMaxVertices(shape.maxVertices, `${name}.maxVertices`);
      return;
    case "mesh":
      checkMesh(shape, name);
      return;
    case "heightfield":
      checkHeightfield(shape, name);
      return;
    case "container":
      if (depth >= MAX_DEPTH) throw invalid(name, depth, `containers must be nested less than ${MAX_DEPTH} deep`);
      checkList(shape.children, `${name}.children`);
      shape.children.forEach((child, index) => checkChild(child, `${name}.children[${index}]`, depth + 1));
      return;
    default:
      throw invalid(`${object}.type`, (shape as { type: unknown }).type, "must be a known type");
  }
}

function checkChild(child: ContainerChild, name: string, depth: number): void {
  if (typeof child !== "object" || child === null) throw invalid(name, child, "must be a shape and its place");
  checkLikelyNames(name, child, childNames);
  checkOptionalVector(child.position, `${name}.position`);
  checkOptionalRotation(child.rotation, `${name}.rotation`);
  checkOptionalVector(child.scale, `${name}.scale`);
  if (child.scale?.includes(0)) throw invalid(`${name}.scale`, child.scale, "no factor may be zero");
  checkShape(child.shape, name, depth);
}

function checkMaxVertices(value: number | undefined, name: string): void {
  if (value !== undefined && !(Number.isInteger(value) && value >= 4))
    throw invalid(name, value, "must be a whole number of at least 4");
}

function checkMesh(shape: MeshShape, name: string): void {
  const { positions, indices, resolution } = shape;
  checkPositions(positions, `${name}.positions`, 3);
  checkList(indices, `${name}.indices`);
  if (indices.length === 0 || indices.length % 3 !== 0)
    throw invalid(`${name}.indices`, indices.length, "length must be a positive multiple of 3");
  const count = positions.length / 3;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (!Number.isInteger(index) || index < 0 || index >= count)
      throw outOfRange(`${name}.indices[${i}]`, index, `must be an integer from 0 to ${count - 1}`);
  }
  if (!hasArea(positions, indices)) throw degenerate(name, indices.length / 3, "must have a triangle with an area");
  if (resolution !== undefined && !(Number.isInteger(resolution) && resolution >= 4 && resolution <= 256))
    throw invalid(`${name}.resolution`, resolution, "must be an integer from 4 to 256");
}

/** A part of the square of its longest edge that a triangle's area exceeds. */
const SLIVER = 1e-9;

function hasArea(positions: ArrayLike<number>, indices: ArrayLike<number>): boolean {
  for (let i = 0; i < indices.length; i += 3) {
    const { area, longest } = triangleSize(positions, indices[i], indices[i + 1], indices[i + 2]);
    if (area > SLIVER * longest * longest) return true;
  }
  return false;
}

function checkHeightfield(shape: HeightfieldShape, name: string): void {
  checkPositive(shape.sizeX, `${name}.sizeX`);
  checkPositive(shape.sizeZ, `${name}.sizeZ`);
  for (const key of ["samplesX", "samplesZ"] as const)
    if (!Number.isInteger(shape[key]) || shape[key] < 2)
      throw invalid(`${name}.${key}`, shape[key], "must be an integer of at least 2");
  checkList(shape.heights, `${name}.heights`);
  const expected = shape.samplesX * shape.samplesZ;
  if (shape.heights.length !== expected) {
    const rule = `length must be samplesX * samplesZ = ${expected}`;
    throw invalid(`${name}.heights`, shape.heights.length, rule);
  }
  checkAllFinite(shape.heights, `${name}.heights`);
}

function checkPositions(positions: ArrayLike<number>, name: string, least: number): void {
  checkList(positions, name);
  if (positions.length % 3 !== 0) throw invalid(name, positions.length, "length must be a multiple of 3");
  if (positions.length < 3 * least) throw degenerate(name, positions.length / 3, `must hold at least ${least} points`);
  checkAllFinite(positions, name);
}

function checkPositive(value: number, name: string): void {
  checkFinite(value, name);
  if (value <= 0) throw invalid(name, value, "must be positive");
}

function checkVector(value: Vec3, name: string): void {
  checkList(value, name);
  if (value.length !== 3) throw invalid(name, value, "must be three numbers");
  checkAllFinite(value, name);
}

function checkOptionalVector(value: Vec3 | undefined, name: string): void {
  if (value !== undefined) checkVector(value, name);
}

/** @throws PliantError unless the value is four finite numbers, not all of them zero */
export function checkOptionalRotation(value: Quat | undefined, name: string): void {
  if (value === undefined) return;
  checkList(value, name);
  if (value.length !== 4) throw invalid(name, value, "must be four numbers");
  checkAllFinite(value, name);
  const [x, y, z, w] = value;
  if (!(Math.sqrt(x * x + y * y + z * z + w * w) > 1e-6))
    throw invalid(name, value, "must be a quaternion that is not zero");
}
