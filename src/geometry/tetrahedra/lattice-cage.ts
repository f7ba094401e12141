import { degenerate, invalid } from "../../errors";
import type { Vec3 } from "../../math/types";
import { boxOf, sizeOf } from "../box";
import { buildTriangleTree } from "../triangles/bvh";
import { triangleCorners, type ClosedSurface } from "../triangles/closed-surface";
import { firstCrossing } from "../triangles/segment-crossing";
import { buildWindingTree, windingNumber } from "../triangles/winding-number";
import { embedSurface } from "./embedding";
import { stuffLattice, type Solid } from "./lattice-stuffing";
import { largestParts } from "./parts";
import { swell } from "./swell";
import { boundaryTriangles, meshVolume, type TetMesh } from "./tet-mesh";

export interface CageOptions {
  /**
   * cells of the lattice along the longest side, from 2; default: the smallest number that keeps most of the volume,
   * see `latticeCage`
   */
  resolution?: number | undefined;
}

/** Least part of the surface's volume that a default resolution keeps … */
const AMPLE = 0.92;
/** … and that any resolution keeps. */
const LEAST = 0.5;
/** Default resolutions, tried one after another. */
const RESOLUTIONS = [5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40];
const MOST = 200;

/** Least part of the volume of a cage that stays where finer ones cost too much, and the part to which that swells. */
const ENOUGH = 0.75;
const SWOLLEN = 0.93;
/** Longest way of a vertex that swells, in cells. */
const MOST_SWOLLEN = 0.25;
/** Longest way of the surface outside of such a cage, in cells and in sizes of the body. */
const MOST_OUTSIDE = [1, 0.05] as const;
/**
 * Work of a step that a cage may take by default, in tetrahedra × substeps: these are as many as cells along the longest side. A cube
 * of the least resolution has 9,000.
 */
const WORK = 20_000;

/**
 * Position of the middle of the box in its cube: nearly at a vertex, so that the lattice is its own mirror image, and not quite, so that flat
 * faces there do not coincide with lattice planes.
 */
const PHASE = 1e-3;

/** Part of a cell from the sides of the box to the layers of vertices inside, which move onto the surface (lattice-stuffing.ts). */
const BEYOND = 0.02;
/** Most times that cells are longer along one axis than along another. */
const MOST_FLAT = 4;

/**
 * Fills a closed surface with well-shaped tetrahedra of about equal size, flatter ones in plates. The cage's surface is near the given one: its
 * vertices are on it, sharp edges are cut off, and parts thinner than about a cube of the lattice are left out. Pieces
 * that this disconnects from the rest are left out, too.
 *
 * @param object name of the body in messages
 * @throws PliantError `invalid-argument` for a resolution out of range; `degenerate-geometry` if the cage would hold
 * less than half of the volume
 */
export function latticeCage(object: string, surface: ClosedSurface, options: CageOptions = {}): TetMesh {
  const { resolution } = options;
  if (resolution !== undefined && !(resolution >= 2 && resolution <= MOST))
    throw invalid(`${object}.resolution`, resolution, `must be from 2 to ${MOST}`);
  let kept = 0;
  let coarser: TetMesh | undefined;
  for (const cubes of resolution === undefined ? RESOLUTIONS : [resolution]) {
    const cell = cellSize(surface, cubes);
    const mesh = largestParts(cageOf(surface, cell), surface.pieceCount);
    kept = meshVolume(mesh.positions, mesh.tetrahedra) / surface.volume;
    const isLast = resolution !== undefined || cubes === RESOLUTIONS.at(-1);
    const size = sizeOf(boxOf(surface.positions));
    const work = (mesh.tetrahedra.length / 4) * (size / Math.min(...cell));
    if (coarser && work > WORK) return coarser;
    if (kept >= AMPLE || (isLast && kept >= LEAST)) return mesh;
    const side = Math.max(...cell);
    const outside = Math.min(MOST_OUTSIDE[0] * side, MOST_OUTSIDE[1] * size);
    if (resolution === undefined && kept >= ENOUGH && isWhole(mesh, surface, outside))
      coarser = swell(mesh, surface, SWOLLEN * surface.volume, MOST_SWOLLEN * side);
  }
  throw degenerate(
    `${object}.resolution`,
    resolution ?? RESOLUTIONS.at(-1),
    `must be finer: of the volume, the cage keeps ${Math.round(100 * kept)} %`,
  );
}

/**
 * Sides of the cells of a lattice along each axis [m]: nearly cubes, and such that the sides of the box are beyond layers of vertices by the
 * same part of a cell on either side. Then a box is a mirror image of itself, falls straight, and keeps its volume.
 */
function cellSize({ positions }: ClosedSurface, cubes: number): Vec3 {
  const { min, max } = boxOf(positions);
  const extents = max.map((high, c) => high - min[c]);
  const side = Math.max(...extents) / cubes;
  const cells = extents.map((extent) => {
    // Half cells go down, whatever their rounding.
    const whole = Math.round(extent / side - 2 * BEYOND - 0.01);
    return Math.max(extent / (Math.max(1, whole) + 2 * BEYOND), side / MOST_FLAT);
  });
  return cells as unknown as Vec3;
}

/** Whether a cage has all holes and pieces of the surface, and no vertex of the surface is further outside than `most` [m]. */
function isWhole(mesh: TetMesh, { positions, indices }: ClosedSurface, most: number): boolean {
  if (bends(boundaryTriangles(mesh.tetrahedra)) !== bends(indices)) return false;
  return embedSurface(mesh, positions).outside.every((way) => way <= most);
}

/** Euler characteristic of a closed surface: twice its pieces less twice the holes through them. */
function bends(faces: Uint32Array): number {
  return new Set(faces).size - faces.length / 6;
}

function cageOf(surface: ClosedSurface, cell: Vec3): TetMesh {
  const scale = (list: Float64Array, by: (c: number) => number): Float64Array => list.map((x, i) => x * by(i % 3));
  const solid = solidOf({ ...surface, positions: scale(surface.positions, (c) => 1 / cell[c]) });
  const { positions, tetrahedra } = stuffLattice(solid, 1, PHASE);
  return { positions: scale(positions, (c) => cell[c]), tetrahedra };
}

function solidOf({ positions, indices, overlaps }: ClosedSurface): Solid {
  const tree = buildTriangleTree(triangleCorners(positions, indices));
  const dipoles = buildWindingTree(tree);
  const box = [...tree.boxes.subarray(0, 6)];
  const [min, max] = [box.slice(0, 3), box.slice(3)] as unknown as [Vec3, Vec3];
  return {
    min,
    max,
    contains: (x, y, z) =>
      [x, y, z].every((value, c) => value >= min[c] && value <= max[c]) && windingNumber(tree, dipoles, x, y, z) > 0.5,
    crossing: (x, a, b) => {
      // Inside of pieces that overlap a segment meets faces that are hidden in others; from outside it does not.
      const part = overlaps ? 1 - firstCrossing(tree, x, 3 * b, 3 * a) : firstCrossing(tree, x, 3 * a, 3 * b);
      // a segment that leaves the inside can miss the surface only by rounding
      return part >= 0 && part <= 1 ? part : 0.5;
    },
  };
}
