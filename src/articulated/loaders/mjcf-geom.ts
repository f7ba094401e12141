import type { ColliderShape } from "../../collision/shape/shape";
import type { Vec3 } from "../../math/types";
import type { LinkShape } from "../description";
import { placement, scaledPositions, type MeshTable } from "./loaded";
import { massless, meshMass, solidMass, transformed, type MassProperties } from "./mass-properties";
import { readPose, vector, type Compiler } from "./mjcf-values";
import { rotationOntoZ, type Transform } from "./transform";
import type { FileElement } from "./xml";

/** Density of water, MuJoCo's default [kg/m³]. */
const DENSITY = 1000;
/** Half the side length of the box that replaces an infinite plane, and half its thickness [m]. */
const PLANE = [50, 0.5] as const;

/** A `<geom>`: its shape in the body's axes, and its mass. */
export interface Geom {
  /** absent if it collides with nothing */
  readonly shape: LinkShape | undefined;
  readonly mass: MassProperties;
}

/** Meshes of `<asset>` by their name in the file. */
export interface MeshAsset {
  /** name for the mesh loader; absent if the vertices are in the file */
  readonly file: string | undefined;
  readonly vertices: readonly number[] | undefined;
  readonly scale: Vec3;
}

export interface GeomContext {
  readonly compiler: Compiler;
  readonly assets: ReadonlyMap<string, MeshAsset>;
  readonly meshes: MeshTable;
  note(element: FileElement, what: string): void;
}

/**
 * @param element element with default attributes filled in
 * @param fixed whether it belongs to the world, which alone may have planes
 * @throws PliantError for an unknown type or mesh, or a missing or non-positive size
 */
export function readGeom(element: FileElement, fixed: boolean, context: GeomContext): Geom {
  const type = element.attribute("type") ?? (element.attribute("mesh") === undefined ? "sphere" : "mesh");
  const { shape, pose, mesh } = readShape(element, type, context);
  if (shape === undefined) return { shape: undefined, mass: massless };
  if (type === "plane" && !fixed) throw element.error("a plane must belong to the world", type, "unsupported");
  const collides = element.number("contype") !== 0 || element.number("conaffinity") !== 0;
  const friction = element.numbers("friction", 1, 3)?.[0] ?? 1;
  const name = element.attribute("name");
  const linkShape = {
    shape,
    ...placement(pose.position, pose.rotation),
    friction,
    ...(name === undefined ? {} : { name }),
  };
  return { shape: collides ? linkShape : undefined, mass: fixed ? massless : weigh(element, shape, mesh, pose) };
}

/** Computes the mass properties from `mass` or `density`. */
function weigh(
  element: FileElement,
  shape: ColliderShape,
  mesh: { positions: Float64Array; indices: ArrayLike<number> } | undefined,
  pose: Transform,
): MassProperties {
  const density = element.number("density") ?? DENSITY;
  const given = element.number("mass");
  if ((given ?? density) < 0) throw element.error("mass and density must not be negative", given ?? density);
  const local = mesh === undefined ? solidMass(shape, 1) : meshMass(mesh.positions, mesh.indices, 1);
  if (local === undefined) throw element.error("must have a mesh that encloses a volume", undefined);
  const scale = given === undefined ? density : given / local.mass;
  return transformed(
    { mass: local.mass * scale, centre: local.centre, inertia: local.inertia.map((value) => value * scale) },
    pose,
  );
}

interface ReadShape {
  readonly shape: ColliderShape | undefined;
  readonly pose: Transform;
  readonly mesh?: { positions: Float64Array; indices: ArrayLike<number> };
}

