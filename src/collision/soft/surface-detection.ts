/**
 * Contacts of bodies with one another and with themselves: vertices against triangles, edges against edges, from the
 * candidate pairs that all solvers share.
 */
import { edgeKey } from "../../geometry/surface/twin-sides";
import { CandidatePairs } from "../surface/candidate-pairs";
import { LEAST_MOVABLE, LEAST_WEIGHT, ONE_SIDE, RIM_LEANS } from "../../generated/constants";
import { triangleNormal } from "../../geometry/triangles/triangle";
import { dot, lengthAt } from "../../math/vectors";
import { closestPair, VERTEX_FACE } from "../surface/pair-geometry";
import { OwnNormals } from "./own-normals";
import { joinSurfaces, type SurfaceMesh } from "../surface/surface-mesh";
import type { ContactList } from "./contact-list";
import { CONTACT_VERTICES, KEY_SIZE } from "./contact-table";
import { PairSides, type SavedSides } from "./pair-sides";

/** A body in a step whose end is expected somewhere. */
export interface ExpectedBody {
  readonly pinned: Uint8Array;
  /** n × 3 [m] at the start of the step, and where the vertices are expected at its end */
  readonly start: Float64Array;
  readonly predicted: Float64Array;
  /** distance to keep [m], and how far beyond it contacts are taken up [m] */
  readonly thickness: number;
  readonly margin: number;
  readonly friction: number;
}

/** A body whose surface meets others, or itself. */
export interface SurfaceBody extends ExpectedBody {
  readonly restPositions: Float64Array;
  readonly faces: Uint32Array;
  /** edges that belong to no face */
  readonly edges?: Uint32Array | undefined;
  readonly isSolid: boolean;
  readonly selfCollision: boolean;
  readonly bodyCollision: boolean;
}

/** Edges are left to vertices and faces where they meet nearer to an end than this part of them. */
const EDGE_END = 0.02;

/** By how much of its length a normal of two edges may be beyond those of their faces. */
const BEYOND = 0.2;

/** Distances that differ by less are to one point [m]. */
const SAME_PLACE = 1e-9;

const weights = new Float64Array(4);
const separation = new Float64Array(3);
const normal = new Float64Array(3);
const turned = new Float64Array(3);
const outOfFirst = new Float64Array(3);
const outOfSecond = new Float64Array(3);

export class SurfaceDetection {
  private mesh: SurfaceMesh | undefined;
  private pairs: CandidatePairs | undefined;
  private sides = new PairSides();
  private known: readonly SurfaceBody[] = [];
  private start = new Float64Array(0);
  private way = new Float64Array(0);
  /** of the faces about a vertex */
  private readonly meetings: Meeting[] = [];
  /** pairs of a vertex and a face of a solid: their distance, and how much of it is out of the face, negative inside [m] */
  private distances = new Float64Array(0);
  private outward = new Float64Array(0);
  private edges: ReadonlyMap<number, EdgeFaces> = new Map();
  private own: OwnNormals | undefined;
  /** least distance of an edge from those of another body, by edge and body [m]; found when a pair needs it */
  private nearest: Map<string, number> | undefined;

  /**
   * @param distance that two bodies keep [m]
   * @param mayMeet whether two bodies meet here, if both touch others
   * @param nearestOnly whether edges that have gone through each other count only if one has none of the other's body nearer. The search
   * on the GPU does not know of that
   */
  constructor(
    private readonly distance: (a: SurfaceBody, b: SurfaceBody) => number = (a, b) =>
      Math.max(a.thickness, b.thickness),
    private readonly mayMeet?: (a: SurfaceBody, b: SurfaceBody) => boolean,
    private readonly nearestOnly = false,
  ) {}

  /** A copy of the sides that are remembered from step to step. */
  saveSides(): SavedSides {
    return this.sides.save();
  }

  /** For the same bodies. */
  loadSides(sides: SavedSides): void {
    this.sides.load(sides);
  }

