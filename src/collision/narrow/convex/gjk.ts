import { type Placed, support } from "../shapes/placed";

/** Numbers of a corner of the simplex: w = a − b, then a, then b. */
export const CORNER = 9;

/** Squared sine of angles below which a triangle or a tetrahedron counts as flat. */
const FLAT = 1e-22;

/** Outcome of GJK. */
export const GjkOutcome = {
  /** the cores are further apart than the margin; nothing else is known */
  apart: 0,
  /** closest points were found */
  separated: 1,
  /** the cores touch or overlap */
  overlapping: 2,
} as const;
export type GjkOutcome = (typeof GjkOutcome)[keyof typeof GjkOutcome];

const MAX_ITERATIONS = 128;
/** The search ends at this relative gap between the upper and the lower bound of the squared distance. */
const GAP = 1e-13;
/** Cores touch if their distance is below this part of the size of the simplex. */
const TOUCHING = 1e-11;

/**
 * Distance of two cores by the algorithm of Gilbert, Johnson & Keerthi (1988): the point of the Minkowski difference A
 * − B closest to the origin, found by simplices with corners w = a − b. One object is used for all pairs; nothing is
 * allocated.
 */
export class Gjk {
  /** corners of the last simplex, see CORNER */
  readonly simplex = new Float64Array(4 * CORNER);
  /** support points of each corner */
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
  /** point of the simplex that is closest to the origin */
  private readonly v = new Float64Array(3);
  /** squared distance of the triangle or side that was looked at */
  private squared = 0.5;

