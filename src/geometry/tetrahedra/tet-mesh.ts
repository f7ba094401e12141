import { tripleProduct } from "../triangles/triangle";
import { triangleKey } from "../surface/twin-sides";
import { checkList, checkPoints } from "../../checks";
import { degenerate, invalid, outOfRange } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import type { Vec3 } from "../../math/types";
import { distanceBetween } from "../../math/vectors";

/** A solid cut into tetrahedra. */
export interface TetMesh {
  /** vertexCount × 3 [m] */
  readonly positions: Float64Array;
  /** four vertices a tetrahedron, with det[x₁ − x₀, x₂ − x₀, x₃ − x₀] > 0 */
  readonly tetrahedra: Uint32Array;
}

/** A tetrahedron is flat if its volume is below this times the cube of its longest edge. */
const FLAT = 1e-9;

/**
 * Faces of a positive tetrahedron, as places in its list of four vertices: each opposite the vertex of the same number, wound
 * as Babylon's front faces are (clockwise seen from outside).
 */
const FACES = [
  [1, 3, 2],
  [0, 2, 3],
  [0, 3, 1],
  [0, 1, 2],
] as const;

/**
 * Rejects meshes that no solver can use: empty meshes, coordinates that are not finite, indices out of range, flat and
 * inverted tetrahedra, faces that more than two tetrahedra share.
 *
 * @param object name of the mesh in messages
 * @throws PliantError with the number of the vertex or tetrahedron and the rule
 */
export function validateTetMesh(object: string, mesh: TetMesh): void {
  const { positions, tetrahedra } = mesh;
  if (positions.length === 0 || tetrahedra.length === 0)
    throw degenerate(object, `${tetrahedra.length / 4} tetrahedra`, "must not be empty");
  if (positions.length % 3 !== 0) throw invalid(`${object} positions`, positions.length, "must be three a vertex");
  if (tetrahedra.length % 4 !== 0)
    throw invalid(`${object} tetrahedra`, tetrahedra.length, "must be four indices each");
  checkPoints(positions, `${object} vertex`);
  const vertexCount = positions.length / 3;
  for (let i = 0; i < tetrahedra.length; i++)
    if (!Number.isInteger(tetrahedra[i]) || tetrahedra[i] >= vertexCount)
      throw outOfRange(`${object} tetrahedron ${i >> 2}`, tetrahedra[i], `must be a vertex index below ${vertexCount}`);
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    const volume = tetVolume(positions, tetrahedra, t);
    const longest = longestEdge(positions, tetrahedra, t);
    if (Math.abs(volume) > FLAT * longest * longest * longest) {
      if (volume < 0) throw degenerate(`${object} tetrahedron ${t}`, volume, "must not be inverted");
    } else throw degenerate(`${object} tetrahedron ${t}`, volume, "must have a volume");
  }
  const uses = new Map<string, number>();
  for (let t = 0; t < tetrahedra.length / 4; t++)
    for (let f = 0; f < 4; f++) {
      const key = faceKey(tetrahedra, t, f);
      const count = (uses.get(key) ?? 0) + 1;
      if (count > 2)
        throw degenerate(`${object} tetrahedron ${t}`, `face ${key}`, "must share a face with one other at most");
      uses.set(key, count);
    }
}

/** Signed volume [m³], positive for vertices in positive order. */
export function tetVolume(positions: ArrayLike<number>, tetrahedra: ArrayLike<number>, t: number): number {
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[4 * t + k]) as [number, number, number, number];
  return tripleProduct(positions, a, b, c, d) / 6;
}

/** Gradients at rest of the barycentric coordinates of a tetrahedron, by its four vertices [1/m]. */
export function barycentricGradients(positions: ArrayLike<number>, vertices: ArrayLike<number>): readonly Vec3[] {
  const volume = tetVolume(positions, vertices, 0);
  const edge = (k: number, c: number): number => positions[3 * vertices[k] + c] - positions[3 * vertices[0] + c];
  const slopes: Vec3[] = [[0, 0, 0]];
  for (let a = 1; a < 4; a++) {
    const [p, q] = [(a % 3) + 1, ((a + 1) % 3) + 1];
    const component = (c: number): number => {
      const [i, j] = [(c + 1) % 3, (c + 2) % 3];
      return (edge(p, i) * edge(q, j) - edge(p, j) * edge(q, i)) / (6 * volume);
    };
    slopes.push([component(0), component(1), component(2)]);
  }
  const [, a, b, c] = slopes as [Vec3, Vec3, Vec3, Vec3];
  slopes[0] = [-a[0] - b[0] - c[0], -a[1] - b[1] - c[1], -a[2] - b[2] - c[2]];
  return slopes;
}

/** Sum of the volumes of all tetrahedra [m³]. */
export function meshVolume(positions: ArrayLike<number>, tetrahedra: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < tetrahedra.length / 4; t++) sum += tetVolume(positions, tetrahedra, t);
  return sum;
}

/** Mass of each vertex [kg]: a quarter of the mass of each of its tetrahedra. `density` is in kg/m³. */
export function tetMasses(mesh: TetMesh, density: number): Float64Array {
  const masses = new Float64Array(mesh.positions.length / 3);
  for (let t = 0; t < mesh.tetrahedra.length / 4; t++) {
    const quarter = (density * tetVolume(mesh.positions, mesh.tetrahedra, t)) / 4;
    for (let k = 0; k < 4; k++) masses[mesh.tetrahedra[4 * t + k]] += quarter;
  }
  return masses;
}

