/**
 * Contact of deformable surfaces with one another and with themselves, f64 reference of shaders/surface.
 *
 * Every candidate pair is a constraint n · r(x) ≥ d on the weighted difference r = Σ wᵢ xᵢ of its closest points. All
 * are projected at once (Jacobi): with c_i = Σ_j |w_ij| over the active pairs j at a particle, the row sum of the
 * Delassus matrix is at most D_j = Σᵢ |w_ij| c_i Wᵢ (Gershgorin), so that all λ_j = −C_j / D_j together never
 * overshoot. Impulses are equal and opposite: momentum is conserved. Friction is Coulomb's cone on λ, against the slip
 * of the substep.
 */
import type { DisjointSets } from "../../math/disjoint-sets";
import { lengthAt } from "../../math/vectors";
import { CandidatePairs, roomOf } from "./candidate-pairs";
import { countsAt } from "./features";
import type { NearestPlaces } from "./nearest-places";
import { closestPair, VERTEX_FACE } from "./pair-geometry";
import { PairMotion } from "./pair-motion";
import { factorAt } from "../contact/contact-material";
import type { SurfaceMesh } from "./surface-mesh";

/** Settings of the contact resolution in a substep. */
export interface SurfaceContactSettings {
  /** distance that surfaces keep [m] */
  readonly thickness: number;
  /** friction coefficient of each body, combined by geometric mean */
  readonly friction: ArrayLike<number>;
  /** of each body factors of its particles, or undefined; undefined where no body has any */
  readonly frictionFactors?: readonly (ArrayLike<number> | undefined)[] | undefined;
  /** speed at which surfaces that are too close part [m/s] */
  readonly partingSpeed: number;
  /**
   * particleCount × 3: displacements of particles by obstacles in the previous substep [m]; if absent, support by
   * obstacles is ignored
   */
  readonly support?: Float64Array | undefined;
}

export class SurfaceContact {
  readonly pairs = new CandidatePairs(this.mesh);
  /** pairs that were pushed in the last call of `resolve` */
  activeCount = 0;
  private weights = new Float64Array(0);
  /** `gone` when the weights were found, less `within` [m] */
  private weighed = new Float64Array(0);
  /** of pairs that count: `within` until which they are surely apart, and until which their weights hold [m] */
  private apart = new Float64Array(0);
  private fresh = new Float64Array(0);
  /** Σ wᵢ uᵢ of pairs that push, with displacements u in the substep [m] */
  private slip = new Float64Array(0);
  /** C_j of pairs that push [m] */
  private violation = new Float64Array(0);
  /** 1 for pairs that count, and their list */
  private isCounted = new Uint8Array(0);
  private counted = new Uint32Array(0);
  private countedCount = 0;
  /** what bodies may move until a pair has to be looked at again [m] */
  private allowed = 0;
  private readonly motion = new PairMotion(this.mesh);
  /** positions at the start of the substep, and when pairs were evaluated last [m] */
  private readonly last = new Float64Array(3 * this.mesh.particleCount);
  private readonly seen = new Float64Array(3 * this.mesh.particleCount);
  /** bodies × bodies: how far primitives of two may have moved against each other in the substep, until then [m] */
  private readonly within = new Float64Array(this.mesh.keeps.length);
  /** pairs that push */
  private active = new Uint32Array(0);
  /** c_i of each particle */
  private readonly load = new Float64Array(this.mesh.particleCount);
  private readonly shift = new Float64Array(3 * this.mesh.particleCount);

  /** @param nearest which pairs of guests push */
  constructor(
    readonly mesh: SurfaceMesh,
    private readonly nearest?: NearestPlaces,
  ) {}

  /** See `CandidatePairs.find`. */
  find(x: Float64Array, way: Float64Array, thickness: number, slack?: number): void {
    this.pairs.find(x, way, thickness, slack);
    if (this.violation.length < this.pairs.count) {
      this.weights = new Float64Array(8 * this.pairs.count);
      this.slip = new Float64Array(6 * this.pairs.count);
      this.weighed = new Float64Array(2 * this.pairs.count);
      this.apart = new Float64Array(2 * this.pairs.count);
      this.fresh = new Float64Array(2 * this.pairs.count);
      this.isCounted = new Uint8Array(2 * this.pairs.count);
      this.violation = new Float64Array(2 * this.pairs.count);
      this.counted = new Uint32Array(2 * this.pairs.count);
      this.active = new Uint32Array(2 * this.pairs.count);
    }
  }

