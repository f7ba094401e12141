import { boxSeparation } from "./box-separation";
import { clipToFace } from "../clip";
import { ContactKind } from "../contact-buffer";
import { ConvexKind } from "../shapes/convex";
import { simplexFeature } from "./closest-point";
import { edgeFeature, Feature } from "../feature";
import { Gjk, GjkOutcome } from "./gjk";
import type { Manifold } from "../manifold";
import { type Placed, support } from "../shapes/placed";
import { polytopeSeparation } from "./polytope-separation";
import { closestOnSegments, SegmentPair } from "./segment-pair";
import { type Approach, heightOf } from "./approach";
import { AxisOwner, PREFERENCE, Separation } from "./separation";

/** Cosine of the largest angle at which an axis counts as aligned with the normal of a face: 20°. */
const ALIGNED = 0.94;
/** Faces may overlap by MUCH_DEEPER times the overlap of the edges, plus SHALLOW times the size of the face. */
const MUCH_DEEPER = 1.3;
const SHALLOW = 0.03;

const separation = new Separation();
const reference = new Feature();
const incident = new Feature();
const segments = new SegmentPair();
const gjk = new Gjk();
const ends = new Float64Array(12);
/** normal of `separation` */
const axis = new Float64Array(3);

/**
 * Contacts of the cores of two polytopes. If a face gives the separating axis, the opposing face of the other shape is
 * clipped to it; if two edges give the axis, their closest points are the contact. For separate shapes, the axis gives
 * the distance only if its features are really the closest ones; otherwise GJK finds these.
 *
 * @param margin distance [m] of the cores up to which contacts are wanted
 * @param way motion of boxes and hulls, which have no contacts if these do not act
 * @returns false if there are none
 */
export function polytopeContacts(a: Placed, b: Placed, margin: number, way: Approach, m: Manifold): boolean {
  const isBoxPair = a.convex.kind === ConvexKind.box && b.convex.kind === ConvexKind.box;
  const isNear =
    !isApartAlongMiddles(a, b, margin, way) &&
    (isBoxPair ? boxSeparation(a, b, margin, separation) : polytopeSeparation(a, b, margin, separation));
  const { nx, ny, nz, owner, distance } = separation;
  if (!isNear || way.excludes(a, b, distance, nx, ny, nz)) {
    m.apart += distance - margin;
    return false;
  }
  axis[0] = nx;
  axis[1] = ny;
  axis[2] = nz;
  if (owner === AxisOwner.edges) {
    if (alignedFaces(a, b, margin, m)) return true;
    const closest = edgeContact(a, b, isBoxPair, m);
    if (distance <= 0 || closest) return true;
    return closestContact(a, b, margin, m);
  }
  if (owner === AxisOwner.faceA) {
    m.begin(nx, ny, nz, ContactKind.faceVertex);
    reference.setFace(a, separation.indexA);
    incident.facing(b, axis, -1);
    clipToFace(reference, incident, b, 0, margin, m);
  } else {
    m.begin(nx, ny, nz, ContactKind.vertexFace);
    reference.setFace(b, separation.indexA);
    incident.facing(a, axis, 1);
    clipToFace(reference, incident, a, 1, margin, m);
  }
  const size = Math.sqrt(incident.count > 0 ? squaredSize(incident) : 0);
  const isClosest = m.count > 0 && m.deepest() <= distance + 2 * PREFERENCE * size;
  if (isClosest) return true;
  if (distance > 0) return closestContact(a, b, margin, m);
  if (m.count === 0) deepestCorner(a, b, m);
  return true;
}

/**
 * Whether boxes or hulls are far enough apart along the line through their middles: that takes less time than other directions, for which
 * all corners have to be placed. Then `separation` has a lower bound of their distance.
 */
function isApartAlongMiddles(a: Placed, b: Placed, margin: number, way: Approach): boolean {
  // Triangles of surfaces need not hold their middle, and have no motion of their own.
  if (!way.isKnown) return false;
  let x = b.frame[9] - a.frame[9];
  let y = b.frame[10] - a.frame[10];
  let z = b.frame[11] - a.frame[11];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return false;
  x /= length;
  y /= length;
  z /= length;
  const distance = -heightOf(b, -x, -y, -z) - heightOf(a, x, y, z);
  separation.distance = distance;
  return distance > margin || way.excludes(a, b, distance, x, y, z);
}

function squaredSize({ points: p }: Feature): number {
  const x = p[3] - p[0];
  const y = p[4] - p[1];
  const z = p[5] - p[2];
  return x * x + y * y + z * z;
}

/**
 * Contacts of two shapes that meet at a pair of edges, nearly along the normal of a face: boxes that lie on each other
 * a bit askew, or an edge along the rim of a face. The edges meet in one point, on which nothing can rest; so the face
 * gives the contact points. The edges give depth and normal, so that nothing jumps at a switch between face and edges.
 *
 * @returns false if no face is aligned with the axis, or fewer than two contacts result
 */
