import { edgeKey } from "../surface/twin-sides";
import { weldVertices } from "../surface/weld";

/** Triangles cut into smaller ones. New vertices come after the old ones, each at the midpoint of two earlier ones. */
export interface Subdivision {
  /** number of vertices before */
  readonly oldCount: number;
  readonly vertexCount: number;
  /** parents of the new vertices, two each */
  readonly parents: Uint32Array;
  /** three vertices a triangle, wound as before; parts of a triangle are contiguous, in the order of the old ones */
  readonly indices: Uint32Array;
  /** old triangles + 1: triangle t became triangles[t] … triangles[t + 1] − 1 */
  readonly triangles: Uint32Array;
  /** number of vertices after each round of halving: those of a round have parents of earlier ones */
  readonly counts: readonly number[];
}

/**
 * Halves the edges of triangles until none is longer than `longest`. Coincident edges are halved alike, even if both
 * sides have vertices of their own: a closed mesh stays closed, without T-junctions.
 *
 * @param positions n × 3 [m]
 * @param indices three a triangle
 * @param longest largest length of edges [m]
 * @param most largest number of vertices
 * @param rounds most halvings of an edge
 * @returns undefined if more would be needed
 */
export function subdivide(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  longest: number,
  most: number,
  rounds = Infinity,
): Subdivision | undefined {
  const cutter = new EdgeCutter(positions, indices, longest);
  let triangles = Array.from(indices);
  let ends = Array.from({ length: triangles.length / 3 + 1 }, (_, t) => t);
  const vertexCounts: number[] = [];
  while (vertexCounts.length < rounds) {
    const counts = new Uint32Array(triangles.length / 3 + 1);
    const finer: number[] = [];
    for (let t = 0; t < triangles.length / 3; t++) {
      cutter.cut(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2], finer);
      if (cutter.vertexCount > most) return undefined;
      counts[t + 1] = finer.length / 3;
    }
    if (finer.length === triangles.length) break;
    triangles = finer;
    vertexCounts.push(cutter.vertexCount);
    ends = ends.map((end) => counts[end]);
  }
  return {
    oldCount: positions.length / 3,
    vertexCount: cutter.vertexCount,
    parents: Uint32Array.from(cutter.parents),
    indices: Uint32Array.from(triangles),
    triangles: Uint32Array.from(ends),
    counts: vertexCounts,
  };
}

/**
 * Extends values of the old vertices to all vertices: a new vertex gets the mean of its parents.
 *
 * @param values oldCount × size
 * @returns vertexCount × size
 */
export function spreadToParts(
  { oldCount, vertexCount, parents }: Subdivision,
  values: ArrayLike<number>,
  size: number,
): Float64Array {
  const all = new Float64Array(size * vertexCount);
  for (let i = 0; i < size * oldCount; i++) all[i] = values[i]!;
  for (let v = oldCount; v < vertexCount; v++) {
    const [a, b] = [parents[2 * (v - oldCount)], parents[2 * (v - oldCount) + 1]];
    for (let c = 0; c < size; c++) all[size * v + c] = 0.5 * (all[size * a + c] + all[size * b + c]);
  }
  return all;
}

/** Makes vertices at midpoints of edges; coincident vertices share a site. */
class EdgeCutter {
  vertexCount: number;
  readonly parents: number[] = [];
  private readonly siteOf: number[];
  /** positions of the sites, three numbers each */
  private readonly places: number[];
  private readonly middles = new Map<number, number>();
  private readonly middleSites = new Map<number, number>();
  private readonly squared: number;

  constructor(positions: ArrayLike<number>, indices: ArrayLike<number>, longest: number) {
    const welded = weldVertices(positions, indices);
    this.vertexCount = positions.length / 3;
    this.siteOf = Array.from(welded.vertexToParticle);
    this.places = Array.from(welded.positions);
    this.squared = longest * longest;
  }

  /** Appends the one to four parts of a triangle. */
  cut(a: number, b: number, c: number, parts: number[]): void {
    const corners = [a, b, c];
    const halves = corners.map((corner, k) => this.middleOf(corner, corners[(k + 1) % 3]));
    const cuts = halves.filter((half) => half !== undefined).length;
    if (cuts === 0) {
      parts.push(a, b, c);
      return;
    }
    // rotate: a single cut is on the first edge; with two cuts, the last edge is whole
    const first = halves.findIndex(
      (half, k) => half !== undefined && (cuts !== 2 || halves[(k + 2) % 3] === undefined),
    );
    const [p, q, r] = [0, 1, 2].map((k) => corners[(first + k) % 3]) as [number, number, number];
    const [pq, qr, rp] = [0, 1, 2].map((k) => halves[(first + k) % 3]);
    if (cuts === 3) parts.push(p, pq!, rp!, pq!, q, qr!, rp!, qr!, r, pq!, qr!, rp!);
    else if (cuts === 1) parts.push(p, pq!, r, pq!, q, r);
    else {
      parts.push(pq!, q, qr!);
      if (this.distance(p, qr!) < this.distance(pq!, r)) parts.push(p, pq!, qr!, p, qr!, r);
      else parts.push(p, pq!, r, pq!, qr!, r);
    }
  }

  /** The vertex at the midpoint of an edge, if the edge is too long. */
  private middleOf(a: number, b: number): number | undefined {
    if (!(this.distance(a, b) > this.squared)) return undefined;
    const key = edgeKey(a, b);
    const known = this.middles.get(key);
    if (known !== undefined) return known;
    const middle = this.vertexCount++;
    this.middles.set(key, middle);
    this.parents.push(a, b);
    this.siteOf.push(this.siteBetween(this.siteOf[a], this.siteOf[b]));
    return middle;
  }

  private siteBetween(a: number, b: number): number {
    const key = edgeKey(a, b);
    const known = this.middleSites.get(key);
    if (known !== undefined) return known;
    const site = this.places.length / 3;
    this.middleSites.set(key, site);
    for (let c = 0; c < 3; c++) this.places.push(0.5 * (this.places[3 * a + c] + this.places[3 * b + c]));
    return site;
  }

  /** Squared distance between the sites of two vertices. */
  private distance(a: number, b: number): number {
    const [i, j] = [3 * this.siteOf[a], 3 * this.siteOf[b]];
    let sum = 0;
    for (let c = 0; c < 3; c++) sum += (this.places[j + c] - this.places[i + c]) ** 2;
    return sum;
  }
}
