import { clipToFace } from "./clip";
import { closestOnConvex, ClosestSurfacePoint } from "./closest-point";
import { ContactKind } from "./contact-buffer";
import { collideConvex } from "./convex-pair";
import { ConvexKind } from "./convex";
import { Feature, vertexFeature } from "./feature";
import { Manifold, mix } from "./manifold";
import { type Placed, Placed as PlacedConvex, supportHeight } from "./placed";
import { mayPush } from "./surface-cone";
import { SurfaceTriangle, TriangleList, type TriangleSurface } from "./triangle-surface";

/** 1 − cosine of the angle between normals that count as one: 1.4e-4 rad. */
const ONE_NORMAL = 1e-8;

const triangles = new TriangleList();
const triangle = new SurfaceTriangle();
const placedTriangle = new PlacedConvex();
const single = new Manifold();
const reference = new Feature();
const incident = new Feature();
const closest = new ClosestSurfacePoint();
const box = new Float64Array(6);

/** Contacts with all triangles, each with its normal. */
class Gathered {
  count = 0;
  data = new Float64Array(64 * GATHERED);
  /** features of surface and convex, kind, triangle, group */
  names = new Int32Array(64 * 5);

  add(m: Manifold, i: number, source: number): void {
    if ((this.count + 1) * GATHERED > this.data.length) this.grow();
    const o = GATHERED * this.count;
    const d = this.data;
    for (let k = 0; k < 3; k++) {
      d[o + k] = m.pointA[3 * i + k];
      d[o + 3 + k] = m.pointB[3 * i + k];
    }
    d[o + 6] = m.nx;
    d[o + 7] = m.ny;
    d[o + 8] = m.nz;
    d[o + 9] = m.separation[i];
    const n = 5 * this.count++;
    this.names[n] = m.featureA[i];
    this.names[n + 1] = m.featureB[i];
    this.names[n + 2] = m.kind;
    this.names[n + 3] = source;
    this.names[n + 4] = 0;
  }

  private grow(): void {
    const data = new Float64Array(2 * this.data.length);
    data.set(this.data);
    this.data = data;
    const names = new Int32Array(2 * this.names.length);
    names.set(this.names);
    this.names = names;
  }
}

/** Numbers of a gathered contact: point on the surface, on the convex, normal, separation. */
const GATHERED = 10;
const gathered = new Gathered();

/**
 * Contacts of a surface of triangles (A) with a convex (B), both in the frame of the surface. Contacts with one normal
 * are one manifold, whichever triangles they are with, and are thinned out to four together.
 *
 * @param margin separation [m] up to which contacts are wanted
 * Read them with `nextManifold`.
 */
export function collideSurface(surface: TriangleSurface, convex: Placed, margin: number): void {
  const reach = convex.convex.radius + margin;
  for (let k = 0; k < 3; k++) {
    const x = k === 0 ? 1 : 0;
    const y = k === 1 ? 1 : 0;
    const z = k === 2 ? 1 : 0;
    box[k] = -supportHeight(convex, -x, -y, -z) - reach;
    box[3 + k] = supportHeight(convex, x, y, z) + reach;
  }
  triangles.count = 0;
  surface.query(box, triangles);
  gathered.count = 0;
  turnedAway.count = 0;
  for (let i = 0; i < triangles.count; i++) {
    surface.fetch(triangles.items[i], triangle);
    touch(surface.isBottomless, convex, margin);
    const source = surface.source(triangles.items[i]);
    for (let k = 0; k < single.count; k++) gathered.add(single, k, source);
    if (turnedAway.count > 0 && turnedAway.triangle[0] === -1) turnedAway.triangle[0] = source;
  }
  addNearest();
  cursor = 0;
}

/** Contacts of one triangle, in `single`. */
function touch(isBottomless: boolean, convex: Placed, margin: number): void {
  single.count = 0;
  const { faceNormals: n, faceOffsets } = triangle.convex;
  const f = convex.frame;
  const radius = convex.convex.radius;
  const height = -supportHeight(convex, -n[0], -n[1], -n[2]) - radius - faceOffsets[0];
  if (height > margin) return;
  const middle = n[0] * f[9] + n[1] * f[10] + n[2] * f[11] - faceOffsets[0];
  if (middle < 0 && !isBottomless) return;
  placedTriangle.setPlain(triangle.convex);
  if (convex.convex.kind === ConvexKind.sphere) {
    if (middle >= 0) touchSphere(convex, margin);
    else pressBack(isBottomless, convex, margin);
    return;
  }
  if (middle >= 0) {
    collideConvex(placedTriangle, convex, margin, single);
    if (single.count === 0) return;
    const p = single.pointA;
    let deepest = 0;
    for (let i = 1; i < single.count; i++) if (single.separation[i] < single.separation[deepest]) deepest = i;
    const o = 3 * deepest;
    if (mayPush(triangle, p[o], p[o + 1], p[o + 2], single.nx, single.ny, single.nz)) {
      nameTriangle();
      return;
    }
  }
  pressBack(isBottomless, convex, margin);
}

