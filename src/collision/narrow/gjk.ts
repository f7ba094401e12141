import { type Placed, support } from "./placed";

/** Numbers of a corner of the simplex: w = a − b, then a, then b. */
export const CORNER = 9;

/** How GJK ended. */
export const GjkOutcome = {
  /** further apart than the margin; nothing else is known */
  apart: 0,
  /** closest points were found */
  separated: 1,
  /** the cores touch or overlap */
  overlapping: 2,
} as const;
export type GjkOutcome = (typeof GjkOutcome)[keyof typeof GjkOutcome];

const MAX_ITERATIONS = 128;
/** Relative gap between the upper and the lower bound of the squared distance at which the search ends. */
const GAP = 1e-13;
/** Distances below this part of the size of the simplex are those of touching cores. */
const TOUCHING = 1e-11;

/**
 * Distance of two cores by the algorithm of Gilbert, Johnson & Keerthi (1988): the point of the Minkowski difference
 * A − B closest to the origin, by way of simplices with corners w = a − b. One object is used for all pairs; nothing is
 * allocated.
 */
export class Gjk {
  /** corners of the last simplex, see CORNER */
  readonly simplex = new Float64Array(4 * CORNER);
  /** which support points each corner is made of */
  readonly idA = new Int32Array(4);
  readonly idB = new Int32Array(4);
  readonly weight = new Float64Array(4);
  size = 0;
  distance = 0;
  /** unit normal from A to B */
  nx = 0;
  ny = 0;
  nz = 0;
  /** closest points on A and B in the working frame */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  private vx = 0;
  private vy = 0;
  private vz = 0;

