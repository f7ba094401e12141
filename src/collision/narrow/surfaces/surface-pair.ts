import { IdList } from "../../../math/arrays";
import { closestOnConvex, ClosestSurfacePoint } from "../convex/closest-point";
import { ContactKind } from "../contact-buffer";
import { collideConvex } from "../convex/convex-pair";
import { ConvexKind } from "../shapes/convex";
import { vertexFeature } from "../feature";
import { Gathered, normalName } from "./gathered";
import { Manifold, mix } from "../manifold";
import { boxAround, type Placed, Placed as PlacedConvex, supportHeight } from "../shapes/placed";
import { mayPush } from "./surface-cone";
import { pressBack } from "./surface-press";
import { SurfaceTriangle, type TriangleSurface } from "./triangle-surface";

/** Part of a length by which it may be wrong. */
const ROUNDING = 1e-9;

const triangles = new IdList();
const triangle = new SurfaceTriangle();
const placedTriangle = new PlacedConvex();
const single = new Manifold();
const closest = new ClosestSurfacePoint();
const box = new Float64Array(6);

/** Triangles whose contacts wait for another contact to lead them; `ends` has the end of each triangle's contacts. */
const waiting = new IdList();
const followers = new Gathered();
const ends = new IdList();

/**
 * Contacts of a surface of triangles (A) with a convex (B), both in the frame of the surface. Contacts with the same
 * normal form one manifold, across triangles, and are reduced to four together.
 *
 * A contact of a single triangle may have a direction in which the surface cannot push (`mayPush`). Such a contact is
 * kept if a valid one has the same normal: a face of B holds all corners that it reaches, not just the lowest.
 * Otherwise B is pressed out along the normal of the triangle (`pressBack`).
 *
 * @param margin separation [m] up to which contacts are wanted
 * @param out receives them
 */
export function collideSurface(surface: TriangleSurface, convex: Placed, margin: number, out: Gathered): void {
  triangles.count = 0;
  surface.query(boxAround(convex, convex.convex.radius + margin, box), triangles);
  out.clear();
  followers.clear();
  waiting.count = 0;
  ends.count = 0;
  turnedAway.count = 0;
  for (let i = 0; i < triangles.count; i++) {
    surface.fetch(triangles.items[i], triangle);
    touch(surface, convex, margin, out);
  }
  follow(surface, convex, margin, out);
  // The closest point of all is no ghost: a corner of a saddle may touch although one of its edges is hollow.
  if (turnedAway.count > 0 && turnedAway.separation[0] + 1e-9 < out.least())
    out.add(turnedAway, 0, turnedAway.triangleA[0], -1);
}

/** Finds contacts of one triangle, which go to `out` or have to wait. */
function touch(surface: TriangleSurface, convex: Placed, margin: number, out: Gathered): void {
  const { faceNormals: n, faceOffsets } = triangle.convex;
  const { radius } = convex.convex;
  if (-supportHeight(convex, -n[0], -n[1], -n[2]) - radius - faceOffsets[0] > margin) return;
  // A convex wholly behind this triangle touches other triangles.
  if (!surface.isBottomless && supportHeight(convex, n[0], n[1], n[2]) + radius < faceOffsets[0]) return;
  placedTriangle.setPlain(triangle.convex);
  if (convex.convex.kind === ConvexKind.sphere) {
    touchSphere(surface, convex, margin, out);
    return;
  }
  if (isBeside(triangle.convex.vertices, convex, margin)) return;
  collideConvex(placedTriangle, convex, margin, single);
  if (single.count === 0) return;
  const p = single.pointA;
  let deepest = 0;
  for (let i = 1; i < single.count; i++) if (single.separation[i] < single.separation[deepest]) deepest = i;
  const o = 3 * deepest;
  const may = mayPush(surface, triangle, p[o], p[o + 1], p[o + 2], single.nx, single.ny, single.nz);
  nameTriangle();
  take(surface, may ? out : followers);
  if (may) return;
  waiting.push(triangle.index);
  ends.push(followers.count);
}

/**
 * Whether a triangle is further from a box or a cylinder than the margin along one of its axes. Of other kinds the contacts may be those along
 * an axis between which the parts are less far apart.
 */
function isBeside(v: Float64Array, { convex, frame: f }: Placed, margin: number): boolean {
  const { kind } = convex;
  if (kind !== ConvexKind.box && kind !== ConvexKind.cylinder) return false;
  for (let i = 0; i < 3; i++) {
    const half = i === 0 ? convex.halfX : i === 1 ? convex.halfY : convex.halfZ;
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < 9; k += 3) {
      const x = f[i] * (v[k] - f[9]) + f[3 + i] * (v[k + 1] - f[10]) + f[6 + i] * (v[k + 2] - f[11]);
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    if (Math.max(low, -high) > (1 + ROUNDING) * (half + margin)) return true;
  }
  return false;
}

/** Adds the contacts in `single` to `out`. */
function take(surface: TriangleSurface, out: Gathered): void {
  const source = surface.source(triangle.index);
  for (let k = 0; k < single.count; k++) out.add(single, k, source, -1);
}

/** Waiting contacts follow one with the same normal; without one, their triangles press back. */
function follow(surface: TriangleSurface, convex: Placed, margin: number, out: Gathered): void {
  const leaders = out.count;
  let first = 0;
  for (let i = 0; i < waiting.count; i++) {
    const end = ends.items[i];
    if (out.leads(leaders, followers, first)) for (let k = first; k < end; k++) out.copy(followers, k);
    else {
      surface.fetch(waiting.items[i], triangle);
      pressBack(surface, triangle, convex, margin, single);
      nameTriangle();
      take(surface, out);
    }
    first = end;
  }
}

/** A ball touches at the point closest to its center; over the border of a face, the neighboring face handles it. */
function touchSphere(surface: TriangleSurface, sphere: Placed, margin: number, out: Gathered): void {
  const f = sphere.frame;
  const r = sphere.convex.radius;
  const { faceNormals: n, faceOffsets } = triangle.convex;
  if (n[0] * f[9] + n[1] * f[10] + n[2] * f[11] < faceOffsets[0]) {
    pressBack(surface, triangle, sphere, margin, single);
    nameTriangle();
    take(surface, out);
    return;
  }
  if (!closestOnConvex(placedTriangle, f[9], f[10], f[11], margin + r, closest)) return;
  const { nx, ny, nz, x, y, z, distance } = closest;
  const may = mayPush(surface, triangle, x, y, z, nx, ny, nz);
  if (!may && turnedAway.count > 0 && turnedAway.separation[0] <= distance - r) return;
  const m = may ? single : turnedAway;
  m.begin(nx, ny, nz, ContactKind.round);
  const feature = mix(normalName(nx, ny, nz), 0);
  m.add(x, y, z, f[9] - r * nx, f[10] - r * ny, f[11] - r * nz, distance - r, feature, vertexFeature(0));
  if (may) take(surface, out);
  else turnedAway.triangleA[0] = surface.source(triangle.index);
}

/** The closest contact of a ball among those rejected as ghosts. */
const turnedAway = new Manifold();

/**
 * Names are made from the direction of the face, not from the number of the triangle, so that a corner keeps its name
 * when it slides from one triangle of a floor to the next.
 */
function nameTriangle(): void {
  const name = normalName(single.nx, single.ny, single.nz);
  for (let i = 0; i < single.count; i++) {
    // For corners and edges of a triangle, the position is a better name than the number.
    const isFace = single.featureA[i] >>> 28 === 3;
    single.featureA[i] = isFace ? name : mix(name, single.featureA[i]);
  }
}
