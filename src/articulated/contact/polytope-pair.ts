/**
 * Contacts of two polytopes: first the axis of least overlap among faces and pairs of edges (Gregorius 2013, with his
 * test on the Gauss map for edges), then either one contact between two edges, or the other shape's face clipped to the
 * face that owns the axis.
 */
import { ContactKind, type ContactSet } from "./contact-set";
import { draft, emit, TOUCHING } from "./emit";
import type { Part } from "./part";

/** A pair of edges must be better than a face, and a face of B than one of A, by this part of overlap and size. */
const PREFERENCE = 1e-5;

const best = { separation: 0, index: 0 };

/** Contacts of two polytopes. */
export function collidePolytopes(set: ContactSet, pair: number, a: Part, b: Part, ia: number, ib: number): void {
  if (!faceAxis(a, b)) return;
  const separationA = best.separation;
  const faceA = best.index;
  if (!faceAxis(b, a)) return;
  const separationB = best.separation;
  const faceB = best.index;
  const size = Math.min(extent(a), extent(b));
  const fromB = separationB > separationA + PREFERENCE * size;
  if (!edgeAxis(a, b)) return;
  if (best.separation > Math.max(separationA, separationB) + PREFERENCE * size) edgeContact(set, pair, a, b, ia, ib);
  else if (fromB) faceContact(set, pair, a, b, faceB, ia, ib);
  else faceContact(set, pair, b, a, faceA, ib, ia);
}

function extent(part: Part): number {
  const { bounds } = part;
  return Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
}

/** Finds the face of `owner` with the largest distance to `other`. Returns false if they are apart along its normal. */
function faceAxis(owner: Part, other: Part): boolean {
  const { normals, offsets } = owner;
  const { points } = other;
  best.separation = -Infinity;
  for (let f = 0; f < offsets.length; f++) {
    const n0 = normals[3 * f];
    const n1 = normals[3 * f + 1];
    const n2 = normals[3 * f + 2];
    let least = Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const height = n0 * points[i] + n1 * points[i + 1] + n2 * points[i + 2];
      if (height < least) least = height;
    }
    least -= offsets[f];
    if (least > TOUCHING) return false;
    if (least > best.separation) {
      best.separation = least;
      best.index = f;
    }
  }
  return true;
}

const edgePair = { a: 0, b: 0, n: new Float64Array(3) };

/** Finds the pair of edges with the least overlap, among those that form a face of the Minkowski difference. */
function edgeAxis(a: Part, b: Part): boolean {
  const { points: p, normals: na } = a;
  const { points: q, normals: nb } = b;
  const edgesA = a.polytope!.edges;
  const edgesB = b.polytope!.edges;
  best.separation = -Infinity;
  for (let i = 0; i < edgesA.length; i += 4) {
    const a0 = 3 * edgesA[i];
    const a1 = 3 * edgesA[i + 1];
    const l = 3 * edgesA[i + 2];
    const r = 3 * edgesA[i + 3];
    const u0 = p[a1] - p[a0];
    const u1 = p[a1 + 1] - p[a0 + 1];
    const u2 = p[a1 + 2] - p[a0 + 2];
    for (let j = 0; j < edgesB.length; j += 4) {
      const c = 3 * edgesB[j + 2];
      const d = 3 * edgesB[j + 3];
      // Arcs cross if each separates the ends of the other, on the same half of the sphere; B's arc is mirrored.
      const cba = nb[c] * u0 + nb[c + 1] * u1 + nb[c + 2] * u2;
      const dba = nb[d] * u0 + nb[d + 1] * u1 + nb[d + 2] * u2;
      if (cba * dba >= 0) continue;
      const b0 = 3 * edgesB[j];
      const b1 = 3 * edgesB[j + 1];
      const v0 = q[b1] - q[b0];
      const v1 = q[b1 + 1] - q[b0 + 1];
      const v2 = q[b1 + 2] - q[b0 + 2];
      const adc = na[l] * v0 + na[l + 1] * v1 + na[l + 2] * v2;
      const bdc = na[r] * v0 + na[r + 1] * v1 + na[r + 2] * v2;
      if (adc * bdc >= 0 || cba * bdc >= 0) continue;
      let n0 = u1 * v2 - u2 * v1;
      let n1 = u2 * v0 - u0 * v2;
      let n2 = u0 * v1 - u1 * v0;
      const squared = n0 * n0 + n1 * n1 + n2 * n2;
      if (squared < 1e-8 * (u0 * u0 + u1 * u1 + u2 * u2) * (v0 * v0 + v1 * v1 + v2 * v2)) continue;
      let scale = 1 / Math.sqrt(squared);
      if (n0 * (na[l] + na[r]) + n1 * (na[l + 1] + na[r + 1]) + n2 * (na[l + 2] + na[r + 2]) < 0) scale = -scale;
      n0 *= scale;
      n1 *= scale;
      n2 *= scale;
      const separation = n0 * (q[b0] - p[a0]) + n1 * (q[b0 + 1] - p[a0 + 1]) + n2 * (q[b0 + 2] - p[a0 + 2]);
      if (separation > TOUCHING) return false;
      if (separation <= best.separation) continue;
      best.separation = separation;
      edgePair.a = i;
      edgePair.b = j;
      edgePair.n[0] = n0;
      edgePair.n[1] = n1;
      edgePair.n[2] = n2;
    }
  }
  return true;
}

