import { resized } from "../../../math/arrays";
import { ConvexKind } from "../shapes/convex";
import { type Placed, supportHeight } from "../shapes/placed";
import { AxisOwner, PREFERENCE, type Separation } from "./separation";

/** Squared sine of the angle between edges below which their cross product has no direction. */
const PARALLEL = 1e-10;

/**
 * Separating axes of two polytopes: the normals of all faces of both and the cross products of pairs of edges that form
 * a face of the Minkowski difference. The arcs of these pairs cross on the Gauss map, which shows a face as the point
 * of its normal and an edge as the arc between its two faces (Gregorius 2013). The largest separation over the axes is
 * the depth of penetration if the polytopes overlap, otherwise a lower bound of the distance.
 *
 * @param a, b polytopes: all kinds except cylinders; at most one of them is a segment
 * @returns false, with only the distance in `out`, if they are further apart than `margin` [m]
 */
export function polytopeSeparation(a: Placed, b: Placed, margin: number, out: Separation): boolean {
  b.fill();
  const tolerance = PREFERENCE * Math.min(sizeOf(a), sizeOf(b));
  out.distance = -Infinity;
  if (!faceAxes(a, b, margin, AxisOwner.faceA, 0, out)) return false;
  if (!faceAxes(b, a, margin, AxisOwner.faceB, tolerance, out)) return false;
  const bias = out.distance === -Infinity ? 0 : tolerance;
  if (a.convex.kind === ConvexKind.capsule) return segmentAxes(a, b, -1, margin, bias, out);
  if (b.convex.kind === ConvexKind.capsule) return segmentAxes(b, a, 1, margin, bias, out);
  return edgeAxes(a, b, margin, bias, out);
}

/** Largest half extent. */
function sizeOf({ convex, vertices }: Placed): number {
  if (convex.kind !== ConvexKind.triangle) return Math.max(convex.halfX, convex.halfY, convex.halfZ);
  let most = 0;
  for (let i = 0; i < 3; i++)
    most = Math.max(most, Math.abs(vertices[3 + i] - vertices[i]), Math.abs(vertices[6 + i] - vertices[i]));
  return most;
}

/** A number below one by more than rounding. */
const CERTAIN = 1 - 1e-9;

/** A ball in B bounds the separation along each normal, so that most faces that look away need no look at the corners of B. */
function faceAxes(a: Placed, b: Placed, margin: number, owner: AxisOwner, tolerance: number, out: Separation): boolean {
  const { normals, offsets } = a;
  const v = b.vertices;
  const end = b.convex.vertices.length;
  const faces = a.convex.faceOffsets.length;
  const { frame } = b;
  const inner = CERTAIN * b.convex.innerRadius;
  let best = out.distance + tolerance;
  let face = -1;
  for (let f = 0; f < faces; f++) {
    const x = normals[3 * f];
    const y = normals[3 * f + 1];
    const z = normals[3 * f + 2];
    if (inner > 0 && x * frame[9] + y * frame[10] + z * frame[11] - inner - offsets[f] <= best) continue;
    let least = v[0] * x + v[1] * y + v[2] * z;
    for (let i = 3; i < end; i += 3) {
      const d = v[i] * x + v[i + 1] * y + v[i + 2] * z;
      if (d < least) least = d;
    }
    const s = least - offsets[f];
    if (s > best) {
      if (s > margin) return out.isApart(s);
      best = s;
      face = f;
    }
  }
  if (face >= 0) {
    const sign = owner === AxisOwner.faceA ? 1 : -1;
    out.set(best, sign * normals[3 * face], sign * normals[3 * face + 1], sign * normals[3 * face + 2], owner, face, 0);
  }
  return true;
}

/**
 * Arcs that only touch, like those of an upright edge and of the rim of an upright face, count as crossing. Triple
 * products of unit normals up to this are rounding; an arc that passes by mistake causes an error of that size.
 */
const ON_ARC = 1e-14;

/** Numbers of an arc: edge, its first corner and direction, normals c and d at its ends, d × c. */
const ARC = 16;

class Arcs {
  count = 0;
  data = new Float64Array(64 * ARC);

  add(edge: number, p: Placed, from: number, to: number, sign: number, c: Float64Array, ci: number, d: number): void {
    if ((this.count + 1) * ARC > this.data.length)
      this.data = resized(this.data, new Float64Array(2 * this.data.length));
    const at = this.data;
    const o = ARC * this.count++;
    const v = p.vertices;
    at[o] = edge;
    for (let k = 0; k < 3; k++) {
      at[o + 1 + k] = v[3 * from + k];
      at[o + 4 + k] = v[3 * to + k] - v[3 * from + k];
      at[o + 7 + k] = sign * c[ci + k];
      at[o + 10 + k] = sign * c[d + k];
    }
    at[o + 13] = at[o + 11] * at[o + 9] - at[o + 12] * at[o + 8];
    at[o + 14] = at[o + 12] * at[o + 7] - at[o + 10] * at[o + 9];
    at[o + 15] = at[o + 10] * at[o + 8] - at[o + 11] * at[o + 7];
  }
}

