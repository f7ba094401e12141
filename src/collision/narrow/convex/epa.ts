import { triangleNormal } from "../../../geometry/triangles/triangle";
import { lengthAt } from "../../../math/vectors";
import { CORNER, type Gjk } from "./gjk";
import { type Placed, support } from "../shapes/placed";

/** Support points at most; a round shape needs some dozens to reach the tolerance. */
const MAX_POINTS = 256;
/** A closed surface of triangles has less than twice as many faces as points; the rest is room for one more rim. */
const MAX_FACES = 4 * MAX_POINTS;
/** The search ends at this gap between the bounds of the depth, relative to the size of the difference. */
const GAP = 1e-9;

/**
 * Depth of penetration of two cores that overlap, by the expanding polytope algorithm (van den Bergen 2001): a polytope
 * inside the Minkowski difference grows by support points at its face nearest to the origin, until that face lies on
 * the boundary. One object is used for all pairs; nothing is allocated.
 */
export class Epa {
  /** depth [m], not negative */
  depth = 0;
  /** unit normal from A to B */
  nx = 0;
  ny = 0;
  nz = 0;
  /** deepest points of A in B and of B in A, in the working frame */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** support points of the last face's corners */
  readonly idA = new Int32Array(3);
  readonly idB = new Int32Array(3);

  private count = 0;
  private readonly points = new Float64Array(MAX_POINTS * CORNER);
  private readonly ids = new Int32Array(2 * MAX_POINTS);
  private faces = 0;
  private readonly corners = new Int32Array(3 * MAX_FACES);
  private readonly normals = new Float64Array(3 * MAX_FACES);
  private readonly distances = new Float64Array(MAX_FACES);
  private readonly rim = new Int32Array(6 * MAX_FACES);
  private rimCount = 0;
  private readonly weights = new Float64Array(3);
  /** a point sees a face only from more than this height over it [m] */
  private slack = 0;

  /**
   * @param gjk search that found the overlap
   * @returns false if the difference is flat, with no volume to search
   */
  run(a: Placed, b: Placed, gjk: Gjk): boolean {
    this.faces = 0;
    if (!this.start(a, b, gjk)) return false;
    let size = 0;
    for (let i = 0; i < this.count; i++) size = Math.max(size, this.squared(i));
    const tolerance = GAP * Math.sqrt(size);
    this.slack = 1e-3 * tolerance;
    let best = this.nearest();
    while (this.count < MAX_POINTS && this.faces < MAX_FACES - this.count) {
      const { normals: n, points: p } = this;
      const w = this.addSupport(a, b, n, 3 * best, 1);
      const o = CORNER * w;
      const reach = n[3 * best] * p[o] + n[3 * best + 1] * p[o + 1] + n[3 * best + 2] * p[o + 2];
      if (reach - this.distances[best] <= tolerance || this.isKnown(w)) break;
      if (!this.expand(w)) break;
      best = this.nearest();
    }
    this.finish(best, tolerance);
    return true;
  }

  private squared(i: number): number {
    const p = this.points;
    const o = CORNER * i;
    return p[o] * p[o] + p[o + 1] * p[o + 1] + p[o + 2] * p[o + 2];
  }

  /** Support point of A − B in a direction, that from `from` on times `sign`; returns its number. */
  private addSupport(a: Placed, b: Placed, direction: Float64Array, from: number, sign: number): number {
    const i = this.count++;
    const p = this.points;
    const o = CORNER * i;
    this.ids[2 * i] = support(a, direction, from, sign, p, o + 3);
    this.ids[2 * i + 1] = support(b, direction, from, -sign, p, o + 6);
    for (let k = 0; k < 3; k++) p[o + k] = p[o + 3 + k] - p[o + 6 + k];
    return i;
  }

  private isKnown(w: number): boolean {
    const p = this.points;
    const o = CORNER * w;
    for (let i = 0; i < w; i++) {
      const k = CORNER * i;
      if (p[k] === p[o] && p[k + 1] === p[o + 1] && p[k + 2] === p[o + 2]) return true;
    }
    return false;
  }

