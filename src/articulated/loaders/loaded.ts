import { PliantError } from "../../errors";
import type { Quat, Vec3 } from "../../math/types";
import type { LinkShape, MechanismDescription } from "../description";
import type { FileElement } from "./xml";

/** Contents of a mechanism file. */
export interface LoadedMechanism {
  /** The moving links, each parent before its children. */
  readonly mechanism: MechanismDescription;
  /** Immovable shapes: floors, walls. */
  readonly ground: readonly LinkShape[];
  /** [m/s²], if the file gives it */
  readonly gravity?: Vec3;
  /** [s], if the file gives it */
  readonly timeStep?: number;
  /** Contents of the file that were left out, with lines: `MJCF line 30 <equality>: …`. */
  readonly notes: readonly string[];
}

/** A triangle mesh: positions n × 3 [in the unit of the file], indices three a triangle. */
export interface MeshData {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/**
 * Fetches the meshes of a file by their names in the file (`package://arm/meshes/base.stl`). The result is undefined if
 * there is no such mesh.
 */
export type MeshLoader = (name: string) => MeshData | undefined | Promise<MeshData | undefined>;

/** Meshes by the name in the file. */
export type MeshTable = ReadonlyMap<string, MeshData>;

/**
 * Fetches every mesh once.
 *
 * @param uses elements, with the name of the mesh of each
 * @throws PliantError for a mesh that the loader does not have, with the line of its name; `degenerate-geometry` for a
 * mesh with fewer than four vertices
 */
export async function fetchMeshes(
  uses: readonly { readonly element: FileElement; readonly name: string }[],
  loader: MeshLoader | undefined,
): Promise<MeshTable> {
  const table = new Map<string, MeshData>();
  for (const { element, name } of uses) {
    if (table.has(name)) continue;
    if (loader === undefined) throw element.error('needs the option "mesh", a function that finds it', name);
    const data = await loader(name);
    if (data === undefined) throw element.error("must name a mesh that the function `mesh` finds", name);
    checkMesh(element, name, data);
    table.set(name, data);
  }
  return table;
}

function checkMesh(element: FileElement, name: string, { positions, indices }: MeshData): void {
  if (positions.length < 12 || positions.length % 3 !== 0)
    throw element.error(`mesh "${name}" must have four vertices or more`, positions.length, "degenerate-geometry");
  if (!Array.from(positions).every(Number.isFinite))
    throw element.error(`mesh "${name}" must have finite vertices`, name, "non-finite");
  const count = positions.length / 3;
  for (let i = 0; i < indices.length; i++)
    if (!(Number.isInteger(indices[i]) && indices[i] >= 0 && indices[i] < count))
      throw element.error(`mesh "${name}" must have indices below ${count}`, indices[i], "index-out-of-range");
}

/** Positions times the factors of the file. */
export function scaledPositions({ positions }: MeshData, scale: Vec3 = [1, 1, 1]): Float64Array {
  return Float64Array.from({ length: positions.length }, (_, i) => positions[i] * scale[i % 3]);
}

/** Position and rotation of a shape or a frame, omitted if they are zero and identity. */
export function placement(position: Vec3, rotation: Quat): { position?: Vec3; rotation?: Quat } {
  return {
    ...(position.some((value) => value !== 0) ? { position } : {}),
    ...(rotation[0] !== 0 || rotation[1] !== 0 || rotation[2] !== 0 ? { rotation } : {}),
  };
}

/**
 * Requires that names of links differ; files with several models repeat them.
 *
 * @throws PliantError with the line of the second
 */
export function requireNewName(element: FileElement, name: string, taken: ReadonlySet<string>): void {
  if (taken.has(name)) throw element.error("must have a name that no other link has", name);
}

/** Requires that the input is a text. */
export function requireText(text: unknown, object: string): asserts text is string {
  if (typeof text !== "string") throw new PliantError("invalid-argument", object, text, "must be the text of a file");
}
