/**
 * The last word on a substep: displacements are shortened so that surfaces that are free of each other stay so, whatever
 * moved their vertices (forces, pins, obstacles). f64 reference of shaders/surface/bounds.wgsl.
 *
 * For each candidate pair there is a plane across the line n of its closest points at the start x⁻ of the substep. As long as
 * the vertices of either primitive stay on their side, the two cannot meet: everything moves on straight lines, so it is enough
 * that the ends do. Where the plane lies in the gap g is free: if the two go a and b into the gap, and a + b is more than a
 * share γ of g, it divides the gap as a : b. Twice a vertex loses what goes too far for the pair that allows it least, along n,
 * so that it may slide; then it is moved by the part of what is left that all of its pairs allow (divide and truncate; Chen et
 * al., "Offset geometric contact", 2025, bounds the distance from x⁻ instead, which also keeps surfaces from sliding and
 * parting). What moves all alike brings no pair nearer: displacements are counted from their mean U, so cloth that falls is not
 * held up.
 *
 * Pairs that the last search has not listed are too far apart, as long as each vertex keeps within its reach: |Σ (u − U)| since the
 * search is bounded by it.
 *
 * Glossary: u = x − x⁻, e = u − U, α the part of e that a vertex is given: x = x⁻ + U + α e.
 */
import { meanOver, type CandidatePairs } from "./candidate-pairs";
import { VERTEX_FACE } from "./pair-geometry";

export class SurfaceBounds {
  /** α of each particle */
  readonly share: Float64Array;
  /** u, and from then on e, particleCount × 3 [m] */
  private readonly e: Float64Array;
  /** the pair that allows each particle least, −1 if none holds it */
  private readonly tightest: Int32Array;
  /** 1 for particles whose e was changed in this substep */
  private readonly slid: Uint8Array;
  /** Σ (u − U) since the search, particleCount × 3 [m] */
  private readonly gone: Float64Array;

  constructor(private readonly pairs: CandidatePairs) {
    const { particleCount } = pairs.mesh;
    this.share = new Float64Array(particleCount);
    this.tightest = new Int32Array(particleCount);
    this.slid = new Uint8Array(particleCount);
    this.e = new Float64Array(3 * particleCount);
    this.gone = new Float64Array(3 * particleCount);
  }

  /** After a search. */
  begin(): void {
    this.gone.fill(0);
  }

  /**
   * Whether the pairs of the last search will do until the next: no vertex is expected to leave its reach.
   *
   * @param way how each particle is expected to move until then, particleCount × 3 [m]
   * @param spare of the reach that is to be left over then [m]
   */
  suffice(way: Float64Array, spare: number): boolean {
    const { gone, pairs } = this;
    meanOver(pairs.mesh.vertices, way, common);
    for (const v of pairs.mesh.vertices) {
      const reach = pairs.reach[v] - spare;
      let squared = 0;
      for (let c = 0; c < 3; c++) squared += (gone[3 * v + c] + way[3 * v + c] - common[c]) ** 2;
      if (!(reach > 0 && squared <= reach * reach)) return false;
    }
    return true;
  }

  /**
   * @param x positions at the end of the substep, particleCount × 3, changed [m]
   * @param start positions at its start [m]
   * @returns how many vertices were held back
   */
  limit(x: Float64Array, start: Float64Array): number {
    const { pairs, share, e } = this;
    const { vertices } = pairs.mesh;
    for (let i = 0; i < x.length; i++) e[i] = x[i] - start[i];
    meanOver(vertices, e, common);
    for (let i = 0; i < x.length; i++) e[i] -= common[i % 3];
    this.slid.fill(0);
    this.divideAll(start);
    for (let round = 0; round < SLIDES && this.slide(); round++) this.divideAll(start);
    let held = 0;
    for (const v of vertices) {
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
    for (let j = 0; j < this.pairs.count; j++) this.divide(j, start);
  }

  /**
   * Takes off what goes too far along the normal of the pair that allows a vertex least, so that it may slide along it. What the other
   * pairs allow then is to be seen.
   *
   * @returns whether there was any
   */
  private slide(): boolean {
    const { e, share, tightest, slid, pairs } = this;
    let any = false;
    for (const v of pairs.mesh.vertices) {
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

  /** What a pair leaves to its vertices. */
  private divide(j: number, start: Float64Array): void {
    const { pairs, e, share } = this;
    const { vertices, axis } = pairs;
    const own = pairs.kind[j] === VERTEX_FACE ? 1 : 2;
    const [nx, ny, nz] = [axis[3 * j], axis[3 * j + 1], axis[3 * j + 2]];
    // Lowest of the first primitive and highest of the second along n, and what each comes nearer by.
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
    const room = Math.max(0, Math.min(GAP_SHARE * gap, gap - LEAST_GAP * pairs.distance[j]));
    if (a + b <= room) return;
    for (let k = 0; k < 4; k++) {
      const free = k < own ? height[k] - low + (room * a) / (a + b) : high - height[k] + (room * b) / (a + b);
      if (nearer[k] <= free) continue;
      const v = vertices[4 * j + k];
      if (free / nearer[k] >= share[v]) continue;
      share[v] = free / nearer[k];
      this.tightest[v] = j;
    }
  }

  /** |g + α e| ≤ reach, where g is what the vertex has gone since the search, and g + α e from then on. */
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
 * Part of the thickness by which vertices may go further until the next search than they are expected to. With too little, cloth that
 * is pulled is held up by its reach instead of by what is near; with more, there are more pairs.
 */
export const REACH_SLACK = 0.5;
/** Part of the thickness that is to be left over of a reach, or pairs are searched for again. */
export const SPARE_REACH = 0.25;
/** How often what goes too far is taken off along a normal, before what is left is shortened. */
export const SLIDES = 2;
/** γ: share of a gap that a substep may use up. */
export const GAP_SHARE = 0.9;
/** Part of the distance that is kept below which a pair comes no nearer: far above rounding, in f32 too. */
export const LEAST_GAP = 0.05;
const common = new Float64Array(3);
const height = new Float64Array(4);
const nearer = new Float64Array(4);