  /**
   * Sets the normals of all pairs at the start of a substep, when surfaces are still separate, so that the normals
   * define the sides.
   *
   * @param isNew whether the pairs were just found
   */
  begin(start: Float64Array, isNew: boolean): void {
    const { pairs, motion, last } = this;
    const { gone } = pairs;
    if (isNew) gone.fill(0);
    else {
      motion.measure(last, start);
      let most = 0;
      for (let m = 0; m < gone.length; m++) {
        gone[m] += motion.most[m]!;
        most = Math.max(most, motion.most[m]);
      }
      pairs.drift += most;
    }
    last.set(start);
    // Surfaces that lie still are looked at once.
    if (isNew || !(pairs.drift <= this.allowed)) this.orientAll(start, isNew);
    pairs.normal.set(pairs.axis);
    this.within.fill(0);
    this.seen.set(start);
    for (let i = 0; i < this.countedCount; i++) {
      const j = this.counted[i];
      this.apart[i] = pairs.leastGap(j) - pairs.distance[j];
      this.fresh[i] = STALE * pairs.distance[j] - (gone[pairs.bodies[j]] - this.weighed[j]);
    }
  }

  /** Finds closest points of pairs that may have changed, and which pairs count. */
  private orientAll(start: Float64Array, isNew: boolean): void {
    const { pairs, counted, isCounted } = this;
    const { gone, bodies, since, distance, gap, axis } = pairs;
    this.countedCount = 0;
    this.allowed = pairs.leastRoom = Infinity;
    pairs.drift = 0;
    for (let j = 0; j < pairs.count; j++) {
      let way = gone[bodies[j]] - since[j];
      // If the two are far apart, any direction that separates them will do, and closest points hardly change by a small part of the distance.
      if (isNew || (way > STALE * distance[j] && gap[j] - way < distance[j])) {
        const along = isNew ? 0 : gapAlong(pairs, axis, j, start);
        if (along >= distance[j]) {
          gap[j] = along;
          since[j] = gone[bodies[j]];
          isCounted[j] = 1;
        } else isCounted[j] = this.orient(j, start) ? 1 : 0;
        way = 0;
      }
      if (isCounted[j] === 1) counted[this.countedCount++] = j;
      this.allowed = Math.min(this.allowed, Math.max(STALE * distance[j], gap[j] - distance[j]) - way);
      pairs.leastRoom = Math.min(pairs.leastRoom, roomOf(gap[j] - way, distance[j]));
    }
  }

  /** @returns whether the pair counts; one that is further apart may do so at another place by the end of the substep */
  private orient(j: number, start: Float64Array): boolean {
    const { pairs, weights } = this;
    closestPair(pairs.kind[j], start, pairs.vertices, 4 * j, weights, 4 * j, between, 0);
    const length = lengthAt(between, 0);
    pairs.axis[3 * j] = length > 0 ? between[0] / length : 0;
    pairs.axis[3 * j + 1] = length > 0 ? between[1] / length : 1;
    pairs.axis[3 * j + 2] = length > 0 ? between[2] / length : 0;
    pairs.gap[j] = length;
    this.weighed[j] = pairs.since[j] = pairs.gone[pairs.bodies[j]];
    // Guests have their own choice.
    if (this.nearest !== undefined || length >= pairs.distance[j]) return true;
    return countsAt(pairs.kind[j], pairs.own[j], weights, start, pairs.vertices, 4 * j);
  }

  /**
   * One projection of all pairs that count.
   *
   * @param x positions, particleCount × 3, changed [m]
   * @param start positions at the start of the substep [m]
   * @param w inverse masses, or W = Δt²/m; 0 where pinned
   * @param h [s]
   */
  resolve(x: Float64Array, start: Float64Array, w: Float64Array, h: number, settings: SurfaceContactSettings): void {
    this.evaluate(x, start, w, h * settings.partingSpeed);
    if (this.activeCount === 0) return;
    this.push(w, settings);
    for (let i = 0; i < this.shift.length; i++) x[i] += RELAXATION * this.shift[i];
  }

  /** Joins the bodies of the pairs that the last call of `resolve` pushed. */
  joinTouching(sets: DisjointSets): void {
    const { pairs, mesh, active, activeCount } = this;
    for (let i = 0, last = -1; i < activeCount; i++) {
      const { bodies, vertices } = pairs;
      const j = active[i];
      if (bodies[j] !== last) sets.join(mesh.partOf[vertices[4 * j]], mesh.partOf[vertices[4 * j + 3]]);
      last = bodies[j];
    }
  }

