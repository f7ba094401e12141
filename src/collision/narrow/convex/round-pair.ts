import { clipToDisc } from "../clip-disc";
import { clipToFace } from "../clip";
import { ContactKind } from "../contact-buffer";
import { ConvexKind } from "../shapes/convex";
import { simplexFeature } from "./closest-point";
import { Epa } from "./epa";
import { Feature, mostFacing } from "../feature";
import { Gjk, GjkOutcome } from "./gjk";
import type { Manifold } from "../manifold";
import { type Placed, support } from "../shapes/placed";
import { clipSegments } from "./segment-pair";
import { PREFERENCE } from "./separation";

const gjk = new Gjk();
const epa = new Epa();
const reference = new Feature();
const incident = new Feature();

/** Cosine of the largest angle at which the normal of a face may replace the normal that was found. */
const NEAR = 0.99;

/** The best normal so far, that of the search, and one on trial. Numbers that functions pass to each other in arrays need no memory. */
const normal = new Float64Array(3);
const found = new Float64Array(3);
const trial = new Float64Array(3);
/** Separations along the best normal and along the last one that was tried [m]. */
const BEST = 0;
const LAST = 1;
const along = new Float64Array(2);
/** Owner of the best normal's face: 0 for A, 1 for B, −1 for none. */
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
  if (apart && gjk.distance > margin) return false;
  if (!apart && !epa.run(a, b, gjk)) {
    normal.fill(0);
    return facesOnly(a, b, margin, m);
  }
  const search = apart ? gjk : epa;
  normal[0] = search.nx;
  normal[1] = search.ny;
  normal[2] = search.nz;
  const distance = apart ? gjk.distance : -epa.depth;
  const tolerance = PREFERENCE * Math.min(sizeOf(a), sizeOf(b));
  separateAlong(a, b, normal);
  if (along[LAST] < distance - 10 * tolerance) return facesOnly(a, b, margin, m);
  owner = -1;
  along[BEST] = distance - tolerance;
  // The normal of the search is used if no face is as good.
  copy(normal, found);
  tryFace(a, b, 0);
  const better = along[BEST] + tolerance;
  if (owner >= 0) along[BEST] = Math.max(better, along[BEST]);
  tryFace(b, a, 1);
  if (owner >= 0) {
    m.begin(normal[0], normal[1], normal[2], ContactKind.round);
    const limit = Math.min(along[BEST], distance) + 4 * tolerance;
    clipFaces(a, b, margin, m);
    if (m.count > 0 && m.deepest() <= limit) return true;
    copy(found, normal);
  } else {
    along[BEST] = distance - tolerance;
    if (sideContacts(a, b, m)) return true;
  }
  const { pointA: pa, pointB: pb } = search;
  const size = apart ? gjk.size : 3;
  m.begin(found[0], found[1], found[2], ContactKind.round);
  const featureA = simplexFeature(search.idA, size);
  m.add(pa[0], pa[1], pa[2], pb[0], pb[1], pb[2], distance, featureA, simplexFeature(search.idB, size));
  return true;
}

/**
 * Contacts along the best direction among those of faces, axes and centers. They replace a search that ended in a plane
 * that does not separate the cores as it should; this happens if shapes just touch with flat parts.
 */
function facesOnly(a: Placed, b: Placed, margin: number, m: Manifold): boolean {
  along[BEST] = -Infinity;
  copy(normal, trial);
  tryDirection(a, b);
  for (let k = 0; k < 3; k++) trial[k] = b.frame[9 + k] - a.frame[9 + k];
  tryDirection(a, b);
  tryAll(a, b, a);
  tryAll(a, b, b);
  const best = along[BEST];
  if (best > margin) return false;
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  m.begin(nx, ny, nz, ContactKind.round);
  incident.facing(b, normal, -1);
  reference.facing(a, normal, 1);
  owner = reference.face >= 0 && reference.nx * nx + reference.ny * ny + reference.nz * nz > 1 - 1e-9 ? 0 : -1;
  if (owner < 0 && incident.face >= 0 && incident.nx * nx + incident.ny * ny + incident.nz * nz < -1 + 1e-9) owner = 1;
  if (owner >= 0) clipFaces(a, b, margin, m);
  if (m.count > 0) return true;
  // The only contact is the deepest point of B.
  const id = support(b, normal, 0, -1, points, 0);
  const x = points[0];
  const y = points[1];
  const z = points[2];
  m.add(x - best * nx, y - best * ny, z - best * nz, x, y, z, best, 0, id);
  return true;
}

const points = new Float64Array(6);

