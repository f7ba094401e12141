import { clipToFace } from "./clip";
import { closestOnConvex, ClosestSurfacePoint } from "./closest-point";
import { ContactKind } from "./contact-buffer";
import { collideConvex } from "./convex-pair";
import { ConvexKind } from "./convex";
import { Feature, vertexFeature } from "./feature";
import { type Gathered, normalName } from "./gathered";
import { Manifold, mix } from "./manifold";
import { type Placed, Placed as PlacedConvex, supportHeight } from "./placed";
import { mayPush } from "./surface-cone";
import { SurfaceTriangle, TriangleList, type TriangleSurface } from "./triangle-surface";

const triangles = new TriangleList();
const triangle = new SurfaceTriangle();
const placedTriangle = new PlacedConvex();
const single = new Manifold();
const reference = new Feature();
const incident = new Feature();
const closest = new ClosestSurfacePoint();
const box = new Float64Array(6);

/**
 * Contacts of a surface of triangles (A) with a convex (B), both in the frame of the surface. Contacts with one normal
 * are one manifold, whichever triangles they are with, and are thinned out to four together.
 *
 * @param margin separation [m] up to which contacts are wanted
 * @param out receives them
 */
export function collideSurface(surface: TriangleSurface, convex: Placed, margin: number, out: Gathered): void {
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
  out.clear();
  turnedAway.count = 0;
  for (let i = 0; i < triangles.count; i++) {
    surface.fetch(triangles.items[i], triangle);
    touch(surface.isBottomless, convex, margin);
    const source = surface.source(triangles.items[i]);
    for (let k = 0; k < single.count; k++) out.add(single, k, source, -1);
    if (turnedAway.count > 0 && turnedAway.triangleA[0] === -1) turnedAway.triangleA[0] = source;
  }
  // The closest point of all is no ghost: a corner of a saddle may touch, for all that one of its edges is hollow.
  if (turnedAway.count > 0 && turnedAway.separation[0] + 1e-9 < out.least())
    out.add(turnedAway, 0, turnedAway.triangleA[0], -1);
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