  /** Appends contacts of the bodies among each other. */
  find(bodies: readonly SurfaceBody[], out: ContactList): void {
    const among = bodies.filter(({ bodyCollision }) => bodyCollision).length > 1;
    if (!among && !bodies.some(({ selfCollision }) => selfCollision)) return;
    this.update(bodies);
    const { start, way } = this;
    const { partStart } = this.mesh!;
    let reach = 0;
    bodies.forEach((body, k) => {
      for (let i = 0, at = 3 * partStart[k]; i < body.start.length; i++, at++) {
        start[at] = body.start[i]!;
        way[at] = body.predicted[i] - body.start[i];
      }
      reach = Math.max(reach, body.thickness + body.margin);
    });
    const pairs = this.pairs!;
    pairs.find(start, way, reach);
    this.sides.recall(pairs);
    this.seeSolids(bodies);
    this.nearest = undefined;
    this.own!.begin();
    for (let pair = 0; pair < pairs.count; pair++) {
      const isFace = pairs.kind[pair] === VERTEX_FACE;
      const met = this.meet(bodies, pair);
      if (met && !isFace && met.gap <= met.margin) this.append(bodies, met, out);
      if (!isFace) continue;
      if (met) this.meetings.push(met);
      // pairs of a vertex follow on each other
      const next = pair + 1;
      if (
        next < pairs.count &&
        pairs.kind[next] === VERTEX_FACE &&
        pairs.vertices[4 * next] === pairs.vertices[4 * pair]
      )
        continue;
      for (const nearest of nearestOfSides(this.meetings)) this.append(bodies, nearest, out);
      this.meetings.length = 0;
    }
  }

  /** The contact of a pair; undefined if it is none. */
  private meet(bodies: readonly SurfaceBody[], pair: number): Meeting | undefined {
    const pairs = this.pairs!;
    const { partOf, partStart } = this.mesh!;
    const { vertices, kind } = pairs;
    const other = partOf[vertices[4 * pair + 3]];
    const first = bodies[partOf[vertices[4 * pair]]];
    const second = bodies[other];
    closestPair(kind[pair], this.start, vertices, 4 * pair, weights, 0, separation, 0);
    const squared = dot(separation, separation);
    const length = Math.sqrt(squared);
    const side =
      kind[pair] !== VERTEX_FACE
        ? this.partEdges(pair, length)
        : second.isSolid
          ? this.leaveSolid(pair, length)
          : this.turnNormal(pair, length);
    if (side === 0) return undefined;
    const isBeside =
      kind[pair] === VERTEX_FACE &&
      (first.isSolid || second.isSolid) &&
      weights.some((w) => Math.abs(w) < LEAST_WEIGHT);
    let between = side * length;
    if (isBeside && first.isSolid && side > 0) {
      if (!this.faceOwn(pair)) return undefined;
      between = normal[0] * separation[0] + normal[1] * separation[1] + normal[2] * separation[2];
    }
    const kept = Math.min(this.distance(first, second), pairs.distance[pair]);
    let [gap, movable] = [between - kept, 0];
    for (let k = 0; k < 4; k++) {
      const p = vertices[4 * pair + k];
      const part = partOf[p];
      if (bodies[part].pinned[p - partStart[part]] !== 1) movable += Math.abs(weights[k]);
      for (let c = 0; c < 3; c++) gap += weights[k] * normal[c] * this.way[3 * p + c];
    }
    if (movable <= LEAST_MOVABLE) return undefined;
    const margin = Math.max(first.margin, second.margin);
    return { pair, other, gap, margin, kept, length, isBeside, weights: weights.slice(), normal: normal.slice() };
  }

