/**
 * Closest points of a vertex and a triangle, and of two edges. Both are given as weights w of four vertices with Σ w =
 * 0: the vector from the second point to the first is r = Σ wᵢ xᵢ.
 */
import { closestOnTriangle } from "../../geometry/triangles/triangle";

/** Vertex 0 and triangle 1 2 3, or edge 0 1 and edge 2 3. */
export const VERTEX_FACE = 0;
export const EDGE_EDGE = 1;

const corners = new Float64Array(9);
const closest = new Float64Array(7);

/**
 * @param kind `VERTEX_FACE` or `EDGE_EDGE`
 * @param x positions, particleCount × 3 [m]
 * @param v four vertices, from `at` on
 * @param w weights are written from `wAt` on
 * @param r r is written from `rAt` on [m]: its length is the distance
 */
export function closestPair(
  kind: number,
  x: Float64Array,
  v: Uint32Array,
  at: number,
  w: Float64Array,
  wAt: number,
  r: Float64Array,
  rAt: number,
): void {
  if (kind === VERTEX_FACE) vertexFace(x, v, at, w, wAt);
  else edgeEdge(x, v, at, w, wAt);
  const a = 3 * v[at];
  const b = 3 * v[at + 1];
  const c = 3 * v[at + 2];
  const d = 3 * v[at + 3];
  for (let i = 0; i < 3; i++)
    r[rAt + i] = w[wAt] * x[a + i] + w[wAt + 1] * x[b + i] + w[wAt + 2] * x[c + i] + w[wAt + 3] * x[d + i];
}

function vertexFace(x: Float64Array, v: Uint32Array, at: number, w: Float64Array, wAt: number): void {
  for (let k = 0; k < 3; k++) {
    const corner = 3 * v[at + 1 + k];
    corners[3 * k] = x[corner];
    corners[3 * k + 1] = x[corner + 1];
    corners[3 * k + 2] = x[corner + 2];
  }
  const p = 3 * v[at];
  closestOnTriangle(corners, 0, x, p, closest);
  w[wAt] = 1;
  for (let k = 0; k < 3; k++) w[wAt + 1 + k] = -closest[3 + k];
}

/** Closest points of two segments (Ericson, Real-Time Collision Detection, 5.1.9). */
function edgeEdge(x: Float64Array, v: Uint32Array, at: number, w: Float64Array, wAt: number): void {
  const p = 3 * v[at];
  const q = 3 * v[at + 2];
  const p1 = 3 * v[at + 1];
  const q1 = 3 * v[at + 3];
  const ux = x[p1] - x[p];
  const uy = x[p1 + 1] - x[p + 1];
  const uz = x[p1 + 2] - x[p + 2];
  const vx = x[q1] - x[q];
  const vy = x[q1 + 1] - x[q + 1];
  const vz = x[q1 + 2] - x[q + 2];
  const rx = x[p] - x[q];
  const ry = x[p + 1] - x[q + 1];
  const rz = x[p + 2] - x[q + 2];
  // An edge may have collapsed to a point: any parameter is right then.
  const a = Math.max(TINY, ux * ux + uy * uy + uz * uz);
  const e = Math.max(TINY, vx * vx + vy * vy + vz * vz);
  const b = ux * vx + uy * vy + uz * vz;
  const c = ux * rx + uy * ry + uz * rz;
  const f = vx * rx + vy * ry + vz * rz;
  const determinant = a * e - b * b;
  // Nearly parallel edges have many closest points: the middle of the first edge is as good as any, and does not jump.
  let s = determinant > PARALLEL * a * e ? (b * f - c * e) / determinant : 0.5;
  s = s > 0 ? (s < 1 ? s : 1) : 0;
  let t = (b * s + f) / e;
  if (t < 0 || t > 1) {
    s = (t < 0 ? -c : b - c) / a;
    s = s > 0 ? (s < 1 ? s : 1) : 0;
    t = t < 0 ? 0 : 1;
  }
  w[wAt] = 1 - s;
  w[wAt + 1] = s;
  w[wAt + 2] = t - 1;
  w[wAt + 3] = -t;
}

/** Whether two edges are parallel: any of many points is the closest one. */
export function areParallel(x: ArrayLike<number>, v: ArrayLike<number>, at: number): boolean {
  let [a, b, e] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    const u = x[3 * v[at + 1] + c] - x[3 * v[at] + c];
    const w = x[3 * v[at + 3] + c] - x[3 * v[at + 2] + c];
    a += u * u;
    b += u * w;
    e += w * w;
  }
  return a * e - b * b <= PARALLEL * a * e;
}

/** sin² of the angle below which edges count as parallel. */
const PARALLEL = 1e-6;
const TINY = 1e-30;
