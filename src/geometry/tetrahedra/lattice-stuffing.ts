/**
 * Isosurface stuffing (Labelle & Shewchuk 2007): fills a solid with the tetrahedra of a lattice, and cuts those that
 * the surface crosses. Vertices of the lattice close to the surface move onto it first, so that no cut leaves a sliver.
 */
import { edgeKey } from "../surface/twin-sides";
import type { Vec3 } from "../../math/types";
import { BccLattice } from "./bcc-lattice";
import { tetVolume, type TetMesh } from "./tet-mesh";

/** A solid, defined by its inside. */
export interface Solid {
  /** a box around the solid [m] */
  readonly min: Vec3;
  readonly max: Vec3;
  contains(x: number, y: number, z: number): boolean;
  /** Part of the way from a point inside (place `a` in positions `x`) to one outside at the surface. */
  crossing(x: Float64Array, a: number, b: number): number;
}

/** A vertex moves onto the surface if it is closer than this part of a long or a short edge (table 1 of the paper). */
const LONG = 0.24999;
const SHORT = 0.41189;

const [OUTSIDE, ON, INSIDE] = [0, 1, 2];

/**
 * @param side side of the cubes of the lattice [m]
 * @param phase position of the solid's middle in its lattice cube, in sides from the lowest corner
 * @returns tetrahedra inside the solid up to its cut surface; none if the solid is too thin to hold a vertex
 */
export function stuffLattice(solid: Solid, side: number, phase: number): TetMesh {
  const lattice = latticeAround(solid, side, phase);
  const x = lattice.positions();
  const place = new Uint8Array(lattice.vertexCount);
  for (let v = 0; v < place.length; v++)
    place[v] = solid.contains(x[3 * v], x[3 * v + 1], x[3 * v + 2]) ? INSIDE : OUTSIDE;
  const cuts = new Cuts(lattice, solid, x, place);
  cuts.moveCloseVertices();
  const out = new TetCollector(lattice, x, cuts);
  lattice.forEachTetrahedron((a, b, c, d) => stuff([a, b, c, d], place, out));
  return out.mesh();
}

/** Makes a lattice with one additional cube on each side of the box, so that the outermost vertices are outside. */
function latticeAround({ min, max }: Solid, side: number, phase: number): BccLattice {
  const origin: [number, number, number] = [0, 0, 0];
  const cubes: [number, number, number] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    const middle = (min[c] + max[c]) / 2;
    const below = Math.ceil((middle - min[c]) / side - phase) + 1;
    origin[c] = middle - (below + phase) * side;
    cubes[c] = Math.ceil((max[c] - origin[c]) / side) + 1;
  }
  return new BccLattice(origin, side, cubes);
}

/** Cuts of the surface with edges of the lattice. */
class Cuts {
  /** by `edgeKey`: part of the way from the vertex inside */
  private readonly parts = new Map<number, number>();
  private readonly neighbours = this.lattice.neighbours();

  constructor(
    private readonly lattice: BccLattice,
    solid: Solid,
    private readonly x: Float64Array,
    private readonly place: Uint8Array,
  ) {
    const { offsets, entries } = this.neighbours;
    for (let v = 0; v < place.length; v++) {
      if (place[v] !== INSIDE) continue;
      for (let i = offsets[v]; i < offsets[v + 1]; i++)
        if (place[entries[i]] === OUTSIDE) this.parts.set(edgeKey(v, entries[i]), solid.crossing(x, v, entries[i]));
    }
  }

  /** Coordinate of the cut between a vertex inside and one outside. */
  coordinate(inside: number, outside: number, c: number): number {
    const t = this.parts.get(edgeKey(inside, outside))!;
    return this.x[3 * inside + c] + t * (this.x[3 * outside + c] - this.x[3 * inside + c]);
  }

  moveCloseVertices(): void {
    const { x, place, lattice } = this;
    const { offsets, entries } = this.neighbours;
    for (let v = 0; v < place.length; v++) {
      let nearest = Infinity;
      let towards = -1;
      for (let i = offsets[v]; i < offsets[v + 1]; i++) {
        const other = entries[i];
        const part = this.parts.get(edgeKey(v, other));
        if (part === undefined) continue;
        const own = place[v] === INSIDE ? part : 1 - part;
        const isLong = lattice.isLong(v, other);
        const distance = own * (isLong ? 1 : Math.sqrt(0.75));
        if (own < (isLong ? LONG : SHORT) && distance < nearest) {
          nearest = distance;
          towards = other;
        }
      }
      if (towards < 0) continue;
      const [inside, outside] = place[v] === INSIDE ? [v, towards] : [towards, v];
      const moved = [0, 1, 2].map((c) => this.coordinate(inside, outside, c));
      x.set(moved, 3 * v);
      place[v] = ON;
      for (let i = offsets[v]; i < offsets[v + 1]; i++) this.parts.delete(edgeKey(v, entries[i]));
    }
  }
}

