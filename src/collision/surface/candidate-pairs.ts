/**
 * Pairs of primitives of a surface that may touch until the next search: each vertex with triangles, each edge with edges.
 *
 * Until then every vertex stays within its `reach` of its position at the search, relative to the mean motion of all
 * vertices (surface-bounds.ts enforces that). Primitives that are further apart than their reaches cannot meet, so no
 * pair is missed.
 */
import { resized } from "../../math/arrays";
import { lengthAt } from "../../math/vectors";
import { ALL_FEATURES, FIRST_OF_FACES, SECOND_OF_FACES } from "./features";
import { closestPair, EDGE_EDGE, VERTEX_FACE } from "./pair-geometry";
import type { ImplicitTree } from "./implicit-tree";
import type { SurfaceMesh } from "./surface-mesh";
import { edgeTree, faceTree } from "./surface-trees";

/** Neighbors on one surface keep at most this part of their distance at rest. */
export const REST_SHARE = 0.9;

export class CandidatePairs {
  count = 0;
  /** count × 4 particles: vertex and triangle, or edge and edge */
  vertices = new Uint32Array(0);
  /** `VERTEX_FACE` or `EDGE_EDGE` */
  kind = new Uint8Array(0);
  /** where the pair counts, see `counts` */
  own = new Uint8Array(0);
  /** count × 3, unit, from the second primitive to the first */
  normal = new Float64Array(0);
  /** the normal at the start of the substep */
  axis = new Float64Array(0);
  /** gap along the axis at the start of the substep [m] */
  gap = new Float64Array(0);
  /** distance that each pair keeps [m] */
  distance = new Float64Array(0);
  /** reach of each particle until the next search [m] */
  readonly reach: Float64Array;
  /** of faces and of edges, by kind of pair */
  private readonly sides: readonly Side[];
  /** parts × 6: what the vertices of a part may reach until the next search [m] */
  private readonly partBoxes: Float64Array;

  constructor(readonly mesh: SurfaceMesh) {
    this.reach = new Float64Array(mesh.particleCount);
    this.sides = [sideOf(mesh, faceTree(mesh), mesh.faces, 3), sideOf(mesh, edgeTree(mesh), mesh.edges, 2)];
    this.partBoxes = new Float64Array(6 * (mesh.partStart.length - 1));
  }

  /**
   * Finds all pairs that may come closer than allowed until the next search.
   *
   * @param x positions, particleCount × 3 [m]
   * @param way expected displacement of each particle until the next search, particleCount × 3 [m]
   * @param thickness largest distance that surfaces keep, see `SurfaceMesh.keeps` [m]
   * @param slack distance that a vertex may move beyond its expected displacement [m]
   */
  find(x: Float64Array, way: Float64Array, thickness: number, slack = 0.5 * SLACK * thickness): void {
    const { mesh, reach } = this;
    meanOver(mesh.vertices, way, common);
    for (const v of mesh.vertices) {
      const dx = way[3 * v] - common[0];
      const dy = way[3 * v + 1] - common[1];
      const dz = way[3 * v + 2] - common[2];
      reach[v] = Math.sqrt(dx * dx + dy * dy + dz * dz) + slack;
    }
    for (const side of this.sides) fillLeaves(side, x, reach);
    this.fillPartBoxes(x);
    this.count = 0;
    for (const v of mesh.vertices) {
      boxAround(v, v, x, reach[v] + thickness);
      four[0] = v;
      this.search(VERTEX_FACE, 0, x, thickness);
    }
    for (let e = 0; e < mesh.edges.length / 2; e++) {
      const a = mesh.edges[2 * e];
      const b = mesh.edges[2 * e + 1];
      boxAround(a, b, x, Math.max(reach[a], reach[b]) + thickness);
      four[0] = a;
      four[1] = b;
      this.search(EDGE_EDGE, e, x, thickness);
    }
  }

  /** Adds pairs of one owner, whose particles are already in `four` and whose box is in `box`. */
  private search(kind: number, edge: number, x: Float64Array, thickness: number): void {
    const { mesh, reach } = this;
    const part = mesh.partOf[four[0]];
    if (!this.mayTouch(part)) return;
    const { tree, list, arity, starts } = this.sides[kind];
    const own = 4 - arity;
    const parts = mesh.partStart.length - 1;
    // Most parts are nowhere nearer than to themselves, and few touch themselves.
    tree.query(box, 0, starts[part], starts[mesh.keeps[part * parts + part] > 0 ? part : part + 1]);
    const ownReach = furthest(reach, 0, own);
    for (let k = 0; k < tree.foundCount; k++) {
      const other = tree.order[tree.found[k]];
      // Each pair of edges is tested once.
      if (kind === EDGE_EDGE && other <= edge) continue;
      for (let c = 0; c < arity; c++) four[own + c] = list[arity * other + c]!;
      if (sharesVertex(own)) continue;
      const otherPart = mesh.partOf[four[own]];
      let kept = thickness * mesh.keeps[part * parts + otherPart];
      if (kept === 0) continue;
      const both = ownReach + furthest(reach, own, 4);
      closestPair(kind, x, four, 0, weights, 0, separation, 0);
      const apart = lengthAt(separation, 0);
      if (apart > kept + both) continue;
      if (otherPart === part) {
        closestPair(kind, mesh.restPositions, four, 0, weights, 0, separation, 0);
        const rest = lengthAt(separation, 0);
        kept = Math.min(kept, REST_SHARE * rest);
      }
      if (apart <= kept + both) this.add(kind, kept, otherPart === part ? ALL_FEATURES : this.ownOf(kind, edge, other));
    }
  }