  /**
   * Makes a tetrahedron from the simplex of GJK, with corners added if it has fewer than four. The tetrahedron need not
   * hold the origin: faces that have the origin outside are the nearest, with negative distances, and grow first.
   */
  private start(a: Placed, b: Placed, gjk: Gjk): boolean {
    this.count = gjk.size;
    for (let i = 0; i < CORNER * gjk.size; i++) this.points[i] = gjk.simplex[i];
    for (let i = 0; i < gjk.size; i++) {
      this.ids[2 * i] = gjk.idA[i];
      this.ids[2 * i + 1] = gjk.idB[i];
    }
    const p = this.points;
    if (this.count === 4 && this.isFlat()) this.count = 1;
    // Adds a second corner away from the first along some axis.
    for (let k = 0; k < 6 && this.count === 1; k++) {
      for (let c = 0; c < 3; c++) normal[c] = k >> 1 === c ? 1 : 0;
      const w = CORNER * this.addSupport(a, b, normal, 0, k & 1 ? -1 : 1);
      const d = Math.abs(p[w] - p[0]) + Math.abs(p[w + 1] - p[1]) + Math.abs(p[w + 2] - p[2]);
      if (d <= 1e-9 * (Math.abs(p[w]) + Math.abs(p[w + 1]) + Math.abs(p[w + 2]))) this.count--;
    }
    if (this.count === 1) return false;
    if (this.count === 2 && !this.addThird(a, b)) return false;
    if (this.count === 3 && !this.addFourth(a, b)) return false;
    if (this.volume() < 0) this.swapCorners(0, 1);
    if (this.volume() === 0) return false;
    this.addFace(0, 1, 2);
    this.addFace(0, 2, 3);
    this.addFace(0, 3, 1);
    this.addFace(1, 3, 2);
    return true;
  }

  /** Adds a third corner off the line through the first two, in one of six directions around that line. */
  private addThird(a: Placed, b: Placed): boolean {
    const p = this.points;
    const dx = p[CORNER] - p[0];
    const dy = p[CORNER + 1] - p[1];
    const dz = p[CORNER + 2] - p[2];
    const dd = dx * dx + dy * dy + dz * dz;
    // The direction is perpendicular to the line and to the axis that the line is least along.
    const ax = Math.abs(dx);
    const ay = Math.abs(dy);
    const az = Math.abs(dz);
    const e = ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2;
    const u = normal;
    u[0] = e === 0 ? 0 : e === 1 ? -dz : dy;
    u[1] = e === 0 ? dz : e === 1 ? 0 : -dx;
    u[2] = e === 0 ? -dy : e === 1 ? dx : 0;
    for (let k = 0; k < 6; k++) {
      const i = CORNER * this.addSupport(a, b, u, 0, 1);
      const wx = p[i] - p[0];
      const wy = p[i + 1] - p[1];
      const wz = p[i + 2] - p[2];
      const cx = dy * wz - dz * wy;
      const cy = dz * wx - dx * wz;
      const cz = dx * wy - dy * wx;
      if (cx * cx + cy * cy + cz * cz > 1e-20 * dd * (wx * wx + wy * wy + wz * wz)) return true;
      this.count--;
      // A sixth of a turn around the line: u cos 60° + (d × u)/|d| sin 60°.
      const s = Math.sqrt(0.75 / dd);
      const vx = 0.5 * u[0] + s * (dy * u[2] - dz * u[1]);
      const vy = 0.5 * u[1] + s * (dz * u[0] - dx * u[2]);
      u[2] = 0.5 * u[2] + s * (dx * u[1] - dy * u[0]);
      u[0] = vx;
      u[1] = vy;
    }
    return false;
  }

