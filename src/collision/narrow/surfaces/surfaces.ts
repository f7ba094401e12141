import { IdList } from "../../../math/arrays";
import { ContactKind } from "../contact-buffer";
import { edgeFeature, vertexFeature } from "../feature";
import { Footing } from "../shapes/footing";
import { frameBounds, identityFrame, relativeFrame } from "../frame";
import { type Gathered, normalName } from "./gathered";
import { Manifold, mix } from "../manifold";
import { closestOnSegments, SegmentPair } from "../convex/segment-pair";
import { mayPush } from "./surface-cone";
import { EdgeState, SurfaceTriangle, type TriangleSurface } from "./triangle-surface";

/** Deeper overlaps, as a part of the smaller surface's least extent, are no contacts: triangles have no thickness. */
const DEPTH = 0.2;
/** The same for corners behind a ground, which is solid below: a part of the extent of the surface on it. */
const THROUGH = 0.5;

const trianglesA = new IdList();
const trianglesB = new IdList();
const triangleA = new SurfaceTriangle();
const triangleB = new SurfaceTriangle();
const bSeenFromA = new Float64Array(6);
const overlap = new Float64Array(6);
const around = new Float64Array(6);
const inverse = identityFrame();
const still = identityFrame();
const corner = new Float64Array(3);
const footing = new Footing();
const found = new Manifold();
const segments = new SegmentPair();
const edgeA = new Float64Array(6);
const edgeB = new Float64Array(6);

/**
 * Contacts of two surfaces of triangles, each the skin of a solid: corners of each surface that are near the other one
 * or just behind it, and crossing edges.
 *
 * @param frame frame of B in the frame of A
 * @param margin separation [m] up to which contacts are wanted
 * @param out receives the contacts, in the frame of A
 */
export function collideSurfaces(
  a: TriangleSurface,
  b: TriangleSurface,
  frame: Float64Array,
  margin: number,
  out: Gathered,
): void {
  out.clear();
  frameBounds(b.bounds, frame, bSeenFromA);
  const depth = DEPTH * Math.min(leastExtent(a.bounds), leastExtent(b.bounds));
  const depthInA = a.isClosed ? depth : THROUGH * leastExtent(b.bounds);
  const depthInB = b.isClosed ? depth : THROUGH * leastExtent(a.bounds);
  const reach = margin + Math.max(depthInA, depthInB);
  for (let k = 0; k < 3; k++) {
    overlap[k] = Math.max(bSeenFromA[k], a.bounds[k]) - reach;
    overlap[3 + k] = Math.min(bSeenFromA[3 + k], a.bounds[3 + k]) + reach;
    if (overlap[k] > overlap[3 + k]) return;
  }
  relativeFrame(frame, still, inverse);
  frameBounds(overlap, inverse, around);
  trianglesB.count = 0;
  b.query(around, trianglesB);
  for (let i = 0; i < trianglesB.count; i++) cornersAgainst(b, trianglesB.items[i], frame, a, margin, depthInA, out);
  trianglesA.count = 0;
  a.query(overlap, trianglesA);
  const count = trianglesA.count;
  const mine = trianglesA.items.slice(0, count);
  for (let i = 0; i < count; i++) cornersBehind(a, mine[i], inverse, frame, b, margin, depthInB, out);
  for (let i = 0; i < count; i++) edgesAgainst(a, mine[i], inverse, frame, b, margin, depth, out);
}

function leastExtent(box: Float64Array): number {
  // A flat surface has no extent along its normal.
  const extents = [box[3] - box[0], box[4] - box[1], box[5] - box[2]].filter((x) => x > 0);
  return extents.length > 0 ? Math.min(...extents) : 0;
}

function apply(f: Float64Array, p: Float64Array, at: number, out: Float64Array, to: number): void {
  for (let r = 0; r < 3; r++)
    out[to + r] = f[3 * r] * p[at] + f[3 * r + 1] * p[at + 1] + f[3 * r + 2] * p[at + 2] + f[9 + r];
}

/** Corners of a triangle of B against A. */
function cornersAgainst(
  b: TriangleSurface,
  triangle: number,
  frame: Float64Array,
  a: TriangleSurface,
  margin: number,
  depth: number,
  out: Gathered,
): void {
  b.fetch(triangle, triangleB);
  const source = b.source(triangle);
  for (let k = 0; k < 3; k++) {
    if (triangleB.ownsCorner[k] === 0) continue;
    apply(frame, triangleB.convex.vertices, 3 * k, corner, 0);
    if (!footing.find(a, corner, margin, depth)) continue;
    const { point: p, normal: n, distance } = footing;
    found.begin(n[0], n[1], n[2], ContactKind.faceVertex);
    const name = vertexFeature(3 * triangle + k);
    found.add(p[0], p[1], p[2], corner[0], corner[1], corner[2], distance, normalName(n[0], n[1], n[2]), name);
    out.add(found, 0, footing.triangle, source);
  }
}