function alignedFaces(a: Placed, b: Placed, margin: number, m: Manifold): boolean {
  // Triangles of a surface have neighbors, so their edges need other rules.
  if (a.convex.kind === ConvexKind.triangle || b.convex.kind === ConvexKind.triangle) return false;
  const { nx, ny, nz, distance } = separation;
  reference.facing(a, axis, 1);
  incident.facing(b, axis, -1);
  const alongA = reference.face < 0 ? 0 : reference.nx * nx + reference.ny * ny + reference.nz * nz;
  const alongB = incident.face < 0 ? 0 : -(incident.nx * nx + incident.ny * ny + incident.nz * nz);
  if (Math.max(alongA, alongB) < ALIGNED) return false;
  if (alongA >= alongB) {
    m.begin(reference.nx, reference.ny, reference.nz, ContactKind.faceVertex);
    clipToFace(reference, incident, b, 0, margin, m);
  } else {
    m.begin(-incident.nx, -incident.ny, -incident.nz, ContactKind.vertexFace);
    clipToFace(incident, reference, a, 1, margin, m);
  }
  if (m.count < 2) return false;
  // The edges meet if the faces overlap much more than the edges do, or if the shapes are still far apart.
  const size = Math.sqrt(Math.max(squaredSize(reference), squaredSize(incident)));
  if (distance > SHALLOW * size) return false;
  if (m.deepest() < MUCH_DEEPER * Math.min(0, distance) - SHALLOW * size) return false;
  m.rest(nx, ny, nz, distance, margin);
  return m.count > 1;
}

/** Adds the closest points of two edges; true if they lie inside both edges. */
function edgeContact(a: Placed, b: Placed, isBoxPair: boolean, m: Manifold): boolean {
  const { nx, ny, nz } = separation;
  let featureA: number;
  let featureB: number;
  if (isBoxPair) {
    featureA = boxEdge(a, separation.indexA, 1, 0);
    featureB = boxEdge(b, separation.indexB, -1, 6);
  } else {
    featureA = polytopeEdge(a, separation.indexA, 0);
    featureB = polytopeEdge(b, separation.indexB, 6);
  }
  closestOnSegments(ends, 0, 3, ends, 6, 9, segments);
  const { s, t } = segments;
  const px = ends[0] + s * (ends[3] - ends[0]);
  const py = ends[1] + s * (ends[4] - ends[1]);
  const pz = ends[2] + s * (ends[5] - ends[2]);
  const qx = ends[6] + t * (ends[9] - ends[6]);
  const qy = ends[7] + t * (ends[10] - ends[7]);
  const qz = ends[8] + t * (ends[11] - ends[8]);
  m.begin(nx, ny, nz, ContactKind.edgeEdge);
  m.add(px, py, pz, qx, qy, qz, separation.distance, featureA, featureB);
  return s > 0 && s < 1 && t > 0 && t < 1;
}

/** Finds the ends of that edge along an axis of a box that is furthest in the direction of the normal, times a sign. */
function boxEdge(p: Placed, along: number, sign: number, at: number): number {
  const f = p.frame;
  let corner = 0;
  for (let k = 0; k < 3; k++)
    if (k !== along && sign * (f[k] * axis[0] + f[3 + k] * axis[1] + f[6 + k] * axis[2]) > 0) corner |= 1 << k;
  const other = corner | (1 << along);
  p.writeCorner(corner, ends, at);
  p.writeCorner(other, ends, at + 3);
  return edgeFeature(corner, other);
}

function polytopeEdge(p: Placed, edge: number, at: number): number {
  const from = p.convex.edges[4 * edge];
  const to = p.convex.edges[4 * edge + 1];
  p.writeCorner(from, ends, at);
  p.writeCorner(to, ends, at + 3);
  return edgeFeature(from, to);
}

/** Adds the closest points of two separate polytopes. */
function closestContact(a: Placed, b: Placed, margin: number, m: Manifold): boolean {
  b.fill();
  const outcome = gjk.run(a, b, margin);
  if (outcome === GjkOutcome.apart || (outcome === GjkOutcome.separated && gjk.distance > margin)) {
    m.count = 0;
    return false;
  }
  // The polytopes touch up to rounding: the contact from the axis is good enough.
  if (outcome === GjkOutcome.overlapping) {
    if (m.count === 0) deepestCorner(a, b, m);
    return true;
  }
  m.begin(gjk.nx, gjk.ny, gjk.nz, ContactKind.edgeEdge);
  const [p, q] = [gjk.pointA, gjk.pointB];
  const featureA = simplexFeature(gjk.idA, gjk.size);
  const featureB = simplexFeature(gjk.idB, gjk.size);
  m.add(p[0], p[1], p[2], q[0], q[1], q[2], gjk.distance, featureA, featureB);
  return true;
}

const corner = new Float64Array(3);

/** Adds the deepest corner of the shape that does not own the face, with its projection. */
function deepestCorner(a: Placed, b: Placed, m: Manifold): void {
  const { nx, ny, nz, owner, distance } = separation;
  b.fill();
  const featureFace = edgeFeature(separation.indexA, 0);
  if (owner === AxisOwner.faceB) {
    const id = support(a, axis, 0, 1, corner, 0);
    const x = corner[0];
    const y = corner[1];
    const z = corner[2];
    m.add(x, y, z, x + distance * nx, y + distance * ny, z + distance * nz, distance, id, featureFace);
  } else {
    const id = support(b, axis, 0, -1, corner, 0);
    const x = corner[0];
    const y = corner[1];
    const z = corner[2];
    m.add(x - distance * nx, y - distance * ny, z - distance * nz, x, y, z, distance, featureFace, id);
  }
}
