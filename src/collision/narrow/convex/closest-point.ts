import { closestPointOnTriangle } from "../../../geometry/triangles/triangle";
import { ConvexKind, sphereConvex } from "../shapes/convex";
import { edgeFeature, faceFeature, vertexFeature } from "../feature";
import { identityFrame } from "../frame";
import { Gjk, GjkOutcome } from "./gjk";
import { Placed } from "../shapes/placed";

/** The point of a solid's surface that is closest to a given point. One object is used for all queries. */
export class ClosestSurfacePoint {
  /** signed distance [m], negative inside the solid */
  distance = 0;
  x = 0;
  y = 0;
  z = 0;
  /** unit vector out of the solid, along which the distance grows */
  nx = 0;
  ny = 0;
  nz = 0;
  /** number of the feature that the point lies on */
  feature = 0;
}

/**
 * Closest point of a placed convex, including its rounding, to a point in the working frame. It is exact for every
 * kind. A triangle has two sides and no inside.
 *
 * @returns false, with `out` unusable, if the distance is more than `margin` [m]
 */
export function closestOnConvex(
  p: Placed,
  x: number,
  y: number,
  z: number,
  margin: number,
  out: ClosestSurfacePoint,
): boolean {
  const { kind, radius } = p.convex;
  switch (kind) {
    case ConvexKind.sphere:
      closestOnPoint(p, x, y, z, out);
      break;
    case ConvexKind.capsule:
      closestOnSegment(p, x, y, z, out);
      break;
    case ConvexKind.box:
      closestOnBox(p, x, y, z, out);
      break;
    case ConvexKind.cylinder:
      closestOnCylinder(p, x, y, z, out);
      break;
    case ConvexKind.triangle:
      closestOnFace(p, x, y, z, out);
      break;
    case ConvexKind.hull:
      if (!closestOnHull(p, x, y, z, margin, out)) return false;
  }
  if (radius > 0) {
    out.distance -= radius;
    out.x += radius * out.nx;
    out.y += radius * out.ny;
    out.z += radius * out.nz;
  }
  return out.distance <= margin;
}

/** Points this close to a core or a surface [m] count as on it: the direction to them would be rounding error. */
const TOUCHING = 1e-10;

/** Writes distance and direction from a core point to the query point; a fixed direction if the points coincide. */
function setFrom(
  out: ClosestSurfacePoint,
  qx: number,
  qy: number,
  qz: number,
  x: number,
  y: number,
  z: number,
  f: Float64Array,
  axis: number,
  feature: number,
): void {
  const dx = x - qx;
  const dy = y - qy;
  const dz = z - qz;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  out.distance = length;
  out.x = qx;
  out.y = qy;
  out.z = qz;
  out.feature = feature;
  if (length > TOUCHING) {
    out.nx = dx / length;
    out.ny = dy / length;
    out.nz = dz / length;
  } else {
    out.nx = f[axis];
    out.ny = f[3 + axis];
    out.nz = f[6 + axis];
  }
}

function closestOnPoint({ frame: f }: Placed, x: number, y: number, z: number, out: ClosestSurfacePoint): void {
  setFrom(out, f[9], f[10], f[11], x, y, z, f, 1, vertexFeature(0));
}

function closestOnSegment(p: Placed, x: number, y: number, z: number, out: ClosestSurfacePoint): void {
  const f = p.frame;
  const half = p.convex.halfY;
  const along = f[1] * (x - f[9]) + f[4] * (y - f[10]) + f[7] * (z - f[11]);
  const h = Math.min(Math.max(along, -half), half);
  const feature = along <= -half ? vertexFeature(0) : along >= half ? vertexFeature(1) : edgeFeature(0, 1);
  setFrom(out, f[9] + h * f[1], f[10] + h * f[4], f[11] + h * f[7], x, y, z, f, 0, feature);
}