/** Adds the part of a lattice tetrahedron that is inside. */
function stuff(vertices: readonly number[], place: Uint8Array, out: TetCollector): void {
  const inside = vertices.filter((v) => place[v] === INSIDE);
  if (inside.length === 0) return;
  const on = vertices.filter((v) => place[v] === ON).map((v) => out.vertex(v));
  const outside = vertices.filter((v) => place[v] === OUTSIDE);
  const corners = inside.map((v) => out.vertex(v));
  const cutsOf = (v: number): number[] => outside.map((o) => out.cut(v, o));
  if (outside.length === 0 || inside.length === 1) {
    // a whole tetrahedron, or the tip of one
    const rest = outside.length === 0 ? [] : cutsOf(inside[0]);
    const [a, b, c, d] = [...corners, ...on, ...rest];
    out.add(a, b, c, d);
  } else if (inside.length === 3) {
    const [[p], [q], [r]] = inside.map(cutsOf);
    out.addPrism(corners, [p, q, r]);
  } else if (outside.length === 2) {
    const [[p, q], [r, s]] = inside.map(cutsOf);
    out.addPrism([corners[0], p, q], [corners[1], r, s]);
  } else {
    const [[p], [q]] = inside.map(cutsOf);
    out.addPyramid(on[0], [corners[0], corners[1], q, p]);
  }
}

/** Gathers tetrahedra and the vertices that they use. */
class TetCollector {
  private readonly positions: number[] = [];
  private readonly tetrahedra: number[] = [];
  private readonly numbers = new Map<number, number>();
  /** Ranks of vertices. A quadrilateral gets the diagonal at its vertex of the lowest rank, on both of its sides. */
  private readonly rank: number[] = [];

  constructor(
    private readonly lattice: BccLattice,
    private readonly x: Float64Array,
    private readonly cuts: Cuts,
  ) {}

  vertex(v: number): number {
    // Cuts have keys from vertexCount on, since vertex 0, a corner of the outermost cube, never has a cut edge.
    return this.number(v, v, (c) => this.x[3 * v + c]);
  }

  cut(inside: number, outside: number): number {
    const key = edgeKey(inside, outside);
    // A cut of a long edge gets a low rank, because the diagonal at it is the shorter one.
    const rank = this.lattice.isLong(inside, outside) ? key - Number.MAX_SAFE_INTEGER : key;
    return this.number(key, rank, (c) => this.cuts.coordinate(inside, outside, c));
  }

  /** Adds a tetrahedron with vertices in any order; it is stored in positive order. */
  add(a: number, b: number, c: number, d: number): void {
    const at = this.tetrahedra.length / 4;
    this.tetrahedra.push(a, b, c, d);
    if (tetVolume(this.positions, this.tetrahedra, at) < 0) this.tetrahedra.splice(4 * at, 4, a, c, b, d);
  }

  /** @param quad vertices of the base in cyclic order */
  addPyramid(apex: number, [a, b, c, d]: readonly number[]): void {
    const { rank } = this;
    const lowest = [a, b, c, d].reduce((low, v) => (rank[v] < rank[low] ? v : low));
    if (lowest === a || lowest === c) {
      this.add(apex, a, b, c);
      this.add(apex, a, c, d);
    } else {
      this.add(apex, a, b, d);
      this.add(apex, b, c, d);
    }
  }

  /**
   * Adds a prism between two triangles whose vertices of equal number are joined. It is split from the vertex of the
   * lowest rank.
   */
  addPrism(one: readonly number[], other: readonly number[]): void {
    const { rank } = this;
    const lowest = [...one, ...other].reduce((low, v) => (rank[v] < rank[low] ? v : low));
    const [near, far] = one.includes(lowest) ? [one, other] : [other, one];
    const i = near.indexOf(lowest);
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    this.add(lowest, far[0], far[1], far[2]);
    this.addPyramid(lowest, [near[j], near[k], far[k], far[j]]);
  }

  mesh(): TetMesh {
    return { positions: Float64Array.from(this.positions), tetrahedra: Uint32Array.from(this.tetrahedra) };
  }

  private number(key: number, rank: number, coordinate: (c: number) => number): number {
    let found = this.numbers.get(key);
    if (found === undefined) {
      found = this.positions.length / 3;
      this.positions.push(coordinate(0), coordinate(1), coordinate(2));
      this.rank.push(rank);
      this.numbers.set(key, found);
    }
    return found;
  }
}