/** Tries the directions of a shape's faces; of a cylinder its axis, and the one across it to the other shape. */
function tryAll(a: Placed, b: Placed, p: Placed): void {
  const f = p.frame;
  if (p.convex.kind === ConvexKind.cylinder || p.convex.kind === ConvexKind.capsule) {
    tryColumn(a, b, f, 1);
    const dx = b.frame[9] - a.frame[9];
    const dy = b.frame[10] - a.frame[10];
    const dz = b.frame[11] - a.frame[11];
    const height = f[1] * dx + f[4] * dy + f[7] * dz;
    trial[0] = dx - height * f[1];
    trial[1] = dy - height * f[4];
    trial[2] = dz - height * f[7];
    tryDirection(a, b);
    tryColumn(a, b, f, 0);
    tryColumn(a, b, f, 2);
  }
  for (let i = 0; i < 3 * p.convex.faceCount; i += 3) {
    for (let k = 0; k < 3; k++) trial[k] = p.normals[i + k];
    tryDirection(a, b);
  }
}

function tryColumn(a: Placed, b: Placed, frame: Float64Array, column: number): void {
  for (let k = 0; k < 3; k++) trial[k] = frame[column + 3 * k];
  tryDirection(a, b);
}

/** Tries the direction on trial both ways. */
function tryDirection(a: Placed, b: Placed): void {
  const x = trial[0];
  const y = trial[1];
  const z = trial[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-12)) return;
  for (let sign = 1; sign >= -1; sign -= 2) {
    const k = sign / length;
    trial[0] = k * x;
    trial[1] = k * y;
    trial[2] = k * z;
    separateAlong(a, b, trial);
    if (!(along[LAST] > along[BEST] + 1e-12)) continue;
    along[BEST] = along[LAST];
    copy(trial, normal);
  }
}

function copy(from: Float64Array, to: Float64Array): void {
  for (let k = 0; k < 3; k++) to[k] = from[k];
}

function sizeOf({ convex }: Placed): number {
  return Math.max(convex.halfX, convex.halfY, convex.halfZ) || Infinity;
}

/** Finds the separation along a direction from A to B: start of B minus end of A. */
function separateAlong(a: Placed, b: Placed, d: Float64Array): void {
  support(b, d, 0, -1, points, 0);
  support(a, d, 0, 1, points, 3);
  const start = points[0] * d[0] + points[1] * d[1] + points[2] * d[2];
  along[LAST] = start - (points[3] * d[0] + points[4] * d[1] + points[5] * d[2]);
}

/** Takes the face of `p` towards the other shape if its normal is as good as the best direction. */
function tryFace(p: Placed, other: Placed, side: number): void {
  const sign = side === 0 ? 1 : -1;
  if (p.convex.kind === ConvexKind.cylinder) {
    const f = p.frame;
    const way = sign * (f[1] * found[0] + f[4] * found[1] + f[7] * found[2]) < 0 ? -1 : 1;
    for (let k = 0; k < 3; k++) trial[k] = way * f[1 + 3 * k];
  } else if (p.convex.faceCount > 0) {
    const face = mostFacing(p, found, sign);
    for (let k = 0; k < 3; k++) trial[k] = p.normals[3 * face + k];
  } else return;
  if (sign * (trial[0] * found[0] + trial[1] * found[1] + trial[2] * found[2]) < NEAR) return;
  separateAlong(p, other, trial);
  if (along[LAST] < along[BEST]) return;
  along[BEST] = along[LAST];
  owner = side;
  for (let k = 0; k < 3; k++) normal[k] = sign * trial[k];
}

function clipFaces(a: Placed, b: Placed, margin: number, m: Manifold): void {
  const p = owner === 0 ? a : b;
  const other = owner === 0 ? b : a;
  const sign = owner === 0 ? 1 : -1;
  reference.facing(p, normal, sign);
  incident.facing(other, normal, -sign);
  if (reference.radius > 0) clipToDisc(reference, incident, owner, margin, m);
  else clipToFace(reference, incident, other, owner, margin, m);
}

/** The side of a cylinder along a segment, if that is as good as the best separation: the side of another cylinder or a capsule's core. */
function sideContacts(a: Placed, b: Placed, m: Manifold): boolean {
  if (!isLong(a) || !isLong(b)) return false;
  // The normal is perpendicular to the axis of a shape that is a cylinder.
  const p = a.convex.kind === ConvexKind.cylinder ? a.frame : b.frame;
  const tilt = p[1] * normal[0] + p[4] * normal[1] + p[7] * normal[2];
  if (Math.abs(tilt) > 0.05) return false;
  const x = normal[0] - tilt * p[1];
  const y = normal[1] - tilt * p[4];
  const z = normal[2] - tilt * p[7];
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  trial[0] = x * scale;
  trial[1] = y * scale;
  trial[2] = z * scale;
  separateAlong(a, b, trial);
  if (along[LAST] < along[BEST]) return false;
  sideOf(a, 1, reference);
  sideOf(b, -1, incident);
  m.begin(trial[0], trial[1], trial[2], ContactKind.round);
  return clipSegments(reference.points, incident.points, m);
}

const isLong = ({ convex }: Placed): boolean =>
  convex.kind === ConvexKind.cylinder || convex.kind === ConvexKind.capsule;

function sideOf(p: Placed, sign: number, out: Feature): void {
  if (p.convex.kind === ConvexKind.cylinder) out.setSide(p, trial, sign);
  else out.facing(p, trial, sign);
}