  /**
   * @param margin distance [m] beyond which the search ends early
   */
  run(a: Placed, b: Placed, margin: number): GjkOutcome {
    const s = this.simplex;
    this.vx = a.frame[9] - b.frame[9];
    this.vy = a.frame[10] - b.frame[10];
    this.vz = a.frame[11] - b.frame[11];
    if (this.vx * this.vx + this.vy * this.vy + this.vz * this.vz < 1e-300) this.vx = 1;
    this.size = 0;
    let squared = Infinity;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      const { vx, vy, vz, size } = this;
      const o = CORNER * size;
      const ia = support(a, -vx, -vy, -vz, s, o + 3);
      const ib = support(b, vx, vy, vz, s, o + 6);
      s[o] = s[o + 3] - s[o + 6];
      s[o + 1] = s[o + 4] - s[o + 7];
      s[o + 2] = s[o + 5] - s[o + 8];
      this.idA[size] = ia;
      this.idB[size] = ib;
      const along = vx * s[o] + vy * s[o + 1] + vz * s[o + 2];
      const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
      // v·w/|v| is a lower bound of the distance.
      if (along > margin * length) return GjkOutcome.apart;
      if (size > 0 && (squared - along <= GAP * squared || this.isKnown(size))) return this.finish();
      this.size++;
      if (!this.reduce()) return GjkOutcome.overlapping;
      const next = this.vx * this.vx + this.vy * this.vy + this.vz * this.vz;
      if (next <= TOUCHING * TOUCHING * this.extent()) return GjkOutcome.overlapping;
      // The distance falls in exact arithmetic; where it does not, rounding is all that is left.
      if (next >= squared) return this.finish();
      squared = next;
    }
    return this.finish();
  }

  /** Largest squared size of a corner. */
  private extent(): number {
    let most = 0;
    for (let i = 0; i < this.size; i++) {
      const o = CORNER * i;
      const s = this.simplex;
      most = Math.max(most, s[o] * s[o] + s[o + 1] * s[o + 1] + s[o + 2] * s[o + 2]);
    }
    return most;
  }

  private isKnown(size: number): boolean {
    const s = this.simplex;
    const o = CORNER * size;
    for (let i = 0; i < size; i++) {
      const p = CORNER * i;
      if (s[p] === s[o] && s[p + 1] === s[o + 1] && s[p + 2] === s[o + 2]) return true;
    }
    return false;
  }

  private finish(): GjkOutcome {
    const { vx, vy, vz, simplex: s, weight } = this;
    this.distance = Math.sqrt(vx * vx + vy * vy + vz * vz);
    const scale = -1 / this.distance;
    this.nx = vx * scale;
    this.ny = vy * scale;
    this.nz = vz * scale;
    for (let k = 0; k < 3; k++) {
      let pa = 0;
      let pb = 0;
      for (let i = 0; i < this.size; i++) {
        pa += weight[i] * s[CORNER * i + 3 + k];
        pb += weight[i] * s[CORNER * i + 6 + k];
      }
      this.pointA[k] = pa;
      this.pointB[k] = pb;
    }
    return GjkOutcome.separated;
  }

  /** v becomes the point of the simplex closest to the origin, and corners that do not carry it go; false inside. */
  private reduce(): boolean {
    if (this.size === 1) {
      this.keep(1, 0, 0, 0);
      return true;
    }
    if (this.size === 2) {
      this.segment();
      return true;
    }
    if (this.size === 3) {
      this.triangle(0, 1, 2);
      this.keepBest();
      return true;
    }
    return this.tetrahedron();
  }

  private segment(): void {
    const s = this.simplex;
    const dx = s[CORNER] - s[0];
    const dy = s[CORNER + 1] - s[1];
    const dz = s[CORNER + 2] - s[2];
    const t = -(s[0] * dx + s[1] * dy + s[2] * dz);
    const dd = dx * dx + dy * dy + dz * dz;
    if (t <= 0) this.keep(1, 0, 0, 0);
    else if (t >= dd) this.keep(0, 1, 0, 0);
    else this.keep(1 - t / dd, t / dd, 0, 0);
  }

  /** Weights of the last triangle, and its squared distance. */
  private readonly trial = new Float64Array(4);
  private readonly best = new Float64Array(4);

  /** Closest point of a triangle of corners to the origin, by its Voronoi regions (Ericson 2005, 5.1.5). */
  private triangle(i: number, j: number, k: number): number {
    const s = this.simplex;
    const a = CORNER * i;
    const b = CORNER * j;
    const c = CORNER * k;
    const abx = s[b] - s[a];
    const aby = s[b + 1] - s[a + 1];
    const abz = s[b + 2] - s[a + 2];
    const acx = s[c] - s[a];
    const acy = s[c + 1] - s[a + 1];
    const acz = s[c + 2] - s[a + 2];
    const d1 = -(abx * s[a] + aby * s[a + 1] + abz * s[a + 2]);
    const d2 = -(acx * s[a] + acy * s[a + 1] + acz * s[a + 2]);
    const d3 = -(abx * s[b] + aby * s[b + 1] + abz * s[b + 2]);
    const d4 = -(acx * s[b] + acy * s[b + 1] + acz * s[b + 2]);
    const d5 = -(abx * s[c] + aby * s[c + 1] + abz * s[c + 2]);
    const d6 = -(acx * s[c] + acy * s[c + 1] + acz * s[c + 2]);
    const va = d3 * d6 - d5 * d4;
    const vb = d5 * d2 - d1 * d6;
    const vc = d1 * d4 - d3 * d2;
    let v = 0;
    let w = 0;
    if (d1 <= 0 && d2 <= 0) {
      // corner a
    } else if (d3 >= 0 && d4 <= d3) v = 1;
    else if (d6 >= 0 && d5 <= d6) w = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      w = (d4 - d3) / (d4 - d3 + (d5 - d6));
      v = 1 - w;
    } else {
      const scale = 1 / (va + vb + vc);
      v = vb * scale;
      w = vc * scale;
    }
    const trial = this.trial;
    trial.fill(0);
    trial[i] = 1 - v - w;
    trial[j] = v;
    trial[k] = w;
    const px = s[a] + v * abx + w * acx;
    const py = s[a + 1] + v * aby + w * acy;
    const pz = s[a + 2] + v * abz + w * acz;
    const squared = px * px + py * py + pz * pz;
    this.best.set(trial);
    return squared;
  }

  private keepBest(): void {
    this.keep(this.best[0], this.best[1], this.best[2], this.best[3]);
  }

  private readonly chosen = new Float64Array(4);

  /** The closest of those faces that the origin is outside of. */
  private tetrahedron(): boolean {
    let least = Infinity;
    for (let opposite = 0; opposite < 4; opposite++) {
      const i = opposite === 0 ? 1 : 0;
      const j = opposite <= 1 ? 2 : 1;
      const k = opposite === 3 ? 2 : 3;
      if (!this.isOutside(i, j, k, opposite)) continue;
      const squared = this.triangle(i, j, k);
      if (squared < least) {
        least = squared;
        this.chosen.set(this.best);
      }
    }
    if (least === Infinity) return false;
    this.best.set(this.chosen);
    this.keepBest();
    return true;
  }

  /** Whether the origin is on another side of the plane of three corners than the fourth, or the four are in a plane. */
  private isOutside(i: number, j: number, k: number, l: number): boolean {
    const s = this.simplex;
    const a = CORNER * i;
    const b = CORNER * j;
    const c = CORNER * k;
    const d = CORNER * l;
    const ux = s[b] - s[a];
    const uy = s[b + 1] - s[a + 1];
    const uz = s[b + 2] - s[a + 2];
    const vx = s[c] - s[a];
    const vy = s[c + 1] - s[a + 1];
    const vz = s[c + 2] - s[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const origin = -(nx * s[a] + ny * s[a + 1] + nz * s[a + 2]);
    const fourth = nx * (s[d] - s[a]) + ny * (s[d + 1] - s[a + 1]) + nz * (s[d + 2] - s[a + 2]);
    return origin * fourth <= 0;
  }

  /** Corners with a weight stay, v is their weighted sum. */
  private keep(w0: number, w1: number, w2: number, w3: number): void {
    const { simplex: s, weight, idA, idB } = this;
    weight[0] = w0;
    weight[1] = w1;
    weight[2] = w2;
    weight[3] = w3;
    let count = 0;
    this.vx = this.vy = this.vz = 0;
    for (let i = 0; i < this.size; i++) {
      const w = weight[i];
      if (!(w > 0)) continue;
      const from = CORNER * i;
      const to = CORNER * count;
      this.vx += w * s[from];
      this.vy += w * s[from + 1];
      this.vz += w * s[from + 2];
      if (from !== to) {
        s.copyWithin(to, from, from + CORNER);
        idA[count] = idA[i];
        idB[count] = idB[i];
      }
      weight[count++] = w;
    }
    this.size = count;
  }
}
