/**
 * Pairs of primitives of a surface that may touch until the next search: each vertex with triangles, each edge with edges.
 *
 * A pair remembers from which side its first primitive came (`normal`). As long as they are apart, the normal is that of the
 * closest points and turns with them; a pair that has gone through one another keeps it and is led back. So which side
 * is which is never guessed from a position alone.
 */
import { closestPair, EDGE_EDGE, VERTEX_FACE } from "./pair-geometry";
import type { ImplicitTree } from "./implicit-tree";
import type { SurfaceMesh } from "./surface-mesh";
import { edgeTree, faceTree } from "./surface-trees";

/** Part of the distance at rest that neighbours on one surface keep at least. */
export const REST_SHARE = 0.9;

export class CandidatePairs {
  count = 0;
  /** count × 4 particles: vertex and triangle, or edge and edge */
  vertices = new Uint32Array(0);
  /** `VERTEX_FACE` or `EDGE_EDGE` */
  kind = new Uint8Array(0);
  /** count × 3, unit, from the second primitive to the first */
  normal = new Float64Array(0);
  /** distance that is kept [m] */
  distance = new Float64Array(0);
  /** the other triangle or edge of each pair; with `ownerStart` it names the pair */
  private other = new Int32Array(0);
  /** pairs of owner k (vertices first, then edges) are ownerStart[k] … ownerStart[k + 1] − 1 */
  private ownerStart: Int32Array;
  private oldStart: Int32Array;
  private oldOther = new Int32Array(0);
  private oldNormal = new Float64Array(0);
  private readonly faceTree: ImplicitTree;
  private readonly edgeTree: ImplicitTree;

  constructor(readonly mesh: SurfaceMesh) {
    const owners = mesh.vertices.length + mesh.edges.length / 2;
    this.ownerStart = new Int32Array(owners + 1);
    this.oldStart = new Int32Array(owners + 1);
    this.faceTree = faceTree(mesh);
    this.edgeTree = edgeTree(mesh);
  }

  /**
   * Finds all pairs that come nearer than they may until the particles have moved by `way`.
   *
   * @param x positions, particleCount × 3 [m]
   * @param way how each particle is expected to move until the next search, particleCount × 3 [m]
   * @param thickness distance that surfaces keep [m]
   */
  find(x: Float64Array, way: Float64Array, thickness: number): void {
    this.keepOld();
    const { mesh, faceTree, edgeTree } = this;
    fillLeaves(faceTree, mesh.faces, 3, x, way, 0);
    fillLeaves(edgeTree, mesh.edges, 2, x, way, 0);
    this.count = 0;
    mesh.vertices.forEach((v, k) => {
      four[0] = v;
      sweptBox(four, 1, x, way, SLACK * thickness + thickness, box, 0);
      this.search(faceTree, k, VERTEX_FACE, x, way, thickness);
    });
    const vertexCount = mesh.vertices.length;
    for (let e = 0; e < mesh.edges.length / 2; e++) {
      four[0] = mesh.edges[2 * e]!;
      four[1] = mesh.edges[2 * e + 1]!;
      sweptBox(four, 2, x, way, SLACK * thickness + thickness, box, 0);
      this.search(edgeTree, vertexCount + e, EDGE_EDGE, x, way, thickness);
    }
    this.ownerStart[vertexCount + mesh.edges.length / 2] = this.count;
  }

  /** Pairs of one owner, whose particles are in `four` already, with what its box in `box` meets. */
  private search(
    tree: ImplicitTree,
    owner: number,
    kind: number,
    x: Float64Array,
    way: Float64Array,
    thickness: number,
  ): void {
    const { mesh } = this;
    this.ownerStart[owner] = this.count;
    tree.query(box, 0);
    const own = kind === VERTEX_FACE ? 1 : 2;
    const list = kind === VERTEX_FACE ? mesh.faces : mesh.edges;
    const arity = kind === VERTEX_FACE ? 3 : 2;
    const part = mesh.partOf[four[0]!]!;
    for (const leaf of tree.found) {
      const other = tree.order[leaf]!;
      // Every two edges are met once.
      if (kind === EDGE_EDGE && other <= owner - mesh.vertices.length) continue;
      for (let k = 0; k < arity; k++) four[own + k] = list[arity * other + k]!;
      if (sharesVertex(own)) continue;
      let kept = thickness;
      const otherPart = mesh.partOf[four[own]!]!;
      if (otherPart !== part) {
        if (mesh.bodyCollision[part] === 0 || mesh.bodyCollision[otherPart] === 0) continue;
      } else {
        if (mesh.selfCollision[part] === 0) continue;
        const rest = Math.sqrt(closestPair(kind, mesh.restPositions, four, 0, weights, 0, separation, 0));
        kept = Math.min(thickness, REST_SHARE * rest);
      }
      const apart = Math.sqrt(closestPair(kind, x, four, 0, weights, 0, separation, 0));
      if (apart <= kept + SLACK * thickness + approach(own, way)) this.add(owner, other, kind, kept, apart);
    }
  }