function closestOnBox(p: Placed, x: number, y: number, z: number, out: ClosestSurfacePoint): void {
  const f = p.frame;
  const { halfX, halfY, halfZ } = p.convex;
  const dx = x - f[9];
  const dy = y - f[10];
  const dz = z - f[11];
  const lx = f[0] * dx + f[3] * dy + f[6] * dz;
  const ly = f[1] * dx + f[4] * dy + f[7] * dz;
  const lz = f[2] * dx + f[5] * dy + f[8] * dz;
  const qx = Math.abs(lx) - halfX;
  const qy = Math.abs(ly) - halfY;
  const qz = Math.abs(lz) - halfZ;
  const inside = Math.max(qx, qy, qz);
  if (inside <= TOUCHING) {
    const axis = qx === inside ? 0 : qy === inside ? 1 : 2;
    const sign = (axis === 0 ? lx : axis === 1 ? ly : lz) < 0 ? -1 : 1;
    out.distance = inside;
    out.nx = sign * f[axis];
    out.ny = sign * f[3 + axis];
    out.nz = sign * f[6 + axis];
    out.x = x - inside * out.nx;
    out.y = y - inside * out.ny;
    out.z = z - inside * out.nz;
    out.feature = faceFeature(2 * axis + (sign > 0 ? 1 : 0));
    return;
  }
  const cx = Math.min(Math.max(lx, -halfX), halfX);
  const cy = Math.min(Math.max(ly, -halfY), halfY);
  const cz = Math.min(Math.max(lz, -halfZ), halfZ);
  // Outside along one axis: a face. Along two: an edge. Along three: a corner.
  const bits = (qx > 0 ? (lx > 0 ? 2 : 1) : 0) + (qy > 0 ? (ly > 0 ? 8 : 4) : 0) + (qz > 0 ? (lz > 0 ? 32 : 16) : 0);
  const count = (qx > 0 ? 1 : 0) + (qy > 0 ? 1 : 0) + (qz > 0 ? 1 : 0);
  const feature =
    count === 1 ? faceFeature(FACE_OF_BITS[bits]) : count === 2 ? edgeFeature(bits, 0) : vertexFeature(bits);
  const wx = f[0] * cx + f[1] * cy + f[2] * cz + f[9];
  const wy = f[3] * cx + f[4] * cy + f[5] * cz + f[10];
  const wz = f[6] * cx + f[7] * cy + f[8] * cz + f[11];
  setFrom(out, wx, wy, wz, x, y, z, f, 0, feature);
}

/** Face of a box from the bit that is set. */
const FACE_OF_BITS = Uint8Array.from({ length: 33 }, (_, bits) => Math.max(0, [1, 2, 4, 8, 16, 32].indexOf(bits)));

function closestOnCylinder(p: Placed, x: number, y: number, z: number, out: ClosestSurfacePoint): void {
  const f = p.frame;
  const { halfX: radius, halfY: half } = p.convex;
  const dx = x - f[9];
  const dy = y - f[10];
  const dz = z - f[11];
  const h = f[1] * dx + f[4] * dy + f[7] * dz;
  let rx = dx - h * f[1];
  let ry = dy - h * f[4];
  let rz = dz - h * f[7];
  const rho = Math.sqrt(rx * rx + ry * ry + rz * rz);
  if (rho > 1e-150) {
    rx /= rho;
    ry /= rho;
    rz /= rho;
  } else {
    rx = f[0];
    ry = f[3];
    rz = f[6];
  }
  const qr = rho - radius;
  const qh = Math.abs(h) - half;
  const s = h < 0 ? -1 : 1;
  if (qr <= TOUCHING && qh <= TOUCHING) {
    const isSide = qr > qh;
    out.distance = isSide ? qr : qh;
    out.nx = isSide ? rx : s * f[1];
    out.ny = isSide ? ry : s * f[4];
    out.nz = isSide ? rz : s * f[7];
    out.x = x - out.distance * out.nx;
    out.y = y - out.distance * out.ny;
    out.z = z - out.distance * out.nz;
    out.feature = faceFeature(isSide ? 2 : s > 0 ? 1 : 0);
    return;
  }
  const ch = qh > 0 ? s * half : h;
  const cr = qr > 0 ? radius : rho;
  const feature = qr > 0 && qh > 0 ? edgeFeature(s > 0 ? 1 : 0, 2) : faceFeature(qr > 0 ? 2 : s > 0 ? 1 : 0);
  setFrom(
    out,
    f[9] + ch * f[1] + cr * rx,
    f[10] + ch * f[4] + cr * ry,
    f[11] + ch * f[7] + cr * rz,
    x,
    y,
    z,
    f,
    1,
    feature,
  );
}

const onTriangle = new Float64Array(6);

