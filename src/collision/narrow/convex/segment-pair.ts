import { ContactKind } from "../contact-buffer";
import { edgeFeature, vertexFeature } from "../feature";
import type { Manifold } from "../manifold";

/** Closest points of two segments: parameters from 0 to 1 along each. */
export class SegmentPair {
  s = 0;
  t = 0;
  squared = 0;
}

/**
 * Closest points of the segments p₀ p₁ and q₀ q₁ (Ericson, Real-Time Collision Detection, 5.1.9).
 *
 * @param p, q corners, 3 numbers each, from places `i`, `i2` and `j`, `j2` on
 */
export function closestOnSegments(
  p: Float64Array,
  i: number,
  i2: number,
  q: Float64Array,
  j: number,
  j2: number,
  out: SegmentPair,
): void {
  const dx = p[i2] - p[i];
  const dy = p[i2 + 1] - p[i + 1];
  const dz = p[i2 + 2] - p[i + 2];
  const ex = q[j2] - q[j];
  const ey = q[j2 + 1] - q[j + 1];
  const ez = q[j2 + 2] - q[j + 2];
  const rx = p[i] - q[j];
  const ry = p[i + 1] - q[j + 1];
  const rz = p[i + 2] - q[j + 2];
  const a = dx * dx + dy * dy + dz * dz;
  const e = ex * ex + ey * ey + ez * ez;
  const f = ex * rx + ey * ry + ez * rz;
  const c = dx * rx + dy * ry + dz * rz;
  const b = dx * ex + dy * ey + dz * ez;
  const denominator = a * e - b * b;
  let s = denominator > 1e-14 * a * e ? clamp01((b * f - c * e) / denominator) : 0;
  let t = e > 0 ? (b * s + f) / e : 0;
  if (t < 0) {
    t = 0;
    s = a > 0 ? clamp01(-c / a) : 0;
  } else if (t > 1) {
    t = 1;
    s = a > 0 ? clamp01((b - c) / a) : 0;
  }
  out.s = s;
  out.t = t;
  const x = rx + s * dx - t * ex;
  const y = ry + s * dy - t * ey;
  const z = rz + s * dz - t * ez;
  out.squared = x * x + y * y + z * z;
}

const clamp01 = (x: number): number => (x < 0 ? 0 : x > 1 ? 1 : x);

/** Sine of the largest angle between segments that touch along a line instead of in a point. */
const ALONG = 0.05;

/**
 * Contacts of two segments along a known normal: two at the ends of the shared part if the segments run side by side,
 * otherwise none.
 *
 * @param a, b corners, 3 numbers each: the first two are the segment
 */
export function clipSegments(a: Float64Array, b: Float64Array, m: Manifold): boolean {
  const dx = a[3] - a[0];
  const dy = a[4] - a[1];
  const dz = a[5] - a[2];
  const ex = b[3] - b[0];
  const ey = b[4] - b[1];
  const ez = b[5] - b[2];
  const dd = dx * dx + dy * dy + dz * dz;
  const ee = ex * ex + ey * ey + ez * ez;
  const de = dx * ex + dy * ey + dz * ez;
  if (!(dd > 0 && ee > 0) || dd * ee - de * de > ALONG * ALONG * dd * ee) return false;
  // Ends of b along a.
  const start = (dx * (b[0] - a[0]) + dy * (b[1] - a[1]) + dz * (b[2] - a[2])) / dd;
  const end = start + de / dd;
  const from = Math.max(0, Math.min(start, end));
  const to = Math.min(1, Math.max(start, end));
  if (!(to - from > 1e-6)) return false;
  const { nx, ny, nz } = m;
  for (let k = 0; k < 2; k++) {
    const s = k === 0 ? from : to;
    const t = clamp01((s - start) / (end - start));
    const px = a[0] + s * dx;
    const py = a[1] + s * dy;
    const pz = a[2] + s * dz;
    const qx = b[0] + t * ex;
    const qy = b[1] + t * ey;
    const qz = b[2] + t * ez;
    const isEndOfA = k === 0 ? from === 0 : to === 1;
    const featureA = isEndOfA ? vertexFeature(k) : edgeFeature(0, 1);
    // The direction of b determines which of its ends is there.
    const featureB = isEndOfA ? edgeFeature(0, 1) : vertexFeature(de > 0 ? k : 1 - k);
    const separation = nx * (qx - px) + ny * (qy - py) + nz * (qz - pz);
    // Both points lie on one line along the normal, so that their forces make no torque.
    const gx = px + separation * nx;
    const gy = py + separation * ny;
    const gz = pz + separation * nz;
    m.add(px, py, pz, gx, gy, gz, separation, featureA, featureB);
  }
  return true;
}

const pair = new SegmentPair();

/**
 * Contacts of two capsules, or of their cores, from the closest points of the segments. If the segments cross, the
 * normal is perpendicular to both.
 *
 * @returns false if they are further apart than the margin
 */
export function segmentContacts(a: Float64Array, b: Float64Array, margin: number, m: Manifold): boolean {
  closestOnSegments(a, 0, 3, b, 0, 3, pair);
  if (pair.squared > margin * margin) return false;
  const { s, t } = pair;
  const px = a[0] + s * (a[3] - a[0]);
  const py = a[1] + s * (a[4] - a[1]);
  const pz = a[2] + s * (a[5] - a[2]);
  const qx = b[0] + t * (b[3] - b[0]);
  const qy = b[1] + t * (b[4] - b[1]);
  const qz = b[2] + t * (b[5] - b[2]);
  const distance = Math.sqrt(pair.squared);
  if (distance > 1e-12) m.begin((qx - px) / distance, (qy - py) / distance, (qz - pz) / distance, ContactKind.round);
  else beginAcross(a, b, m);
  if (clipSegments(a, b, m)) return true;
  const featureA = s === 0 ? vertexFeature(0) : s === 1 ? vertexFeature(1) : edgeFeature(0, 1);
  const featureB = t === 0 ? vertexFeature(0) : t === 1 ? vertexFeature(1) : edgeFeature(0, 1);
  m.add(px, py, pz, qx, qy, qz, distance, featureA, featureB);
  return true;
}

/** Begins a manifold of crossing segments: the normal is perpendicular to both, towards the middle of b. */
function beginAcross(a: Float64Array, b: Float64Array, m: Manifold): void {
  const dx = a[3] - a[0];
  const dy = a[4] - a[1];
  const dz = a[5] - a[2];
  const ex = b[3] - b[0];
  const ey = b[4] - b[1];
  const ez = b[5] - b[2];
  let nx = dy * ez - dz * ey;
  let ny = dz * ex - dx * ez;
  let nz = dx * ey - dy * ex;
  let length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > 1e-9 * (dx * dx + dy * dy + dz * dz))) {
    // The segments coincide: the normal is perpendicular to the axis that they are least along.
    const isX = Math.abs(dx) <= Math.abs(dy) && Math.abs(dx) <= Math.abs(dz);
    nx = isX ? 0 : dz;
    ny = isX ? -dz : 0;
    nz = isX ? dy : -dx;
    length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (length === 0) {
      ny = 1;
      length = 1;
    }
  }
  const mx = b[0] + b[3] - a[0] - a[3];
  const my = b[1] + b[4] - a[1] - a[4];
  const mz = b[2] + b[5] - a[2] - a[5];
  const scale = (nx * mx + ny * my + nz * mz < 0 ? -1 : 1) / length;
  m.begin(scale * nx, scale * ny, scale * nz, ContactKind.round);
}