  private add(owner: number, other: number, kind: number, kept: number, apart: number): void {
    const n = this.count++;
    if (n >= this.kind.length) this.grow();
    for (let k = 0; k < 4; k++) this.vertices[4 * n + k] = four[k]!;
    this.kind[n] = kind;
    this.distance[n] = kept;
    this.other[n] = other;
    const known = this.findOld(owner, other);
    for (let c = 0; c < 3; c++)
      this.normal[3 * n + c] =
        known >= 0 ? this.oldNormal[3 * known + c]! : apart > 0 ? separation[c]! / apart : c === 1 ? 1 : 0;
  }

  /** Where the last search had this pair, −1 if it had not. */
  private findOld(owner: number, other: number): number {
    for (let n = this.oldStart[owner]!; n < this.oldStart[owner + 1]!; n++) if (this.oldOther[n] === other) return n;
    return -1;
  }

  private keepOld(): void {
    [this.ownerStart, this.oldStart] = [this.oldStart, this.ownerStart];
    [this.other, this.oldOther] = [this.oldOther, this.other];
    [this.normal, this.oldNormal] = [this.oldNormal, this.normal];
    if (this.other.length < this.kind.length) this.other = new Int32Array(this.kind.length);
    if (this.normal.length < 3 * this.kind.length) this.normal = new Float64Array(3 * this.kind.length);
  }

  private grow(): void {
    const capacity = Math.max(256, 2 * this.kind.length);
    this.vertices = extended(this.vertices, new Uint32Array(4 * capacity));
    this.kind = extended(this.kind, new Uint8Array(capacity));
    this.normal = extended(this.normal, new Float64Array(3 * capacity));
    this.distance = extended(this.distance, new Float64Array(capacity));
    this.other = extended(this.other, new Int32Array(capacity));
  }
}

/** Part of the thickness by which a search looks further than the particles are expected to go. */
export const SLACK = 0.25;
const four = new Uint32Array(4);
const weights = new Float64Array(4);
const separation = new Float64Array(3);
const box = new Float64Array(6);

function extended<T extends Uint32Array | Uint8Array | Float64Array | Int32Array>(old: T, longer: T): T {
  longer.set(old);
  return longer;
}

function sharesVertex(own: number): boolean {
  for (let i = 0; i < own; i++) for (let k = own; k < 4; k++) if (four[i] === four[k]) return true;
  return false;
}

/**
 * How much nearer two primitives may come: the longest difference between the ways of their vertices, or the longest way if
 * something stops one of the two [m].
 */
function approach(own: number, way: Float64Array): number {
  let longest = 0;
  for (let i = 0; i < 4; i++) {
    const a = 3 * four[i]!;
    longest = Math.max(longest, way[a]! * way[a]! + way[a + 1]! * way[a + 1]! + way[a + 2]! * way[a + 2]!);
    if (i >= own) continue;
    for (let k = own; k < 4; k++) {
      const b = 3 * four[k]!;
      const dx = way[a]! - way[b]!;
      const dy = way[a + 1]! - way[b + 1]!;
      const dz = way[a + 2]! - way[b + 2]!;
      longest = Math.max(longest, dx * dx + dy * dy + dz * dz);
    }
  }
  return Math.sqrt(longest);
}

/** Boxes of the leaves about where their vertices are and are going to be. */
function fillLeaves(
  tree: ImplicitTree,
  list: Uint32Array,
  arity: number,
  x: Float64Array,
  way: Float64Array,
  margin: number,
): void {
  for (let leaf = 0; leaf < tree.leafCount; leaf++) {
    const thing = tree.order[leaf]!;
    for (let k = 0; k < arity; k++) four[k] = list[arity * thing + k]!;
    sweptBox(four, arity, x, way, margin, tree.boxes, 6 * leaf);
  }
  tree.refit();
}

function sweptBox(
  v: Uint32Array,
  count: number,
  x: Float64Array,
  way: Float64Array,
  margin: number,
  out: Float64Array,
  at: number,
): void {
  for (let c = 0; c < 3; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < count; k++) {
      const i = 3 * v[k]! + c;
      low = Math.min(low, x[i]!, x[i]! + way[i]!);
      high = Math.max(high, x[i]!, x[i]! + way[i]!);
    }
    out[at + c] = low - margin;
    out[at + 3 + c] = high + margin;
  }
}
