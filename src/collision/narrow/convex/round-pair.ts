import { clipToDisc } from "../clip-disc";
import { clipToFace } from "../clip";
import { ContactKind } from "../contact-buffer";
import { ConvexKind } from "../shapes/convex";
import { simplexFeature } from "./closest-point";
import { Epa } from "./epa";
import { Feature, mostFacing } from "../feature";
import { Gjk, GjkOutcome } from "./gjk";
import type { Manifold } from "../manifold";
import { type Placed, support, supportHeight } from "../shapes/placed";
import { clipSegments } from "./segment-pair";
import { PREFERENCE } from "./separation";

const gjk = new Gjk();
const epa = new Epa();
const reference = new Feature();
const incident = new Feature();

/** Cosine of the largest angle at which the normal of a face may replace the normal that was found. */
const NEAR = 0.99;

/** The best normal so far, and the owner of its face: 0 for A, 1 for B, −1 for none. */
let nx = 0;
let ny = 0;
let nz = 0;
let best = 0;
let owner = -1;

/**
 * Contacts of the cores of any two convex shapes, through their support functions: GJK if they are apart, EPA if they
 * overlap. If a face, an end of a cylinder or its side gives a separation that is as good, its normal is the exact one,
 * and the features there are clipped to get all contacts.
 *
 * @returns false if the cores are further apart than the margin
 */
export function roundContacts(a: Placed, b: Placed, margin: number, m: Manifold): boolean {
  const outcome = gjk.run(a, b, margin);
  if (outcome === GjkOutcome.apart) return false;
  const apart = outcome === GjkOutcome.separated;
  if (apart) {
    if (gjk.distance > margin) return false;
    nx = gjk.nx;
    ny = gjk.ny;
    nz = gjk.nz;
    best = gjk.distance;
  } else {
    if (!epa.run(a, b, gjk)) return facesOnly(a, b, margin, m);
    nx = epa.nx;
    ny = epa.ny;
    nz = epa.nz;
    best = -epa.depth;
  }
  const tolerance = PREFERENCE * Math.min(sizeOf(a), sizeOf(b));
  if (separationAlong(a, b, nx, ny, nz) < best - 10 * tolerance) return facesOnly(a, b, margin, m);
  const found = best;
  owner = -1;
  best -= tolerance;
  // The normal of the search, used if no face is as good.
  const fx = nx;
  const fy = ny;
  const fz = nz;
  tryFace(a, b, 0, fx, fy, fz);
  const better = best + tolerance;
  if (owner >= 0) best = Math.max(better, best);
  tryFace(b, a, 1, fx, fy, fz);
  m.begin(nx, ny, nz, ContactKind.round);
  if (owner >= 0) {
    const limit = Math.min(best, found) + 4 * tolerance;
    clipFaces(a, b, margin, m);
    if (m.count > 0 && m.deepest() <= limit) return true;
    m.begin(fx, fy, fz, ContactKind.round);
    nx = fx;
    ny = fy;
    nz = fz;
  } else if (sideContacts(a, b, found - tolerance, m)) return true;
  const pa = apart ? gjk.pointA : epa.pointA;
  const pb = apart ? gjk.pointB : epa.pointB;
  const size = apart ? gjk.size : 3;
  const featureA = simplexFeature(apart ? gjk.idA : epa.idA, size);
  const featureB = simplexFeature(apart ? gjk.idB : epa.idB, size);
  m.begin(fx, fy, fz, ContactKind.round);
  m.add(pa[0], pa[1], pa[2], pb[0], pb[1], pb[2], found, featureA, featureB);
  return true;
}

/**
 * Contacts along the best direction among those of faces, axes and centers. They replace a search that ended in a plane
 * that does not separate the cores as it should; this happens if shapes just touch with flat parts.
 */
function facesOnly(a: Placed, b: Placed, margin: number, m: Manifold): boolean {
  best = -Infinity;
  tryDirection(a, b, nx, ny, nz);
  const [p, q] = [a.frame, b.frame];
  tryDirection(a, b, q[9] - p[9], q[10] - p[10], q[11] - p[11]);
  tryAll(a, b, a);
  tryAll(a, b, b);
  if (best > margin) return false;
  m.begin(nx, ny, nz, ContactKind.round);
  incident.facing(b, -nx, -ny, -nz);
  reference.facing(a, nx, ny, nz);
  owner = reference.face >= 0 && reference.nx * nx + reference.ny * ny + reference.nz * nz > 1 - 1e-9 ? 0 : -1;
  if (owner < 0 && incident.face >= 0 && incident.nx * nx + incident.ny * ny + incident.nz * nz < -1 + 1e-9) owner = 1;
  if (owner >= 0) clipFaces(a, b, margin, m);
  if (m.count > 0) return true;
  // The only contact is the deepest point of B.
  const id = support(b, -nx, -ny, -nz, deepest, 0);
  const x = deepest[0];
  const y = deepest[1];
  const z = deepest[2];
  m.add(x - best * nx, y - best * ny, z - best * nz, x, y, z, best, 0, id);
  return true;
}

