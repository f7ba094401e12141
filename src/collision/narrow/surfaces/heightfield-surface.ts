import type { IdList } from "../../../math/arrays";
import { triangleNormal } from "../../../geometry/triangles/triangle";
import { lengthAt } from "../../../math/vectors";
import { setTriangle } from "../shapes/convex";
import { EdgeState, edgeState, type SurfaceTriangle, type TriangleSurface } from "./triangle-surface";

/** Steps in x and z from a sample to those that it shares an edge with. */
const AROUND = [-1, 0, 1, 0, 0, -1, 0, 1, 1, -1, -1, 1];

/**
 * Ground that is solid below: two triangles a cell, found by index arithmetic. Triangles are numbered as in
 * `heightfieldTriangles`.
 */
export class HeightfieldSurface implements TriangleSurface {
  readonly isBottomless = true;
  readonly isClosed = false;
  // Not known: a ground has few edges near a body.
  readonly isSlender = true;
  readonly bounds: Float64Array;
  readonly triangleCount: number = 2 * (this.samplesX - 1) * (this.samplesZ - 1);
  private readonly corners = new Float64Array(9);
  private readonly normals = new Float64Array(6);

  /**
   * @param cellX, cellZ sides of a cell [m]
   * @param heights samplesX × samplesZ [m], x fastest
   */
  constructor(
    readonly samplesX: number,
    readonly samplesZ: number,
    readonly cellX: number,
    readonly cellZ: number,
    readonly heights: Float64Array,
  ) {
    let low = Infinity;
    let high = -Infinity;
    for (const height of heights) {
      low = Math.min(low, height);
      high = Math.max(high, height);
    }
    const x = (cellX * (samplesX - 1)) / 2;
    const z = (cellZ * (samplesZ - 1)) / 2;
    this.bounds = Float64Array.of(-x, low, -z, x, high, z);
  }

  source(triangle: number): number {
    return triangle;
  }

  query(box: Float64Array, out: IdList): void {
    const { bounds: b, cellX, cellZ, samplesX, samplesZ } = this;
    if (box[0] > b[3] || box[3] < b[0] || box[2] > b[5] || box[5] < b[2] || box[1] > b[4]) return;
    const i0 = Math.max(0, Math.floor((box[0] - b[0]) / cellX));
    const i1 = Math.min(samplesX - 2, Math.floor((box[3] - b[0]) / cellX));
    const j0 = Math.max(0, Math.floor((box[2] - b[2]) / cellZ));
    const j1 = Math.min(samplesZ - 2, Math.floor((box[5] - b[2]) / cellZ));
    const h = this.heights;
    for (let j = j0; j <= j1; j++)
      for (let i = i0; i <= i1; i++) {
        const at = j * samplesX + i;
        // The ground is solid below: a cell wholly under the box is out of reach, a cell above it is not.
        const shared = Math.max(h[at + 1], h[at + samplesX]);
        const cell = j * (samplesX - 1) + i;
        if (Math.max(shared, h[at]) >= box[1]) out.push(2 * cell);
        if (Math.max(shared, h[at + samplesX + 1]) >= box[1]) out.push(2 * cell + 1);
      }
  }

  /** Appends, column by column along x, the cells that the ray passes over. */
  queryRay(start: Float64Array, direction: Float64Array, length: number, out: IdList): void {
    const { bounds: b, cellX, cellZ, samplesX, samplesZ } = this;
    const [x, , z] = start;
    const [dx, , dz] = direction;
    const i0 = this.column(Math.min(x, x + length * dx), b[0], cellX, samplesX);
    const i1 = this.column(Math.max(x, x + length * dx), b[0], cellX, samplesX);
    for (let i = i0; i <= i1; i++) {
      // The part of the ray over this column, with a small margin.
      const low = b[0] + (i - 1e-9) * cellX;
      const high = b[0] + (i + 1 + 1e-9) * cellX;
      let from = 0;
      let to = length;
      if (dx !== 0) {
        const p = (low - x) / dx;
        const q = (high - x) / dx;
        from = Math.max(from, Math.min(p, q));
        to = Math.min(to, Math.max(p, q));
      } else if (x < low || x > high) continue;
      if (from > to) continue;
      const za = z + from * dz;
      const zb = z + to * dz;
      const j0 = this.column(Math.min(za, zb) - 1e-9 * cellZ, b[2], cellZ, samplesZ);
      const j1 = this.column(Math.max(za, zb) + 1e-9 * cellZ, b[2], cellZ, samplesZ);
      for (let j = j0; j <= j1; j++) {
        out.push(2 * (j * (samplesX - 1) + i));
        out.push(2 * (j * (samplesX - 1) + i) + 1);
      }
    }
  }

