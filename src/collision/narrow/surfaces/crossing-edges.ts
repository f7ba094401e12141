import { IdList, resized } from "../../../math/arrays";
import { closestOnSegments, SegmentPair } from "../convex/segment-pair";
import { ContactKind } from "../contact-buffer";
import { edgeFeature } from "../feature";
import { applyFrame, toLocal } from "../frame";
import { Manifold, mix } from "../manifold";
import { type Gathered, normalName } from "./gathered";
import { mayPush, SLACK } from "./surface-cone";
import { EdgeState, SLENDER, SurfaceTriangle, type TriangleSurface } from "./triangle-surface";

/** Triangles of A that are near each other, so that they share a list of edges of B. */
const GROUP = 16;
/**
 * Edges push along directions between the normals of their faces alone, within this sine: `mayPush` allows a corner that much where the face
 * is not slender.
 */
const ASIDE = SLENDER * SLACK;
/** Part of a length by which it may be wrong. */
const ROUNDING = 1e-9;

/**
 * Numbers of an edge of B in the frame of A: its middle, half its length, its direction d (not of unit length), then d × n and m × d, divided by
 * the length of d, for the normals n and m of its faces. A direction between the normals is along both; zeros where it may be any.
 */
const EDGE = 13;
const HALF = 3;
const WAY = 4;
const OWN = 7;
const ACROSS = 10;

const near = new IdList();
const triangleA = new SurfaceTriangle();
const triangleB = new SurfaceTriangle();
const around = new Float64Array(6);
const corner = new Float64Array(3);
/** point and direction of a contact in the frame of B */
const onB = new Float64Array(6);
const found = new Manifold();
const segments = new SegmentPair();
const edgeA = new Float64Array(6);
const edgeB = new Float64Array(6);
/** of the edge of A: see EDGE */
const mine = new Float64Array(EDGE);

/** Edges of B that may touch a group of triangles of A, and for each its triangle and its place there. */
let edges = new Float64Array(256 * EDGE);
const owners = new IdList();
const places = new IdList();

/**
 * Contacts of edges that cross, of triangles of A with B; arguments as of `collideSurfaces`.
 *
 * Most pairs of edges lean away from each other: a pair can touch along the normal of both alone, which has to be between the normals of
 * the faces at either edge. That is tested first, roughly, since it takes next to nothing.
 *
 * @param toB frame of A in that of B
 * @param depth largest depth of contacts [m]
 */
export function crossEdges(
  a: TriangleSurface,
  { items, count }: IdList,
  toB: Float64Array,
  frame: Float64Array,
  b: TriangleSurface,
  margin: number,
  depth: number,
  out: Gathered,
): void {
  const reach = Math.max(margin, depth);
  for (let first = 0; first < count; first += GROUP) {
    const end = Math.min(first + GROUP, count);
    gather(a, items, first, end, toB, frame, b, reach);
    if (owners.count === 0) continue;
    for (let i = first; i < end; i++) {
      a.fetch(items[i], triangleA);
      for (let k = 0; k < 3; k++) if (isActive(triangleA, k)) edgeAgainst(a, k, toB, frame, b, margin, depth, out);
    }
  }
}

function isActive({ edges: states, ownsEdge }: SurfaceTriangle, k: number): boolean {
  return states[k] !== EdgeState.inactive && ownsEdge[k] !== 0;
}