const deepest = new Float64Array(3);

/** Tries the directions of a shape's faces; of a cylinder its axis, and the one across it to the other shape. */
function tryAll(a: Placed, b: Placed, p: Placed): void {
  const f = p.frame;
  if (p.convex.kind === ConvexKind.cylinder || p.convex.kind === ConvexKind.capsule) {
    tryDirection(a, b, f[1], f[4], f[7]);
    const dx = b.frame[9] - a.frame[9];
    const dy = b.frame[10] - a.frame[10];
    const dz = b.frame[11] - a.frame[11];
    const along = f[1] * dx + f[4] * dy + f[7] * dz;
    tryDirection(a, b, dx - along * f[1], dy - along * f[4], dz - along * f[7]);
    tryDirection(a, b, f[0], f[3], f[6]);
    tryDirection(a, b, f[2], f[5], f[8]);
  }
  for (let i = 0; i < 3 * p.convex.faceCount; i += 3)
    tryDirection(a, b, p.normals[i], p.normals[i + 1], p.normals[i + 2]);
}

/** Tries a direction both ways. */
function tryDirection(a: Placed, b: Placed, x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-12)) return;
  for (let sign = 1; sign >= -1; sign -= 2) {
    const k = sign / length;
    const s = separationAlong(a, b, k * x, k * y, k * z);
    if (!(s > best + 1e-12)) continue;
    best = s;
    nx = k * x;
    ny = k * y;
    nz = k * z;
  }
}

function sizeOf({ convex }: Placed): number {
  return Math.max(convex.halfX, convex.halfY, convex.halfZ) || Infinity;
}

/** Separation along a direction from A to B: start of B minus end of A. */
function separationAlong(a: Placed, b: Placed, x: number, y: number, z: number): number {
  return -supportHeight(b, -x, -y, -z) - supportHeight(a, x, y, z);
}

/** Takes the face of `p` towards the other shape if its normal is as good as the best direction. */
function tryFace(p: Placed, other: Placed, side: number, fx: number, fy: number, fz: number): void {
  const sign = side === 0 ? 1 : -1;
  const { kind } = p.convex;
  let x: number;
  let y: number;
  let z: number;
  if (kind === ConvexKind.cylinder) {
    const f = p.frame;
    const along = sign * (f[1] * fx + f[4] * fy + f[7] * fz) < 0 ? -1 : 1;
    x = along * f[1];
    y = along * f[4];
    z = along * f[7];
  } else if (p.convex.faceCount > 0) {
    const face = mostFacing(p, sign * fx, sign * fy, sign * fz);
    x = p.normals[3 * face];
    y = p.normals[3 * face + 1];
    z = p.normals[3 * face + 2];
  } else return;
  if (sign * (x * fx + y * fy + z * fz) < NEAR) return;
  const s = separationAlong(p, other, x, y, z);
  if (s < best) return;
  best = s;
  owner = side;
  nx = sign * x;
  ny = sign * y;
  nz = sign * z;
}

function clipFaces(a: Placed, b: Placed, margin: number, m: Manifold): void {
  const p = owner === 0 ? a : b;
  const other = owner === 0 ? b : a;
  const sign = owner === 0 ? 1 : -1;
  reference.facing(p, sign * nx, sign * ny, sign * nz);
  incident.facing(other, -sign * nx, -sign * ny, -sign * nz);
  if (reference.radius > 0) clipToDisc(reference, incident, owner, margin, m);
  else clipToFace(reference, incident, other, owner, margin, m);
}

/** The side of a cylinder along a segment: the side of another cylinder or a capsule's core. */
function sideContacts(a: Placed, b: Placed, least: number, m: Manifold): boolean {
  if (!isLong(a) || !isLong(b)) return false;
  // The normal is perpendicular to the axis of a shape that is a cylinder.
  const p = a.convex.kind === ConvexKind.cylinder ? a.frame : b.frame;
  const along = p[1] * nx + p[4] * ny + p[7] * nz;
  if (Math.abs(along) > 0.05) return false;
  let x = nx - along * p[1];
  let y = ny - along * p[4];
  let z = nz - along * p[7];
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  x *= scale;
  y *= scale;
  z *= scale;
  if (separationAlong(a, b, x, y, z) < least) return false;
  sideOf(a, x, y, z, reference);
  sideOf(b, -x, -y, -z, incident);
  m.begin(x, y, z, ContactKind.round);
  return clipSegments(reference.points, incident.points, m);
}

const isLong = ({ convex }: Placed): boolean =>
  convex.kind === ConvexKind.cylinder || convex.kind === ConvexKind.capsule;

function sideOf(p: Placed, x: number, y: number, z: number, out: Feature): void {
  if (p.convex.kind === ConvexKind.cylinder) out.setSide(p, x, y, z);
  else out.facing(p, x, y, z);
}