function edgeContact(set: ContactSet, pair: number, a: Part, b: Part, ia: number, ib: number): void {
  const { points: p } = a;
  const { points: q } = b;
  const edgesA = a.polytope!.edges;
  const edgesB = b.polytope!.edges;
  const { n, xa, da, db } = draft;
  const a0 = 3 * edgesA[edgePair.a];
  const b0 = 3 * edgesB[edgePair.b];
  unit(p, a0, 3 * edgesA[edgePair.a + 1], da);
  unit(q, b0, 3 * edgesB[edgePair.b + 1], db);
  let k = 0;
  let du = 0;
  let dv = 0;
  for (let c = 0; c < 3; c++) {
    const d = q[b0 + c] - p[a0 + c];
    k += da[c] * db[c];
    du += da[c] * d;
    dv += db[c] * d;
    n[c] = -edgePair.n[c];
  }
  const s = (du - k * dv) / (1 - k * k);
  for (let c = 0; c < 3; c++) xa[c] = p[a0 + c] + s * da[c];
  draft.kind = ContactKind.EdgeEdge;
  draft.gap = best.separation;
  draft.featureA = 4096 + edgePair.a / 4;
  draft.featureB = 4096 + edgePair.b / 4;
  emit(set, pair, a, b, ia, ib);
}

function unit(points: Float64Array, from: number, to: number, out: Float64Array): void {
  const x = points[to] - points[from];
  const y = points[to + 1] - points[from + 1];
  const z = points[to + 2] - points[from + 2];
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  out[0] = x * scale;
  out[1] = y * scale;
  out[2] = z * scale;
}

// The polygon that is clipped: its corners, and the line of the edge that starts at each: edge k of A's face (k ≥ 0) or
// side s of B's face (-1 - s).
let polygon = new Float64Array(96);
let clipped = new Float64Array(96);
let lines = new Int32Array(32);
let clippedLines = new Int32Array(32);

