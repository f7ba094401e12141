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
import { meanOver, NearPrimitives } from "./near-primitives";
import { closestPair, EDGE_EDGE, VERTEX_FACE } from "./pair-geometry";
import { LEAST_GAP, type SurfaceMesh } from "./surface-mesh";

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
  /** gap along the axis when that was found [m] */
  gap = new Float64Array(0);
  /** bodies of the pair, first × bodies + second: what they did against each other since the search is in `gone` */
  bodies = new Uint32Array(0);
  /** `gone` when the axis was found [m] */
  since = new Float64Array(0);
  /** bodies × bodies: how far primitives of two may have moved against each other, from the search to the start of the substep [m] */
  readonly gone = new Float64Array(this.mesh.keeps.length);
  /** distance that each pair keeps [m] */
  distance = new Float64Array(0);
  /** how far primitives of any two bodies may have moved against each other since all pairs were looked at, and the least room of a pair then [m] */
  drift = 0;
  leastRoom = 0;
  /** reach of each particle until the next search [m] */
  readonly reach = new Float64Array(this.mesh.particleCount);
  private readonly near = new NearPrimitives(this.mesh);

  constructor(readonly mesh: SurfaceMesh) {}

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
    const { vertices } = mesh;
    for (let k = 0; k < vertices.length; k++) {
      const v = vertices[k];
      const dx = way[3 * v] - common[0];
      const dy = way[3 * v + 1] - common[1];
      const dz = way[3 * v + 2] - common[2];
      reach[v] = Math.sqrt(dx * dx + dy * dy + dz * dz) + slack;
    }
    this.near.update(x, reach, thickness);
    this.count = 0;
    this.take(VERTEX_FACE, x, thickness);
    this.take(EDGE_EDGE, x, thickness);
  }

  /** Adds the pairs of a kind. */
  private take(kind: number, x: Float64Array, thickness: number): void {
    const { mesh, reach, near } = this;
    const { list: ownList, arity: own, count, blockOf: ownBlock } = near.owners[kind];
    const { list, arity, blockOf, bodies } = near.others[kind];
    const gone = near.gone[kind];
    const rows = near.rows[kind];
    const { other: others, apart: aparts } = near;
    const parts = mesh.partStart.length - 1;
    for (let owner = 0; owner < count; owner++) {
      const row = bodies.length * ownBlock[owner];
      for (let c = 0; c < own; c++) four[c] = ownList[own * owner + c]!;
      const part = mesh.partOf[four[0]];
      const ownReach = furthest(reach, 0, own);
      for (let k = rows[2 * owner]; k < rows[2 * owner + 1]; k++) {
        const other = others[k];
        if (aparts[k] > thickness + gone[row + blockOf[other]]) continue;
        for (let c = 0; c < arity; c++) four[own + c] = list[arity * other + c]!;
        const otherPart = mesh.partOf[four[own]];
        let kept = thickness * mesh.keeps[part * parts + otherPart];
        const both = ownReach + furthest(reach, own, 4);
        closestPair(kind, x, four, 0, weights, 0, separation, 0);
        const apart = lengthAt(separation, 0);
        if (apart > kept + both) continue;
        kept -= furthest(mesh.thinner, 0, own) + furthest(mesh.thinner, own, 4);
        if (otherPart === part) {
          closestPair(kind, mesh.restPositions, four, 0, weights, 0, separation, 0);
          const rest = lengthAt(separation, 0);
          kept = Math.min(kept, REST_SHARE * rest);
        }
        if (apart <= kept + both)
          this.add(kind, kept, this.ownOf(kind, owner, other, part === otherPart), part * parts + otherPart);
      }
    }
  }

  /** Gap of a pair at the start of the substep, at least [m]. */
  leastGap(j: number): number {
    return this.gap[j] - (this.gone[this.bodies[j]] - this.since[j]);
  }

  private ownOf(kind: number, edge: number, other: number, isOfOnePart: boolean): number {
    const { own, faceEdges } = this.mesh;
    if (kind === VERTEX_FACE) return isOfOnePart ? ALL_FEATURES : own[other];
    return (edge < faceEdges ? FIRST_OF_FACES : 0) | (other < faceEdges ? SECOND_OF_FACES : 0);
  }

  private add(kind: number, kept: number, own: number, bodies: number): void {
    const n = this.count++;
    if (n >= this.kind.length) this.grow();
    for (let k = 0; k < 4; k++) this.vertices[4 * n + k] = four[k]!;
    this.kind[n] = kind;
    this.own[n] = own;
    this.bodies[n] = bodies;
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
    this.bodies = resized(this.bodies, new Uint32Array(capacity));
    this.since = resized(this.since, new Float64Array(capacity));
    this.distance = resized(this.distance, new Float64Array(capacity));
  }
}

/** Two primitives may come this part of the thickness closer than by the expected motion of their particles. */
export const SLACK = 0.25;
const four = new Uint32Array(4);
const weights = new Float64Array(4);
const separation = new Float64Array(3);
const common = new Float64Array(3);

/** Longest reach of some particles in `four` [m]. */
function furthest(reach: Float64Array, from: number, to: number): number {
  let most = 0;
  for (let k = from; k < to; k++) most = Math.max(most, reach[four[k]]);
  return most;
}

/** Way that the primitives of a pair may go into the gap between them [m]. */
export function roomOf(gap: number, distance: number): number {
  return Math.max(0, Math.min(GAP_SHARE * gap, gap - LEAST_GAP * distance));
}

/** γ: share of a gap that a substep may use up. */
export const GAP_SHARE = 0.9;