const arcsA = new Arcs();
const arcsB = new Arcs();
const half = new Float64Array(9);
/** b − a: from the middle of A to that of B */
const towards = new Float64Array(3);
/** products of the normals of the faces of a polytope with it */
let along = new Float64Array(64);

/**
 * Writes `towards`.
 *
 * @returns the product of a unit normal with `towards` that a separation above `best` requires; 0 for shapes whose
 * middle need not be inside, like triangles
 */
function neededAlong(a: Placed, b: Placed, best: number): number {
  const { innerRadius: radiusA } = a.convex;
  const { innerRadius: radiusB } = b.convex;
  for (let i = 0; i < 3; i++) towards[i] = b.frame[9 + i] - a.frame[9 + i];
  return radiusA > 0 && radiusB > 0 ? best + radiusA + radiusB : 0;
}

/**
 * Gathers arcs of the edges, their normals times `sign`, without those that cannot give a separation above `best`.
 * Shapes that hold balls of radius r around points a and b are separated along a unit normal n by at most n·(b − a) −
 * r_A − r_B. With n = αc + βd on an arc and α + β ≤ 2/|c + d|, the products of c and d with b − a exclude such arcs.
 *
 * @param needed least useful n·(b − a); zero or less if nothing is known
 */
function gatherArcs(p: Placed, sign: number, arcs: Arcs, needed: number): void {
  arcs.count = 0;
  const { edges, kind } = p.convex;
  if (needed > 0) {
    const n = p.normals;
    const faces = p.convex.faceOffsets.length;
    if (along.length < faces) along = new Float64Array(2 * faces);
    for (let f = 0; f < faces; f++)
      along[f] = sign * (n[3 * f] * towards[0] + n[3 * f + 1] * towards[1] + n[3 * f + 2] * towards[2]);
    for (let e = 0; e < edges.length; e += 4) {
      const c = 3 * edges[e + 2];
      const d = 3 * edges[e + 3];
      const alongC = along[edges[e + 2]];
      const alongD = along[edges[e + 3]];
      const most = alongC > alongD ? alongC : alongD;
      if (most <= 0) continue;
      const x = n[c] + n[d];
      const y = n[c + 1] + n[d + 1];
      const z = n[c + 2] + n[d + 2];
      if (4 * most * most < CERTAIN * needed * needed * (x * x + y * y + z * z)) continue;
      arcs.add(e >> 2, p, edges[e], edges[e + 1], sign, n, c, d);
    }
    return;
  }
  for (let e = 0; e < edges.length; e += 4) {
    const from = edges[e];
    const to = edges[e + 1];
    if (kind !== ConvexKind.triangle) {
      arcs.add(e >> 2, p, from, to, sign, p.normals, 3 * edges[e + 2], 3 * edges[e + 3]);
      continue;
    }
    // The arc from front to back is a half circle: it is added as two halves, which meet at the outward direction e ×
    // n.
    const v = p.vertices;
    const n = p.normals;
    const flip = edges[e + 2] === 0 ? 1 : -1;
    const ex = flip * (v[3 * to] - v[3 * from]);
    const ey = flip * (v[3 * to + 1] - v[3 * from + 1]);
    const ez = flip * (v[3 * to + 2] - v[3 * from + 2]);
    const scale = 1 / Math.sqrt(ex * ex + ey * ey + ez * ez);
    for (let k = 0; k < 3; k++) {
      half[k] = n[k];
      half[6 + k] = -n[k];
    }
    half[3] = scale * (ey * n[2] - ez * n[1]);
    half[4] = scale * (ez * n[0] - ex * n[2]);
    half[5] = scale * (ex * n[1] - ey * n[0]);
    arcs.add(e >> 2, p, from, to, sign, half, 0, 3);
    arcs.add(e >> 2, p, from, to, sign, half, 3, 6);
  }
}

