import { type Convex, ConvexKind } from "../shapes/convex";
import type { Placed } from "../shapes/placed";

/** Numbers of a body in the lists of an `Approach`: position and rotation; linear and angular velocity. */
const POSE = 7;
const TWIST = 6;
const NONE = new Float64Array();

/**
 * The motion of two polytopes in a step, at constant velocities. If they stay apart along a direction, nothing that could be found between
 * them acts in the step, and the search can end. One object is used for all pairs.
 */
export class Approach {
  /** distance up to which contacts act all the same [m], infinite if nothing is known about the motion; and its length [s]: fields would need memory with each change */
  readonly given = Float64Array.of(Infinity, 0);
  /** POSE numbers a body: middle of mass [m], and rotation */
  poses = NONE;
  /** TWIST numbers a body [m/s] */
  velocities = NONE;
  /** `near` for the cores */
  private limit = Infinity;
  /** middle of mass of A and of B, way of A relative to B, turn of A and of B: 3 numbers each, in the working frame [m] */
  private readonly local = new Float64Array(15);
  private isLocal = false;
  /** the two bodies, and the frame of A */
  private a = 0;
  private b = 0;
  private frame: Float64Array = NONE;

  get isKnown(): boolean {
    return this.limit < Infinity;
  }

  /** Takes over the motion of two bodies that are a polytope each, with A's frame in the world as the working frame. */
  take(a: number, polytopeA: Convex, frame: Float64Array, b: number, polytopeB: Convex): void {
    this.limit = this.given[0] + polytopeA.radius + polytopeB.radius;
    this.isLocal = false;
    this.a = a;
    this.b = b;
    this.frame = frame;
  }

  /** Writes `local`. Polytopes that are near do not need it. */
  private place(): void {
    const { local, poses, velocities, a, b, frame } = this;
    this.isLocal = true;
    const h = this.given[1];
    const p = POSE * a;
    const q = POSE * b;
    const u = TWIST * a;
    const v = TWIST * b;
    const wx = h * (velocities[u] - velocities[v]);
    const wy = h * (velocities[u + 1] - velocities[v + 1]);
    const wz = h * (velocities[u + 2] - velocities[v + 2]);
    for (let i = 0; i < 3; i++) {
      const x = frame[i];
      const y = frame[3 + i];
      const z = frame[6 + i];
      local[i] = x * (poses[p] - frame[9]) + y * (poses[p + 1] - frame[10]) + z * (poses[p + 2] - frame[11]);
      local[3 + i] = x * (poses[q] - frame[9]) + y * (poses[q + 1] - frame[10]) + z * (poses[q + 2] - frame[11]);
      local[6 + i] = x * wx + y * wy + z * wz;
      local[9 + i] = h * (x * velocities[u + 3] + y * velocities[u + 4] + z * velocities[u + 5]);
      local[12 + i] = h * (x * velocities[v + 3] + y * velocities[v + 4] + z * velocities[v + 5]);
    }
  }

  /**
   * Whether two cores that are `distance` apart along a unit normal n from A to B [m] stay further apart than `near`. A point p with
   * velocity v + ω × (p − c) goes by n·v + (p − c)·(n × ω) along n, so the furthest point after the motion is that in direction n + n × ω.
   *
   * @param a placed in its own frame
   */
  excludes(a: Placed, b: Placed, distance: number, nx: number, ny: number, nz: number): boolean {
    if (distance <= this.limit) return false;
    if (!this.isLocal) this.place();
    const m = this.local;
    const ax = ny * m[11] - nz * m[10];
    const ay = nz * m[9] - nx * m[11];
    const az = nx * m[10] - ny * m[9];
    const bx = nz * m[13] - ny * m[14];
    const by = nx * m[14] - nz * m[12];
    const bz = ny * m[12] - nx * m[13];
    const highest = heightOf(a, nx + ax, ny + ay, nz + az) - (ax * m[0] + ay * m[1] + az * m[2]);
    const lowest = heightOf(b, bx - nx, by - ny, bz - nz) - (bx * m[3] + by * m[4] + bz * m[5]);
    return -lowest - highest - (nx * m[6] + ny * m[7] + nz * m[8]) > this.limit;
  }
}

/** Largest x·d over the points of a polytope, which needs no `fill`. */
export function heightOf({ convex, frame: f }: Placed, dx: number, dy: number, dz: number): number {
  // A direction in the polytope's frame turns by the transpose of its matrix.
  const x = f[0] * dx + f[3] * dy + f[6] * dz;
  const y = f[1] * dx + f[4] * dy + f[7] * dz;
  const z = f[2] * dx + f[5] * dy + f[8] * dz;
  let most = -Infinity;
  if (convex.kind === ConvexKind.box)
    most = convex.halfX * Math.abs(x) + convex.halfY * Math.abs(y) + convex.halfZ * Math.abs(z);
  else {
    const { vertices: v } = convex;
    for (let i = 0; i < v.length; i += 3) {
      const d = v[i] * x + v[i + 1] * y + v[i + 2] * z;
      if (d > most) most = d;
    }
  }
  return most + f[9] * dx + f[10] * dy + f[11] * dz;
}

/** Nothing is known about the motion. */
export const anyApproach = new Approach();