  /** Turns `normal` to the nearest one against which a vertex can be borne. Whether that is near. */
  private faceOwn(pair: number): boolean {
    turned.set(normal);
    if (!this.own!.turn(this.start, this.pairs!.vertices[4 * pair], turned)) return false;
    if (turned[0] * normal[0] + turned[1] * normal[1] + turned[2] * normal[2] < RIM_LEANS) return false;
    normal.set(turned);
    this.sides.normal.set(turned, 3 * pair);
    return true;
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
      if (kind[pair] !== VERTEX_FACE || !bodies[partOf[vertices[4 * pair + 3]]].isSolid) continue;
      closestPair(VERTEX_FACE, this.start, vertices, 4 * pair, weights, 0, separation, 0);
      const squared = dot(separation, separation);
      this.distances[pair] = Math.sqrt(squared);
      // faces go round clockwise seen from outside
      faceNormal(this.start, vertices[4 * pair + 1], vertices[4 * pair + 3], vertices[4 * pair + 2], normal);
      this.outward[pair] = 0;
      for (let c = 0; c < 3; c++) this.outward[pair] += normal[c] * separation[c];
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
    const vertex = vertices[4 * pair];
    const part = partOf[vertices[4 * pair + 3]];
    let least = Infinity;
    let out = 0;
    // pairs of a vertex follow on each other
    let first = pair;
    while (first > 0 && kind[first - 1] === VERTEX_FACE && vertices[4 * first - 4] === vertex) first--;
    for (let k = first; k < count && kind[k] === VERTEX_FACE && vertices[4 * k] === vertex; k++) {
      if (partOf[vertices[4 * k + 3]] !== part || this.distances[k] > least + SAME_PLACE) continue;
      if (this.distances[k] < least - SAME_PLACE) out = 0;
      least = Math.min(least, this.distances[k]);
      out += this.outward[k];
    }
    const side = out < 0 ? -1 : 1;
    if (side < 0 && length > least + SAME_PLACE) return 0;
    // around the edge of a face another one is nearer, and pushes elsewhere
    if (side > 0 && length > least + SAME_PLACE && this.outward[pair] < FLAT * length) return 0;
    if (length > SAME_PLACE) for (let c = 0; c < 3; c++) normal[c] = (side * separation[c]) / length;
    else faceNormal(this.start, vertices[4 * pair + 1], vertices[4 * pair + 3], vertices[4 * pair + 2], normal);
    this.sides.normal.set(normal, 3 * pair);
    return side;
  }

  /**
   * Normal of two edges: 1, −1 where they have gone through one another, 0 where vertices and faces tell. Of solids the faces at
   * their edges say which way out is. A side that is remembered is wrong once edges have passed by one another's ends, and then
   * pushes against all other contacts of the place; so does a normal that is not between those of the faces.
   */
  private partEdges(pair: number, length: number): number {
    const [first, second] = [this.facesOf(4 * pair), this.facesOf(4 * pair + 2)];
    if (!first && !second) {
      const side = this.turnNormal(pair, length);
      return isAtEnd() ? 0 : side;
    }
    if (isAtEnd() || first?.isFlat || second?.isFlat) return 0;
    outOfFirst.fill(0);
    outOfSecond.fill(0);
    if (first) this.addOutward(first, outOfFirst);
    if (second) this.addOutward(second, outOfSecond);
    let along = 0;
    for (let c = 0; c < 3; c++) along += (outOfSecond[c] - outOfFirst[c]) * separation[c];
    const side = along < 0 ? -1 : 1;
    if (side < 0 && !(this.isBehind(first, -1) && this.isBehind(second, 1))) return 0;
    if (side < 0 && this.nearestOnly && !this.isNearest(pair, length)) return 0;
    if (length > SAME_PLACE) for (let c = 0; c < 3; c++) normal[c] = (side * separation[c]) / length;
    else for (let c = 0; c < 3; c++) normal[c] = outOfSecond[c] - outOfFirst[c];
    normalise(normal);
    return isBetween(outOfFirst, -1) && isBetween(outOfSecond, 1) ? side : 0;
  }

  /** Whether `separation`, times s, points behind both faces of an edge: what is below one of them, beside the edge, is not inside. */
  private isBehind(edge: EdgeFaces | undefined, s: number): boolean {
    const { faces } = this.mesh!;
    return (edge?.faces ?? []).every((f) => {
      faceNormal(this.start, faces[f], faces[f + 2], faces[f + 1], normal);
      return s * (normal[0] * separation[0] + normal[1] * separation[1] + normal[2] * separation[2]) <= 0;
    });
  }

  /**
   * Whether one of the edges of a pair has none of the other's body nearer. Edges on the far sides of two solids are behind each other's
   * faces as well, with both solids between them: those have nearer edges.
   */
  private isNearest(pair: number, length: number): boolean {
    const { kind, vertices, count } = this.pairs!;
    if (!this.nearest) {
      this.nearest = new Map();
      const [w, s] = [new Float64Array(4), new Float64Array(3)];
      for (let k = 0; k < count; k++) {
        if (kind[k] === VERTEX_FACE) continue;
        closestPair(kind[k], this.start, vertices, 4 * k, w, 0, s, 0);
        const distance = lengthAt(s, 0);
        for (const name of this.sidesOf(k))
          this.nearest.set(name, Math.min(this.nearest.get(name) ?? Infinity, distance));
      }
    }
    return this.sidesOf(pair).some((name) => length <= this.nearest!.get(name)! + SAME_PLACE);
  }