/** Adds contacts of A's face opposite to face `face` of B, clipped to the sides of the latter. */
function faceContact(set: ContactSet, pair: number, a: Part, b: Part, face: number, ia: number, ib: number): void {
  const { n, xa, da, db } = draft;
  const { normals, offsets, points: q } = b;
  for (let c = 0; c < 3; c++) n[c] = normals[3 * face + c];
  const other = opposingFace(a, n);
  const startA = a.polytope!.faceStart[other];
  const verticesA = a.polytope!.faceVertices;
  const sidesA = a.polytope!.faceStart[other + 1] - startA;
  const startB = b.polytope!.faceStart[face];
  const verticesB = b.polytope!.faceVertices;
  const sidesB = b.polytope!.faceStart[face + 1] - startB;
  if (polygon.length < 3 * (sidesA + sidesB)) {
    const room = 2 * (sidesA + sidesB);
    polygon = new Float64Array(3 * room);
    clipped = new Float64Array(3 * room);
    lines = new Int32Array(room);
    clippedLines = new Int32Array(room);
  }
  for (let k = 0; k < sidesA; k++) {
    for (let c = 0; c < 3; c++) polygon[3 * k + c] = a.points[3 * verticesA[startA + k] + c];
    lines[k] = k;
  }
  let count = sidesA;
  for (let s = 0; s < sidesB && count > 0; s++) {
    const from = 3 * verticesB[startB + s];
    sideNormal(q, from, 3 * verticesB[startB + ((s + 1) % sidesB)], n, db);
    const offset = db[0] * q[from] + db[1] * q[from + 1] + db[2] * q[from + 2];
    count = clipPolygon(count, db, offset, -1 - s);
  }
  for (let k = 0; k < count; k++) {
    const before = lines[k === 0 ? count - 1 : k - 1];
    const after = lines[k];
    for (let c = 0; c < 3; c++) xa[c] = polygon[3 * k + c];
    draft.gap = n[0] * xa[0] + n[1] * xa[1] + n[2] * xa[2] - offsets[face];
    if (before >= 0 && after >= 0) {
      draft.kind = ContactKind.PointFace;
      draft.featureA = verticesA[startA + after];
      draft.featureB = face;
    } else if (before < 0 && after < 0) {
      draft.kind = ContactKind.FaceOverCorner;
      for (let c = 0; c < 3; c++) da[c] = a.normals[3 * other + c];
      draft.featureA = other;
      draft.featureB = 2048 + verticesB[startB - 1 - after];
    } else {
      draft.kind = ContactKind.EdgeOverSide;
      const edge = Math.max(before, after);
      const side = -1 - Math.min(before, after);
      unit(a.points, 3 * verticesA[startA + edge], 3 * verticesA[startA + ((edge + 1) % sidesA)], da);
      sideNormal(q, 3 * verticesB[startB + side], 3 * verticesB[startB + ((side + 1) % sidesB)], n, db);
      draft.featureA = 4096 + 64 * (other % 32) + (edge % 64);
      draft.featureB = 4096 + 64 * (face % 32) + (side % 64);
    }
    emit(set, pair, a, b, ia, ib);
  }
}

function opposingFace(a: Part, n: Float64Array): number {
  let least = Infinity;
  let face = 0;
  for (let f = 0; f < a.offsets.length; f++) {
    const along = a.normals[3 * f] * n[0] + a.normals[3 * f + 1] * n[1] + a.normals[3 * f + 2] * n[2];
    if (along < least) {
      least = along;
      face = f;
    }
  }
  return face;
}

/** Outward normal of the plane through an edge of the face, perpendicular to the face. */
function sideNormal(q: Float64Array, from: number, to: number, n: Float64Array, out: Float64Array): void {
  const x = q[to] - q[from];
  const y = q[to + 1] - q[from + 1];
  const z = q[to + 2] - q[from + 2];
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  out[0] = (y * n[2] - z * n[1]) * scale;
  out[1] = (z * n[0] - x * n[2]) * scale;
  out[2] = (x * n[1] - y * n[0]) * scale;
}

/** Keeps the part of the polygon with m·x ≤ offset (Sutherland & Hodgman 1974); new edges lie on `line`. */
function clipPolygon(count: number, m: Float64Array, offset: number, line: number): number {
  let kept = 0;
  for (let k = 0; k < count; k++) {
    const next = k + 1 < count ? k + 1 : 0;
    const here = m[0] * polygon[3 * k] + m[1] * polygon[3 * k + 1] + m[2] * polygon[3 * k + 2] - offset;
    const there = m[0] * polygon[3 * next] + m[1] * polygon[3 * next + 1] + m[2] * polygon[3 * next + 2] - offset;
    if (here <= 0) {
      for (let c = 0; c < 3; c++) clipped[3 * kept + c] = polygon[3 * k + c];
      clippedLines[kept++] = lines[k];
      if (there <= 0) continue;
      if (here === 0) {
        // A corner on the side plane itself gets no second one beside it.
        clippedLines[kept - 1] = line;
        continue;
      }
      cut(kept, k, next, here / (here - there));
      clippedLines[kept++] = line;
    } else if (there < 0) {
      cut(kept, k, next, here / (here - there));
      clippedLines[kept++] = lines[k];
    }
  }
  const points = polygon;
  polygon = clipped;
  clipped = points;
  const tags = lines;
  lines = clippedLines;
  clippedLines = tags;
  return kept;
}

function cut(to: number, from: number, next: number, t: number): void {
  for (let c = 0; c < 3; c++)
    clipped[3 * to + c] = polygon[3 * from + c] + t * (polygon[3 * next + c] - polygon[3 * from + c]);
}
