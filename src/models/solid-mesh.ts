import { surfaceIntersections } from "../collision/surface/intersections";
import { joinSurfaces } from "../collision/surface/surface-mesh";
import { degenerate } from "../errors";
import { checkLikelyNames, optionNames } from "../option-names";
import { embedSurface, type Embedding } from "../geometry/tetrahedra/embedding";
import { latticeCage } from "../geometry/tetrahedra/lattice-cage";
import { meshVolume, type TetMesh } from "../geometry/tetrahedra/tet-mesh";
import { closedSurface, type ClosedSurface } from "../geometry/triangles/closed-surface";

export interface SolidMeshDescription {
  /** vertices of a closed triangle mesh, n × 3 [m] */
  positions: ArrayLike<number>;
  /** three vertices a triangle, with any winding */
  indices: ArrayLike<number>;
  /** cells of the lattice along the longest side, from 2; default: enough to keep most of the volume */
  resolution?: number | undefined;
  name?: string | undefined;
}

const solidMeshNames = optionNames<SolidMeshDescription>()("positions indices resolution name");

/** A solid of tetrahedra with the surface that it was made from. */
export interface SolidMesh extends TetMesh {
  /** embedding of the surface's vertices, in their order */
  readonly embedding: Embedding;
  /**
   * Volume within the surface divided by that of the tetrahedra, a little above 1: multiplied by this, a density gives
   * the body its whole mass.
   */
  readonly volumeRatio: number;
}

/**
 * Cuts the inside of a closed surface into tetrahedra, which carry the surface with them. Meshes that are nearly closed
 * are repaired, see `closedSurface`.
 *
 * @throws PliantError for a surface that is not closed or passes through itself, and a resolution that is too low for it
 */
export function solidMesh(description: SolidMeshDescription): SolidMesh {
  const { positions, indices, resolution, name = "solid" } = description;
  checkLikelyNames(name, description, solidMeshNames);
  const surface = closedSurface(name, positions, indices);
  requireSimple(name, surface);
  const mesh = latticeCage(name, surface, { resolution });
  return {
    ...mesh,
    embedding: embedSurface(mesh, positions),
    volumeRatio: surface.volume / meshVolume(mesh.positions, mesh.tetrahedra),
  };
}

function requireSimple(name: string, { positions, indices }: ClosedSurface): void {
  const part = { restPositions: positions, faces: indices, selfCollision: true, bodyCollision: false };
  const mesh = joinSurfaces([part]);
  const [first] = surfaceIntersections(mesh, positions);
  if (!first) return;
  const edge = mesh.edges.subarray(2 * first.edge, 2 * first.edge + 2).join(", ");
  throw degenerate(name, `edge (${edge}) through triangle ${first.face}`, "must not pass through itself");
}
