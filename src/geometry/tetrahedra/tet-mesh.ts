import { PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";

/** A solid cut into tetrahedra. */
export interface TetMesh {
  /** vertexCount × 3 [m] */
  readonly positions: Float64Array;
  /** four vertices a tetrahedron, with det[x₁ − x₀, x₂ − x₀, x₃ − x₀] > 0 */
  readonly tetrahedra: Uint32Array;
}

/** A tetrahedron is flat when its volume is below this times the cube of its longest edge. */
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
 * Refuses what no solver can use: empty meshes, coordinates that are not finite, indices out of range, flat and inverted
 * tetrahedra, faces that more than two tetrahedra share.
 *
 * @param object how the message calls the mesh
 * @throws PliantError with the number of the vertex or tetrahedron and the rule
 */
export function validateTetMesh(object: string, mesh: TetMesh): void {
  const { positions, tetrahedra } = mesh;
  if (positions.length === 0 || tetrahedra.length === 0)
    throw new PliantError("degenerate-geometry", object, `${tetrahedra.length / 4} tetrahedra`, "must not be empty");
  if (positions.length % 3 !== 0)
    throw new PliantError("invalid-argument", `${object} positions`, positions.length, "must be three a vertex");
  if (tetrahedra.length % 4 !== 0)
    throw new PliantError("invalid-argument", `${object} tetrahedra`, tetrahedra.length, "must be four indices each");
  const bad = positions.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0)
    throw new PliantError("non-finite", `${object} vertex ${Math.floor(bad / 3)}`, positions[bad], "must be finite");
  const vertexCount = positions.length / 3;
  for (let i = 0; i < tetrahedra.length; i++)
    if (!Number.isInteger(tetrahedra[i]) || tetrahedra[i] >= vertexCount)
      throw new PliantError(
        "index-out-of-range",
        `${object} tetrahedron ${i >> 2}`,
        tetrahedra[i],
        `must be a vertex index below ${vertexCount}`,
      );
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    const volume = tetVolume(positions, tetrahedra, t);
    if (Math.abs(volume) > FLAT * longestEdge(positions, tetrahedra, t) ** 3) {
      if (volume < 0)
        throw new PliantError("degenerate-geometry", `${object} tetrahedron ${t}`, volume, "must not be inverted");
    } else throw new PliantError("degenerate-geometry", `${object} tetrahedron ${t}`, volume, "must have a volume");
  }
  const uses = new Map<string, number>();
  for (let t = 0; t < tetrahedra.length / 4; t++)
    for (let f = 0; f < 4; f++) {
      const key = faceKey(tetrahedra, t, f);
      const count = (uses.get(key) ?? 0) + 1;
      if (count > 2)
        throw new PliantError(
          "degenerate-geometry",
          `${object} tetrahedron ${t}`,
          `face ${key}`,
          "must share a face with one other at most",
        );
      uses.set(key, count);
    }
}

/** Signed volume [m³], positive where the vertices are in order. */
export function tetVolume(positions: ArrayLike<number>, tetrahedra: ArrayLike<number>, t: number): number {
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[4 * t + k]!) as [number, number, number, number];
  const p = positions;
  const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
  const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
  const [wx, wy, wz] = [p[d]! - p[a]!, p[d + 1]! - p[a + 1]!, p[d + 2]! - p[a + 2]!];
  return (ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx)) / 6;
}

/** Sum of the volumes of all tetrahedra [m³]. */
export function meshVolume(positions: ArrayLike<number>, tetrahedra: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < tetrahedra.length / 4; t++) sum += tetVolume(positions, tetrahedra, t);
  return sum;
}

/** Mass of each vertex [kg]: a quarter of each of its tetrahedra. `density` in kg/m³. */
export function tetMasses(mesh: TetMesh, density: number): Float64Array {
  const masses = new Float64Array(mesh.positions.length / 3);
  for (let t = 0; t < mesh.tetrahedra.length / 4; t++) {
    const quarter = (density * tetVolume(mesh.positions, mesh.tetrahedra, t)) / 4;
    for (let k = 0; k < 4; k++) masses[mesh.tetrahedra[4 * t + k]!]! += quarter;
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
    for (const k of FACES[owner & 3]!) triangles[at++] = tetrahedra[4 * (owner >> 2) + k]!;
  return triangles;
}

/**
 * A box of `cells` cells, each of six tetrahedra about the same diagonal (Kuhn's subdivision), so faces of neighbours meet.
 *
 * @param box extents [m], cells along each, middle [m] (default the origin)
 * @throws PliantError `invalid-argument` for extents that are not positive or numbers of cells that are not whole
 */
export function boxTetrahedra(box: { size: Vec3; cells: Vec3; center?: Vec3 | undefined }): TetMesh {
  const { size, cells, center = [0, 0, 0] } = box;
  for (let i = 0; i < 3; i++) {
    if (!(size[i] > 0 && Number.isFinite(size[i])))
      throw new PliantError("invalid-argument", "box.size", size, "must be positive");
    if (!(Number.isInteger(cells[i]) && cells[i] >= 1))
      throw new PliantError("invalid-argument", "box.cells", cells, "must be whole numbers from 1");
  }
  const [nx, ny, nz] = cells;
  const index = (i: number, j: number, k: number): number => i + (nx + 1) * (j + (ny + 1) * k);
  const positions = new Float64Array(3 * (nx + 1) * (ny + 1) * (nz + 1));
  for (let k = 0; k <= nz; k++)
    for (let j = 0; j <= ny; j++)
      for (let i = 0; i <= nx; i++)
        [i / nx, j / ny, k / nz].forEach(
          (s, axis) => (positions[3 * index(i, j, k) + axis] = center[axis]! + (s - 0.5) * size[axis]!),
        );
  const tetrahedra = new Uint32Array(24 * nx * ny * nz);
  let at = 0;
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++)
        for (const [first, second, isEven] of KUHN) {
          const corner = [i, j, k];
          const path = [index(i, j, k)];
          for (const axis of [first, second, 3 - first - second]) {
            corner[axis]!++;
            path.push(index(corner[0]!, corner[1]!, corner[2]!));
          }
          // An odd order of the axes makes a negative determinant.
          tetrahedra.set(isEven ? path : [path[0]!, path[2]!, path[1]!, path[3]!], at);
          at += 4;
        }
  return { positions, tetrahedra };
}

/** Orders of the axes in which a path goes from a cell's lowest corner to its highest, and whether each is even. */
const KUHN = [
  [0, 1, true],
  [1, 2, true],
  [2, 0, true],
  [0, 2, false],
  [1, 0, false],
  [2, 1, false],
] as const;

function faceKey(tetrahedra: ArrayLike<number>, t: number, f: number): string {
  return FACES[f]!.map((k) => tetrahedra[4 * t + k]!)
    .sort((a, b) => a - b)
    .join(",");
}

function longestEdge(p: ArrayLike<number>, tetrahedra: ArrayLike<number>, t: number): number {
  let longest = 0;
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < i; j++) {
      const [a, b] = [3 * tetrahedra[4 * t + i]!, 3 * tetrahedra[4 * t + j]!];
      longest = Math.max(longest, Math.hypot(p[a]! - p[b]!, p[a + 1]! - p[b + 1]!, p[a + 2]! - p[b + 2]!));
    }
  return longest;
}
