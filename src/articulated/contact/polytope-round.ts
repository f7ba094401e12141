/**
 * Spheres and capsules against polytopes. Every end of the core is tested against the polytope's faces, edges and
 * corners; the inside of a segment is tested against edges and corners.
 */
import { ContactKind, type ContactSet } from "./contact-set";
import { draft, emit, TOUCHING } from "./emit";
import { PartKind, type Part } from "./part";
import { lengthOf } from "../../math/vectors";

/** Tolerance for directions outside a feature's normal cone, as a part of the distance: rounding. */
const LEAN = 1e-7;

/** Contacts of a point or segment A with a polytope B. */
export function collideRoundPolytope(set: ContactSet, pair: number, a: Part, b: Part, ia: number, ib: number): void {
  endPoint(set, pair, a, 0, b, ia, ib);
  if (a.kind === PartKind.Point) return;
  endPoint(set, pair, a, 1, b, ia, ib);
  insideSegment(set, pair, a, b, ia, ib);
}

/** Adds the contact of end i of A with the face that it is (least) below, else with the nearest edge or corner. */
function endPoint(set: ContactSet, pair: number, a: Part, i: number, b: Part, ia: number, ib: number): void {
  const { points: x } = a;
  const at = 3 * i;
  const { normals, offsets } = b;
  let best = -Infinity;
  let face = 0;
  for (let f = 0; f < offsets.length; f++) {
    const height =
      normals[3 * f] * x[at] + normals[3 * f + 1] * x[at + 1] + normals[3 * f + 2] * x[at + 2] - offsets[f];
    if (height > best) {
      best = height;
      face = f;
    }
  }
  if (best > a.radius + TOUCHING) return;
  draft.featureA = i;
  for (let c = 0; c < 3; c++) draft.xa[c] = x[at + c];
  if (best > 0 && !isAbove(b, face, x, at)) {
    face = -1;
    for (let f = 0; f < offsets.length && face < 0; f++) {
      best = normals[3 * f] * x[at] + normals[3 * f + 1] * x[at + 1] + normals[3 * f + 2] * x[at + 2] - offsets[f];
      if (best > 0 && isAbove(b, f, x, at)) face = f;
    }
  }
  if (face < 0) {
    nearestEdge(set, pair, a, i, b, ia, ib);
    return;
  }
  draft.kind = ContactKind.PointFace;
  draft.featureB = face;
  draft.gap = best;
  for (let c = 0; c < 3; c++) draft.n[c] = normals[3 * face + c];
  emit(set, pair, a, b, ia, ib);
}

/** Whether the point projects into the face. */
function isAbove(b: Part, face: number, x: Float64Array, at: number): boolean {
  const { points: p, normals } = b;
  const { faceStart, faceVertices } = b.polytope!;
  const end = faceStart[face + 1];
  for (let k = faceStart[face]; k < end; k++) {
    const from = 3 * faceVertices[k];
    const to = 3 * faceVertices[k + 1 < end ? k + 1 : faceStart[face]];
    const ex = p[to] - p[from];
    const ey = p[to + 1] - p[from + 1];
    const ez = p[to + 2] - p[from + 2];
    const dx = x[at] - p[from];
    const dy = x[at + 1] - p[from + 1];
    const dz = x[at + 2] - p[from + 2];
    const n = 3 * face;
    const side =
      normals[n] * (ey * dz - ez * dy) + normals[n + 1] * (ez * dx - ex * dz) + normals[n + 2] * (ex * dy - ey * dx);
    if (side < 0) return false;
  }
  return true;
}