  /** Each edge of a pair with the body of the other. */
  private sidesOf(pair: number): readonly [string, string] {
    const { vertices } = this.pairs!;
    const { partOf } = this.mesh!;
    const [a, b, c, d] = vertices.subarray(4 * pair, 4 * pair + 4);
    return [`${a} ${b} ${partOf[c]}`, `${c} ${d} ${partOf[a]}`];
  }

  /** Adds the unit normals of the faces at an edge. */
  private addOutward({ faces: own }: EdgeFaces, out: Float64Array): void {
    const { faces } = this.mesh!;
    for (const f of own) {
      faceNormal(this.start, faces[f], faces[f + 2], faces[f + 1], normal);
      for (let c = 0; c < 3; c++) out[c] += normal[c];
    }
  }

  /** Brings the normal of a pair up to date: 1, or −1 where it has gone through one another. */
  private turnNormal(pair: number, length: number): number {
    const { normal: known } = this.sides;
    let along = 0;
    for (let c = 0; c < 3; c++) along += known[3 * pair + c] * separation[c];
    const side = along < 0 ? -1 : 1;
    for (let c = 0; c < 3; c++) normal[c] = length > 1e-9 ? (side * separation[c]) / length : known[3 * pair + c];
    // at the same place from the start
    if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) normal[1] = 1;
    known.set(normal, 3 * pair);
    return side;
  }

  /** Of an edge of a candidate pair, where it is one of a solid. */
  private facesOf(place: number): EdgeFaces | undefined {
    const { vertices } = this.pairs!;
    return this.edges.get(edgeKey(vertices[place], vertices[place + 1]));
  }

  private append(
    bodies: readonly SurfaceBody[],
    { pair, other, gap, kept, weights, normal }: Meeting,
    out: ContactList,
  ): void {
    const n = out.add();
    out.noteGap(gap);
    const { partOf, partStart } = this.mesh!;
    const { vertices } = this.pairs!;
    out.setNormal(n, normal[0], normal[1], normal[2]);
    out.offset.fill(0, 3 * n, 3 * n + 3);
    out.offset[3 * n] = kept;
    out.point.fill(0, 3 * n, 3 * n + 3);
    let at = CONTACT_VERTICES * n;
    out.key.set(vertices.subarray(4 * pair, 4 * pair + 4), KEY_SIZE * n);
    for (let k = 0; k < 4; k++) {
      const p = vertices[4 * pair + k];
      const part = partOf[p];
      if (weights[k] === 0) continue;
      out.body[at] = part;
      out.vertex[at] = p - partStart[part];
      out.weight[at++] = weights[k]!;
      for (let t = 1; t < 3; t++)
        for (let c = 0; c < 3; c++)
          out.offset[3 * n + t] += weights[k] * out.frame[9 * n + 3 * t + c] * this.start[3 * p + c];
      if (weights[k] > 0) for (let c = 0; c < 3; c++) out.point[3 * n + c] += weights[k] * this.start[3 * p + c];
    }
    out.friction[n] = Math.sqrt(bodies[partOf[vertices[4 * pair]]].friction * bodies[other].friction);
  }

  /** Another set of bodies, or other options, are another mesh. */
  private update(bodies: readonly SurfaceBody[]): void {
    const { known } = this;
    const isSame =
      known.length === bodies.length &&
      bodies.every(
        (body, k) =>
          body.faces === known[k].faces &&
          body.selfCollision === known[k].selfCollision &&
          body.bodyCollision === known[k].bodyCollision,
      );
    this.known = bodies;
    if (isSame) return;
    this.mesh = joinSurfaces(bodies);
    const { keeps } = this.mesh;
    const { mayMeet } = this;
    if (mayMeet)
      bodies.forEach((a, k) =>
        bodies.forEach((b, l) => {
          if (!mayMeet(a, b)) keeps[k * bodies.length + l] = 0;
        }),
      );
    this.pairs = new CandidatePairs(this.mesh);
    this.sides = new PairSides();
    this.start = new Float64Array(3 * this.mesh.particleCount);
    this.way = new Float64Array(3 * this.mesh.particleCount);
    this.edges = solidEdges(this.mesh, bodies);
    this.own = new OwnNormals(this.mesh.faces, this.mesh.particleCount);
  }
}