  private addFourth(a: Placed, b: Placed): boolean {
    const p = this.points;
    triangleNormal(p, 0, CORNER, 2 * CORNER, normal);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    for (let s = 1; s >= -1; s -= 2) {
      const i = CORNER * this.addSupport(a, b, normal, 0, s);
      const height = nx * (p[i] - p[0]) + ny * (p[i + 1] - p[1]) + nz * (p[i + 2] - p[2]);
      if (Math.abs(height) > 1e-12 * length * Math.sqrt(length)) return true;
      this.count--;
    }
    return false;
  }

  /** Six times the signed volume of the first four corners, positive if face (0, 1, 2) faces away from corner 3. */
  private volume(): number {
    const p = this.points;
    const b = CORNER;
    const c = 2 * CORNER;
    const d = 3 * CORNER;
    const ux = p[b] - p[0];
    const uy = p[b + 1] - p[1];
    const uz = p[b + 2] - p[2];
    const vx = p[c] - p[0];
    const vy = p[c + 1] - p[1];
    const vz = p[c + 2] - p[2];
    return -(
      (uy * vz - uz * vy) * (p[d] - p[0]) +
      (uz * vx - ux * vz) * (p[d + 1] - p[1]) +
      (ux * vy - uy * vx) * (p[d + 2] - p[2])
    );
  }

  /** Whether the first four corners have hardly any volume for their size. */
  private isFlat(): boolean {
    let size = 0;
    for (let i = 1; i < 4; i++)
      for (let k = 0; k < 3; k++) size = Math.max(size, Math.abs(this.points[CORNER * i + k] - this.points[k]));
    return !(Math.abs(this.volume()) > 1e-7 * size * size * size);
  }

  private swapCorners(i: number, j: number): void {
    for (let k = 0; k < CORNER; k++) {
      const t = this.points[CORNER * i + k];
      this.points[CORNER * i + k] = this.points[CORNER * j + k];
      this.points[CORNER * j + k] = t;
    }
    for (let k = 0; k < 2; k++) {
      const t = this.ids[2 * i + k];
      this.ids[2 * i + k] = this.ids[2 * j + k];
      this.ids[2 * j + k] = t;
    }
  }

  /** Adds a face, counter-clockwise seen from outside. A face without area gets no plane and is never the nearest. */
  private addFace(i: number, j: number, k: number): void {
    const f = this.faces++;
    const p = this.points;
    const a = CORNER * i;
    triangleNormal(p, a, CORNER * j, CORNER * k, normal);
    const length = lengthAt(normal, 0);
    const scale = length > 0 ? 1 / length : 0;
    for (let c = 0; c < 3; c++) this.normals[3 * f + c] = normal[c] *= scale;
    this.corners[3 * f] = i;
    this.corners[3 * f + 1] = j;
    this.corners[3 * f + 2] = k;
    this.distances[f] = scale > 0 ? normal[0] * p[a] + normal[1] * p[a + 1] + normal[2] * p[a + 2] : Infinity;
  }

  private nearest(): number {
    let best = 0;
    let least = Infinity;
    for (let f = 0; f < this.faces; f++) {
      if (this.distances[f] >= least) continue;
      least = this.distances[f];
      best = f;
    }
    return best;
  }

  /** Removes faces that see the new point, and joins the rim of the hole to that point. */
  private expand(w: number): boolean {
    const p = this.points;
    const o = CORNER * w;
    this.rimCount = 0;
    const { normals: n, distances, corners: c } = this;
    for (let f = 0; f < this.faces;) {
      const height = n[3 * f] * p[o] + n[3 * f + 1] * p[o + 1] + n[3 * f + 2] * p[o + 2] - distances[f];
      if (!(height > this.slack)) {
        f++;
        continue;
      }
      this.toggle(c[3 * f], c[3 * f + 1]);
      this.toggle(c[3 * f + 1], c[3 * f + 2]);
      this.toggle(c[3 * f + 2], c[3 * f]);
      // The last face takes the place of the removed one, and is tested next.
      const last = --this.faces;
      distances[f] = distances[last];
      for (let k = 0; k < 3; k++) {
        c[3 * f + k] = c[3 * last + k];
        n[3 * f + k] = n[3 * last + k];
      }
    }
    if (this.rimCount < 3) return false;
    for (let e = 0; e < this.rimCount; e++) this.addFace(this.rim[2 * e], this.rim[2 * e + 1], w);
    return true;
  }

