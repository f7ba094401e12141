import { IdList } from "../../../math/arrays";
import { ContactKind } from "../contact-buffer";
import { vertexFeature } from "../feature";
import { Footing } from "../shapes/footing";
import { applyFrame, frameBounds, identityFrame, relativeFrame } from "../frame";
import { crossEdges } from "./crossing-edges";
import { type Gathered, normalName } from "./gathered";
import { Manifold } from "../manifold";
import { SurfaceTriangle, type TriangleSurface } from "./triangle-surface";

/** Deeper overlaps, as a part of the smaller surface's least extent, are no contacts: triangles have no thickness. */
const DEPTH = 0.2;
/** The same for corners behind a ground, which is solid below: a part of the extent of the surface on it. */
const THROUGH = 0.5;

const trianglesA = new IdList();
const trianglesB = new IdList();
const triangleB = new SurfaceTriangle();
const bSeenFromA = new Float64Array(6);
const overlap = new Float64Array(6);
const around = new Float64Array(6);
const inverse = identityFrame();
const still = identityFrame();
const corner = new Float64Array(3);
const footing = new Footing();
const found = new Manifold();

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
  const { items, count } = trianglesA;
  for (let i = 0; i < count; i++) cornersBehind(a, items[i], inverse, frame, b, margin, depthInB, out);
  crossEdges(a, trianglesA, inverse, frame, b, margin, depth, out);
}

function leastExtent(box: Float64Array): number {
  // A flat surface has no extent along its normal.
  const extents = [box[3] - box[0], box[4] - box[1], box[5] - box[2]].filter((x) => x > 0);
  return extents.length > 0 ? Math.min(...extents) : 0;
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
    applyFrame(frame, triangleB.convex.vertices, 3 * k, 1, corner, 0);
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
    applyFrame(toB, v, 3 * k, 1, corner, 0);
    if (!footing.find(b, corner, margin, depth)) continue;
    const { point: p, normal: m, distance } = footing;
    const nx = -(frame[0] * m[0] + frame[1] * m[1] + frame[2] * m[2]);
    const ny = -(frame[3] * m[0] + frame[4] * m[1] + frame[5] * m[2]);
    const nz = -(frame[6] * m[0] + frame[7] * m[1] + frame[8] * m[2]);
    applyFrame(frame, p, 0, 1, corner, 0);
    found.begin(nx, ny, nz, ContactKind.vertexFace);
    const name = vertexFeature(3 * triangle + k);
    const face = normalName(m[0], m[1], m[2]);
    found.add(v[3 * k], v[3 * k + 1], v[3 * k + 2], corner[0], corner[1], corner[2], distance, name, face);
    out.add(found, 0, source, footing.triangle);
  }
}