  /** The index along one axis of the cell that a coordinate falls into, or of the nearest cell. */
  private column(value: number, low: number, cell: number, samples: number): number {
    return Math.min(Math.max(Math.floor((value - low) / cell), 0), samples - 2);
  }

  isExtreme(triangle: number, corner: number, dx: number, dy: number, dz: number, slack: number): boolean {
    const cell = triangle >> 1;
    const half = triangle & 1;
    const row = Math.floor(cell / (this.samplesX - 1));
    // Corners of a half of a cell are numbered as in `cornersOf`.
    const i = cell - row * (this.samplesX - 1) + (corner === 2 || (corner === 0 && half === 1) ? 1 : 0);
    const j = row + (corner === 1 || (corner === 2 && half === 1) ? 1 : 0);
    const height = this.heights[j * this.samplesX + i];
    for (let k = 0; k < AROUND.length; k += 2) {
      const p = i + AROUND[k];
      const q = j + AROUND[k + 1];
      if (p < 0 || q < 0 || p >= this.samplesX || q >= this.samplesZ) continue;
      const ex = AROUND[k] * this.cellX;
      const ey = this.heights[q * this.samplesX + p] - height;
      const ez = AROUND[k + 1] * this.cellZ;
      const along = ex * dx + ey * dy + ez * dz;
      if (along > 0 && along * along > slack * slack * (ex * ex + ey * ey + ez * ez)) return false;
    }
    return true;
  }

  fetch(triangle: number, out: SurfaceTriangle): void {
    out.index = triangle;
    const cell = triangle >> 1;
    const i = cell % (this.samplesX - 1);
    const j = (cell - i) / (this.samplesX - 1);
    this.cornersOf(i, j, triangle & 1);
    setTriangle(out.convex, this.corners, 0);
    for (let k = 0; k < 3; k++) this.normals[k] = out.convex.faceNormals[k];
    const isLastX = i === this.samplesX - 2 ? 1 : 0;
    const isLastZ = j === this.samplesZ - 2 ? 1 : 0;
    if ((triangle & 1) === 0) {
      out.ownsEdge.fill(1);
      out.ownsCorner[0] = 1;
      out.ownsCorner[1] = isLastZ;
      out.ownsCorner[2] = isLastX;
      // Corners (i, j), (i, j + 1), (i + 1, j): edges to the previous cell in x, to the other half, to the previous
      // cell in z.
      this.edge(out, 0, i - 1, j, 1);
      this.edge(out, 1, i, j, 1);
      this.edge(out, 2, i, j - 1, 1);
    } else {
      // All edges and corners are counted with a triangle of the other half, except those at the border of the field.
      out.ownsEdge[0] = 0;
      out.ownsEdge[1] = isLastZ;
      out.ownsEdge[2] = isLastX;
      out.ownsCorner.fill(0);
      out.ownsCorner[2] = isLastX * isLastZ;
      // Corners (i + 1, j), (i, j + 1), (i + 1, j + 1).
      this.edge(out, 0, i, j, 0);
      this.edge(out, 1, i, j + 1, 0);
      this.edge(out, 2, i + 1, j, 0);
    }
  }

  private edge(out: SurfaceTriangle, k: number, i: number, j: number, half: number): void {
    if (i < 0 || j < 0 || i > this.samplesX - 2 || j > this.samplesZ - 2) {
      out.edges[k] = EdgeState.rim;
      return;
    }
    this.cornersOf(i, j, half);
    const c = this.corners;
    const n = this.normals;
    triangleNormal(c, 0, 3, 6, normal);
    const scale = 1 / lengthAt(normal, 0);
    for (let i = 0; i < 3; i++) out.across[3 * k + i] = n[3 + i] = normal[i] * scale;
    const v = out.convex.vertices;
    const a = 3 * k;
    const b = k === 2 ? 0 : 3 * k + 3;
    out.edges[k] = edgeState(n, 0, n, 3, v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]);
  }

  /** Corners of one half of a cell, counter-clockwise seen from above. */
  private cornersOf(i: number, j: number, half: number): void {
    if (half === 0) {
      this.corner(0, i, j);
      this.corner(1, i, j + 1);
      this.corner(2, i + 1, j);
    } else {
      this.corner(0, i + 1, j);
      this.corner(1, i, j + 1);
      this.corner(2, i + 1, j + 1);
    }
  }

  private corner(k: number, i: number, j: number): void {
    this.corners[3 * k] = this.bounds[0] + i * this.cellX;
    this.corners[3 * k + 1] = this.heights[j * this.samplesX + i];
    this.corners[3 * k + 2] = this.bounds[2] + j * this.cellZ;
  }
}

const normal = new Float64Array(3);
