/**
 * Contacts of bodies with one another and with themselves: vertices against triangles, edges against edges, from the
 * candidate pairs that all solvers share.
 */
import { CandidatePairs } from "../../collision/surface/candidate-pairs";
import { closestPair, VERTEX_FACE } from "../../collision/surface/pair-geometry";
import { joinSurfaces, type SurfaceMesh } from "../../collision/surface/surface-mesh";
import { CONTACT_VERTICES, type ContactList } from "./contact-list";
import type { DetectedBody } from "./detect-contacts";
import { PairSides } from "./pair-sides";

/** A body whose surface meets others, or itself. */
export interface SurfaceBody extends DetectedBody {
  readonly restPositions: Float64Array;
  readonly faces: Uint32Array;
  readonly isSolid: boolean;
  readonly selfCollision: boolean;
  readonly bodyCollision: boolean;
}

/** Edges are left to vertices and faces where they meet nearer to an end than this part of them. */
const EDGE_END = 0.02;

/** Distances that differ by less are to one point [m]. */
const SAME_PLACE = 1e-9;

const weights = new Float64Array(4);
const separation = new Float64Array(3);
const normal = new Float64Array(3);

export class SurfaceDetection {
  private mesh: SurfaceMesh | undefined;
  private pairs: CandidatePairs | undefined;
  private sides = new PairSides();
  private known: readonly SurfaceBody[] = [];
  private start = new Float64Array(0);
  private way = new Float64Array(0);
  /** per vertex: its nearest face so far, as a place in the list of contacts, and the gap there */
  private nearest = new Int32Array(0);
  private gaps = new Float64Array(0);
  /** pairs of a vertex and a face of a solid: their distance, and how much of it is out of the face, negative inside [m] */
  private distances = new Float64Array(0);
  private outward = new Float64Array(0);
  /** edges of solids between faces in nearly one plane: what touches there touches a face */
  private flat = new Set<number>();

  /** What is remembered from step to step, copied. */
  saveSides(): PairSides {
    return this.sides.copy();
  }

  /** For the same bodies. */
  loadSides(sides: PairSides): void {
    this.sides = sides.copy();
  }

  /** Appends contacts of the bodies among each other. */
  find(bodies: readonly SurfaceBody[], out: ContactList): void {
    const among = bodies.filter(({ bodyCollision }) => bodyCollision).length > 1;
    if (!among && !bodies.some(({ selfCollision }) => selfCollision)) return;
    this.update(bodies);
    const { start, way, nearest } = this;
    const { partStart } = this.mesh!;
    let reach = 0;
    bodies.forEach((body, k) => {
      for (let i = 0, at = 3 * partStart[k]!; i < body.start.length; i++, at++) {
        start[at] = body.start[i]!;
        way[at] = body.predicted[i]! - body.start[i]!;
      }
      reach = Math.max(reach, body.thickness + body.margin);
    });
    const pairs = this.pairs!;
    pairs.find(start, way, reach);
    this.sides.recall(pairs);
    nearest.fill(-1);
    this.seeSolids(bodies);
    for (let pair = 0; pair < pairs.count; pair++) this.add(bodies, pair, out);
  }

  private add(bodies: readonly SurfaceBody[], pair: number, out: ContactList): void {
    const pairs = this.pairs!;
    const { partOf, partStart } = this.mesh!;
    const { vertices, kind } = pairs;
    const first = bodies[partOf[vertices[4 * pair]!]!]!;
    const second = bodies[partOf[vertices[4 * pair + 3]!]!]!;
    const isFace = kind[pair] === VERTEX_FACE;
    const squared = closestPair(kind[pair]!, this.start, vertices, 4 * pair, weights, 0, separation, 0);
    const length = Math.sqrt(squared);
    const side = isFace && second.isSolid ? this.leaveSolid(pair, length) : this.turnNormal(pair, length);
    if (side === 0) return;
    if (!isFace && (isAtEnd() || this.isFlat(4 * pair) || this.isFlat(4 * pair + 2))) return;
    const kept = Math.min(Math.max(first.thickness, second.thickness), pairs.distance[pair]!);
    let [gap, held] = [side * length - kept, 0];
    for (let k = 0; k < 4; k++) {
      const p = vertices[4 * pair + k]!;
      const part = partOf[p]!;
      if (weights[k] === 0 || bodies[part]!.pinned[p - partStart[part]!] === 1) held++;
      for (let c = 0; c < 3; c++) gap += weights[k]! * normal[c]! * this.way[3 * p + c]!;
    }
    if (held === 4 || gap > Math.max(first.margin, second.margin)) return;
    const n = this.place(isFace ? vertices[4 * pair]! : -1, gap, out);
    if (n < 0) return;
    out.noteGap(gap);
    this.write(pair, kept, n, out);
    out.friction[n] = Math.sqrt(first.friction * second.friction);
  }

