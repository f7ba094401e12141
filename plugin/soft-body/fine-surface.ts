import { invalid } from "../../src/errors";
import { nextCorner } from "../../src/geometry/surface/twin-sides";
import { subdivide, type Subdivision } from "../../src/geometry/triangles/subdivide";
import type { BodyModel } from "../../src/index";
import { distanceBetween } from "../../src/math/vectors";
import { meanEdge } from "../../src/solvers/spacing";
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
  simulated: Pick<BodyModel, "positions" | "faces">,
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
  const cell = meanEdge(simulated);
  return longestEdge(positions, indices) > COARSE * cell
    ? subdivide(positions, indices, cell, MOST_VERTICES)
    : undefined;
}

function longestEdge(x: ArrayLike<number>, faces: ArrayLike<number>): number {
  let longest = 0;
  for (let i = 0; i < faces.length; i++)
    longest = Math.max(longest, distanceBetween(x, 3 * faces[nextCorner(i)], 3 * faces[i]));
  return longest;
}
