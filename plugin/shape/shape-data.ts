import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { GroundMesh } from "@babylonjs/core/Meshes/groundMesh";
import { PhysicsShapeType, type PhysicsShapeParameters } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { invalid, PliantError } from "../../src/errors";
import { quickhull } from "../../src/collision/hull/quickhull";
import { validateShape, type ColliderShape, type ContainerChild } from "../../src/collision/shape/shape";
import { toQuat, toVec3 } from "../geometry/convert";
import { heightfieldFromData, heightfieldFromGround } from "./heightfield";
import type { SurfaceMaterial } from "../materials";
import { collectTriangles } from "./collect-triangles";

/** A shape in a container, and its place there. */
export interface ChildShape extends Omit<ContainerChild, "shape"> {
  readonly data: ShapeData;
}

/** The plugin's data of a Babylon `PhysicsShape`. Several bodies may share it. */
export interface ShapeData {
  readonly type: PhysicsShapeType;
  /** Geometry in the frame of the body; undefined for a container, which has `children`. See also `roundShapeOf`. */
  geometry?: ColliderShape;
  readonly children: ChildShape[];
  /** undefined until it is set: until then a child uses that of its container */
  material?: SurfaceMaterial;
  /** mass of a cube of one unit of the scene, kg */
  density: number;
  /** These three are also undefined until they are set, for children of containers: see `leavesOf`. */
  membershipMask?: number;
  collideMask?: number;
  /** Whether the shape reports bodies in it, but is no obstacle. */
  isTrigger?: boolean;
  /** Babylon's shape that the data belong to */
  owner?: PhysicsShape;
  /** Increases with every change that bodies have to take over. */
  version: number;
  disposed: boolean;
}

/** kg/m³, the default of Babylon's other plugin */
const DEFAULT_DENSITY = 1000;

/**
 * Turns the parameters of a Babylon shape into geometry of the engine, in units of the scene.
 *
 * @throws PliantError naming shape, value and rule
 */
export function createShapeData(
  type: PhysicsShapeType,
  options: PhysicsShapeParameters,
  unitsPerMetre: number,
  maxHullVertices?: number,
): ShapeData {
  const object = `PhysicsShape ${PhysicsShapeType[type]}`;
  const geometry = type === PhysicsShapeType.CONTAINER ? undefined : geometryOf(object, type, options, unitsPerMetre);
  if (geometry?.type === "convex-hull") geometry.maxVertices = maxHullVertices;
  return checkedShapeData(object, type, geometry, DEFAULT_DENSITY / unitsPerMetre ** 3);
}

/** @throws PliantError naming shape, value and rule */
export function checkedShapeData(
  object: string,
  type: PhysicsShapeType,
  geometry: ColliderShape | undefined,
  density: number,
): ShapeData {
  if (geometry) validateShape(geometry, object);
  // only making the hull shows whether the points lie on a line
  if (geometry?.type === "convex-hull") quickhull(geometry.positions, object);
  return { type, geometry, children: [], density, version: 0, disposed: false };
}

function geometryOf(
  object: string,
  type: PhysicsShapeType,
  options: PhysicsShapeParameters,
  unitsPerMetre: number,
): ColliderShape {
  const { center, radius, pointA, pointB } = options;
  switch (type) {
    case PhysicsShapeType.SPHERE:
      return { type: "sphere", radius: radius ?? 1, center: center && toVec3(center) };
    case PhysicsShapeType.BOX:
      return boxGeometry(options, PLATE_THICKNESS * unitsPerMetre);
    case PhysicsShapeType.CAPSULE:
    case PhysicsShapeType.CYLINDER:
      return {
        type: type === PhysicsShapeType.CAPSULE ? "capsule" : "cylinder",
        pointA: pointA ? toVec3(pointA) : [0, 0, 0],
        pointB: pointB ? toVec3(pointB) : [0, 1, 0],
        radius: radius ?? 0.5,
      };
    case PhysicsShapeType.CONVEX_HULL:
    case PhysicsShapeType.MESH:
      return meshGeometry(object, type, options);
    case PhysicsShapeType.HEIGHTFIELD: {
      const ground = options.groundMesh ?? (options.mesh instanceof GroundMesh ? options.mesh : undefined);
      return ground ? heightfieldFromGround(ground) : heightfieldFromData(object, options);
    }
    default:
      throw invalid("PhysicsShape.type", type, "must be a PhysicsShapeType");
  }
}

/** m */
const PLATE_THICKNESS = 0.01;

/**
 * A box. Grounds and planes are flat, and Babylon makes a box without volume from them. Such a box becomes a plate of 1
 * cm behind the side that Babylon draws (below a ground, at larger z behind a plane), so that the front keeps its
 * place.
 */
function boxGeometry({ center, rotation, extents }: PhysicsShapeParameters, plate: number): ColliderShape {
  const size = extents ? toVec3(extents) : ([1, 1, 1] as const);
  const largest = Math.max(...size);
  const back = [0, -1, 1];
  const shift = Vector3.Zero();
  const half = size.map((side, axis) => {
    if (!(side >= 0 && side < 1e-6 * largest)) return side / 2;
    shift.addInPlaceFromFloats(...([0, 1, 2].map((i) => (i === axis ? (back[axis] * plate) / 2 : 0)) as Triple));
    return plate / 2;
  }) as Triple;
  const turned = rotation ? shift.applyRotationQuaternion(rotation) : shift;
  return {
    type: "box",
    halfExtents: half,
    center: toVec3(center ? center.add(turned) : turned),
    rotation: rotation && toQuat(rotation),
  };
}

type Triple = [number, number, number];

function meshGeometry(object: string, type: PhysicsShapeType, options: PhysicsShapeParameters): ColliderShape {
  if (!options.mesh) throw invalid(`${object}.mesh`, undefined, "must be a mesh");
  const isHull = type === PhysicsShapeType.CONVEX_HULL;
  const { positions, indices } = collectTriangles(options.mesh, options.includeChildMeshes ?? false, isHull);
  return isHull ? { type: "convex-hull", positions } : { type: "mesh", positions, indices };
}

/**
 * The plugin's data of a Babylon shape.
 *
 * @throws PliantError `disposed` or, for a shape of another plugin, `invalid-argument`
 */
export function dataOf(shape: PhysicsShape): ShapeData {
  const data = shape._pluginData as Partial<ShapeData> | null | undefined;
  if (!data || !Array.isArray(data.children))
    throw invalid("PhysicsShape", shape.type, "must be a shape that this plugin made");
  if (data.disposed) throw new PliantError("disposed", "PhysicsShape", shape.type, "was disposed");
  return data as ShapeData;
}

/** Sum of the versions of a shape and all its children: differs whenever one of them has changed. */
export function deepVersion(data: ShapeData): number {
  return data.children.reduce((sum, child) => sum + deepVersion(child.data), data.version);
}

/** Geometry of a shape with all children; undefined for an empty container. */
export function wholeGeometry(data: ShapeData): ColliderShape | undefined {
  if (data.geometry) return data.geometry;
  const children = data.children.flatMap((child) => place(wholeGeometry(child.data), child));
  return children.length > 0 ? { type: "container", children } : undefined;
}

/** Whether `part` is `data` or is contained in it. */
export function contains(data: ShapeData, part: ShapeData): boolean {
  return data === part || data.children.some((child) => contains(child.data, part));
}

function place(shape: ColliderShape | undefined, child: ChildShape): ContainerChild[] {
  const { position, rotation, scale } = child;
  return shape ? [{ shape, position, rotation, scale }] : [];
}