  private seeSolids(bodies: readonly SurfaceBody[]): void {
    const pairs = this.pairs!;
    const { partOf } = this.mesh!;
    const { vertices, kind, count } = pairs;
    if (this.distances.length < count) {
      this.distances = new Float64Array(2 * count);
      this.outward = new Float64Array(2 * count);
    }
    for (let pair = 0; pair < count; pair++) {
      if (kind[pair] !== VERTEX_FACE || !bodies[partOf[vertices[4 * pair + 3]!]!]!.isSolid) continue;
      const squared = closestPair(VERTEX_FACE, this.start, vertices, 4 * pair, weights, 0, separation, 0);
      this.distances[pair] = Math.sqrt(squared);
      // faces go round clockwise seen from outside
      faceNormal(this.start, vertices[4 * pair + 1]!, vertices[4 * pair + 3]!, vertices[4 * pair + 2]!, normal);
      this.outward[pair] = 0;
      for (let c = 0; c < 3; c++) this.outward[pair]! += normal[c]! * separation[c]!;
    }
  }

  /**
   * Normal of a vertex and a face of a solid, out of it: 1, −1 where the vertex is inside, 0 for a face that it does not leave by.
   * The nearest point of a solid's surface tells where one is; an edge or a corner does so by all of its faces. Nothing has to be
   * remembered for that.
   */
  private leaveSolid(pair: number, length: number): number {
    const { vertices, kind, count } = this.pairs!;
    const { partOf } = this.mesh!;
    const vertex = vertices[4 * pair]!;
    const part = partOf[vertices[4 * pair + 3]!]!;
    let least = Infinity;
    let out = 0;
    // pairs of a vertex follow on each other
    let first = pair;
    while (first > 0 && kind[first - 1] === VERTEX_FACE && vertices[4 * first - 4] === vertex) first--;
    for (let k = first; k < count && kind[k] === VERTEX_FACE && vertices[4 * k] === vertex; k++) {
      if (partOf[vertices[4 * k + 3]!] !== part || this.distances[k]! > least + SAME_PLACE) continue;
      if (this.distances[k]! < least - SAME_PLACE) out = 0;
      least = Math.min(least, this.distances[k]!);
      out += this.outward[k]!;
    }
    const side = out < 0 ? -1 : 1;
    if (side < 0 && length > least + SAME_PLACE) return 0;
    if (length > SAME_PLACE) for (let c = 0; c < 3; c++) normal[c] = (side * separation[c]!) / length;
    else faceNormal(this.start, vertices[4 * pair + 1]!, vertices[4 * pair + 3]!, vertices[4 * pair + 2]!, normal);
    this.sides.normal.set(normal, 3 * pair);
    return side;
  }

