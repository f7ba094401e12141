import { invalid } from "../../src/errors";
import { subdivide, type Subdivision } from "../../src/geometry/triangles/subdivide";
import type { MeshSource } from "../deformable/mesh/read-mesh";
import type { SoftBodyOptions } from "./soft-body-options";

/** A mesh is too coarse if it has an edge longer than this, in mean edges of the simulated surface. */
const COARSE = 2;

/** Most vertices of a refined mesh. */
const MOST_VERTICES = 1 << 20;

/**
 * A subdivision of the triangles of a mesh, so that drawing can follow the simulation; undefined if they are fine
 * enough.
 *
 * @param simulated surface of the body that carries the mesh
 * @throws PliantError for a length that is not above 0, or that makes too many vertices
 */
export function fineSurface(
  object: string,
  { positions, indices }: MeshSource,
  simulated: { readonly positions: ArrayLike<number>; readonly faces: ArrayLike<number> },
  wanted: SoftBodyOptions["subdivide"] = "auto",
): Subdivision | undefined {
  if (wanted === false) return undefined;
  if (wanted !== "auto") {
    const refuse = (rule: string): never => {
      throw invalid(`${object}.subdivide`, wanted, rule);
    };
    if (!(typeof wanted === "number" && wanted > 0 && wanted < Infinity))
      refuse('must be "auto", false or a length above 0');
    const cut = subdivide(positions, indices, wanted, MOST_VERTICES);
    return cut ?? refuse(`must be longer: there may be ${MOST_VERTICES} vertices`);
  }
  const cell = meanEdge(simulated.positions, simulated.faces);
  return longestEdge(positions, indices) > COARSE * cell
    ? subdivide(positions, indices, cell, MOST_VERTICES)
    : undefined;
}

function longestEdge(x: ArrayLike<number>, faces: ArrayLike<number>): number {
  return edgeLengths(x, faces).reduce((most, length) => Math.max(most, length), 0);
}

function meanEdge(x: ArrayLike<number>, faces: ArrayLike<number>): number {
  return edgeLengths(x, faces).reduce((sum, length) => sum + length, 0) / faces.length;
}

/** Lengths of the three edges of each triangle. */
function edgeLengths(x: ArrayLike<number>, faces: ArrayLike<number>): Float64Array {
  return Float64Array.from(faces, (vertex, i) => {
    const next = faces[i % 3 === 2 ? i - 2 : i + 1];
    return Math.hypot(...[0, 1, 2].map((c) => x[3 * next + c] - x[3 * vertex + c]));
  });
}
