import { invalid, PliantError } from "../../errors";
import type { ColliderShape } from "../../collision/shape/shape";
import type { Quat, Vec3 } from "../../math/types";
import type { ActuatorDescription } from "../actuators/description";
import type { LinkShape, MechanismDescription } from "../description";
import { readMeshFile } from "./meshes/mesh-file";
import type { Notes } from "./notes";
import type { MeshData, MeshSources } from "./sources";
import type { FileElement } from "./xml";

/** Contents of a mechanism file. */
export interface LoadedMechanism {
  /** The moving links, each parent before its children. */
  readonly mechanism: MechanismDescription;
  /** Immovable shapes: floors, walls. */
  readonly ground: readonly LinkShape[];
  /** Shapes to draw. Nothing touches them. */
  readonly visuals: readonly VisualShape[];
  /** Named places of links. */
  readonly sites: readonly LinkSite[];
  /**
   * Motors and servos of the file, see `Actuators`; behind them springs, dampers, friction and limits of tendons, which have no gain:
   * "NAME spring".
   */
  readonly actuators: readonly ActuatorDescription[];
  /** Named states of the file. */
  readonly keyframes: readonly Keyframe[];
  /** [m/s²], if the file gives it */
  readonly gravity?: Vec3;
  /** [s], if the file gives it */
  readonly timeStep?: number;
  /** Contents of the file that were left out or changed, with lines: `MJCF line 30 <light>: is left out`. */
  readonly notes: readonly string[];
}

/** A shape to draw, in the axes of its link [m]. */
export interface VisualShape {
  /** name of the link, absent for the world */
  readonly link?: string;
  readonly name?: string;
  readonly shape: ColliderShape;
  readonly position?: Vec3;
  readonly rotation?: Quat;
  /** red, green, blue and opacity, 0 to 1 */
  readonly color?: readonly [number, number, number, number];
}

/** A named frame of a link [m]. */
export interface LinkSite {
  readonly name: string;
  /** name of the link, absent for the world */
  readonly link?: string;
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** A state of a mechanism: numbers for its coordinates in the order of its links, and for its actuators. */
export interface Keyframe {
  readonly name: string;
  /** [rad or m] */
  readonly position: readonly number[];
  /** [rad/s or m/s] */
  readonly velocity: readonly number[];
  /** one for each actuator; absent if the file does not give them */
  readonly control?: readonly number[];
}

/** Meshes by the name in the file. */
export type MeshTable = ReadonlyMap<string, MeshData>;

/** An element with the name of its mesh. */
export interface MeshUse {
  readonly element: FileElement;
  readonly name: string;
  /** Whether the mesh is only drawn. It is noted if it cannot be found. */
  readonly isDrawn?: boolean;
}

/**
 * Fetches every mesh once.
 *
 * @throws PliantError for a mesh that nobody has, with the line of its name; `degenerate-geometry` for a mesh with
 * fewer than four vertices; none of these for meshes that are only drawn
 */
export async function fetchMeshes(
  uses: readonly MeshUse[],
  sources: MeshSources,
  notes: Notes | undefined,
): Promise<MeshTable> {
  const table = new Map<string, MeshData>();
  const drawn = uses.filter(({ isDrawn }) => isDrawn === true);
  for (const { element, name } of uses.filter((use) => !drawn.includes(use)))
    if (!table.has(name)) table.set(name, await fetchMesh(element, name, sources));
  const missing = new Set<string>();
  for (const { element, name } of drawn) {
    if (table.has(name) || missing.has(name)) continue;
    try {
      table.set(name, await fetchMesh(element, name, sources));
    } catch (error) {
      if (!(error instanceof PliantError)) throw error;
      missing.add(name);
      notes?.add(element, `mesh "${name}" is not drawn: ${error.rule}`);
    }
  }
  return table;
}

async function fetchMesh(element: FileElement, name: string, { mesh, file }: MeshSources): Promise<MeshData> {
  if (mesh === undefined && file === undefined)
    throw element.error('needs the option "mesh" or "file", a function that finds it', name);
  let data = await mesh?.(name);
  if (data === undefined && file !== undefined) {
    const found = await file(name);
    if (found !== undefined) data = await readMeshFile(name, found, file, element);
  }
  if (data === undefined) throw element.error("must name a mesh that the function `mesh` or `file` finds", name);
  checkMesh(element, name, data);
  return data;
}

/** @throws PliantError unless the mesh has four finite vertices or more, and valid indices */
export function checkMesh(element: FileElement, name: string, { positions, indices }: MeshData): void {
  if (positions.length < 12 || positions.length % 3 !== 0)
    throw element.error(`mesh "${name}" must have four vertices or more`, positions.length, "degenerate-geometry");
  if (!Array.from(positions).every(Number.isFinite))
    throw element.error(`mesh "${name}" must have finite vertices`, name, "non-finite");
  const count = positions.length / 3;
  if (indices.length % 3 !== 0) throw element.error(`mesh "${name}" must have three indices a face`, indices.length);
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
export function requireNewName(element: FileElement, name: string, taken: { has(name: string): boolean }): void {
  if (taken.has(name)) throw element.error("must have a name that no other link has", name);
}

/** Requires that the input is a text. */
export function requireText(text: unknown, object: string): asserts text is string {
  if (typeof text !== "string") throw invalid(object, text, "must be the text of a file");
}