  /** Computes closest points, C_j, and c_i. */
  private evaluate(x: Float64Array, start: Float64Array, w: Float64Array, parting: number): void {
    const { pairs, weights, weighed, slip, violation, load, counted, countedCount, active } = this;
    const { motion, seen, within, apart, fresh } = this;
    const { vertices, normal, distance, kind, gone, bodies } = pairs;
    load.fill(0);
    this.activeCount = 0;
    motion.measure(seen, x);
    for (let m = 0; m < within.length; m++) within[m] += motion.most[m]!;
    seen.set(x);
    for (let i = 0; i < countedCount; i++) {
      const j = counted[i];
      const moved = within[bodies[j]];
      // Mostly this test is enough.
      if (moved <= apart[i]) continue;
      const at = 4 * j;
      const n = 3 * j;
      if (moved > fresh[i]) {
        // The distance is at least the gap along any direction.
        const room = canYield(vertices, at, w) ? gapAlong(pairs, normal, j, x) - distance[j] : Infinity;
        if (room >= 0) {
          apart[i] = moved + room;
          continue;
        }
        closestPair(kind[j], x, vertices, at, weights, at, between, 0);
        weighed[j] = gone[bodies[j]] - moved;
        fresh[i] = moved + STALE * distance[j];
      }
      const wa = weights[at];
      const wb = weights[at + 1];
      const wc = weights[at + 2];
      const wd = weights[at + 3];
      const a = 3 * vertices[at];
      const b = 3 * vertices[at + 1];
      const c = 3 * vertices[at + 2];
      const d = 3 * vertices[at + 3];
      const rx = wa * x[a] + wb * x[b] + wc * x[c] + wd * x[d];
      const ry = wa * x[a + 1] + wb * x[b + 1] + wc * x[c + 1] + wd * x[d + 1];
      const rz = wa * x[a + 2] + wb * x[b + 2] + wc * x[c + 2] + wd * x[d + 2];
      const length = Math.sqrt(rx * rx + ry * ry + rz * rz);
      let nx = normal[n];
      let ny = normal[n + 1];
      let nz = normal[n + 2];
      let gap = nx * rx + ny * ry + nz * rz;
      // If r is so short that it is mostly rounding, the last normal is better.
      if (length > LEAST_SEPARATION * distance[j]) {
        // Primitives that passed through each other must go back the way they came.
        const side = gap < 0 ? -1 : 1;
        normal[n] = nx = (side * rx) / length;
        normal[n + 1] = ny = (side * ry) / length;
        normal[n + 2] = nz = (side * rz) / length;
        gap = side * length;
      }
      if (gap >= distance[j]) continue;
      if (gap > LEAST_SEPARATION * distance[j] && this.nearest?.areNearest(pairs, j, x, weights) === false) continue;
      const sx = wa * (x[a] - start[a]) + wb * (x[b] - start[b]) + wc * (x[c] - start[c]) + wd * (x[d] - start[d]);
      const sy =
        wa * (x[a + 1] - start[a + 1]) +
        wb * (x[b + 1] - start[b + 1]) +
        wc * (x[c + 1] - start[c + 1]) +
        wd * (x[d + 1] - start[d + 1]);
      const sz =
        wa * (x[a + 2] - start[a + 2]) +
        wb * (x[b + 2] - start[b + 2]) +
        wc * (x[c + 2] - start[c + 2]) +
        wd * (x[d + 2] - start[d + 2]);
      // Pairs that were too close already part slowly: a fast correction would throw them apart.
      const wanted = Math.min(distance[j], gap - (nx * sx + ny * sy + nz * sz) + parting);
      if (gap >= wanted) continue;
      violation[j] = gap - wanted;
      slip[n] = sx;
      slip[n + 1] = sy;
      slip[n + 2] = sz;
      active[this.activeCount++] = j;
      for (let k = at; k < at + 4; k++) load[vertices[k]] += Math.abs(weights[k]);
    }
  }