/** Lists the edges of B within reach of triangles of A. */
function gather(
  a: TriangleSurface,
  list: ArrayLike<number>,
  first: number,
  end: number,
  toB: Float64Array,
  frame: Float64Array,
  b: TriangleSurface,
  reach: number,
): void {
  owners.count = places.count = 0;
  for (let c = 0; c < 3; c++) {
    around[c] = Infinity;
    around[3 + c] = -Infinity;
  }
  for (let i = first; i < end; i++) {
    a.fetch(list[i], triangleA);
    for (let k = 0; k < 3; k++) {
      applyFrame(toB, triangleA.convex.vertices, 3 * k, 1, corner, 0);
      for (let c = 0; c < 3; c++) {
        around[c] = Math.min(around[c], corner[c] - reach);
        around[3 + c] = Math.max(around[3 + c], corner[c] + reach);
      }
    }
  }
  near.count = 0;
  b.query(around, near);
  for (let i = 0; i < near.count; i++) {
    b.fetch(near.items[i], triangleB);
    for (let k = 0; k < 3; k++) {
      if (!isActive(triangleB, k)) continue;
      const at = EDGE * owners.count;
      if (at + EDGE > edges.length) edges = resized(edges, new Float64Array(2 * edges.length));
      readEdge(triangleB, k, frame, edgeB);
      describe(b.isSlender, triangleB, k, edgeB, edges, at);
      toLocal(toB, edges, at + OWN, 0, edges, at + OWN);
      toLocal(toB, edges, at + ACROSS, 0, edges, at + ACROSS);
      owners.push(near.items[i]);
      places.push(k);
    }
  }
}

/** Ends of an edge of B in the frame of A. */
function readEdge(t: SurfaceTriangle, k: number, frame: Float64Array, out: Float64Array): void {
  applyFrame(frame, t.convex.vertices, 3 * k, 1, out, 0);
  applyFrame(frame, t.convex.vertices, k === 2 ? 0 : 3 * k + 3, 1, out, 3);
}

/** Writes the numbers of an edge, see EDGE, of which the last six in the frame of its triangle, or zeros if `isAny`. */
function describe(isAny: boolean, t: SurfaceTriangle, k: number, e: Float64Array, out: Float64Array, at: number): void {
  let square = 0;
  for (let c = 0; c < 3; c++) {
    out[at + c] = 0.5 * (e[c] + e[3 + c]);
    out[at + WAY + c] = e[3 + c] - e[c];
    square += out[at + WAY + c] * out[at + WAY + c];
  }
  const length = Math.sqrt(square);
  out[at + HALF] = 0.5 * length;
  out.fill(0, at + OWN, at + EDGE);
  if (isAny) return;
  const { vertices: v, faceNormals: n } = t.convex;
  const from = 3 * k;
  const to = k === 2 ? 0 : from + 3;
  const x = (v[to] - v[from]) / length;
  const y = (v[to + 1] - v[from + 1]) / length;
  const z = (v[to + 2] - v[from + 2]) / length;
  out[at + OWN] = y * n[2] - z * n[1];
  out[at + OWN + 1] = z * n[0] - x * n[2];
  out[at + OWN + 2] = x * n[1] - y * n[0];
  // Zero at a rim.
  const m = t.across;
  out[at + ACROSS] = m[from + 1] * z - m[from + 2] * y;
  out[at + ACROSS + 1] = m[from + 2] * x - m[from] * z;
  out[at + ACROSS + 2] = m[from] * y - m[from + 1] * x;
}