  /** Brings the normal of a pair up to date: 1, or −1 where it has gone through one another. */
  private turnNormal(pair: number, length: number): number {
    const { normal: known } = this.sides;
    let along = 0;
    for (let c = 0; c < 3; c++) along += known[3 * pair + c]! * separation[c]!;
    const side = along < 0 ? -1 : 1;
    for (let c = 0; c < 3; c++) normal[c] = length > 1e-9 ? (side * separation[c]!) / length : known[3 * pair + c]!;
    // at the same place from the start
    if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) normal[1] = 1;
    known.set(normal, 3 * pair);
    return side;
  }

  /** Of an edge of a candidate pair. */
  private isFlat(place: number): boolean {
    const { vertices } = this.pairs!;
    return this.flat.has(edgeKey(vertices[place]!, vertices[place + 1]!, this.mesh!.particleCount));
  }

  /** Of the faces about a vertex the nearest counts. */
  private place(vertex: number, gap: number, out: ContactList): number {
    if (vertex < 0) return out.add();
    const known = this.nearest[vertex]!;
    if (known >= 0 && this.gaps[vertex]! <= gap) return -1;
    const n = known >= 0 ? known : out.add();
    this.nearest[vertex] = n;
    this.gaps[vertex] = gap;
    return n;
  }

  private write(pair: number, kept: number, n: number, out: ContactList): void {
    const { partOf, partStart } = this.mesh!;
    const { vertices } = this.pairs!;
    out.setFrame(n, normal[0]!, normal[1]!, normal[2]!);
    out.offset.fill(0, 3 * n, 3 * n + 3);
    out.offset[3 * n] = kept;
    out.point.fill(0, 3 * n, 3 * n + 3);
    out.body.fill(-1, CONTACT_VERTICES * n, CONTACT_VERTICES * (n + 1));
    let at = CONTACT_VERTICES * n;
    let name = "";
    for (let k = 0; k < 4; k++) {
      const p = vertices[4 * pair + k]!;
      const part = partOf[p]!;
      name += ` ${p}`;
      if (weights[k] === 0) continue;
      out.body[at] = part;
      out.vertex[at] = p - partStart[part]!;
      out.weight[at++] = weights[k]!;
      for (let t = 1; t < 3; t++)
        for (let c = 0; c < 3; c++)
          out.offset[3 * n + t]! += weights[k]! * out.frame[9 * n + 3 * t + c]! * this.start[3 * p + c]!;
      if (weights[k]! > 0) for (let c = 0; c < 3; c++) out.point[3 * n + c]! += weights[k]! * this.start[3 * p + c]!;
    }
    out.key[n] = `surface${name}`;
  }

  /** Another set of bodies, or other options, are another mesh. */
  private update(bodies: readonly SurfaceBody[]): void {
    const { known } = this;
    const isSame =
      known.length === bodies.length &&
      bodies.every(
        (body, k) =>
          body.faces === known[k]!.faces &&
          body.selfCollision === known[k]!.selfCollision &&
          body.bodyCollision === known[k]!.bodyCollision,
      );
    this.known = bodies;
    if (isSame) return;
    this.mesh = joinSurfaces(bodies);
    this.pairs = new CandidatePairs(this.mesh);
    this.sides = new PairSides();
    this.start = new Float64Array(3 * this.mesh.particleCount);
    this.way = new Float64Array(3 * this.mesh.particleCount);
    this.flat = flatEdges(this.mesh, bodies);
    this.nearest = new Int32Array(this.mesh.particleCount);
    this.gaps = new Float64Array(this.mesh.particleCount);
  }
}

function isAtEnd(): boolean {
  return weights.some((value) => Math.abs(value) < EDGE_END);
}

export function edgeKey(a: number, b: number, count: number): number {
  return Math.min(a, b) * count + Math.max(a, b);
}

/** Cosine of the angle between faces up to which their edge counts as flat. */
const FLAT = 0.9;

/** Keys of the edges of solids between faces in nearly one plane. */
export function flatEdges(
  { faces, partOf, restPositions: x, particleCount }: SurfaceMesh,
  bodies: readonly { readonly isSolid: boolean }[],
): Set<number> {
  const flat = new Set<number>();
  const normals = new Map<number, readonly [number, number, number]>();
  for (let f = 0; f < faces.length; f += 3) {
    if (!bodies[partOf[faces[f]!]!]!.isSolid) continue;
    faceNormal(x, faces[f]!, faces[f + 1]!, faces[f + 2]!, normal);
    const unit = [normal[0]!, normal[1]!, normal[2]!] as const;
    for (let k = 0; k < 3; k++) {
      const key = edgeKey(faces[f + k]!, faces[f + ((k + 1) % 3)]!, particleCount);
      const other = normals.get(key);
      if (!other) normals.set(key, unit);
      else if (unit[0] * other[0] + unit[1] * other[1] + unit[2] * other[2] > FLAT) flat.add(key);
    }
  }
  return flat;
}

/** Unit normal of a triangle, on the side from which its corners go round anticlockwise. */
function faceNormal(x: ArrayLike<number>, a: number, b: number, c: number, out: Float64Array): void {
  const [ux, uy, uz] = [x[3 * b]! - x[3 * a]!, x[3 * b + 1]! - x[3 * a + 1]!, x[3 * b + 2]! - x[3 * a + 2]!];
  const [vx, vy, vz] = [x[3 * c]! - x[3 * a]!, x[3 * c + 1]! - x[3 * a + 1]!, x[3 * c + 2]! - x[3 * a + 2]!];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.max(Math.sqrt(nx * nx + ny * ny + nz * nz), 1e-300);
  out[0] = nx / length;
  out[1] = ny / length;
  out[2] = nz / length;
}