function edgeAxes(a: Placed, b: Placed, margin: number, bias: number, out: Separation): boolean {
  let best = out.distance + bias;
  const needed = neededAlong(a, b, best);
  gatherArcs(a, 1, arcsA, needed);
  gatherArcs(b, -1, arcsB, needed);
  const p = arcsA.data;
  const q = arcsB.data;
  const endA = ARC * arcsA.count;
  const endB = ARC * arcsB.count;
  for (let i = 0; i < endA; i += ARC) {
    const cx = p[i + 7];
    const cy = p[i + 8];
    const cz = p[i + 9];
    const dx = p[i + 10];
    const dy = p[i + 11];
    const dz = p[i + 12];
    const planeX = p[i + 13];
    const planeY = p[i + 14];
    const planeZ = p[i + 15];
    for (let j = 0; j < endB; j += ARC) {
      // c·(b × a) and d·(b × a): the ends of B's arc must lie on opposite sides of the plane of A's arc.
      const cba = q[j + 7] * planeX + q[j + 8] * planeY + q[j + 9] * planeZ;
      const dba = q[j + 10] * planeX + q[j + 11] * planeY + q[j + 12] * planeZ;
      if (cba * dba > ON_ARC) continue;
      const adc = cx * q[j + 13] + cy * q[j + 14] + cz * q[j + 15];
      const bdc = dx * q[j + 13] + dy * q[j + 14] + dz * q[j + 15];
      if (adc * bdc > ON_ARC) continue;
      const ex = p[i + 4];
      const ey = p[i + 5];
      const ez = p[i + 6];
      const fx = q[j + 4];
      const fy = q[j + 5];
      const fz = q[j + 6];
      const nx = ey * fz - ez * fy;
      const ny = ez * fx - ex * fz;
      const nz = ex * fy - ey * fx;
      const squared = nx * nx + ny * ny + nz * nz;
      const ee = ex * ex + ey * ey + ez * ez;
      const ff = fx * fx + fy * fy + fz * fz;
      if (squared < PARALLEL * ee * ff) continue;
      // The normals of its two faces point out of A.
      const outward = nx * (cx + dx) + ny * (cy + dy) + nz * (cz + dz);
      // The arcs must cross on the same side of the sphere, not on opposite ones.
      const inward = nx * (q[j + 7] + q[j + 10]) + ny * (q[j + 8] + q[j + 11]) + nz * (q[j + 9] + q[j + 12]);
      if (outward * inward <= 0) continue;
      const scale = (outward < 0 ? -1 : 1) / Math.sqrt(squared);
      const s = scale * (nx * (q[j + 1] - p[i + 1]) + ny * (q[j + 2] - p[i + 2]) + nz * (q[j + 3] - p[i + 3]));
      if (s <= best) continue;
      if (s > margin) return out.isApart(s);
      best = s;
      out.set(s, scale * nx, scale * ny, scale * nz, AxisOwner.edges, p[i], q[j]);
    }
  }
  return true;
}

/** Cross products of a segment with all edges of a polytope; `sign` is 1 if the segment is B. */
function segmentAxes(
  segment: Placed,
  solid: Placed,
  sign: number,
  margin: number,
  bias: number,
  out: Separation,
): boolean {
  const s = segment.vertices;
  const v = solid.vertices;
  const { edges } = solid.convex;
  const fx = s[3] - s[0];
  const fy = s[4] - s[1];
  const fz = s[5] - s[2];
  const ff = fx * fx + fy * fy + fz * fz;
  let best = out.distance + bias;
  for (let e = 0; e < edges.length; e += 4) {
    const i = 3 * edges[e];
    const j = 3 * edges[e + 1];
    const ex = v[j] - v[i];
    const ey = v[j + 1] - v[i + 1];
    const ez = v[j + 2] - v[i + 2];
    let nx = ey * fz - ez * fy;
    let ny = ez * fx - ex * fz;
    let nz = ex * fy - ey * fx;
    const squared = nx * nx + ny * ny + nz * nz;
    if (squared < PARALLEL * ff * (ex * ex + ey * ey + ez * ez)) continue;
    const scale = 1 / Math.sqrt(squared);
    nx *= scale;
    ny *= scale;
    nz *= scale;
    // All of the segment has one height along the axis; the edge must be at the top or at the bottom of the solid.
    const edge = nx * v[i] + ny * v[i + 1] + nz * v[i + 2];
    const above = supportHeight(solid, nx, ny, nz) - edge;
    const below = supportHeight(solid, -nx, -ny, -nz) + edge;
    const isTop = above <= 1e-9 * below;
    if (!isTop && below > 1e-9 * above) continue;
    const height = nx * s[0] + ny * s[1] + nz * s[2] - edge;
    const separation = isTop ? height : -height;
    if (separation <= best) continue;
    if (separation > margin) return out.isApart(separation);
    best = separation;
    // The normal points from the solid to the segment, or the other way round.
    const k = isTop ? sign : -sign;
    if (sign > 0) out.set(best, k * nx, k * ny, k * nz, AxisOwner.edges, e >> 2, 0);
    else out.set(best, k * nx, k * ny, k * nz, AxisOwner.edges, 0, e >> 2);
  }
  return true;
}
