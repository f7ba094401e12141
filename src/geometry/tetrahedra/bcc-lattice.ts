import type { Vec3 } from "../../math/types";

/**
 * The body-centered cubic lattice: corners and centers of cubes. All its tetrahedra are congruent: each has the centers
 * of two cubes with a common face, and the ends of an edge of that face. Two opposite edges are as long as a cube's
 * side; the other four are √3/2 of that.
 */
export class BccLattice {
  readonly vertexCount: number;
  private readonly cornerCount: number;

  /**
   * @param origin lowest corner [m]
   * @param side side of a cube [m]
   * @param cubes along x, y and z
   */
  constructor(
    readonly origin: Vec3,
    readonly side: number,
    readonly cubes: Vec3,
  ) {
    const [nx, ny, nz] = cubes;
    this.cornerCount = (nx + 1) * (ny + 1) * (nz + 1);
    this.vertexCount = this.cornerCount + nx * ny * nz;
  }

  isCentre(vertex: number): boolean {
    return vertex >= this.cornerCount;
  }

  /** Whether an edge is long, i.e. joins two corners or two centers. */
  isLong(a: number, b: number): boolean {
    return this.isCentre(a) === this.isCentre(b);
  }

  /** Coordinates of all vertices, vertexCount × 3 [m]. */
  positions(): Float64Array {
    const { origin, side, cubes } = this;
    const x = new Float64Array(3 * this.vertexCount);
    let at = 0;
    for (const shift of [0, 0.5]) {
      const [nx, ny, nz] = shift === 0 ? cubes.map((n) => n + 1) : cubes;
      for (let k = 0; k < nz; k++)
        for (let j = 0; j < ny; j++)
          for (let i = 0; i < nx; i++) {
            x[at++] = origin[0] + side * (i + shift);
            x[at++] = origin[1] + side * (j + shift);
            x[at++] = origin[2] + side * (k + shift);
          }
    }
    return x;
  }

  /** Calls `visit` with every tetrahedron, its vertices in positive order: two centers, then two corners. */
  forEachTetrahedron(visit: (a: number, b: number, c: number, d: number) => void): void {
    const [nx, ny, nz] = this.cubes;
    const ring = new Uint32Array(4);
    for (let k = 0; k < nz; k++)
      for (let j = 0; j < ny; j++)
        for (let i = 0; i < nx; i++) {
          const centre = this.centre(i, j, k);
          for (let axis = 0; axis < 3; axis++) {
            const [ni, nj, nk] = [i + (axis === 0 ? 1 : 0), j + (axis === 1 ? 1 : 0), k + (axis === 2 ? 1 : 0)];
            if (ni >= nx || nj >= ny || nk >= nz) continue;
            const next = this.centre(ni, nj, nk);
            for (let turn = 0; turn < 4; turn++) {
              // around the common face, counter-clockwise seen from the end of the axis
              const u = turn === 1 || turn === 2 ? 1 : 0;
              const v = turn >= 2 ? 1 : 0;
              ring[turn] =
                axis === 0
                  ? this.corner(i + 1, j + u, k + v)
                  : axis === 1
                    ? this.corner(i + v, j + 1, k + u)
                    : this.corner(i + u, j + v, k + 1);
            }
            for (let turn = 0; turn < 4; turn++) visit(centre, next, ring[turn], ring[(turn + 1) % 4]);
          }
        }
  }

  /** The vertices connected to each vertex by edges, in compressed rows. */
  neighbours(): { offsets: Uint32Array; entries: Uint32Array } {
    const pairs: number[] = [];
    const [nx, ny, nz] = this.cubes;
    for (let k = 0; k <= nz; k++)
      for (let j = 0; j <= ny; j++)
        for (let i = 0; i <= nx; i++) {
          const corner = this.corner(i, j, k);
          if (i < nx) pairs.push(corner, this.corner(i + 1, j, k));
          if (j < ny) pairs.push(corner, this.corner(i, j + 1, k));
          if (k < nz) pairs.push(corner, this.corner(i, j, k + 1));
          if (i === nx || j === ny || k === nz) continue;
          const centre = this.centre(i, j, k);
          if (i + 1 < nx) pairs.push(centre, this.centre(i + 1, j, k));
          if (j + 1 < ny) pairs.push(centre, this.centre(i, j + 1, k));
          if (k + 1 < nz) pairs.push(centre, this.centre(i, j, k + 1));
          for (let c = 0; c < 8; c++) pairs.push(centre, this.corner(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)));
        }
    const offsets = new Uint32Array(this.vertexCount + 1);
    for (const vertex of pairs) offsets[vertex + 1]++;
    for (let v = 0; v < this.vertexCount; v++) offsets[v + 1] += offsets[v];
    const next = offsets.slice(0, this.vertexCount);
    const entries = new Uint32Array(pairs.length);
    for (let p = 0; p < pairs.length; p += 2) {
      entries[next[pairs[p]]++] = pairs[p + 1];
      entries[next[pairs[p + 1]]++] = pairs[p];
    }
    return { offsets, entries };
  }

  private corner(i: number, j: number, k: number): number {
    const [nx, ny] = this.cubes;
    return i + (nx + 1) * (j + (ny + 1) * k);
  }

  private centre(i: number, j: number, k: number): number {
    const [nx, ny] = this.cubes;
    return this.cornerCount + i + nx * (j + ny * k);
  }
}