  private fillPartBoxes(x: Float64Array): void {
    const { mesh, reach, partBoxes } = this;
    for (let b = 0; b < partBoxes.length; b++) partBoxes[b] = b % 6 < 3 ? Infinity : -Infinity;
    for (const v of mesh.vertices)
      for (let c = 0; c < 3; c++) {
        const b = 6 * mesh.partOf[v] + c;
        partBoxes[b] = Math.min(partBoxes[b], x[3 * v + c] - reach[v]);
        partBoxes[b + 3] = Math.max(partBoxes[b + 3], x[3 * v + c] + reach[v]);
      }
  }

  /** Whether `box` meets that of a part which this one touches. */
  private mayTouch(part: number): boolean {
    const { partBoxes, mesh } = this;
    const parts = mesh.partStart.length - 1;
    for (let other = 0; other < parts; other++)
      if (mesh.keeps[part * parts + other] > 0 && boxesMeet(partBoxes, 6 * other, box)) return true;
    return false;
  }

  private ownOf(kind: number, edge: number, other: number): number {
    const { own, faceEdges } = this.mesh;
    if (kind === VERTEX_FACE) return own[other];
    return (edge < faceEdges ? FIRST_OF_FACES : 0) | (other < faceEdges ? SECOND_OF_FACES : 0);
  }

  private add(kind: number, kept: number, own: number): void {
    const n = this.count++;
    if (n >= this.kind.length) this.grow();
    for (let k = 0; k < 4; k++) this.vertices[4 * n + k] = four[k]!;
    this.kind[n] = kind;
    this.own[n] = own;
    this.distance[n] = kept;
  }

  private grow(): void {
    const capacity = Math.max(256, 2 * this.kind.length);
    this.vertices = resized(this.vertices, new Uint32Array(4 * capacity));
    this.kind = resized(this.kind, new Uint8Array(capacity));
    this.own = resized(this.own, new Uint8Array(capacity));
    this.normal = resized(this.normal, new Float64Array(3 * capacity));
    this.axis = resized(this.axis, new Float64Array(3 * capacity));
    this.gap = resized(this.gap, new Float64Array(capacity));
    this.distance = resized(this.distance, new Float64Array(capacity));
  }
}

/** Two primitives may come this part of the thickness closer than by the expected motion of their particles. */
export const SLACK = 0.25;
const four = new Uint32Array(4);
const weights = new Float64Array(4);
const separation = new Float64Array(3);
const box = new Float64Array(6);
const common = new Float64Array(3);

function boxesMeet(a: Float64Array, at: number, b: Float64Array): boolean {
  for (let c = 0; c < 3; c++) if (!(a[at + c] <= b[3 + c] && a[at + 3 + c] >= b[c])) return false;
  return true;
}

function sharesVertex(own: number): boolean {
  for (let i = 0; i < own; i++) for (let k = own; k < 4; k++) if (four[i] === four[k]) return true;
  return false;
}

/** Mean of a vector over some particles. */
export function meanOver(particles: Uint32Array, values: Float64Array, out: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    for (const p of particles) sum += values[3 * p + c];
    out[c] = particles.length > 0 ? sum / particles.length : 0;
  }
}

/** Longest reach of some particles in `four` [m]. */
function furthest(reach: Float64Array, from: number, to: number): number {
  let most = 0;
  for (let k = from; k < to; k++) most = Math.max(most, reach[four[k]]);
  return most;
}

/** Triangles, or edges. */
interface Side {
  readonly tree: ImplicitTree;
  readonly list: Uint32Array;
  /** vertices of each */
  readonly arity: number;
  /** parts + 1: where the leaves of each part begin */
  readonly starts: Uint32Array;
}

function sideOf({ partStart, partOf }: SurfaceMesh, tree: ImplicitTree, list: Uint32Array, arity: number): Side {
  const starts = new Uint32Array(partStart.length);
  for (let i = 0; i < list.length; i += arity) starts[partOf[list[i]] + 1]++;
  for (let part = 1; part < starts.length; part++) starts[part] += starts[part - 1];
  return { tree, list, arity, starts };
}

/** Sets the boxes of the leaves around all positions that their vertices may reach. */
function fillLeaves({ tree, list, arity }: Side, x: Float64Array, reach: Float64Array): void {
  const { order, boxes } = tree;
  for (let leaf = 0; leaf < order.length; leaf++) {
    const at = arity * order[leaf];
    const a = list[at];
    const b = list[at + 1];
    // An edge has its second end twice.
    const c = list[at + arity - 1];
    const margin = Math.max(reach[a], reach[b], reach[c]);
    for (let axis = 0; axis < 3; axis++) {
      const p = x[3 * a + axis];
      const q = x[3 * b + axis];
      const r = x[3 * c + axis];
      boxes[6 * leaf + axis] = Math.min(p, q, r) - margin;
      boxes[6 * leaf + 3 + axis] = Math.max(p, q, r) + margin;
    }
  }
  tree.refit();
}

/** Sets `box` around two particles, which may be the same. */
function boxAround(a: number, b: number, x: Float64Array, margin: number): void {
  for (let c = 0; c < 3; c++) {
    const p = x[3 * a + c];
    const q = x[3 * b + c];
    box[c] = Math.min(p, q) - margin;
    box[3 + c] = Math.max(p, q) + margin;
  }
}
