/**
 * Last stage of a substep: displacements are shortened so that separate surfaces stay separate, whatever moved their
 * vertices (forces, pins, obstacles). f64 reference of shaders/surface/bounds.wgsl.
 *
 * Each candidate pair has a plane perpendicular to the line n of its closest points at the start x⁻ of the substep. As
 * long as the vertices of both primitives stay on their sides of the plane, the two cannot meet. Vertices move on
 * straight lines, so it suffices to check the ends of their paths. The position of the plane in the gap g is free: if
 * the primitives move a and b into the gap, and a + b is more than a share γ of g, the plane divides the gap as a : b.
 * In two rounds, each vertex loses the excess of its displacement along n of its most restrictive pair, so that it may
 * slide. Then it moves by the part of the remaining displacement that all of its pairs allow (divide and truncate; Chen
 * et al., "Offset geometric contact", 2025, bounds the distance from x⁻ instead, which also keeps surfaces from sliding
 * and parting). Common motion brings no pair closer: displacements are counted from their mean U, so falling cloth is
 * not held up.
 *
 * Pairs that the last search has not listed are too far apart, as long as each vertex stays within its reach, which
 * bounds |Σ (u − U)| since the search.
 *
 * Glossary: u = x − x⁻, e = u − U, α the allowed part of e of a vertex: x = x⁻ + U + α e.
 */
import { roomOf, type CandidatePairs } from "./candidate-pairs";
import { meanOver } from "./near-primitives";
import { VERTEX_FACE } from "./pair-geometry";

export class SurfaceBounds {
  /** α of each particle */
  readonly share = new Float64Array(this.pairs.mesh.particleCount);
  /** first u, then e, particleCount × 3 [m] */
  private readonly e = new Float64Array(3 * this.pairs.mesh.particleCount);
  /** bound of |e|, particleCount [m] */
  private readonly most = new Float64Array(this.pairs.mesh.particleCount);
  /** the largest of each body, and bodies × bodies: of two together [m] */
  private readonly mostOf = new Float64Array(this.pairs.mesh.partStart.length - 1);
  private readonly mostOfBoth = new Float64Array(this.pairs.gone.length);
  private mostOfAny = 0;
  /** the most restrictive pair of each particle, −1 if no pair restricts it */
  private readonly tightest = new Int32Array(this.pairs.mesh.particleCount);
  /** the pair that restricted each particle last in this substep, or −1 */
  readonly holder = new Int32Array(this.pairs.mesh.particleCount);
  /** 1 for particles whose e was changed in this substep */
  private readonly slid = new Uint8Array(this.pairs.mesh.particleCount);
  /** Σ (u − U) since the search, particleCount × 3 [m] */
  private readonly gone = new Float64Array(3 * this.pairs.mesh.particleCount);

  constructor(private readonly pairs: CandidatePairs) {}

  /** Call after a search. */
  begin(): void {
    this.gone.fill(0);
  }

  /**
   * Whether the pairs of the last search remain sufficient: no vertex is expected to leave its reach.
   *
   * @param way expected displacement of each particle, particleCount × 3 [m]
   * @param spare part of the reach that must be left over afterwards [m]
   */
  suffice(way: Float64Array, spare: number): boolean {
    const { gone, pairs } = this;
    const { vertices } = pairs.mesh;
    meanOver(vertices, way, common);
    for (let k = 0; k < vertices.length; k++) {
      const v = vertices[k];
      const reach = pairs.reach[v] - spare;
      const dx = gone[3 * v] + way[3 * v] - common[0];
      const dy = gone[3 * v + 1] + way[3 * v + 1] - common[1];
      const dz = gone[3 * v + 2] + way[3 * v + 2] - common[2];
      if (!(reach > 0 && dx * dx + dy * dy + dz * dz <= reach * reach)) return false;
    }
    return true;
  }

  /**
   * @param x positions at the end of the substep, particleCount × 3, changed [m]
   * @param start positions at its start [m]
   * @returns number of vertices that were held back
   */
  limit(x: Float64Array, start: Float64Array): number {
    const { pairs, share, e } = this;
    const { vertices } = pairs.mesh;
    for (let i = 0; i < x.length; i++) e[i] = x[i] - start[i];
    meanOver(vertices, e, common);
    const [ux, uy, uz] = common;
    for (let i = 0; i < x.length; i += 3) {
      e[i] -= ux!;
      e[i + 1] -= uy!;
      e[i + 2] -= uz!;
    }
    this.slid.fill(0);
    this.holder.fill(-1);
    this.mostOf.fill(0);
    for (let k = 0; k < vertices.length; k++) {
      const v = vertices[k];
      const most = Math.sqrt(e[3 * v] * e[3 * v] + e[3 * v + 1] * e[3 * v + 1] + e[3 * v + 2] * e[3 * v + 2]);
      const part = pairs.mesh.partOf[v];
      this.most[v] = most;
      this.mostOf[part] = Math.max(this.mostOf[part], most);
    }
    this.mostOfAny = 0;
    for (let a = 0, m = 0; a < this.mostOf.length; a++)
      for (let b = 0; b < this.mostOf.length; b++) {
        this.mostOfBoth[m] = this.mostOf[a] + this.mostOf[b];
        this.mostOfAny = Math.max(this.mostOfAny, this.mostOfBoth[m++]);
      }
    this.divideAll(start);
    for (let round = 0; round < SLIDES && this.slide(); round++) this.divideAll(start);
    let held = 0;
    for (let k = 0; k < vertices.length; k++) {
      const v = vertices[k];
      this.keepWithinReach(v);
      if (share[v] === 1 && this.slid[v] === 0) continue;
      held++;
      for (let i = 3 * v; i < 3 * v + 3; i++) x[i] = start[i] + common[i - 3 * v] + share[v] * e[i];
    }
    return held;
  }

