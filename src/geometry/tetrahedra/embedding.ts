import { triangleKey } from "../surface/twin-sides";
import { boxOf } from "../box";
import { buildTriangleTree, closestTriangle } from "../triangles/bvh";
import { triangleCorners } from "../triangles/closed-surface";
import { boundaryTriangles, faceKey, type TetMesh } from "./tet-mesh";
import { lengthOf } from "../../math/vectors";
import { cbrt } from "../../math/powers";

/** Points embedded in a tetrahedral mesh, which move with it. */
export interface Embedding {
  readonly count: number;
  /** vertices of the tetrahedron that carries each point, count × 4 */
  readonly vertices: Uint32Array;
  /** barycentric coordinates, count × 4; they sum to 1; points outside have negative ones */
  readonly weights: Float64Array;
  /** distance of each point from the mesh, 0 inside [m] */
  readonly outside: Float64Array;
}

/** A point counts as inside a tetrahedron up to this barycentric coordinate. */
const BORDER = -1e-9;

/**
 * Finds for each point the tetrahedron that holds it, or the nearest one. A point is then Σ weight × vertex, for any
 * positions of the vertices; points outside move with the linear field of their tetrahedron.
 *
 * @param points count × 3 [m]
 */
export function embedSurface(mesh: TetMesh, points: ArrayLike<number>): Embedding {
  const { positions, tetrahedra } = mesh;
  const count = points.length / 3;
  const vertices = new Uint32Array(4 * count);
  const weights = new Float64Array(4 * count);
  const outside = new Float64Array(count);
  const cells = new TetCells(mesh);
  const nearest = new NearestTet(mesh);
  const tried = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    let best = -Infinity;
    let tet = -1;
    for (const candidate of cells.around(points, i)) {
      barycentric(positions, tetrahedra, candidate, points, i, tried);
      const least = Math.min(tried[0], tried[1], tried[2], tried[3]);
      if (least > best) {
        best = least;
        tet = candidate;
      }
    }
    if (best < BORDER) {
      const found = nearest.find(points, i);
      tet = found.tet;
      outside[i] = found.distance;
    }
    barycentric(positions, tetrahedra, tet, points, i, tried);
    vertices.set(tetrahedra.subarray(4 * tet, 4 * tet + 4), 4 * i);
    weights.set(tried, 4 * i);
  }
  return { count, vertices, weights, outside };
}

/**
 * Normals expressed by the edges of their tetrahedra: for each point dₖ · n, k = 1 … 3, where dₖ = xₖ − x₀. With the
 * edges d' of the deformed tetrahedron, (d₁·n) d'₂×d'₃ + (d₂·n) d'₃×d'₁ + (d₃·n) d'₁×d'₂ has the direction of F⁻ᵀ n.
 *
 * @param normals count × 3
 * @returns count × 3
 */
export function embedNormals(mesh: TetMesh, embedding: Embedding, normals: ArrayLike<number>): Float64Array {
  const { positions: x } = mesh;
  const { count, vertices } = embedding;
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++)
    for (let k = 1; k < 4; k++)
      for (let c = 0; c < 3; c++)
        out[3 * i + k - 1] += (x[3 * vertices[4 * i + k] + c] - x[3 * vertices[4 * i] + c]) * normals[3 * i + c];
  return out;
}

/** Positions of embedded points for positions of the mesh, count × 3 [m]. */
export function embeddedPositions<Out extends Float32Array | Float64Array>(
  embedding: Embedding,
  x: ArrayLike<number>,
  out: Out,
): Out {
  const { count, vertices, weights } = embedding;
  for (let i = 0; i < count; i++)
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += weights[4 * i + k] * x[3 * vertices[4 * i + k] + c];
      out[3 * i + c] = sum;
    }
  return out;
}

/** Unit normals of embedded points, from those of `embedNormals`, count × 3. */
export function embeddedNormals<Out extends Float32Array | Float64Array>(
  embedding: Embedding,
  covectors: ArrayLike<number>,
  x: ArrayLike<number>,
  out: Out,
): Out {
  const { count, vertices } = embedding;
  for (let i = 0; i < count; i++) {
    const o = 3 * vertices[4 * i];
    const a = 3 * vertices[4 * i + 1];
    const b = 3 * vertices[4 * i + 2];
    const c = 3 * vertices[4 * i + 3];
    const ax = x[a] - x[o];
    const ay = x[a + 1] - x[o + 1];
    const az = x[a + 2] - x[o + 2];
    const bx = x[b] - x[o];
    const by = x[b + 1] - x[o + 1];
    const bz = x[b + 2] - x[o + 2];
    const cx = x[c] - x[o];
    const cy = x[c + 1] - x[o + 1];
    const cz = x[c + 2] - x[o + 2];
    const u = covectors[3 * i];
    const v = covectors[3 * i + 1];
    const w = covectors[3 * i + 2];
    const nx = u * (by * cz - bz * cy) + v * (cy * az - cz * ay) + w * (ay * bz - az * by);
    const ny = u * (bz * cx - bx * cz) + v * (cz * ax - cx * az) + w * (az * bx - ax * bz);
    const nz = u * (bx * cy - by * cx) + v * (cx * ay - cy * ax) + w * (ax * by - ay * bx);
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    out[3 * i] = length > 0 ? nx / length : 0;
    out[3 * i + 1] = length > 0 ? ny / length : 1;
    out[3 * i + 2] = length > 0 ? nz / length : 0;
  }
  return out;
}