/** A ball touches where its centre is closest; over the borders of faces the neighbours see to it. */
function touchSphere(sphere: Placed, margin: number): void {
  const f = sphere.frame;
  const r = sphere.convex.radius;
  if (!closestOnConvex(placedTriangle, f[9], f[10], f[11], margin + r, closest)) return;
  const { nx, ny, nz, x, y, z, distance } = closest;
  const may = mayPush(triangle, x, y, z, nx, ny, nz);
  if (!may && turnedAway.count > 0 && turnedAway.separation[0] <= distance - r) return;
  const m = may ? single : turnedAway;
  m.begin(nx, ny, nz, ContactKind.round);
  const feature = mix(normalName(nx, ny, nz), 0);
  m.add(x, y, z, f[9] - r * nx, f[10] - r * ny, f[11] - r * nz, distance - r, feature, vertexFeature(0));
}

/** The closest contact of a ball that was taken for a ghost. */
const turnedAway = new Manifold();

/**
 * The closest point of all is none, though: a corner of a saddle may touch, for all that one of its edges is hollow.
 */
function addNearest(): void {
  if (turnedAway.count === 0) return;
  const limit = turnedAway.separation[0] + 1e-9;
  for (let i = 0; i < gathered.count; i++) if (gathered.data[GATHERED * i + 9] <= limit) return;
  gathered.add(turnedAway, 0, turnedAway.triangle[0]);
}

/** Contacts along the normal of the triangle: what of the convex is over it or has sunk in. */
function pressBack(isBottomless: boolean, convex: Placed, margin: number): void {
  const n = triangle.convex.faceNormals;
  const radius = convex.convex.radius;
  single.begin(n[0], n[1], n[2], radius > 0 ? ContactKind.round : ContactKind.faceVertex);
  reference.setFace(placedTriangle, 0);
  incident.facing(convex, -n[0], -n[1], -n[2]);
  clipToFace(reference, incident, convex, 0, margin + radius, single, isBottomless);
  single.inflate(0, radius, margin);
  nameTriangle();
}

/**
 * Names are made of the direction of the face, not of the number of the triangle, so that a corner keeps its name when
 * it slides from one triangle of a floor to the next.
 */
function nameTriangle(): void {
  const name = normalName(single.nx, single.ny, single.nz);
  for (let i = 0; i < single.count; i++) {
    // Against the corners and edges of a triangle the place tells more than the number.
    const isFace = single.featureA[i] >>> 28 === 3;
    single.featureA[i] = isFace ? name : mix(name, single.featureA[i]);
  }
}

/** The direction of a normal, to about two degrees. */
function normalName(x: number, y: number, z: number): number {
  return (Math.floor(16 * x + 16.5) * 64 + Math.floor(16 * y + 16.5)) * 64 + Math.floor(16 * z + 16.5);
}

/** The first gathered contact that may not be in a manifold yet. */
let cursor = 0;

/**
 * Writes the next of the manifolds that `collideSurface` found: one for each normal.
 *
 * @returns false, with `m` unusable, after the last one
 */
export function nextManifold(m: Manifold): boolean {
  const { data: d, names, count } = gathered;
  while (cursor < count && names[5 * cursor + 4] !== 0) cursor++;
  if (cursor === count) return false;
  const o = GATHERED * cursor;
  m.begin(d[o + 6], d[o + 7], d[o + 8], names[5 * cursor + 2] as ContactKind);
  for (let i = cursor; i < count; i++) {
    const p = GATHERED * i;
    const n = 5 * i;
    if (names[n + 4] !== 0) continue;
    if (d[p + 6] * m.nx + d[p + 7] * m.ny + d[p + 8] * m.nz < 1 - ONE_NORMAL) continue;
    names[n + 4] = 1;
    if (isDouble(m, d, p)) continue;
    const k = m.count;
    const [a, b] = [names[n] >>> 0, names[n + 1] >>> 0];
    m.add(d[p], d[p + 1], d[p + 2], d[p + 3], d[p + 4], d[p + 5], d[p + 9], a, b);
    m.triangle[k] = names[n + 3];
  }
  m.reduce();
  return true;
}

/** Whether a contact at this place is in the manifold: neighbours both have what lies on their common edge. */
function isDouble(m: Manifold, d: Float64Array, p: number): boolean {
  for (let i = 0; i < m.count; i++) {
    const x = m.pointB[3 * i] - d[p + 3];
    const y = m.pointB[3 * i + 1] - d[p + 4];
    const z = m.pointB[3 * i + 2] - d[p + 5];
    if (x * x + y * y + z * z < 1e-14) return true;
  }
  return false;
}