  /** @param margin distance [m] beyond which the search ends early */
  run(a: Placed, b: Placed, margin: number): GjkOutcome {
    const s = this.simplex;
    const { v } = this;
    for (let k = 0; k < 3; k++) v[k] = a.frame[9 + k] - b.frame[9 + k];
    if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < 1e-300) v[0] = 1;
    this.size = 0;
    let squared = Infinity;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      const { size } = this;
      const o = CORNER * size;
      const ia = support(a, v, 0, -1, s, o + 3);
      const ib = support(b, v, 0, 1, s, o + 6);
      s[o] = s[o + 3] - s[o + 6];
      s[o + 1] = s[o + 4] - s[o + 7];
      s[o + 2] = s[o + 5] - s[o + 8];
      this.idA[size] = ia;
      this.idB[size] = ib;
      const along = v[0] * s[o] + v[1] * s[o + 1] + v[2] * s[o + 2];
      const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      // v·w/|v| is a lower bound of the distance.
      if (along > margin * length) return GjkOutcome.apart;
      if (size > 0 && (squared - along <= GAP * squared || this.isKnown(size))) return this.finish();
      this.size++;
      // If the plane through w separates the origin, a tetrahedron that seems to hold it is only a sliver.
      if (!this.reduce(along > 0)) return GjkOutcome.overlapping;
      const next = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      if (this.isTouching()) return GjkOutcome.overlapping;
      // The distance falls in exact arithmetic; if it does not, only rounding is left.
      if (next >= squared) return this.finish();
      squared = next;
    }
    return this.finish();
  }

  /** Whether the distance is rounding, for the size of the corners. */
  private isTouching(): boolean {
    const { simplex: s, v } = this;
    let most = 0;
    for (let o = 0; o < CORNER * this.size; o += CORNER)
      most = Math.max(most, s[o] * s[o] + s[o + 1] * s[o + 1] + s[o + 2] * s[o + 2]);
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= TOUCHING * TOUCHING * most;
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
    const { simplex: s, weight } = this;
    const vx = this.v[0];
    const vy = this.v[1];
    const vz = this.v[2];
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

  /**
   * Moves v to the point of the simplex closest to the origin and drops corners without weight; returns false if the
   * origin is inside.
   *
   * @param isOut whether the origin is known to be outside
   */
  private reduce(isOut: boolean): boolean {
    if (this.size === 4) return this.tetrahedron(isOut);
    if (this.size === 3) this.triangle(0, 1, 2);
    else if (this.size === 2) this.segment();
    else this.best[0] = 1;
    this.keep(this.best);
    return true;
  }

  private segment(): void {
    const s = this.simplex;
    const dx = s[CORNER] - s[0];
    const dy = s[CORNER + 1] - s[1];
    const dz = s[CORNER + 2] - s[2];
    const t = -(s[0] * dx + s[1] * dy + s[2] * dz);
    const dd = dx * dx + dy * dy + dz * dz;
    const share = t <= 0 ? 0 : t >= dd ? 1 : t / dd;
    this.best[0] = 1 - share;
    this.best[1] = share;
  }

  /** weights of the closest point of the last triangle */
  private readonly best = new Float64Array(4);

  /**
   * Closest point of a triangle of corners to the origin; its weights go to `best`, its squared distance to `squared`. The computation uses
   * the normal, because round shapes make slivers, for which products of lengths would lose all digits.
   */
  private triangle(i: number, j: number, k: number): void {
    const { simplex: s, plane } = this;
    const a = CORNER * i;
    const b = CORNER * j;
    const c = CORNER * k;
    const ux = s[b] - s[a];
    const uy = s[b + 1] - s[a + 1];
    const uz = s[b + 2] - s[a + 2];
    const vx = s[c] - s[a];
    const vy = s[c + 1] - s[a + 1];
    const vz = s[c + 2] - s[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const nn = nx * nx + ny * ny + nz * nz;
    const uu = ux * ux + uy * uy + uz * uz;
    const vv = vx * vx + vy * vy + vz * vz;
    if (nn > FLAT * uu * vv) {
      const t = (nx * s[a] + ny * s[a + 1] + nz * s[a + 2]) / nn;
      const px = t * nx;
      const py = t * ny;
      const pz = t * nz;
      plane[0] = nx;
      plane[1] = ny;
      plane[2] = nz;
      plane[3] = px;
      plane[4] = py;
      plane[5] = pz;
      this.area(b, c, 6);
      this.area(c, a, 7);
      this.area(a, b, 8);
      const wa = plane[6];
      const wb = plane[7];
      const wc = plane[8];
      if (wa >= 0 && wb >= 0 && wc >= 0) {
        const scale = 1 / (wa + wb + wc);
        this.best.fill(0);
        this.best[i] = wa * scale;
        this.best[j] = wb * scale;
        this.best[k] = wc * scale;
        this.squared = px * px + py * py + pz * pz;
        return;
      }
    }
    this.squared = Infinity;
    this.side(i, j);
    this.side(j, k);
    this.side(k, i);
  }

  /** normal of the last triangle, its point closest to the origin, and the weights of its corners up to a factor */
  private readonly plane = new Float64Array(9);

  /** Writes the weight of the third corner up to a factor to a place of `plane`: n · ((p_b − p) × (p_c − p)). */
  private area(b: number, c: number, to: number): void {
    const { simplex: s, plane: p } = this;
    const ux = s[b] - p[3];
    const uy = s[b + 1] - p[4];
    const uz = s[b + 2] - p[5];
    const vx = s[c] - p[3];
    const vy = s[c + 1] - p[4];
    const vz = s[c + 2] - p[5];
    p[to] = p[0] * (uy * vz - uz * vy) + p[1] * (uz * vx - ux * vz) + p[2] * (ux * vy - uy * vx);
  }

  /** Writes the closest point of a side to `best`, and its squared distance to `squared`, if it is closer than that. */
  private side(i: number, j: number): void {
    const s = this.simplex;
    const a = CORNER * i;
    const b = CORNER * j;
    const dx = s[b] - s[a];
    const dy = s[b + 1] - s[a + 1];
    const dz = s[b + 2] - s[a + 2];
    const dd = dx * dx + dy * dy + dz * dz;
    const along = -(s[a] * dx + s[a + 1] * dy + s[a + 2] * dz);
    const t = along <= 0 || dd === 0 ? 0 : along >= dd ? 1 : along / dd;
    const px = s[a] + t * dx;
    const py = s[a + 1] + t * dy;
    const pz = s[a + 2] + t * dz;
    const squared = px * px + py * py + pz * pz;
    if (squared >= this.squared) return;
    this.squared = squared;
    this.best.fill(0);
    this.best[i] = 1 - t;
    this.best[j] = t;
  }

  private readonly chosen = new Float64Array(4);

  /** Finds the closest point among faces that have the origin outside, or among all if it is known to be outside. */
  private tetrahedron(isOut: boolean): boolean {
    let least = Infinity;
    for (let opposite = 0; opposite < 4; opposite++) {
      const i = opposite === 0 ? 1 : 0;
      const j = opposite <= 1 ? 2 : 1;
      const k = opposite === 3 ? 2 : 3;
      if (!isOut && !this.isOutside(i, j, k, opposite)) continue;
      this.triangle(i, j, k);
      if (this.squared < least) {
        least = this.squared;
        for (let c = 0; c < 4; c++) this.chosen[c] = this.best[c];
      }
    }
    if (least === Infinity) return false;
    this.keep(this.chosen);
    return true;
  }

  /** Whether the plane of three corners separates the origin from the fourth, or all four corners lie in a plane. */
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
    const wx = s[d] - s[a];
    const wy = s[d + 1] - s[a + 1];
    const wz = s[d + 2] - s[a + 2];
    const fourth = nx * wx + ny * wy + nz * wz;
    const size = (nx * nx + ny * ny + nz * nz) * (wx * wx + wy * wy + wz * wz);
    return origin * fourth <= 0 || fourth * fourth <= FLAT * size;
  }

  /** Keeps corners with a positive weight and sets v to their weighted sum. */
  private keep(weights: Float64Array): void {
    const { simplex: s, weight, idA, idB, v } = this;
    let count = 0;
    v.fill(0);
    for (let i = 0; i < this.size; i++) {
      const w = weights[i];
      if (!(w > 0)) continue;
      const from = CORNER * i;
      const to = CORNER * count;
      for (let k = 0; k < 3; k++) v[k] += w * s[from + k];
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