function nearestEdge(set: ContactSet, pair: number, a: Part, i: number, b: Part, ia: number, ib: number): void {
  const { points: p } = b;
  const { edges } = b.polytope!;
  const x = draft.xa;
  let least = Infinity;
  let edge = 0;
  let place = 0;
  for (let e = 0; e < edges.length; e += 4) {
    const from = 3 * edges[e];
    const to = 3 * edges[e + 1];
    let along = 0;
    let squared = 0;
    for (let c = 0; c < 3; c++) {
      const d = p[to + c] - p[from + c];
      along += d * (x[c] - p[from + c]);
      squared += d * d;
    }
    const t = Math.min(1, Math.max(0, along / squared));
    let gap = 0;
    for (let c = 0; c < 3; c++) gap += (x[c] - p[from + c] - t * (p[to + c] - p[from + c])) ** 2;
    if (gap < least) {
      least = gap;
      edge = e;
      place = t;
    }
  }
  const from = 3 * edges[edge];
  const to = 3 * edges[edge + 1];
  const length = Math.sqrt(least);
  const size = lengthOf(p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]);
  for (let c = 0; c < 3; c++) {
    draft.db[c] = (p[to + c] - p[from + c]) / size;
    draft.n[c] = (x[c] - p[from + c] - place * (p[to + c] - p[from + c])) / length;
  }
  if (a.kind === PartKind.Segment) {
    // An end touches by itself only if the rest of the segment leads away.
    const other = 3 * (1 - i);
    let inward = 0;
    for (let c = 0; c < 3; c++) inward += draft.n[c] * (a.points[other + c] - x[c]);
    if (inward < 0) return;
  }
  draft.gap = length;
  if (place > 0 && place < 1) {
    draft.kind = ContactKind.PointEdge;
    draft.featureB = 4096 + edge / 4;
  } else {
    draft.kind = ContactKind.PointPoint;
    draft.featureB = 2048 + edges[place <= 0 ? edge : edge + 1];
  }
  emit(set, pair, a, b, ia, ib);
}

const u = new Float64Array(3);

/** Adds contacts of edges and corners of B with the segment of A, away from its ends. */
function insideSegment(set: ContactSet, pair: number, a: Part, b: Part, ia: number, ib: number): void {
  const { points: x } = a;
  const { points: p } = b;
  const { edges } = b.polytope!;
  const length = lengthOf(x[3] - x[0], x[4] - x[1], x[5] - x[2]);
  for (let c = 0; c < 3; c++) u[c] = (x[3 + c] - x[c]) / length;
  const { n, xa, da, db } = draft;
  draft.featureA = 2;
  for (let c = 0; c < 3; c++) da[c] = u[c];
  for (let e = 0; e < edges.length; e += 4) {
    const from = 3 * edges[e];
    const to = 3 * edges[e + 1];
    const size = lengthOf(p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]);
    let k = 0;
    let du = 0;
    let dv = 0;
    for (let c = 0; c < 3; c++) {
      db[c] = (p[to + c] - p[from + c]) / size;
      const d = p[from + c] - x[c];
      k += u[c] * db[c];
      du += u[c] * d;
      dv += db[c] * d;
    }
    const squaredSine = 1 - k * k;
    if (squaredSine < 1e-8) continue;
    const s = (du - k * dv) / squaredSine;
    const t = k * s - dv;
    if (!(s > 0 && s < length && t > 0 && t < size)) continue;
    for (let c = 0; c < 3; c++) {
      xa[c] = x[c] + s * u[c];
      n[c] = xa[c] - p[from + c] - t * db[c];
    }
    if (!outward(a, b, from)) continue;
    draft.kind = ContactKind.EdgeEdge;
    draft.featureB = 4096 + e / 4;
    emit(set, pair, a, b, ia, ib);
  }
  for (let corner = 0; corner < p.length; corner += 3) {
    let s = 0;
    for (let c = 0; c < 3; c++) s += u[c] * (p[corner + c] - x[c]);
    if (!(s > 0 && s < length)) continue;
    for (let c = 0; c < 3; c++) {
      xa[c] = x[c] + s * u[c];
      n[c] = xa[c] - p[corner + c];
    }
    // On the border between the cones of a corner and an edge, the contact of the edge suffices.
    if (!outward(a, b, corner, -LEAN)) continue;
    draft.kind = ContactKind.EdgePoint;
    draft.featureB = 2048 + corner / 3;
    emit(set, pair, a, b, ia, ib);
  }
}

/**
 * Normalizes `draft.n`, with its length as the gap. Returns whether A may touch there: it is close enough, and no
 * corner of B is further along n than the one at `from`.
 */
function outward(a: Part, b: Part, from: number, lean = LEAN): boolean {
  const { n } = draft;
  const { points: p } = b;
  const gap = lengthOf(n[0], n[1], n[2]);
  if (gap > a.radius + TOUCHING || gap < 1e-14) return false;
  draft.gap = gap;
  for (let c = 0; c < 3; c++) n[c] /= gap;
  for (let i = 0; i < p.length; i += 3) {
    if (i === from) continue;
    const dx = p[i] - p[from];
    const dy = p[i + 1] - p[from + 1];
    const dz = p[i + 2] - p[from + 2];
    if (n[0] * dx + n[1] * dy + n[2] * dz > lean * (Math.abs(dx) + Math.abs(dy) + Math.abs(dz))) return false;
  }
  return true;
}
