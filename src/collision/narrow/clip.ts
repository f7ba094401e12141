import { ConvexKind } from "./shapes/convex";
import { edgeFeature, faceFeature, type Feature, vertexFeature } from "./feature";
import type { Manifold } from "./manifold";
import type { Placed } from "./shapes/placed";

/**
 * Tolerance of side planes as a part of the face's size. Points this far outside still count as inside, so that corners
 * above corners keep their names.
 */
const ON_SIDE = 1e-9;
/** Tags of polygon sides that came from clipping: the number of the reference face's side, counted from here. */
const CUT = 0x10000;

/** A polygon (or segment, or point) that is being clipped; its side k runs from corner k to corner k + 1. */
class Polygon {
  count = 0;
  points = new Float64Array(3 * 64);
  /** name of each side: its number in the incident feature, or CUT + side of the reference */
  sides = new Uint32Array(64);

  reserve(count: number): void {
    if (count <= this.sides.length) return;
    this.points = new Float64Array(6 * count);
    this.sides = new Uint32Array(2 * count);
  }

  put(x: number, y: number, z: number, side: number): void {
    const i = this.count++;
    this.points[3 * i] = x;
    this.points[3 * i + 1] = y;
    this.points[3 * i + 2] = z;
    this.sides[i] = side;
  }
}

let current = new Polygon();
let next = new Polygon();

/**
 * Contacts of a reference face with the incident feature of the other shape: the incident polygon or segment is cut at
 * the sides of the face (Sutherland & Hodgman 1974), and every corner of what remains within the margin is a contact
 * with its projection on the face. The name of a corner depends on the features that meet there, and not on which shape
 * has the reference face: a corner of one shape over the face of the other, or two edges that cross.
 *
 * @param reference a polygon
 * @param owner 0 if the reference belongs to A, 1 for B
 * @param incidentShape shape of the incident feature, which names its corners and edges
 * @param isUpright the sides of the prism over the face run along Y instead of along its normal: neighboring prisms of
 * ground then leave no gap
 */
export function clipToFace(
  reference: Feature,
  incident: Feature,
  incidentShape: Placed,
  owner: number,
  margin: number,
  out: Manifold,
  isUpright = false,
): void {
  const sides = reference.count;
  const size = sides + incident.count + 2;
  current.reserve(size);
  next.reserve(size);
  current.count = 0;
  const q = incident.points;
  for (let i = 0; i < incident.count; i++) current.put(q[3 * i], q[3 * i + 1], q[3 * i + 2], i);
  const isClosed = incident.count > 2;
  const r = reference.points;
  const nx = isUpright ? 0 : reference.nx;
  const ny = isUpright ? 1 : reference.ny;
  const nz = isUpright ? 0 : reference.nz;
  for (let side = 0; side < sides && current.count > 0; side++) {
    const i = 3 * side;
    const j = 3 * (side + 1 === sides ? 0 : side + 1);
    const ex = r[j] - r[i];
    const ey = r[j + 1] - r[i + 1];
    const ez = r[j + 2] - r[i + 2];
    // Out of the face: e × n.
    const mx = ey * nz - ez * ny;
    const my = ez * nx - ex * nz;
    const mz = ex * ny - ey * nx;
    plane[0] = mx;
    plane[1] = my;
    plane[2] = mz;
    plane[3] = mx * r[i] + my * r[i + 1] + mz * r[i + 2];
    plane[4] = ON_SIDE * (mx * mx + my * my + mz * mz);
    cut(CUT + side, isClosed);
  }
  emitAbove(reference, incident, incidentShape, owner, margin, out);
}

/** The plane that cuts: m, offset and tolerance of m·x ≤ offset. */
const plane = new Float64Array(5);