/** Edge `i` of `triangleA` against the edges of B in the list. */
function edgeAgainst(
  a: TriangleSurface,
  i: number,
  toB: Float64Array,
  frame: Float64Array,
  b: TriangleSurface,
  margin: number,
  depth: number,
  out: Gathered,
): void {
  const v = triangleA.convex.vertices;
  for (let c = 0; c < 3; c++) {
    edgeA[c] = v[3 * i + c];
    edgeA[3 + c] = v[(i === 2 ? 0 : 3 * i + 3) + c];
  }
  describe(a.isSlender, triangleA, i, edgeA, mine, 0);
  const [mx, my, mz] = [mine[0], mine[1], mine[2]];
  const [ex, ey, ez] = [mine[WAY], mine[WAY + 1], mine[WAY + 2]];
  const far = Math.max(margin, depth) + mine[HALF];
  const e = edges;
  for (let j = 0, at = 0; j < owners.count; j++, at += EDGE) {
    const x = e[at] - mx;
    const y = e[at + 1] - my;
    const z = e[at + 2] - mz;
    const most = (1 + ROUNDING) * (far + e[at + HALF]);
    if (x * x + y * y + z * z > most * most) continue;
    const nx = ey * e[at + WAY + 2] - ez * e[at + WAY + 1];
    const ny = ez * e[at + WAY] - ex * e[at + WAY + 2];
    const nz = ex * e[at + WAY + 1] - ey * e[at + WAY];
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const least = -ASIDE * size;
    const p = nx * mine[OWN] + ny * mine[OWN + 1] + nz * mine[OWN + 2];
    const q = nx * mine[ACROSS] + ny * mine[ACROSS + 1] + nz * mine[ACROSS + 2];
    const r = nx * e[at + OWN] + ny * e[at + OWN + 1] + nz * e[at + OWN + 2];
    const s = nx * e[at + ACROSS] + ny * e[at + ACROSS + 1] + nz * e[at + ACROSS + 2];
    // Out of A or into it: that depends on the ends of the edges.
    const isOut = p >= least && q >= least && r <= -least && s <= -least;
    if (!isOut && !(p <= -least && q <= -least && r >= least && s >= least)) continue;
    const triangle = owners.items[j];
    b.fetch(triangle, triangleB);
    readEdge(triangleB, places.items[j], frame, edgeB);
    if (crossing(a, i, b, toB, margin, depth)) out.add(found, 0, a.source(triangleA.index), b.source(triangle));
  }
}

/** The contact of `edgeA` with `edgeB`, edge `i` of `triangleA`, in A's frame, if they cross inside both: `found`. */
function crossing(
  a: TriangleSurface,
  i: number,
  b: TriangleSurface,
  toB: Float64Array,
  margin: number,
  depth: number,
): boolean {
  closestOnSegments(edgeA, 0, 3, edgeB, 0, 3, segments);
  const { s, t } = segments;
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return false;
  const [ex, ey, ez] = [edgeA[3] - edgeA[0], edgeA[4] - edgeA[1], edgeA[5] - edgeA[2]];
  const [fx, fy, fz] = [edgeB[3] - edgeB[0], edgeB[4] - edgeB[1], edgeB[5] - edgeB[2]];
  let nx = ey * fz - ez * fy;
  let ny = ez * fx - ex * fz;
  let nz = ex * fy - ey * fx;
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(size * size > 1e-6 * (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz))) return false;
  // Outward of A: along the sum of the normals of the edge's two faces, or along the normal of its only face.
  const m = triangleA.convex.faceNormals;
  const c = triangleA.across;
  const both = triangleA.edges[i] === EdgeState.convex ? 1 : 0;
  const out = nx * (m[0] + both * c[3 * i]) + ny * (m[1] + both * c[3 * i + 1]) + nz * (m[2] + both * c[3 * i + 2]);
  const scale = (out < 0 ? -1 : 1) / size;
  nx *= scale;
  ny *= scale;
  nz *= scale;
  const [px, py, pz] = [edgeA[0] + s * ex, edgeA[1] + s * ey, edgeA[2] + s * ez];
  const [qx, qy, qz] = [edgeB[0] + t * fx, edgeB[1] + t * fy, edgeB[2] + t * fz];
  const separation = nx * (qx - px) + ny * (qy - py) + nz * (qz - pz);
  if (separation > margin || separation < -depth) return false;
  if (!mayPush(a, triangleA, px, py, pz, nx, ny, nz)) return false;
  onB.set([qx, qy, qz, -nx, -ny, -nz]);
  applyFrame(toB, onB, 0, 1, onB, 0);
  applyFrame(toB, onB, 3, 0, onB, 3);
  if (!mayPush(b, triangleB, onB[0], onB[1], onB[2], onB[3], onB[4], onB[5])) return false;
  found.begin(nx, ny, nz, ContactKind.edgeEdge);
  const name = normalName(nx, ny, nz);
  found.add(px, py, pz, qx, qy, qz, separation, mix(name, edgeFeature(0, 1)), edgeFeature(0, 2));
  return true;
}
