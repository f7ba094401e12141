import { boxOf, sizeOf } from "../../geometry/box";
import { triangleNormal } from "../../geometry/triangles/triangle";

/** Number of lattice cells along the longest side of the box around the points. */
const CELLS = 0x1000000;
/** Cross products have 50 bits; upper and lower halves of them are multiplied without rounding. */
const HALF = 0x2000000;
const normal = new Float64Array(3);

/**
 * Points on a lattice of whole numbers, 24 bits a coordinate: as fine as f32. On the lattice, the side of a plane on
 * which a point lies is exact, without rounding, so that a hull built from such answers is a polytope for any points.
 */
export class Lattice {
  readonly count: number;
  /** 3 a point */
  readonly points: Float64Array;
  /** length of a cell [m] */
  readonly unit: number;

  /** @param points n × 3 [m], finite */
  constructor(points: ArrayLike<number>) {
    this.count = points.length / 3;
    const box = boxOf(points);
    const { min: low } = box;
    const size = Math.max(0, sizeOf(box));
    this.unit = size / CELLS;
    this.points = new Float64Array(points.length);
    // Coincident points have no size.
    if (size > 0)
      for (let i = 0; i < points.length; i++) this.points[i] = Math.round(((points[i] - low[i % 3]) / size) * CELLS);
  }
}

/** A plane through three points of a lattice. */
export class LatticePlane {
  /** 1 / ‖n‖, n = (b − a) × (c − a) */
  readonly scale: number;
  /** upper halves of n, and the remainders */
  private readonly hx: number;
  private readonly hy: number;
  private readonly hz: number;
  private readonly lx: number;
  private readonly ly: number;
  private readonly lz: number;
  /** the point a */
  private readonly ax: number;
  private readonly ay: number;
  private readonly az: number;
  private readonly points: Float64Array;

  constructor({ points: p }: Lattice, a: number, b: number, c: number) {
    const [i, j, k] = [3 * a, 3 * b, 3 * c];
    triangleNormal(p, i, j, k, normal);
    const [x, y, z] = normal;
    this.hx = Math.floor(x / HALF);
    this.hy = Math.floor(y / HALF);
    this.hz = Math.floor(z / HALF);
    this.lx = x - this.hx * HALF;
    this.ly = y - this.hy * HALF;
    this.lz = z - this.hz * HALF;
    this.ax = p[i];
    this.ay = p[i + 1];
    this.az = p[i + 2];
    this.points = p;
    this.scale = 1 / Math.sqrt(x * x + y * y + z * z);
  }

  /** n · (p − a): positive above the plane, negative below, zero on it. The sign is exact. */
  side(point: number): number {
    const { points: p } = this;
    const x = p[3 * point] - this.ax;
    const y = p[3 * point + 1] - this.ay;
    const z = p[3 * point + 2] - this.az;
    return (this.hx * x + this.hy * y + this.hz * z) * HALF + (this.lx * x + this.ly * y + this.lz * z);
  }

  /** Unit normal. */
  get normal(): [number, number, number] {
    const { scale } = this;
    return [(this.hx * HALF + this.lx) * scale, (this.hy * HALF + this.ly) * scale, (this.hz * HALF + this.lz) * scale];
  }
}
