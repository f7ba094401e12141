import { closestOnConvex, ClosestSurfacePoint } from "./closest-point";
import { ContactKind } from "../contact-buffer";
import { type Convex, ConvexKind } from "../shapes/convex";
import { vertexFeature } from "../feature";
import type { Manifold } from "../manifold";
import type { Placed } from "../shapes/placed";
import { polytopeContacts } from "./polytope-pair";
import { roundContacts } from "./round-pair";
import { type Approach, anyApproach } from "./approach";
import { segmentContacts } from "./segment-pair";

/** Pairs of edges up to which separating axes are cheaper than GJK and EPA. */
const EDGE_PAIRS = 400;

const closest = new ClosestSurfacePoint();

/**
 * Contacts of two convex parts in one working frame, thinned out to four: points on both surfaces, their common normal
 * from A to B, and the signed separations. Contacts are exact for all pairs of spheres, capsules, boxes and polytopes.
 * Against a cylinder, the direction comes from GJK or EPA if no face takes part.
 *
 * @param margin separation [m] up to which contacts are wanted: positive for contacts that may form in a step
 * @param way polytopes that do not meet on it have no contacts
 * @param m receives the contacts; empty if there are none
 */
export function collideConvex(a: Placed, b: Placed, margin: number, m: Manifold, way: Approach = anyApproach): void {
  m.count = 0;
  m.apart = margin;
  if (a.convex.kind === ConvexKind.sphere) sphereContact(b, a, -1, margin, m);
  else if (b.convex.kind === ConvexKind.sphere) sphereContact(a, b, 1, margin, m);
  else {
    const radiusA = a.convex.radius;
    const radiusB = b.convex.radius;
    const reach = margin + radiusA + radiusB;
    const isRound = !coreContacts(a, b, reach, way, m) || radiusA > 0 || radiusB > 0;
    if (m.count === 0) return;
    if (isRound) m.kind = ContactKind.round;
    m.inflate(radiusA, radiusB, margin);
    m.reduce();
  }
}

/** @returns whether the contacts are those of polytopes */
function coreContacts(a: Placed, b: Placed, margin: number, way: Approach, m: Manifold): boolean {
  a.fill();
  const isCapsuleA = a.convex.kind === ConvexKind.capsule;
  const isCapsuleB = b.convex.kind === ConvexKind.capsule;
  if (isCapsuleA && isCapsuleB) {
    b.fill();
    if (!segmentContacts(a.vertices, b.vertices, margin, m)) m.count = 0;
    return false;
  }
  if (isPolytope(a.convex) && isPolytope(b.convex) && a.convex.edgeCount * b.convex.edgeCount <= EDGE_PAIRS) {
    if (!polytopeContacts(a, b, margin, way, m)) m.count = 0;
    return true;
  }
  b.fill();
  if (!roundContacts(a, b, margin, m)) m.count = 0;
  return false;
}

const isPolytope = ({ kind }: Convex): boolean => kind !== ConvexKind.cylinder;

/** A sphere touches in one point. `sign` is 1 if the sphere is B. */
function sphereContact(solid: Placed, sphere: Placed, sign: number, margin: number, m: Manifold): void {
  const c = sphere.frame;
  solid.fill();
  const r = sphere.convex.radius;
  if (!closestOnConvex(solid, c[9], c[10], c[11], margin + r, closest)) return;
  const { nx, ny, nz, x, y, z, feature } = closest;
  const separation = closest.distance - r;
  const sx = c[9] - r * nx;
  const sy = c[10] - r * ny;
  const sz = c[11] - r * nz;
  m.begin(sign * nx, sign * ny, sign * nz, ContactKind.round);
  if (sign > 0) m.add(x, y, z, sx, sy, sz, separation, feature, vertexFeature(0));
  else m.add(sx, sy, sz, x, y, z, separation, vertexFeature(0), feature);
}