  /** An edge between two removed faces is traversed in both directions, an edge on the rim only in one. */
  private toggle(from: number, to: number): void {
    const { rim } = this;
    for (let e = 0; e < this.rimCount; e++) {
      if (rim[2 * e] !== to || rim[2 * e + 1] !== from) continue;
      this.rimCount--;
      rim[2 * e] = rim[2 * this.rimCount];
      rim[2 * e + 1] = rim[2 * this.rimCount + 1];
      return;
    }
    rim[2 * this.rimCount] = from;
    rim[2 * this.rimCount + 1] = to;
    this.rimCount++;
  }

  /**
   * Computes closest points from the point of the boundary nearest to the origin. If several faces lie in the plane of
   * the nearest one, the face under the origin determines them.
   */
  private finish(nearest: number, tolerance: number): void {
    const p = this.points;
    const { normals, distances, corners, weights } = this;
    const limit = distances[nearest] + 10 * tolerance;
    let best = nearest;
    let most = this.weigh(nearest);
    for (let f = 0; f < this.faces && most < 0; f++) {
      if (distances[f] > limit) continue;
      const least = this.weigh(f);
      if (least <= most) continue;
      most = least;
      best = f;
    }
    this.weigh(best);
    this.nx = normals[3 * best];
    this.ny = normals[3 * best + 1];
    this.nz = normals[3 * best + 2];
    this.depth = Math.max(0, distances[best]);
    for (let k = 0; k < 3; k++) {
      this.pointA[k] = 0;
      this.pointB[k] = 0;
      const corner = corners[3 * best + k];
      this.idA[k] = this.ids[2 * corner];
      this.idB[k] = this.ids[2 * corner + 1];
    }
    for (let i = 0; i < 3; i++) {
      const o = CORNER * corners[3 * best + i];
      const w = Math.max(0, weights[i]);
      for (let k = 0; k < 3; k++) {
        this.pointA[k] += w * p[o + 3 + k];
        this.pointB[k] += w * p[o + 6 + k];
      }
    }
    const sum = Math.max(0, weights[0]) + Math.max(0, weights[1]) + Math.max(0, weights[2]);
    for (let k = 0; k < 3; k++) {
      this.pointA[k] /= sum;
      this.pointB[k] /= sum;
    }
  }

  /** Computes barycentric coordinates of the projection of the origin, with sum 1; returns the smallest. */
  private weigh(f: number): number {
    const { corners, weights } = this;
    const a = CORNER * corners[3 * f];
    const b = CORNER * corners[3 * f + 1];
    const c = CORNER * corners[3 * f + 2];
    this.part(f, b, c, 0);
    this.part(f, c, a, 1);
    this.part(f, a, b, 2);
    const sum = weights[0] + weights[1] + weights[2];
    if (!(sum > 0)) weights.fill(1 / 3);
    else for (let k = 0; k < 3; k++) weights[k] /= sum;
    return sum > 0 ? Math.min(weights[0], weights[1], weights[2]) : -Infinity;
  }

  /** Writes n · (u × v) to a weight, for two corners u and v relative to the projection of the origin. */
  private part(f: number, u: number, v: number, to: number): void {
    const p = this.points;
    const n = this.normals;
    const d = this.distances[f];
    const nx = n[3 * f];
    const ny = n[3 * f + 1];
    const nz = n[3 * f + 2];
    const ux = p[u] - d * nx;
    const uy = p[u + 1] - d * ny;
    const uz = p[u + 2] - d * nz;
    const vx = p[v] - d * nx;
    const vy = p[v + 1] - d * ny;
    const vz = p[v + 2] - d * nz;
    this.weights[to] = nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx);
  }
}

const normal = new Float64Array(3);
