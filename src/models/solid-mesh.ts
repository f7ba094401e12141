import { surfaceIntersections } from "../collision/surface/intersections";
import { joinSurfaces } from "../collision/surface/surface-mesh";
import { degenerate } from "../errors";
import { checkLikelyNames, optionNames } from "../option-names";
import { embedSurface, type Embedding } from "../geometry/tetrahedra/embedding";
import { latticeCage } from "../geometry/tetrahedra/lattice-cage";
import { meshVolume, type TetMesh } from "../geometry/tetrahedra/tet-mesh";
import { closedSurface, type ClosedSurface } from "../geometry/triangles/closed-surface";
import { unionVolume } from "../geometry/triangles/union-volume";
import { DisjointSets } from "../math/disjoint-sets";

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
 * are repaired, see `closedSurface`. Of pieces that pass through each other the inside is their union.
 *
 * @throws PliantError for a surface that is not closed, for a piece of it that passes through itself, and a resolution that is too low for it
 */
export function solidMesh(description: SolidMeshDescription): SolidMesh {
  const { positions, indices, resolution, name = "solid" } = description;
  checkLikelyNames(name, description, solidMeshNames);
  const surface = withOverlaps(name, closedSurface(name, positions, indices));
  const mesh = latticeCage(name, surface, { resolution });
  return {
    ...mesh,
    embedding: embedSurface(mesh, positions),
    volumeRatio: surface.volume / meshVolume(mesh.positions, mesh.tetrahedra),
  };
}

/** Finds the pieces that pass through each other, and what they enclose together. @throws PliantError for one that passes through itself */
function withOverlaps(name: string, surface: ClosedSurface): ClosedSurface {
  const { positions, indices, pieces } = surface;
  const part = { restPositions: positions, faces: indices, selfCollision: true, bodyCollision: false };
  const mesh = joinSurfaces([part]);
  const crossings = surfaceIntersections(mesh, positions);
  if (crossings.length === 0) return surface;
  const pieceOf = new Map(Array.from(indices, (v, i) => [v, pieces[Math.floor(i / 3)]]));
  const joined = new DisjointSets(pieces.length);
  for (const { edge, face } of crossings) {
    const [p, q] = mesh.edges.subarray(2 * edge, 2 * edge + 2);
    const [one, other] = [pieceOf.get(p)!, pieceOf.get(mesh.faces[3 * face])!];
    if (one === other)
      throw degenerate(name, `edge (${p}, ${q}) through triangle ${face}`, "must not pass through itself");
    joined.join(one, other);
  }
  const pieceCount = new Set(pieces.map((piece) => joined.rootOf(piece))).size;
  return { ...surface, pieceCount, overlaps: true, volume: unionVolume(surface) };
}