  /** Sums up the displacements by all active pairs, with friction, in `shift`. */
  private push(w: Float64Array, settings: SurfaceContactSettings): void {
    const { pairs, mesh, weights, slip: slips, violation, load, shift, active, activeCount } = this;
    const { vertices, normal } = pairs;
    const { support, friction, frictionFactors } = settings;
    shift.fill(0);
    for (let i = 0; i < activeCount; i++) {
      const j = active[i];
      const at = 4 * j;
      let rowSum = 0;
      let largest = 0;
      let heldSum = 0;
      let sx = slips[3 * j];
      let sy = slips[3 * j + 1];
      let sz = slips[3 * j + 2];
      for (let k = at; k < at + 4; k++) {
        const p = vertices[k];
        const weight = weights[k];
        const part = Math.abs(weight) * load[p] * w[p];
        rowSum += part;
        if (support) heldSum += part * leeway(support, 3 * p, weight, normal, 3 * j);
        largest = Math.max(largest, Math.abs(weight) * w[p]);
      }
      if (rowSum === 0) continue;
      rowSum = Math.max(rowSum, LEAST_SHARE * largest);
      // A particle held by an obstacle does not yield to pushes towards it, and passes them on to the obstacle.
      const lambda = -violation[j] / (heldSum > LEAST_HELD * rowSum ? heldSum : rowSum);
      const nx = normal[3 * j];
      const ny = normal[3 * j + 1];
      const nz = normal[3 * j + 2];
      const along = sx * nx + sy * ny + sz * nz;
      sx -= along * nx;
      sy -= along * ny;
      sz -= along * nz;
      const slip = Math.sqrt(sx * sx + sy * sy + sz * sz);
      let squared = friction[mesh.partOf[vertices[at]]] * friction[mesh.partOf[vertices[at + 3]]];
      if (frictionFactors)
        squared *= factorAt(mesh, frictionFactors, vertices[at]) * factorAt(mesh, frictionFactors, vertices[at + 3]);
      const mu = Math.sqrt(squared);
      const drag = slip > 0 ? Math.min(slip / rowSum, mu * lambda) / slip : 0;
      const px = lambda * nx - drag * sx;
      const py = lambda * ny - drag * sy;
      const pz = lambda * nz - drag * sz;
      for (let k = at; k < at + 4; k++) {
        const p = 3 * vertices[k];
        const share = weights[k] * w[vertices[k]];
        shift[p] += share * px;
        shift[p + 1] += share * py;
        shift[p + 2] += share * pz;
      }
    }
  }
}

/** Part of a particle's mobility that an obstacle leaves along a push by a pair, weight times normal. */
function leeway(support: Float64Array, p: number, weight: number, normal: Float64Array, n: number): number {
  const x = support[p];
  const y = support[p + 1];
  const z = support[p + 2];
  const squared = x * x + y * y + z * z;
  if (squared === 0) return 1;
  const along = -Math.sign(weight) * (x * normal[n] + y * normal[n + 1] + z * normal[n + 2]);
  return along > 0 ? 1 - (along * along) / squared : 1;
}

/** Whether one of a pair's vertices is not pinned. */
function canYield(v: Uint32Array, at: number, w: Float64Array): boolean {
  return w[v[at]] > 0 || w[v[at + 1]] > 0 || w[v[at + 2]] > 0 || w[v[at + 3]] > 0;
}

/** Gap between the primitives of a pair along a direction, negative if they overlap in that direction [m]. */
function gapAlong(pairs: CandidatePairs, direction: Float64Array, j: number, x: Float64Array): number {
  const { vertices } = pairs;
  const nx = direction[3 * j];
  const ny = direction[3 * j + 1];
  const nz = direction[3 * j + 2];
  const a = 3 * vertices[4 * j];
  const b = 3 * vertices[4 * j + 1];
  const c = 3 * vertices[4 * j + 2];
  const d = 3 * vertices[4 * j + 3];
  const p = nx * x[a] + ny * x[a + 1] + nz * x[a + 2];
  const q = nx * x[b] + ny * x[b + 1] + nz * x[b + 2];
  const r = nx * x[c] + ny * x[c + 1] + nz * x[c + 2];
  const s = nx * x[d] + ny * x[d + 1] + nz * x[d + 2];
  return pairs.kind[j] === VERTEX_FACE ? p - Math.max(q, r, s) : Math.min(p, q) - Math.max(r, s);
}

/**
 * Over-relaxation of the projections: Gershgorin's bound is about twice too large for a contact with many pairs. For a
 * contact with one pair it is exact, and no later pass takes back a push that was too large: with 1.6, a soft cube on
 * another one kept trembling at 0.02 m/s.
 */
export const RELAXATION = 1.3;
/**
 * If all vertices of a pair are pinned except one of small weight w, that one would have to move by C / w. No particle
 * moves further than |C| / LEAST_SHARE.
 */
export const LEAST_SHARE = 0.5;
/** If a pair is closer than this part of the distance that it keeps, r does not replace the normal. */
export const LEAST_SEPARATION = 1e-3;
/** Closest points and their direction are found anew when the primitives may have moved against each other by this part of their distance. */
const STALE = 0.02;
const between = new Float64Array(3);
/** Part of a pair's mobility that must be left; otherwise support by obstacles is ignored. */
const LEAST_HELD = 1e-9;
