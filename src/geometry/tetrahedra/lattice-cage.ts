import { PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";
import { boxOf } from "../box";
import { buildTriangleTree } from "../triangles/bvh";
import { triangleCorners, type ClosedSurface } from "../triangles/closed-surface";
import { firstCrossing } from "../triangles/segment-crossing";
import { buildWindingTree, windingNumber } from "../triangles/winding-number";
import { stuffLattice, type Solid } from "./lattice-stuffing";
import { largestParts } from "./parts";
import { meshVolume, type TetMesh } from "./tet-mesh";

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
const RESOLUTIONS = [5, 6, 8, 12, 18, 27, 40];
const MOST = 200;

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
    throw new PliantError("invalid-argument", `${object}.resolution`, resolution, `must be from 2 to ${MOST}`);
  let kept = 0;
  for (const cubes of resolution === undefined ? RESOLUTIONS : [resolution]) {
    const mesh = largestParts(cageOf(surface, cellSize(surface, cubes)), surface.pieceCount);
    kept = meshVolume(mesh.positions, mesh.tetrahedra) / surface.volume;
    const isLast = resolution !== undefined || cubes === RESOLUTIONS.at(-1);
    if (kept >= AMPLE || (isLast && kept >= LEAST)) return mesh;
  }
  throw new PliantError(
    "degenerate-geometry",
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

function cageOf(surface: ClosedSurface, cell: Vec3): TetMesh {
  const scale = (list: Float64Array, by: (c: number) => number): Float64Array => list.map((x, i) => x * by(i % 3));
  const solid = solidOf({ ...surface, positions: scale(surface.positions, (c) => 1 / cell[c]) });
  const { positions, tetrahedra } = stuffLattice(solid, 1, PHASE);
  return { positions: scale(positions, (c) => cell[c]), tetrahedra };
}

function solidOf({ positions, indices }: ClosedSurface): Solid {
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
      const part = firstCrossing(tree, x, 3 * a, 3 * b);
      // a segment that leaves the inside can miss the surface only by rounding
      return part <= 1 ? part : 0.5;
    },
  };
}