/** Corners of a triangle of A against B; the results are transformed to the frame of A. */
function cornersBehind(
  a: TriangleSurface,
  triangle: number,
  toB: Float64Array,
  frame: Float64Array,
  b: TriangleSurface,
  margin: number,
  depth: number,
  out: Gathered,
): void {
  a.fetch(triangle, triangleB);
  const source = a.source(triangle);
  for (let k = 0; k < 3; k++) {
    if (triangleB.ownsCorner[k] === 0) continue;
    const v = triangleB.convex.vertices;
    apply(toB, v, 3 * k, corner, 0);
    if (!footing.find(b, corner, margin, depth)) continue;
    const { point: p, normal: m, distance } = footing;
    const nx = -(frame[0] * m[0] + frame[1] * m[1] + frame[2] * m[2]);
    const ny = -(frame[3] * m[0] + frame[4] * m[1] + frame[5] * m[2]);
    const nz = -(frame[6] * m[0] + frame[7] * m[1] + frame[8] * m[2]);
    apply(frame, p, 0, corner, 0);
    found.begin(nx, ny, nz, ContactKind.vertexFace);
    const name = vertexFeature(3 * triangle + k);
    const face = normalName(m[0], m[1], m[2]);
    found.add(v[3 * k], v[3 * k + 1], v[3 * k + 2], corner[0], corner[1], corner[2], distance, name, face);
    out.add(found, 0, source, footing.triangle);
  }
}

/** Edges of a triangle of A, in the frame of A, against those of B. */
function edgesAgainst(
  a: TriangleSurface,
  triangle: number,
  toB: Float64Array,
  frame: Float64Array,
  b: TriangleSurface,
  margin: number,
  depth: number,
  out: Gathered,
): void {
  a.fetch(triangle, triangleA);
  const v = triangleA.convex.vertices;
  for (let i = 0; i < 3; i++) {
    if (triangleA.edges[i] === EdgeState.inactive || triangleA.ownsEdge[i] === 0) continue;
    const j = i === 2 ? 0 : i + 1;
    apply(toB, v, 3 * i, edgeA, 0);
    apply(toB, v, 3 * j, edgeA, 3);
    const reach = Math.max(margin, depth);
    for (let k = 0; k < 3; k++) {
      around[k] = Math.min(edgeA[k], edgeA[3 + k]) - reach;
      around[3 + k] = Math.max(edgeA[k], edgeA[3 + k]) + reach;
      edgeA[k] = v[3 * i + k];
      edgeA[3 + k] = v[3 * j + k];
    }
    trianglesB.count = 0;
    b.query(around, trianglesB);
    for (let t = 0; t < trianglesB.count; t++) {
      b.fetch(trianglesB.items[t], triangleB);
      const sourceB = b.source(trianglesB.items[t]);
      for (let k = 0; k < 3; k++) {
        if (triangleB.edges[k] === EdgeState.inactive || triangleB.ownsEdge[k] === 0) continue;
        apply(frame, triangleB.convex.vertices, 3 * k, edgeB, 0);
        apply(frame, triangleB.convex.vertices, k === 2 ? 0 : 3 * k + 3, edgeB, 3);
        if (!crossing(a, i, b, toB, margin, depth)) continue;
        out.add(found, 0, a.source(triangle), sourceB);
      }
    }
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
  const g = toB;
  corner[0] = g[0] * qx + g[1] * qy + g[2] * qz + g[9];
  corner[1] = g[3] * qx + g[4] * qy + g[5] * qz + g[10];
  corner[2] = g[6] * qx + g[7] * qy + g[8] * qz + g[11];
  const bx = -(g[0] * nx + g[1] * ny + g[2] * nz);
  const by = -(g[3] * nx + g[4] * ny + g[5] * nz);
  const bz = -(g[6] * nx + g[7] * ny + g[8] * nz);
  if (!mayPush(b, triangleB, corner[0], corner[1], corner[2], bx, by, bz)) return false;
  found.begin(nx, ny, nz, ContactKind.edgeEdge);
  const name = normalName(nx, ny, nz);
  found.add(px, py, pz, qx, qy, qz, separation, mix(name, edgeFeature(0, 1)), edgeFeature(0, 2));
  return true;
}
