import type { Quat, Vec3 } from "../../../math/types";
import { determinant } from "../../../math/determinant";
import { type Affine, decompose, NO_TURN, transformPoints } from "../../shape/affine";
import type { HeightfieldShape, MeshShape } from "../../shape/shape";
import { heightfieldTriangles, reversed } from "../../shape/tessellation";
import { HeightfieldSurface } from "./heightfield-surface";
import { MeshSurface } from "./mesh-surface";
import type { TriangleSurface } from "./triangle-surface";

/** A surface in a frame of its own. */
export interface PlacedSurface {
  readonly surface: TriangleSurface;
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** The surface of a mesh, with scale, rotation and translation applied to its corners. */
export function meshSurface(
  { positions, indices }: Pick<MeshShape, "positions" | "indices">,
  map: Affine,
  object: string,
): PlacedSurface {
  const wound = determinant(map.a) < 0 ? reversed(indices) : indices;
  const surface = new MeshSurface(transformPoints(map, positions), wound, object);
  return { surface, position: [0, 0, 0], rotation: NO_TURN };
}

/** The surface of a heightfield with its scale applied; a mirrored or sheared heightfield becomes a mesh. */
export function heightfieldSurface(shape: HeightfieldShape, map: Affine, object: string): PlacedSurface {
  const split = decompose(map);
  if (!split || split.scale.some((factor) => factor < 0)) return meshSurface(heightfieldTriangles(shape), map, object);
  const [sx, sy, sz] = split.scale;
  const { samplesX, samplesZ } = shape;
  const cellX = (shape.sizeX * sx) / (samplesX - 1);
  const cellZ = (shape.sizeZ * sz) / (samplesZ - 1);
  const heights = Float64Array.from(shape.heights, (height) => height * sy);
  const surface = new HeightfieldSurface(samplesX, samplesZ, cellX, cellZ, heights);
  return { surface, position: map.t, rotation: split.rotation };
}