/** Cuts off the part of the polygon outside the plane. A segment has no side from its end back to its start. */
function cut(tag: number, closed: boolean): void {
  const { points: p, sides, count } = current;
  const mx = plane[0];
  const my = plane[1];
  const mz = plane[2];
  const offset = plane[3];
  const tolerance = plane[4];
  next.count = 0;
  const last = closed || count < 2 ? count : count - 1;
  for (let i = 0; i < count; i++) {
    const k = 3 * i;
    const d = mx * p[k] + my * p[k + 1] + mz * p[k + 2] - offset;
    const inside = d <= tolerance;
    if (i >= last || count === 1) {
      if (inside) next.put(p[k], p[k + 1], p[k + 2], sides[i]);
      continue;
    }
    const n = i + 1 === count ? 0 : 3 * (i + 1);
    const e = mx * p[n] + my * p[n + 1] + mz * p[n + 2] - offset;
    const nextInside = e <= tolerance;
    if (inside) next.put(p[k], p[k + 1], p[k + 2], sides[i]);
    if (inside === nextInside) continue;
    // Both corners may lie on the cutting plane up to rounding; the cut still lies between them.
    const t = Math.min(1, Math.max(0, d / (d - e)));
    const x = p[k] + t * (p[n] - p[k]);
    const y = p[k + 1] + t * (p[n + 1] - p[k + 1]);
    const z = p[k + 2] + t * (p[n + 2] - p[k + 2]);
    // A cut side starts where the polygon leaves the plane's inside; the old side continues where it returns.
    next.put(x, y, z, inside ? tag : sides[i]);
    if (!closed) {
      // A segment has two ends and one side: the cut end takes the name of the side of the reference.
      if (inside) next.sides[next.count - 1] = tag;
      else cutStart = tag;
    }
  }
  const swap = current;
  current = next;
  next = swap;
}

/** Side of the reference that cut off the start of a segment; 0 if none did. */
let cutStart = 0;

function emitAbove(
  reference: Feature,
  incident: Feature,
  incidentShape: Placed,
  owner: number,
  margin: number,
  out: Manifold,
): void {
  const { nx, ny, nz, offset } = reference;
  const { points: p, sides, count } = current;
  const isSegment = incident.count === 2;
  const startTag = cutStart;
  cutStart = 0;
  const rim = incidentShape.convex.kind === ConvexKind.cylinder;
  const incidentFace = incident.face >= 0 ? faceFeature(incident.face) : edgeFeature(0, 1);
  for (let i = 0; i < count; i++) {
    const k = 3 * i;
    const d = nx * p[k] + ny * p[k + 1] + nz * p[k + 2] - offset;
    if (d > margin) continue;
    // The sides before and after a corner determine its name.
    let before: number;
    let after: number;
    if (isSegment) {
      before = i === 0 ? startTag : 0;
      after = i === count - 1 && sides[i] >= CUT ? sides[i] : 0;
    } else {
      before = sides[i === 0 ? count - 1 : i - 1];
      after = sides[i];
    }
    let own: number;
    let other: number;
    const isCutBefore = before >= CUT;
    const isCutAfter = after >= CUT;
    if (isCutBefore && isCutAfter) {
      own = incidentFace;
      // The incident polygon runs the other way round, so its side numbers decrease: the later side starts at the
      // corner.
      const isAfterNext = after - before === 1 || (after === CUT && before === CUT + reference.count - 1);
      other = vertexFeature(reference.corners[(isAfterNext ? after : before) - CUT]);
    } else if (isCutBefore || isCutAfter) {
      const side = isCutBefore ? before - CUT : after - CUT;
      const to = side + 1 === reference.count ? 0 : side + 1;
      other = edgeFeature(reference.corners[side], reference.corners[to]);
      const from = isSegment ? 0 : isCutBefore ? after : before;
      const end = from + 1 === incident.count ? 0 : from + 1;
      own = edgeFeature(incident.corners[from], incident.corners[end]);
    } else {
      const corner = isSegment ? (i === 0 ? 0 : 1) : after;
      own = vertexFeature(incident.corners[corner]);
      other = faceFeature(reference.face);
    }
    if (rim) own |= 0x8000;
    const x = p[k] - d * nx;
    const y = p[k + 1] - d * ny;
    const z = p[k + 2] - d * nz;
    if (owner === 0) out.add(x, y, z, p[k], p[k + 1], p[k + 2], d, other, own);
    else out.add(p[k], p[k + 1], p[k + 2], x, y, z, d, own, other);
  }
}
