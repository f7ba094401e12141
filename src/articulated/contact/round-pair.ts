/**
 * Spheres and capsules among each other: nearest points of points and segments (Ericson, *Real-Time Collision
 * Detection*, 5.1.9), with their features.
 *
 * Glossary: a, b starts of the segments of A and B; u, v their unit directions, l, m their lengths; s, t arc lengths of the
 * nearest points; k = u·v.
 */
import { ContactKind, type ContactSet } from "./contact-set";
import { draft, emit } from "./emit";
import { PartKind, type Part } from "./part";
import { lengthOf } from "../../math/vectors";

/** Squared sine of the angle below which segments count as parallel: they touch along a line, not at a point. */
const PARALLEL = 1e-4;

/** Contacts between two parts that are points or segments. */
export function collideRound(set: ContactSet, pair: number, a: Part, b: Part, ia: number, ib: number): void {
  const isPointA = a.kind === PartKind.Point;
  const isPointB = b.kind === PartKind.Point;
  if (isPointA && isPointB) pointPoint(set, pair, a, 0, b, 0, ia, ib);
  else if (isPointA) pointSegment(set, pair, a, 0, b, ia, ib, false);
  else if (isPointB) pointSegment(set, pair, b, 0, a, ib, ia, false);
  else segmentSegment(set, pair, a, b, ia, ib);
}

/** Adds the contact of point i of A and point j of B. */
function pointPoint(
  set: ContactSet,
  pair: number,
  a: Part,
  i: number,
  b: Part,
  j: number,
  ia: number,
  ib: number,
): void {
  draft.kind = ContactKind.PointPoint;
  draft.featureA = i;
  draft.featureB = j;
  for (let c = 0; c < 3; c++) {
    draft.xa[c] = a.points[3 * i + c];
    draft.n[c] = a.points[3 * i + c] - b.points[3 * j + c];
  }
  normalise();
  emit(set, pair, a, b, ia, ib);
}

/** Normalizes `draft.n`, with its length as the gap. If the cores meet, n points straight up. */
function normalise(): void {
  const { n } = draft;
  const length = lengthOf(n[0], n[1], n[2]);
  draft.gap = length;
  if (length < 1e-14) {
    n[0] = n[2] = 0;
    n[1] = 1;
  } else for (let c = 0; c < 3; c++) n[c] /= length;
}

const v = new Float64Array(3);

/** Writes the unit direction of segment `part` to `out`; returns its length. */
function direction(part: Part, out: Float64Array): number {
  const { points } = part;
  const length = lengthOf(points[3] - points[0], points[4] - points[1], points[5] - points[2]);
  for (let c = 0; c < 3; c++) out[c] = (points[3 + c] - points[c]) / length;
  return length;
}

/**
 * Adds the contact of point i of A and the segment B.
 *
 * @param interior whether to add it only if the nearest point is not an end of B
 * @returns whether the nearest point was an inner point of B
 */
function pointSegment(
  set: ContactSet,
  pair: number,
  a: Part,
  i: number,
  b: Part,
  ia: number,
  ib: number,
  interior: boolean,
): boolean {
  const length = direction(b, v);
  let t = 0;
  for (let c = 0; c < 3; c++) t += v[c] * (a.points[3 * i + c] - b.points[c]);
  if (t <= 0 || t >= length) {
    if (!interior) pointPoint(set, pair, a, i, b, t <= 0 ? 0 : 1, ia, ib);
    return false;
  }
  draft.kind = ContactKind.PointEdge;
  draft.featureA = i;
  draft.featureB = 2;
  for (let c = 0; c < 3; c++) {
    draft.xa[c] = a.points[3 * i + c];
    draft.db[c] = v[c];
    draft.n[c] = a.points[3 * i + c] - b.points[c] - t * v[c];
  }
  normalise();
  emit(set, pair, a, b, ia, ib);
  return true;
}

const u = new Float64Array(3);
const w = new Float64Array(3);

function segmentSegment(set: ContactSet, pair: number, a: Part, b: Part, ia: number, ib: number): void {
  const l = direction(a, u);
  const m = direction(b, w);
  let k = 0;
  let du = 0;
  let dw = 0;
  for (let c = 0; c < 3; c++) {
    const d = b.points[c] - a.points[c];
    k += u[c] * w[c];
    du += u[c] * d;
    dw += w[c] * d;
  }
  const squaredSine = 1 - k * k;
  if (squaredSine < PARALLEL) {
    let any = pointSegment(set, pair, a, 0, b, ia, ib, true);
    any = pointSegment(set, pair, a, 1, b, ia, ib, true) || any;
    any = pointSegment(set, pair, b, 0, a, ib, ia, true) || any;
    any = pointSegment(set, pair, b, 1, a, ib, ia, true) || any;
    if (any) return;
  }
  let s = squaredSine < PARALLEL ? 0 : clamp((du - k * dw) / squaredSine, l);
  let t = k * s - dw;
  if (t < 0 || t > m) {
    t = clamp(t, m);
    s = clamp(k * t + du, l);
  }
  const insideA = s > 0 && s < l;
  const insideB = t > 0 && t < m;
  if (!insideA && !insideB) pointPoint(set, pair, a, s > 0 ? 1 : 0, b, t > 0 ? 1 : 0, ia, ib);
  else if (!insideA) pointSegment(set, pair, a, s > 0 ? 1 : 0, b, ia, ib, false);
  else if (!insideB) pointSegment(set, pair, b, t > 0 ? 1 : 0, a, ib, ia, false);
  else {
    draft.kind = ContactKind.EdgeEdge;
    draft.featureA = draft.featureB = 2;
    for (let c = 0; c < 3; c++) {
      draft.xa[c] = a.points[c] + s * u[c];
      draft.da[c] = u[c];
      draft.db[c] = w[c];
      draft.n[c] = draft.xa[c] - b.points[c] - t * w[c];
    }
    normalise();
    emit(set, pair, a, b, ia, ib);
  }
}

function clamp(x: number, most: number): number {
  return x < 0 ? 0 : x > most ? most : x;
}
