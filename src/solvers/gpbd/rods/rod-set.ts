/**
 * Rods of a body: chains of edges whose material bends and twists. Stretch is an energy term of kind `distance`, see rod-stretch.ts.
 *
 * As in discrete elastic rods (Bergou et al. 2008, 2010) each edge has a frame of the material whose third axis is along the
 * edge, and one coordinate besides the positions of its ends: the angle φ by which the frame has turned about the edge since
 * the start of the time step, while it was carried along without turning when the edge changed its direction. So a joint of
 * two edges is an element of GPBD with eleven coordinates and three strains, see strains/rod.ts.
 *
 * φ has an inertia. That of a thin rod, ½ m r², is so small beside the stiffness that a sweep would not get far; the axis is
 * given at least ¼ m l², with the edge's length l, for which waves of twist pass as many edges a step as those of bending.
 */

import { sinCos } from "../../../math/deterministic";

export interface RodSet {
  /** of the circular cross-section [m] */
  readonly radius: number;
  /** edgeCount × 2 particles, from the start of a rod to its end */
  readonly edges: Uint32Array;
  /** edgeCount × 4, unit quaternions x, y, z, w: the frames at the start */
  readonly frames: Float64Array;
  /** edgeCount, of turning about the edge [kg m²] */
  readonly inertias: Float64Array;
  readonly jointCount: number;
  /** jointCount × 3 particles: before, at and after the joint; sorted by colour */
  readonly vertices: Uint32Array;
  /** jointCount × 2 edges */
  readonly joints: Uint32Array;
  /** jointCount × `REST`: κ̄₁, κ̄₂, sin and cos of half of τ̄, and the roots √k₁, √k₂, √k₃ of the stiffnesses [√(N m)] */
  readonly rest: Float64Array;
  /** joints of colour c, which share no particle: colours[c] … colours[c + 1] − 1 */
  readonly colours: Uint32Array;
  /** Kelvin-Voigt damping time of bending and twist [s] */
  readonly damping: number;
}

/** Numbers of rest data for a joint. */
export const REST = 7;

/** Third axis of a frame: R(q) e₃. */
export function axisOf(q: ArrayLike<number>, at: number, out: Float64Array): void {
  const x = q[at];
  const y = q[at + 1];
  const z = q[at + 2];
  const w = q[at + 3];
  out[0] = 2 * (x * z + w * y);
  out[1] = 2 * (y * z - w * x);
  out[2] = 1 - 2 * (x * x + y * y);
}

const axis = new Float64Array(3);
const way = new Float64Array(4);
const angle = new Float64Array(2);

/**
 * A frame after its edge took another direction and the frame turned by φ about the edge: q = P(t⁻ → t) q⁻ R(e₃, φ), where P is
 * the shortest turn. If the edge reversed in one step, there is no shortest turn, and any half turn across the edge is as good.
 *
 * @param q frames; q⁻ begins at `at`
 * @param way unit direction t of the edge, and φ / 2 [rad]: V8 would allocate numbers for a function that it doesn't inline
 * @param out takes q from `to` on, of unit length
 */
export function carryFrame(q: ArrayLike<number>, at: number, way: Float64Array, out: Float64Array, to: number): void {
  const tx = way[0];
  const ty = way[1];
  const tz = way[2];
  const x = q[at];
  const y = q[at + 1];
  const z = q[at + 2];
  const w = q[at + 3];
  axisOf(q, at, axis);
  let px = axis[1] * tz - axis[2] * ty;
  let py = axis[2] * tx - axis[0] * tz;
  let pz = axis[0] * ty - axis[1] * tx;
  let pw = 1 + axis[0] * tx + axis[1] * ty + axis[2] * tz;
  if (pw < 1e-9) {
    // across t⁻: along the first axis of the frame
    px = 1 - 2 * (y * y + z * z);
    py = 2 * (x * y + w * z);
    pz = 2 * (x * z - w * y);
    pw = 0;
  }
  angle[0] = way[3];
  sinCos(angle);
  const s = angle[0];
  const c = angle[1];
  // q⁻ R(e₃, φ)
  const ax = c * x + s * y;
  const ay = c * y - s * x;
  const az = c * z + s * w;
  const aw = c * w - s * z;
  const rx = pw * ax + px * aw + py * az - pz * ay;
  const ry = pw * ay + py * aw + pz * ax - px * az;
  const rz = pw * az + pz * aw + px * ay - py * ax;
  const rw = pw * aw - px * ax - py * ay - pz * az;
  const length = Math.sqrt(rx * rx + ry * ry + rz * rz + rw * rw);
  out[to] = rx / length;
  out[to + 1] = ry / length;
  out[to + 2] = rz / length;
  out[to + 3] = rw / length;
}

/**
 * Frames of edges that carry the first one along from edge to edge without turning it. An edge without length has the
 * frame of the edge before it.
 *
 * @param edges edgeCount × 2 particles of one rod, in order
 * @param twist angle that the frames turn by about the edges, from the first to the last [rad]
 */
export function untwistedFrames(positions: ArrayLike<number>, edges: ArrayLike<number>, twist = 0): Float64Array {
  const count = edges.length / 2;
  const frames = new Float64Array(4 * count);
  frames[3] = 1;
  followEdge(positions, edges, 0, 0, [0, 0, 0, 1], 0, frames);
  for (let e = 1; e < count; e++) {
    frames.copyWithin(4 * e, 4 * e - 4, 4 * e);
    followEdge(positions, edges, e, (0.5 * twist) / (count - 1), frames, 4 * e - 4, frames);
  }
  return frames;
}

/** `carryFrame` to an edge as it is now; an edge without length keeps the frame. */
export function followEdge(
  positions: ArrayLike<number>,
  edges: ArrayLike<number>,
  e: number,
  half: number,
  q: ArrayLike<number>,
  at: number,
  out: Float64Array,
): void {
  const a = 3 * edges[2 * e];
  const b = 3 * edges[2 * e + 1];
  const x = positions[b] - positions[a];
  const y = positions[b + 1] - positions[a + 1];
  const z = positions[b + 2] - positions[a + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > 0) {
    way[0] = x / length;
    way[1] = y / length;
    way[2] = z / length;
    way[3] = half;
    carryFrame(q, at, way, out, 4 * e);
  }
}

/** q̄₀ q₁ with the sign for which w is not negative. */
export function relativeTurn(
  q0: ArrayLike<number>,
  at0: number,
  q1: ArrayLike<number>,
  at1: number,
  out: Float64Array,
): void {
  const x = -q0[at0];
  const y = -q0[at0 + 1];
  const z = -q0[at0 + 2];
  const w = q0[at0 + 3];
  const a = q1[at1];
  const b = q1[at1 + 1];
  const c = q1[at1 + 2];
  const d = q1[at1 + 3];
  const real = w * d - x * a - y * b - z * c;
  const sign = real < 0 ? -1 : 1;
  out[0] = sign * (w * a + x * d + y * c - z * b);
  out[1] = sign * (w * b + y * d + z * a - x * c);
  out[2] = sign * (w * c + z * d + x * b - y * a);
  out[3] = sign * real;
}
