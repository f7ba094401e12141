import { edgeFeature, faceFeature, type Feature, vertexFeature } from "./feature";
import type { Manifold } from "./manifold";

/** Bit that distinguishes corners and edges of discs from those of polygons in feature numbers. */
export const ROUND = 0x8000;

/** A face steeper than this (cosine between normals) adds no points on the rim of a disc. */
const STEEP = 0.5;

/**
 * Contacts of the end of a cylinder, a disc, with the incident feature of the other shape: corners of the incident feature
 * over the disc, points where its sides cross the rim, and points on the rim that lie under the incident polygon.
 *
 * @param disc the reference
 * @param owner 0 if the disc belongs to A, 1 for B
 */
export function clipToDisc(disc: Feature, incident: Feature, owner: number, margin: number, m: Manifold): void {
  corners(disc, incident, owner, margin, m);
  const sides = incident.count > 2 ? incident.count : incident.count - 1;
  for (let side = 0; side < sides; side++) crossings(disc, incident, side, owner, margin, m);
  if (incident.count > 2) rimPoints(disc, incident, owner, margin, m);
}

function put(
  disc: Feature,
  x: number,
  y: number,
  z: number,
  own: number,
  other: number,
  owner: number,
  margin: number,
  m: Manifold,
): void {
  const { nx, ny, nz } = disc;
  const d = nx * x + ny * y + nz * z - disc.offset;
  if (d > margin) return;
  const px = x - d * nx;
  const py = y - d * ny;
  const pz = z - d * nz;
  if (owner === 0) m.add(px, py, pz, x, y, z, d, own, other);
  else m.add(x, y, z, px, py, pz, d, other, own);
}

function corners(disc: Feature, incident: Feature, owner: number, margin: number, m: Manifold): void {
  const { points: p, corners: names } = incident;
  const round = incident.radius > 0 ? ROUND : 0;
  const rr = disc.radius * disc.radius;
  for (let i = 0; i < incident.count; i++) {
    const k = 3 * i;
    if (squaredAcross(disc, p[k], p[k + 1], p[k + 2]) > rr) continue;
    put(disc, p[k], p[k + 1], p[k + 2], faceFeature(disc.face), vertexFeature(names[i]) | round, owner, margin, m);
  }
}

/** Squared distance from the axis of a disc. */
function squaredAcross({ cx, cy, cz, nx, ny, nz }: Feature, x: number, y: number, z: number): number {
  const dx = x - cx;
  const dy = y - cy;
  const dz = z - cz;
  const h = nx * dx + ny * dy + nz * dz;
  return dx * dx + dy * dy + dz * dz - h * h;
}

/** Adds the points at which a side of the incident feature crosses the cylinder over the rim. */
function crossings(disc: Feature, incident: Feature, side: number, owner: number, margin: number, m: Manifold): void {
  const { points: p, corners: names } = incident;
  const { cx, cy, cz, nx, ny, nz, radius } = disc;
  const end = side + 1 === incident.count ? 0 : side + 1;
  const i = 3 * side;
  const j = 3 * end;
  const ex = p[j] - p[i];
  const ey = p[j + 1] - p[i + 1];
  const ez = p[j + 2] - p[i + 2];
  const dx = p[i] - cx;
  const dy = p[i + 1] - cy;
  const dz = p[i + 2] - cz;
  const en = ex * nx + ey * ny + ez * nz;
  const dn = dx * nx + dy * ny + dz * nz;
  // |d + t e|² = r² across the axis.
  const a = ex * ex + ey * ey + ez * ez - en * en;
  const b = dx * ex + dy * ey + dz * ez - dn * en;
  const c = dx * dx + dy * dy + dz * dz - dn * dn - radius * radius;
  const root = b * b - a * c;
  if (!(root > 0) || !(a > 0)) return;
  const name = edgeFeature(names[side], names[end]);
  for (let k = 0; k < 2; k++) {
    const t = (-b + (k === 0 ? -1 : 1) * Math.sqrt(root)) / a;
    if (!(t > 0 && t < 1)) continue;
    const own = edgeFeature(disc.face, 2 + k) | ROUND;
    put(disc, p[i] + t * ex, p[i + 1] + t * ey, p[i + 2] + t * ez, own, name, owner, margin, m);
  }
}

/** Adds points on the rim under the incident polygon, each with the point of the polygon above it. */
function rimPoints(disc: Feature, incident: Feature, owner: number, margin: number, m: Manifold): void {
  const { nx, ny, nz } = disc;
  const facing = nx * incident.nx + ny * incident.ny + nz * incident.nz;
  if (facing > -STEEP) return;
  const p = disc.points;
  const rr = incident.radius * incident.radius;
  for (let i = 0; i < disc.count; i++) {
    const k = 3 * i;
    const height = incident.offset - (incident.nx * p[k] + incident.ny * p[k + 1] + incident.nz * p[k + 2]);
    const d = height / facing;
    if (d > margin) continue;
    const x = p[k] + d * nx;
    const y = p[k + 1] + d * ny;
    const z = p[k + 2] + d * nz;
    const isUnder = incident.radius > 0 ? squaredAcross(incident, x, y, z) < rr : isInside(incident, x, y, z);
    if (!isUnder) continue;
    const own = vertexFeature(disc.corners[i]) | ROUND;
    const other = faceFeature(incident.face);
    if (owner === 0) m.add(p[k], p[k + 1], p[k + 2], x, y, z, d, own, other);
    else m.add(x, y, z, p[k], p[k + 1], p[k + 2], d, other, own);
  }
}

/** Whether a point in the plane of a polygon is strictly inside it. */
function isInside({ points: p, count, nx, ny, nz }: Feature, x: number, y: number, z: number): boolean {
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = i + 1 === count ? 0 : a + 3;
    const ex = p[b] - p[a];
    const ey = p[b + 1] - p[a + 1];
    const ez = p[b + 2] - p[a + 2];
    const wx = x - p[a];
    const wy = y - p[a + 1];
    const wz = z - p[a + 2];
    if (nx * (ey * wz - ez * wy) + ny * (ez * wx - ex * wz) + nz * (ex * wy - ey * wx) <= 0) return false;
  }
  return true;
}