/** A pair that is near enough for a contact. */
interface Meeting {
  readonly pair: number;
  /** body of the second primitive */
  readonly other: number;
  /** at the end of the step, if nothing pushes [m] */
  readonly gap: number;
  /** gap from which on it is left out [m] */
  readonly margin: number;
  /** distance to keep [m] */
  readonly kept: number;
  /** distance at the start of the step [m], and whether the nearest point is on an edge or a corner of a face, of or to a solid */
  readonly length: number;
  readonly isBeside: boolean;
  readonly weights: Float64Array;
  readonly normal: Float64Array;
}

/**
 * Of the faces about a vertex the nearest of each body and side counts: what lies between two bodies, between two layers of one or in a
 * corner is held from all of them. A face that is nearest with its edge counts only if no other one is nearer: ahead of a vertex that
 * slides over a plane the way to it leans against the motion.
 */
function nearestOfSides(meetings: readonly Meeting[]): Meeting[] {
  const kept: Meeting[] = [];
  const isSame = ({ other, normal: n }: Meeting, next: Meeting): boolean =>
    other === next.other && n[0] * next.normal[0] + n[1] * next.normal[1] + n[2] * next.normal[2] > ONE_SIDE;
  const isFurther = (next: Meeting): boolean =>
    next.isBeside && meetings.some((one) => one.length < next.length - SAME_PLACE && isSame(one, next));
  for (const next of meetings
    .filter((one) => one.gap <= one.margin && !isFurther(one))
    .sort((a, b) => a.gap - b.gap || a.pair - b.pair))
    if (!kept.some((one) => isSame(one, next))) kept.push(next);
  return kept.sort((a, b) => a.pair - b.pair);
}

/** Whether `normal`, times s, is between the normals of two faces, whose sum is told; of a sheet, zero, it always is. */
function isBetween(sum: Float64Array, s: number): boolean {
  const size = lengthAt(sum, 0);
  let along = 0;
  for (let c = 0; c < 3; c++) along += s * normal[c] * sum[c];
  return size === 0 || along >= size * (size / 2 - BEYOND);
}

function normalise(v: Float64Array): void {
  const length = Math.max(lengthAt(v, 0), 1e-300);
  for (let c = 0; c < 3; c++) v[c] /= length;
}

function isAtEnd(): boolean {
  return weights.some((value) => Math.abs(value) < EDGE_END);
}

/** Faces at an edge of a solid. */
export interface EdgeFaces {
  /** places of their first corners in the list of faces: two, if the solid is closed */
  readonly faces: readonly number[];
  /** whether they are nearly in one plane: what touches there touches a face */
  readonly isFlat: boolean;
}

/** Cosine of the angle between faces up to which their edge counts as flat. */
const FLAT = 0.9;

/** Edges of solids by `edgeKey`. */
export function solidEdges(
  { faces, partOf, restPositions: x }: SurfaceMesh,
  bodies: readonly { readonly isSolid: boolean }[],
): Map<number, EdgeFaces> {
  const edges = new Map<number, EdgeFaces>();
  const normals = new Map<number, readonly [number, number, number]>();
  for (let f = 0; f < faces.length; f += 3) {
    if (!bodies[partOf[faces[f]]].isSolid) continue;
    faceNormal(x, faces[f], faces[f + 1], faces[f + 2], normal);
    const unit = [normal[0], normal[1], normal[2]] as const;
    normals.set(f, unit);
    for (let k = 0; k < 3; k++) {
      const key = edgeKey(faces[f + k], faces[f + ((k + 1) % 3)]);
      const before = edges.get(key) ?? { faces: [], isFlat: false };
      const other = before.faces.length > 0 ? normals.get(before.faces[0])! : [0, 0, 0];
      const isFlat = unit[0] * other[0] + unit[1] * other[1] + unit[2] * other[2] > FLAT;
      edges.set(key, { faces: [...before.faces, f], isFlat: before.isFlat || isFlat });
    }
  }
  return edges;
}

/** Unit normal of a triangle, on the side from which its corners go round anticlockwise. */
function faceNormal(x: ArrayLike<number>, a: number, b: number, c: number, out: Float64Array): void {
  triangleNormal(x, 3 * a, 3 * b, 3 * c, out);
  const length = Math.max(lengthAt(out, 0), 1e-300);
  for (let k = 0; k < 3; k++) out[k] /= length;
}