  private divideAll(start: Float64Array): void {
    this.share.fill(1);
    this.tightest.fill(-1);
    const { pairs, most } = this;
    const { count, kind, vertices, distance, bodies } = pairs;
    if (this.mostOfAny <= pairs.leastRoom - pairs.drift) return;
    for (let j = 0; j < count; j++) {
      const room = roomOf(pairs.leastGap(j), distance[j]);
      // Mostly both go so little that it does not matter where to.
      if (this.mostOfBoth[bodies[j]] <= room) continue;
      const at = 4 * j;
      const second = most[vertices[at + 1]];
      const rest = Math.max(most[vertices[at + 2]], most[vertices[at + 3]]);
      const both =
        kind[j] === VERTEX_FACE
          ? most[vertices[at]] + Math.max(second, rest)
          : Math.max(most[vertices[at]], second) + rest;
      if (both > room) this.divide(j, start);
    }
  }

  /**
   * Removes the excess of each vertex's displacement along the normal of its most restrictive pair, so that the vertex
   * may slide along that pair. Afterwards all pairs must be divided again.
   *
   * @returns whether a displacement changed
   */
  private slide(): boolean {
    const { e, share, tightest, slid, pairs } = this;
    let any = false;
    const { vertices } = pairs.mesh;
    for (let k = 0; k < vertices.length; k++) {
      const v = vertices[k];
      const j = tightest[v];
      if (j < 0) continue;
      any = true;
      slid[v] = 1;
      let along = 0;
      for (let c = 0; c < 3; c++) along += pairs.axis[3 * j + c] * e[3 * v + c];
      for (let c = 0; c < 3; c++) e[3 * v + c] -= (1 - share[v]) * along * pairs.axis[3 * j + c];
    }
    return any;
  }

  /** Reduces the shares of a pair's vertices to the displacements that the pair allows. */
  private divide(j: number, start: Float64Array): void {
    const { pairs, e, share } = this;
    const { vertices, axis } = pairs;
    const own = pairs.kind[j] === VERTEX_FACE ? 1 : 2;
    const nx = axis[3 * j];
    const ny = axis[3 * j + 1];
    const nz = axis[3 * j + 2];
    // Lowest vertex of the first primitive and highest of the second along n, and the approach of each vertex.
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < 4; k++) {
      const i = 3 * vertices[4 * j + k];
      height[k] = nx * start[i] + ny * start[i + 1] + nz * start[i + 2];
      const rise = nx * e[i] + ny * e[i + 1] + nz * e[i + 2];
      nearer[k] = k < own ? -rise : rise;
      if (k < own) low = Math.min(low, height[k]);
      else high = Math.max(high, height[k]);
    }
    let a = 0;
    let b = 0;
    for (let k = 0; k < 4; k++)
      if (k < own) a = Math.max(a, nearer[k] - (height[k] - low));
      else b = Math.max(b, nearer[k] - (high - height[k]));
    const gap = low - high;
    const room = roomOf(gap, pairs.distance[j]);
    if (a + b <= room) return;
    for (let k = 0; k < 4; k++) {
      const free = k < own ? height[k] - low + (room * a) / (a + b) : high - height[k] + (room * b) / (a + b);
      if (nearer[k] <= free) continue;
      const v = vertices[4 * j + k];
      if (free / nearer[k] >= share[v]) continue;
      share[v] = free / nearer[k];
      this.tightest[v] = this.holder[v] = j;
    }
  }

  /** Limits α so that |g + α e| ≤ reach, g the vertex's displacement since the search; then g + α e replaces g. */
  private keepWithinReach(v: number): void {
    const { e, gone, share, pairs } = this;
    const reach = pairs.reach[v];
    let ee = 0;
    let eg = 0;
    let gg = 0;
    for (let i = 3 * v; i < 3 * v + 3; i++) {
      ee += e[i] * e[i];
      eg += e[i] * gone[i];
      gg += gone[i] * gone[i];
    }
    const all = share[v];
    if (ee > 0 && gg + 2 * all * eg + all * all * ee > reach * reach) {
      const inside = Math.max(0, reach * reach - gg);
      share[v] = Math.min(all, Math.max(0, (Math.sqrt(eg * eg + ee * inside) - eg) / ee));
    }
    for (let i = 3 * v; i < 3 * v + 3; i++) gone[i] += share[v] * e[i];
  }
}

/**
 * Part of the thickness by which vertices may exceed their expected motion until the next search. If it is too small,
 * the reach holds up cloth that is pulled, instead of surfaces nearby; larger values give more pairs.
 */
export const REACH_SLACK = 0.5;
/** If less than this part of the thickness is left of a reach, pairs are searched again. */
export const SPARE_REACH = 0.25;
/** Number of rounds that remove excess along a normal, before displacements are shortened. */
export const SLIDES = 2;
const common = new Float64Array(3);
const height = new Float64Array(4);
const nearer = new Float64Array(4);
