import type { ContactBuffer } from "./contact-buffer";
import type { Convex } from "./shapes/convex";
import type { Approach } from "./convex/approach";
import { collideConvex } from "./convex/convex-pair";
import { composeFrames, frameBounds, identityFrame, poseToFrame, relativeFrame } from "./frame";
import { Manifold, mix } from "./manifold";
import { Placed } from "./shapes/placed";
import type { RigidShape, ShapePart, Polytope } from "./shapes/rigid-shape";
import { Gathered } from "./surfaces/gathered";
import { collideSurface } from "./surfaces/surface-pair";
import { collideSurfaces } from "./surfaces/surfaces";

const poseA = identityFrame();
const poseB = identityFrame();
const frameA = identityFrame();
const frameB = identityFrame();
const relative = identityFrame();
const bToA = identityFrame();
const placedA = new Placed();
const placedB = new Placed();
const manifold = new Manifold();
const gathered = new Gathered();
const boxB = new Float64Array(6);

/**
 * Contacts of two shapes at their poses, appended to a buffer: for each pair of convex parts, and for each normal
 * against a surface of triangles, up to four points, thinned out by the rule of `Manifold.reduce`. Nothing is
 * remembered between calls, so that equal input gives equal bits. Nothing is allocated, except that the buffer may
 * grow.
 *
 * @param poses array that holds both poses: position x, y, z [m], then a unit quaternion x, y, z, w
 * @param atA, atB places in `poses` at which the poses of A and B start
 * @param margin separation [m] up to which contacts are wanted, ≥ 0. With the largest approach of the bodies in a step
 * as margin, no contact of that step is missed
 * @returns number of appended contacts
 */
export function collide(
  a: RigidShape,
  posesA: ArrayLike<number>,
  atA: number,
  b: RigidShape,
  posesB: ArrayLike<number>,
  atB: number,
  margin: number,
  out: ContactBuffer,
): number {
  const before = out.count;
  poseToFrame(posesA, atA, poseA);
  poseToFrame(posesB, atB, poseB);
  const partsA = a.parts;
  const partsB = b.parts;
  if (partsA.length === 1 && partsB.length === 1) {
    collideParts(partsA[0], 0, partsB[0], 0, margin, out);
    return out.count - before;
  }
  relativeFrame(poseA, poseB, bToA);
  for (let j = 0; j < partsB.length; j++) {
    frameBounds(partsB[j].bounds, bToA, boxB);
    if (!overlap(a.bounds, boxB, margin)) continue;
    for (let i = 0; i < partsA.length; i++)
      if (overlap(partsA[i].bounds, boxB, margin)) collideParts(partsA[i], i, partsB[j], j, margin, out);
  }
  return out.count - before;
}

function overlap(a: Float64Array, b: Float64Array, margin: number): boolean {
  return (
    a[0] <= b[3] + margin &&
    a[1] <= b[4] + margin &&
    a[2] <= b[5] + margin &&
    b[0] <= a[3] + margin &&
    b[1] <= a[4] + margin &&
    b[2] <= a[5] + margin
  );
}

/** Contacts of two parts of bodies at `poseA` and `poseB`. */
function collideParts(a: ShapePart, i: number, b: ShapePart, j: number, margin: number, out: ContactBuffer): void {
  const fa = placeOf(a, poseA, frameA);
  const fb = placeOf(b, poseB, frameB);
  const hash = mix(i, j);
  if (a.convex && b.convex) {
    collideSolids(a.convex, fa, b.convex, fb, margin);
    if (manifold.count > 0) manifold.emit(out, fa, false, hash, i, j);
  } else if (a.surface && b.convex) {
    relativeFrame(fa, fb, relative);
    placedB.setAt(b.convex, relative);
    collideSurface(a.surface, placedB, margin, gathered);
    while (gathered.next(manifold)) manifold.emit(out, fa, false, hash, i, j);
  } else if (a.convex && b.surface) {
    relativeFrame(fb, fa, relative);
    placedA.setAt(a.convex, relative);
    collideSurface(b.surface, placedA, margin, gathered);
    while (gathered.next(manifold)) manifold.emit(out, fb, true, hash, i, j);
  } else if (a.surface && b.surface) {
    relativeFrame(fa, fb, relative);
    collideSurfaces(a.surface, b.surface, relative, margin, gathered);
    while (gathered.next(manifold)) manifold.emit(out, fa, false, hash, i, j);
  }
}

function collideSolids(a: Convex, fa: Float64Array, b: Convex, fb: Float64Array, margin: number, way?: Approach): void {
  placedA.setPlain(a);
  placedB.setRelative(b, fa, fb);
  collideConvex(placedA, placedB, margin, manifold, way);
}

/**
 * Contacts of two bodies that are one box or hull each, as `collide` finds them, but none that do not act in a step.
 *
 * @param frameA, frameB frames of the bodies, see FRAME
 * @param slotA, slotB their places in the lists of the approach
 * @returns if nothing was appended: a lower bound of the distance of the parts [m]
 */
export function collideConvexBodies(
  slotA: number,
  a: Polytope,
  frameOfA: Float64Array,
  slotB: number,
  b: Polytope,
  frameOfB: Float64Array,
  margin: number,
  way: Approach,
  out: ContactBuffer,
): number {
  const fa = placeOf(a, frameOfA, frameA);
  const fb = placeOf(b, frameOfB, frameB);
  way.take(slotA, a.convex, fa, slotB, b.convex);
  collideSolids(a.convex, fa, b.convex, fb, margin, way);
  if (manifold.count > 0) manifold.emit(out, fa, false, mix(0, 0), 0, 0);
  return manifold.apart;
}

function placeOf(part: ShapePart, pose: Float64Array, out: Float64Array): Float64Array {
  if (part.isPlain) return pose;
  composeFrames(pose, part.frame, out);
  return out;
}