function closestOnFace(p: Placed, x: number, y: number, z: number, out: ClosestSurfacePoint): void {
  closestPointOnTriangle(p.vertices, 0, x, y, z, onTriangle);
  const n = p.normals;
  const mask = (onTriangle[3] > 0 ? 1 : 0) + (onTriangle[4] > 0 ? 2 : 0) + (onTriangle[5] > 0 ? 4 : 0);
  setFrom(out, onTriangle[0], onTriangle[1], onTriangle[2], x, y, z, p.frame, 1, vertexFeature(mask));
  if (out.distance > TOUCHING) return;
  out.nx = n[0];
  out.ny = n[1];
  out.nz = n[2];
}

const probe = new Placed();
const probeFrame = identityFrame();
const PROBE = sphereConvex(1);
const gjk = new Gjk();

/** Planes suffice for points inside or over a face; GJK handles points over edges and corners. */
function closestOnHull(p: Placed, x: number, y: number, z: number, margin: number, out: ClosestSurfacePoint): boolean {
  const { normals, offsets } = p;
  const faces = p.convex.faceOffsets.length;
  let best = -Infinity;
  let face = 0;
  for (let f = 0; f < faces; f++) {
    const d = normals[3 * f] * x + normals[3 * f + 1] * y + normals[3 * f + 2] * z - offsets[f];
    if (d > best) {
      best = d;
      face = f;
    }
  }
  if (best > margin + p.convex.radius) return false;
  if (best <= 0 || isOverFace(p, face, x, y, z)) {
    out.distance = best;
    out.nx = normals[3 * face];
    out.ny = normals[3 * face + 1];
    out.nz = normals[3 * face + 2];
    out.x = x - best * out.nx;
    out.y = y - best * out.ny;
    out.z = z - best * out.nz;
    out.feature = faceFeature(face);
    return true;
  }
  probeFrame[9] = x;
  probeFrame[10] = y;
  probeFrame[11] = z;
  probe.setAt(PROBE, probeFrame);
  const outcome = gjk.run(p, probe, margin + p.convex.radius);
  if (outcome === GjkOutcome.apart) return false;
  if (outcome === GjkOutcome.overlapping) {
    // The point is outside by a rounding error only, so the face with the largest distance is as good as any.
    out.distance = 0;
    out.nx = normals[3 * face];
    out.ny = normals[3 * face + 1];
    out.nz = normals[3 * face + 2];
    out.x = x;
    out.y = y;
    out.z = z;
    out.feature = faceFeature(face);
    return true;
  }
  out.distance = gjk.distance;
  out.nx = gjk.nx;
  out.ny = gjk.ny;
  out.nz = gjk.nz;
  out.x = gjk.pointA[0];
  out.y = gjk.pointA[1];
  out.z = gjk.pointA[2];
  out.feature = simplexFeature(gjk.idA, gjk.size);
  return true;
}

/** Name of the feature that a few corners span. */
export function simplexFeature(ids: Int32Array, size: number): number {
  let low = ids[0];
  let high = ids[0];
  let sum = 0;
  for (let i = 0; i < size; i++) {
    if (ids[i] < low) low = ids[i];
    if (ids[i] > high) high = ids[i];
    sum += ids[i];
  }
  if (low === high) return vertexFeature(low);
  // If there are three corners, the middle one enters the name, too.
  const middle = size === 3 && sum - low - high !== low && sum - low - high !== high ? sum - low - high + 1 : 0;
  return middle === 0 ? edgeFeature(low, high) : faceFeature((low * 961 + middle * 31 + high) & 0xfffff);
}

function isOverFace(p: Placed, face: number, x: number, y: number, z: number): boolean {
  const { faceStart, faceVertices } = p.convex;
  const v = p.vertices;
  const n = p.normals;
  const [nx, ny, nz] = [n[3 * face], n[3 * face + 1], n[3 * face + 2]];
  const start = faceStart[face];
  const end = faceStart[face + 1];
  for (let i = start; i < end; i++) {
    const a = 3 * faceVertices[i];
    const b = 3 * faceVertices[i + 1 === end ? start : i + 1];
    const ex = v[b] - v[a];
    const ey = v[b + 1] - v[a + 1];
    const ez = v[b + 2] - v[a + 2];
    const wx = x - v[a];
    const wy = y - v[a + 1];
    const wz = z - v[a + 2];
    if (nx * (ey * wz - ez * wy) + ny * (ez * wx - ex * wz) + nz * (ex * wy - ey * wx) < 0) return false;
  }
  return true;
}