/** Triangles that belong to one tetrahedron only, wound as Babylon's front faces are, in the order of the tetrahedra. */
export function boundaryTriangles(tetrahedra: ArrayLike<number>): Uint32Array {
  const owners = new Map<string, number>();
  for (let t = 0; t < tetrahedra.length / 4; t++)
    for (let f = 0; f < 4; f++) {
      const key = faceKey(tetrahedra, t, f);
      if (!owners.delete(key)) owners.set(key, 4 * t + f);
    }
  const triangles = new Uint32Array(3 * owners.size);
  let at = 0;
  for (const owner of owners.values())
    for (const k of FACES[owner & 3]) triangles[at++] = tetrahedra[4 * (owner >> 2) + k]!;
  return triangles;
}

/**
 * Pattern in which the cells of a box are cut. Linear tetrahedra lock, and the amount depends on the pattern. A clamped
 * bar eight cells thick and six times as long bends less than predicted by Euler and Bernoulli: by 3.0 % with
 * `parallel` cells, 2.3 % with `mirrored` and 1.3 % with `alternating` ones (Poisson's ratio 0). A cube of four cells
 * between two plates, nearly incompressible and pressed to half its height, loses 2.1 %, 0.5 % and 4.1 % of its volume.
 *
 * - `parallel`: six tetrahedra about the same diagonal in every cell (Kuhn's subdivision)
 * - `mirrored`: six, each cell the mirror image of its neighbors; up to 48 meet at a vertex instead of 24
 * - `alternating`: five, one in the middle and four at corners, in two alternating orientations
 */
export type BoxPattern = "parallel" | "mirrored" | "alternating";

const boxPatterns: readonly BoxPattern[] = ["parallel", "mirrored", "alternating"];

/**
 * A box of `cells` cells, cut so that faces of neighbors meet.
 *
 * @param box extents [m], cells along each, middle [m] (default the origin), pattern of the cells (default `parallel`)
 * @throws PliantError `invalid-argument` for extents that are not positive, fractional numbers of cells, or an unknown
 * pattern
 */
export function boxTetrahedra(box: {
  size: Vec3;
  cells: Vec3;
  center?: Vec3 | undefined;
  pattern?: BoxPattern | undefined;
}): TetMesh {
  checkNames("box", box, optionNames<typeof box>()("size cells center pattern"));
  const { size, cells, center = [0, 0, 0], pattern = "parallel" } = box;
  checkList(size, "box.size");
  checkList(cells, "box.cells");
  checkList(center, "box.center");
  for (let i = 0; i < 3; i++) {
    if (!(size[i] > 0 && Number.isFinite(size[i]))) throw invalid("box.size", size, "must be positive");
    if (!(Number.isInteger(cells[i]) && cells[i] >= 1))
      throw invalid("box.cells", cells, "must be whole numbers from 1");
  }
  if (!boxPatterns.includes(pattern)) throw invalid("box.pattern", pattern, `must be one of ${boxPatterns.join(", ")}`);
  const [nx, ny, nz] = cells;
  const positions = new Float64Array(3 * (nx + 1) * (ny + 1) * (nz + 1));
  let at = 0;
  for (let k = 0; k <= nz; k++)
    for (let j = 0; j <= ny; j++)
      for (let i = 0; i <= nx; i++)
        for (const [axis, s] of [i / nx, j / ny, k / nz].entries())
          positions[at++] = center[axis] + (s - 0.5) * size[axis];
  const cut = pattern === "alternating" ? FIVE : SIX;
  const tetrahedra = new Uint32Array(4 * cut.length * nx * ny * nz);
  at = 0;
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        // Axes along which the cell is mirrored, as bits.
        let mirror = 0;
        if (pattern === "mirrored") mirror = (i & 1) | ((j & 1) << 1) | ((k & 1) << 2);
        else if (pattern === "alternating") mirror = (i + j + k) & 1;
        const isTurned = ((mirror ^ (mirror >> 1) ^ (mirror >> 2)) & 1) === 1;
        for (const corners of cut)
          for (let c = 0; c < 4; c++) {
            // A mirror image has a negative determinant, unless two vertices are swapped.
            const corner = corners[isTurned && c > 0 && c < 3 ? 3 - c : c] ^ mirror;
            const [x, y, z] = [i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2)];
            tetrahedra[at++] = x + (nx + 1) * (y + (ny + 1) * z);
          }
      }
  return { positions, tetrahedra };
}

/**
 * Tetrahedra of a cell, all positive, by corners: bit 0 of a corner is set at the upper end of x, bits 1 and 2 at those
 * of y and z. The six are paths along the axes in every order, from the lowest corner to the highest.
 */
const SIX = [
  [0, 1, 3, 7],
  [0, 2, 6, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
  [0, 3, 2, 7],
  [0, 6, 4, 7],
] as const;

/** The tetrahedron in the middle, and those at corners 1, 2, 4 and 7. */
const FIVE = [
  [0, 3, 6, 5],
  [1, 0, 5, 3],
  [2, 0, 3, 6],
  [4, 0, 6, 5],
  [7, 3, 5, 6],
] as const;

/** `triangleKey` of face f of tetrahedron t. */
export function faceKey(tetrahedra: ArrayLike<number>, t: number, f: number): string {
  const [a, b, c] = FACES[f];
  return triangleKey(tetrahedra[4 * t + a], tetrahedra[4 * t + b], tetrahedra[4 * t + c]);
}

function longestEdge(p: ArrayLike<number>, tetrahedra: ArrayLike<number>, t: number): number {
  let longest = 0;
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < i; j++) {
      const [a, b] = [3 * tetrahedra[4 * t + i], 3 * tetrahedra[4 * t + j]];
      longest = Math.max(longest, distanceBetween(p, a, b));
    }
  return longest;
}