function readShape(element: FileElement, type: string, context: GeomContext): ReadShape {
  const pose = readPose(element, context.compiler);
  const size = element.numbers("size", 1, 3) ?? [];
  const need = (count: number): void => {
    if (size.length < count || !size.slice(0, count).every((value) => value > 0))
      throw element.error(`size must hold ${count} positive number${count === 1 ? "" : "s"}`, size);
  };
  switch (type) {
    case "sphere":
      need(1);
      return { shape: { type: "sphere", radius: size[0] }, pose };
    case "capsule":
    case "cylinder": {
      const ends = fromTo(element);
      need(ends === undefined ? 2 : 1);
      const half = ends?.half ?? size[1];
      const shape = { type, pointA: [0, 0, -half], pointB: [0, 0, half], radius: size[0] } as const;
      return { shape, pose: ends?.pose ?? pose };
    }
    case "box": {
      const ends = fromTo(element);
      need(ends === undefined ? 3 : 1);
      if (ends === undefined) return { shape: { type: "box", halfExtents: [size[0], size[1], size[2]] }, pose };
      return { shape: { type: "box", halfExtents: [size[0], size[1] ?? size[0], ends.half] }, pose: ends.pose };
    }
    case "plane": {
      // A plane is solid below; a size of 0 means infinite.
      const [x, y] = [size[0] || PLANE[0], size[1] || PLANE[0]];
      return { shape: { type: "box", halfExtents: [x, y, PLANE[1]], center: [0, 0, -PLANE[1]] }, pose };
    }
    case "mesh":
      return { ...readMesh(element, context), pose };
    case "ellipsoid":
    case "hfield":
    case "sdf":
      context.note(element, `a geom of type ${type} is left out`);
      return { shape: undefined, pose };
    default:
      throw element.error("geom type must be plane, sphere, capsule, cylinder, box or mesh", type);
  }
}

/** `fromto`: the two ends of the axis. */
function fromTo(element: FileElement): { half: number; pose: Transform } | undefined {
  const ends = element.numbers("fromto", 6);
  if (ends === undefined) return undefined;
  const along: Vec3 = [ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]];
  const length = Math.hypot(...along);
  if (!(length > 1e-9)) throw element.error("fromto must be two points that differ", ends);
  const position: Vec3 = [(ends[0] + ends[3]) / 2, (ends[1] + ends[4]) / 2, (ends[2] + ends[5]) / 2];
  return { half: length / 2, pose: { position, rotation: rotationOntoZ(along) } };
}

function readMesh(
  element: FileElement,
  { assets, meshes, note }: GeomContext,
): Pick<ReadShape, "shape"> & { mesh?: { positions: Float64Array; indices: ArrayLike<number> } } {
  const name = element.required("mesh");
  const asset = assets.get(name);
  if (asset === undefined) throw element.error("mesh must be one of the file's assets", name);
  if (asset.file !== undefined) {
    const data = meshes.get(asset.file)!;
    const positions = scaledPositions(data, asset.scale);
    return { shape: { type: "convex-hull", positions }, mesh: { positions, indices: data.indices } };
  }
  if (element.attribute("mass") !== undefined || element.number("density") !== 0)
    note(element, "a mesh given by vertices has no mass here");
  const positions = scaledPositions({ positions: asset.vertices!, indices: [] }, asset.scale);
  return { shape: { type: "convex-hull", positions } };
}

/** `<asset><mesh>`: by name, or by the file's name without folder and extension. */
export function readMeshAssets(root: FileElement, fill: (element: FileElement) => FileElement): Map<string, MeshAsset> {
  const assets = new Map<string, MeshAsset>();
  for (const raw of root.childrenNamed("asset").flatMap((asset) => asset.childrenNamed("mesh"))) {
    const element = fill(raw);
    const file = element.attribute("file");
    const vertices = element.numbers("vertex", 12, Infinity);
    if (file === undefined && vertices === undefined) throw element.error("needs a file or vertices", undefined);
    const name = element.attribute("name") ?? file?.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
    if (name === undefined) throw element.error("needs a name", undefined);
    assets.set(name, { file, vertices, scale: vector(element, "scale") ?? [1, 1, 1] });
  }
  return assets;
}