/** Component c of the cross product of two rows of d. */
function cross(d: Float64Array, a: number, b: number, c: number): number {
  const [i, j] = [(c + 1) % 3, (c + 2) % 3];
  return d[a + i] * d[b + j] - d[a + j] * d[b + i];
}

function barycentric(
  x: Float64Array,
  tetrahedra: Uint32Array,
  t: number,
  points: ArrayLike<number>,
  i: number,
  out: Float64Array,
): void {
  const d = new Float64Array(12);
  const origin = 3 * tetrahedra[4 * t];
  for (let c = 0; c < 3; c++) {
    for (let k = 1; k < 4; k++) d[3 * k - 3 + c] = x[3 * tetrahedra[4 * t + k] + c] - x[origin + c];
    d[9 + c] = points[3 * i + c] - x[origin + c];
  }
  const triple = (a: number, b: number, e: number): number =>
    d[a] * cross(d, b, e, 0) + d[a + 1] * cross(d, b, e, 1) + d[a + 2] * cross(d, b, e, 2);
  const volume = triple(0, 3, 6);
  out[1] = triple(9, 3, 6) / volume;
  out[2] = triple(0, 9, 6) / volume;
  out[3] = triple(0, 3, 9) / volume;
  out[0] = 1 - out[1] - out[2] - out[3];
}

/** Tetrahedra by the cells of a grid that their boxes reach into. */
class TetCells {
  private readonly cells = new Map<number, number[]>();
  private readonly low;
  private readonly cell: number;
  private readonly counts: number[];

  constructor({ positions, tetrahedra }: TetMesh) {
    const { min, max } = boxOf(positions);
    this.low = min;
    const size = max.map((value, c) => value - min[c]);
    // about as many cells as tetrahedra
    this.cell = cbrt((4 * size[0] * size[1] * size[2]) / tetrahedra.length) || Math.max(...size) || 1;
    this.counts = size.map((s) => Math.floor(s / this.cell) + 1);
    for (let t = 0; t < tetrahedra.length / 4; t++) {
      const corners = [0, 1, 2, 3].map((k) => 3 * tetrahedra[4 * t + k]);
      const range = [0, 1, 2].map((c) => {
        const values = corners.map((at) => positions[at + c]);
        return [this.cellOf(Math.min(...values), c), this.cellOf(Math.max(...values), c)];
      });
      for (let i = range[0][0]; i <= range[0][1]; i++)
        for (let j = range[1][0]; j <= range[1][1]; j++)
          for (let k = range[2][0]; k <= range[2][1]; k++) {
            const key = this.key(i, j, k);
            const list = this.cells.get(key);
            if (list) list.push(t);
            else this.cells.set(key, [t]);
          }
    }
  }

  around(points: ArrayLike<number>, i: number): readonly number[] {
    const [a, b, c] = [0, 1, 2].map((axis) => this.cellOf(points[3 * i + axis], axis));
    return this.cells.get(this.key(a, b, c)) ?? [];
  }

  private cellOf(value: number, c: number): number {
    return Math.max(0, Math.min(this.counts[c] - 1, Math.floor((value - this.low[c]) / this.cell)));
  }

  private key(i: number, j: number, k: number): number {
    return i + this.counts[0] * (j + this.counts[1] * k);
  }
}

/** The tetrahedron whose face on the mesh's surface is nearest. */
class NearestTet {
  private readonly tree;
  private readonly owners;
  private readonly closest = new Float64Array(6);

  constructor({ positions, tetrahedra }: TetMesh) {
    const faces = boundaryTriangles(tetrahedra);
    this.tree = buildTriangleTree(triangleCorners(positions, faces));
    const wanted = new Map<string, number>();
    for (let f = 0; f < faces.length; f += 3) wanted.set(triangleKey(faces[f], faces[f + 1], faces[f + 2]), f / 3);
    this.owners = new Uint32Array(faces.length / 3);
    for (let t = 0; t < tetrahedra.length / 4; t++)
      for (let f = 0; f < 4; f++) {
        const face = wanted.get(faceKey(tetrahedra, t, f));
        if (face !== undefined) this.owners[face] = t;
      }
  }

  find(points: ArrayLike<number>, i: number): { tet: number; distance: number } {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    const place = closestTriangle(this.tree, x, y, z, Infinity, -1, this.closest);
    const [cx, cy, cz] = this.closest;
    return { tet: this.owners[this.tree.source[place]], distance: lengthOf(x - cx, y - cy, z - cz) };
  }
}
