import {
  FACE_THICKNESS,
  AT_VERTEX,
  FURTHEST_CORNER,
  TOUCHING,
  DEEPEST_SHRINK,
  DEEPEST_STEPS,
  ON_EDGE,
  STRAIGHT,
} from "../../generated/constants";
import type { Incidence } from "../../geometry/surface/incidence";
import { triangleNormal } from "../../geometry/triangles/triangle";
import { dotProduct } from "../../math/dense";
import type { ColliderSet } from "../obstacles/collider-set";
import type { RigidProxy } from "../obstacles/rigid-proxy";
import { clearance, sureWay } from "./clearance";
import { frictionOfFace, thicknessOfFace, type ContactMaterial } from "./contact-material";
import { deepestPoint } from "../distance/deepest-point";
import { POSE, toFrame } from "../shape/pose";
import { pushShare } from "../obstacles/proxy-motion";
import { type Primitive, PrimitiveKind } from "../distance/primitives";
import { distanceAt } from "../distance/signed-distance";
import { createSweepContact, sweepBy } from "./sweep";
import { pow } from "../../math/powers";
import { lengthAt } from "../../math/vectors";

/**
 * FACE_THICKNESS: the distance that faces keep, as a fraction of that of vertices. If vertices alone hold a face clear
 * of an obstacle (on a plane, or on a ball much larger than the face), this keeps faces from acting, and resting
 * contact stays quiet. AT_VERTEX: deepest points with a barycentric coordinate above this are vertices, which
 * `resolveParticleContact` handles. FURTHEST_CORNER: a corner moves at most this many times as far as the point.
 * Corners of equal mass move 1.4 times as far. The point may lie beside a pinned corner: the other corners have no
 * leverage there, and would fly off without this limit. ON_EDGE: deepest points with a barycentric coordinate below this are on an edge.
 * STRAIGHT: a normal with less than this across a face or an edge stays as it is, since its side is not sure.
 */

/** By particle. */
type Holders = ArrayLike<RigidProxy | undefined>;

/** The options of a frame that decide on contact of faces. */
interface FaceOptions {
  readonly faceContacts: boolean;
  /** t [m] */
  readonly thickness: number;
  readonly thicknessFactors?: ArrayLike<number> | undefined;
  /** whether bodies draw cloth out beyond `longestEdge` */
  readonly isLoaded?: boolean | undefined;
}

/**
 * Whether contact of faces is needed: they can meet an obstacle that their vertices keep clear of. Beside a ball or capsule of radius r a face
 * whose corners are at r + t comes no closer than √((r + t)² − L²/3), since its circumradius is at most L/√3; that is
 * more than the distance that faces keep, r + t/2, if L² ≤ 3 t r.
 *
 * @param longestEdge L [m], with an allowance for stretch
 */
export function facesMayTouch(
  primitives: readonly Primitive[],
  longestEdge: number,
  { faceContacts, thickness, thicknessFactors, isLoaded = false }: FaceOptions,
): boolean {
  if (!faceContacts || isLoaded || thicknessFactors) return faceContacts;
  return primitives.some((primitive) => faceMayTouch(primitive, longestEdge, thickness));
}

/** The same for one obstacle; arguments as above. */
export function faceMayTouch({ kind, size }: Primitive, longestEdge: number, thickness: number): boolean {
  const radius = kind === PrimitiveKind.sphere ? size[0] : kind === PrimitiveKind.capsule ? size[1] : 0;
  return longestEdge * longestEdge > 3 * thickness * radius;
}

/** Whether all faces of a body are surely clear of all obstacles in a substep; arguments as of `resolveFaceContact`. */
export function isClearOfObstacles(
  set: ColliderSet,
  positions: Float64Array,
  start: Float64Array,
  material: ContactMaterial,
): boolean {
  for (let axis = 0; axis < 3; axis++) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      least = Math.min(least, positions[i], start[i]);
      most = Math.max(most, positions[i], start[i]);
    }
    low[axis] = least;
    high[axis] = most;
  }
  const thickness = FACE_THICKNESS * material.thickness;
  for (let k = 0; k < set.primitiveCount; k++)
    if (!(gapOfBounds(set.bounds, 6 * k) > (1 + TOUCHING) * (thickness + set.slack[k]))) return false;
  return true;
}

/** x and x⁻ of a face, then centroids: corners a, b, c at 0..8, centroid at 9..11. */
const now = new Float64Array(12);
const then = new Float64Array(12);
const local = new Float64Array(12);
const localStart = new Float64Array(12);
/** box around the path of the face */
const low = new Float64Array(3);
const high = new Float64Array(3);
const deepest = new Float64Array(7);
const pointNow = new Float64Array(3);
const pointThen = new Float64Array(3);
/** gradient and φ */
const tangent = new Float64Array(4);
const pose0 = new Float64Array(POSE);
const pose1 = new Float64Array(POSE);
const contact = createSweepContact();
/** see `sweepBy` */
const asked = new Float64Array(3);
/** Lower bound of φ on the face now, as `findDeepest` has it, and the largest distance of a corner from the centroid [m] */
const bound = new Float64Array(2);
const [LOWEST, RADIUS] = [0, 1];
/** see `deepestPoint` */
const beyond = new Float64Array(2);
/** ways of the corners and of the centroid in the frame of a primitive [m] */
const moved = new Float64Array(4);
/** for faces of which vertices keep nothing clear */
const ANY_LENGTH = { longestEdge: Infinity };

/**
 * Contact of the inside and the edges of one face with all obstacles: for poles and corners of obstacles that fit
 * between vertices. The deepest point of the face in each primitive is treated as a particle attached to the three
 * vertices.
 *
 * @param faces 3 particle indices for each face, see `facesOf`; `f` is the first index of this one
 * @param positions x, n × 3 [m]
 * @param start x⁻ at the start of the substep, n × 3 [m]
 * @param weights h²/m [s²/kg], 0 for pinned particles; any unit will do if there are no proxies of rigid bodies
 * @param fractions start and end of the substep in the frame, 0 to 1
 * @param out 3 × 3 displacements [m] of the face's corners, from 3 f on; zero without contact
 * @param edges see `facesMayTouch`: obstacles that vertices keep faces clear of are left out, unless a load draws the edges out
 * @param holders by particle, proxies of rigid bodies that carry or hold it: no face touches what holds one of its corners, which leave it no
 * way out. A body that yields in one frame may not in the next, as it stands on something
 * @returns the last touched primitive of a proxy, otherwise the last touched primitive of any kind; −1 without contact. `clearance` says how
 * far the face may go before it can touch
 */
export function resolveFaceContact(
  set: ColliderSet,
  faces: ArrayLike<number>,
  f: number,
  positions: Float64Array,
  start: Float64Array,
  weights: ArrayLike<number>,
  material: ContactMaterial & Pick<FaceOptions, "isLoaded">,
  fractions: Float64Array,
  out: Float64Array,
  edges: { readonly longestEdge: number } = ANY_LENGTH,
  holders?: Holders,
): number {
  const longestEdge = material.isLoaded ? Infinity : edges.longestEdge;
  const ofVertices = thicknessOfFace(material, faces, f);
  const thickness = FACE_THICKNESS * ofVertices;
  asked[0] = thickness;
  asked[1] = fractions[0];
  asked[2] = fractions[1];
  for (let i = 3 * f; i < 3 * f + 9; i++) out[i] = 0;
  setBox(faces, f, positions, start);
  let isRead = false;
  let hit = -1;
  let clear = Infinity;
  for (let k = 0; k < set.primitiveCount; k++) {
    let gap = -Infinity;
    for (let axis = 0, b = 6 * k; axis < 3; axis++, b++)
      gap = Math.max(gap, low[axis] - set.bounds[b + 3], set.bounds[b] - high[axis]);
    gap -= (1 + TOUCHING) * (thickness + set.slack[k]);
    // Written so that NaN counts as a miss.
    if (!(gap <= 0)) {
      clear = Math.min(clear, gap);
      continue;
    }
    if (!faceMayTouch(set.primitives[k], longestEdge, ofVertices)) continue;
    const owner = holders && set.owners[k];
    if (owner && isOn(owner, holders, faces, f)) continue;
    // Most faces are near no obstacle.
    if (!isRead) readCorners(faces, f, positions, start);
    isRead = true;
    const isDeep = findDeepest(set, k, faces[f + 1] === faces[f + 2]);
    clear = Math.min(clear, sureWay(set.primitives[k]) * (bound[LOWEST] - (1 + TOUCHING) * thickness));
    if (!isDeep) continue;
    for (let axis = 0; axis < 3; axis++) {
      pointNow[axis] = deepest[3] * now[axis] + deepest[4] * now[3 + axis] + deepest[5] * now[6 + axis];
      pointThen[axis] = deepest[3] * then[axis] + deepest[4] * then[3 + axis] + deepest[5] * then[6 + axis];
    }
    if (!sweepBy(set, k, pointThen, pointNow, 0, asked, contact, false)) continue;
    if (contact.push === 0) continue;
    if (hasCreases(set.primitives[k])) turnAcross(contact.normal);
    if (!spread(set, k, faces, f, weights, material, out)) continue;
    clear = 0;
    clearance.push = Math.max(clearance.push, contact.push);
    if (hit < 0 || set.proxyOf[hit] < 0 || set.proxyOf[k] >= 0) hit = k;
  }
  clearance.left = Math.max(0, clear);
  return hit;
}

/** Whether a face of a pass may be in an obstacle after that, by how far faces were pushed out, so that another pass is of use. */
export function mayStayWithin({ thickness }: ContactMaterial): boolean {
  return clearance.push > LEFT * FACE_THICKNESS * thickness;
}

/** Part of the distance that faces keep by which they may come nearer. */
const LEFT = 0.25;

/**
 * Shares out what faces were pushed by among those that push a vertex: each face goes its way divided by the largest number of such faces at
 * one of its corners. So a vertex goes no further than the mean, and a push moves the corners of its face as one impulse at the
 * deepest point would. A mean at each vertex does not: where corners have different numbers of faces, momentum and energy come from nothing,
 * and faces that rock on an obstacle hop without end.
 *
 * A face counts by how far it moves a corner, over how far it moves that which goes furthest: a corner opposite to an edge that touches
 * hardly moves, and rounding must not decide.
 *
 * @param list numbers of the faces that were pushed
 * @param pushes 3 × 3 displacements [m] of each face's corners: changed
 * @param counts of vertices, zero before and after
 */
export function shareFacePushes(
  faces: ArrayLike<number>,
  list: ArrayLike<number>,
  count: number,
  pushes: Float64Array,
  counts: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const f = 9 * list[i];
    for (let k = 0; k < 3; k++) ways[k] = lengthAt(pushes, f + 3 * k);
    const most = Math.max(ways[0], ways[1], ways[2]);
    for (let k = 0; most > 0 && k < 3; k++) counts[faces[f / 3 + k]] += ways[k] / most;
  }
  for (let i = 0; i < count; i++) {
    const f = 9 * list[i];
    let most = 1;
    for (let k = f / 3; k < f / 3 + 3; k++) most = Math.max(most, counts[faces[k]]);
    for (let k = f; k < f + 9; k++) pushes[k] /= most;
  }
  counts.fill(0);
}

const ways = new Float64Array(3);

/**
 * Takes the pushes of its faces off a particle, and writes their sum.
 *
 * @param pushes displacements of the faces' corners that are shared out, face × 9 [m]: changed
 * @param touched which primitive each face met
 * @param incidence corners at each particle
 * @param out sum [m]
 * @returns the last touched primitive, as of `resolveFaceContact`
 */
export function takePush(
  pushes: Float64Array,
  touched: Int32Array,
  { offsets, entries }: Incidence,
  { proxyOf }: ColliderSet,
  p: number,
  out: Float64Array,
): number {
  let hit = -1;
  out[0] = out[1] = out[2] = 0;
  for (let i = offsets[p]; i < offsets[p + 1]; i++) {
    const at = 3 * entries[i];
    if (pushes[at] === 0 && pushes[at + 1] === 0 && pushes[at + 2] === 0) continue;
    if (hit < 0 || proxyOf[hit] < 0) hit = touched[Math.floor(at / 9)];
    for (let c = 0; c < 3; c++) {
      out[c] += pushes[at + c]!;
      pushes[at + c] = 0;
    }
  }
  return hit;
}

function isOn(owner: RigidProxy, holders: Holders, faces: ArrayLike<number>, f: number): boolean {
  return holders[faces[f]] === owner || holders[faces[f + 1]] === owner || holders[faces[f + 2]] === owner;
}

function setCentroid(triangle: Float64Array): void {
  for (let axis = 0; axis < 3; axis++)
    triangle[9 + axis] = (triangle[axis] + triangle[3 + axis] + triangle[6 + axis]) / 3;
}

/** The larger one of a squared distance and the largest of a corner from the centroid. */
function squaredRadius(t: Float64Array, squared: number): number {
  for (let i = 0; i < 9; i += 3)
    squared = Math.max(squared, (t[i] - t[9]) ** 2 + (t[i + 1] - t[10]) ** 2 + (t[i + 2] - t[11]) ** 2);
  return squared;
}

/** Sets `now`, `then` and the radius. */
function readCorners(faces: ArrayLike<number>, f: number, positions: Float64Array, start: Float64Array): void {
  for (let corner = 0; corner < 3; corner++) {
    const p = 3 * faces[f + corner];
    for (let axis = 0; axis < 3; axis++) {
      now[3 * corner + axis] = positions[p + axis];
      then[3 * corner + axis] = start[p + axis];
    }
  }
  setCentroid(now);
  setCentroid(then);
  bound[RADIUS] = Math.sqrt(squaredRadius(then, squaredRadius(now, 0)));
}

/** Sets `low` and `high`. */
function setBox(faces: ArrayLike<number>, f: number, positions: Float64Array, start: Float64Array): void {
  const a = 3 * faces[f];
  const b = 3 * faces[f + 1];
  const c = 3 * faces[f + 2];
  for (let axis = 0; axis < 3; axis++) {
    const a1 = positions[a + axis];
    const b1 = positions[b + axis];
    const c1 = positions[c + axis];
    const a0 = start[a + axis];
    const b0 = start[b + axis];
    const c0 = start[c + axis];
    low[axis] = Math.min(a1, b1, c1, a0, b0, c0);
    high[axis] = Math.max(a1, b1, c1, a0, b0, c0);
  }
}

/** Distance of the box of the path from that of a primitive, along the axis where it is greatest; negative where they overlap. */
function gapOfBounds(bounds: Float64Array, b: number): number {
  let gap = -Infinity;
  for (let axis = 0; axis < 3; axis++)
    gap = Math.max(gap, low[axis] - bounds[b + 3 + axis], bounds[b + axis] - high[axis]);
  return gap;
}

/** Part of the radius of a face by which a search may have missed its deepest point: the length of the last step. */
const SEARCHED = pow(DEEPEST_SHRINK, DEEPEST_STEPS);

/**
 * Sets `deepest`, unless the face is surely clear of the primitive or deepest at a vertex; and the lower bound of φ.
 *
 * @param isEdge its second and third corner are one particle
 */
function findDeepest(set: ColliderSet, k: number, isEdge: boolean): boolean {
  const primitive = set.primitives[k];
  const thickness = asked[0];
  const radius = bound[RADIUS];
  set.readPoseBy(k, false, asked, 1, pose0);
  set.readPoseBy(k, true, asked, 1, pose1);
  for (let i = 0; i < 12; i += 3) {
    toFrame(pose0, 0, then, i, localStart, i);
    toFrame(pose1, 0, now, i, local, i);
  }
  // No point of the face is further from the path of the centroid than the radius, and none moves further than the
  // corner that moves most.
  distanceAt(primitive, local, 9, tangent);
  const phi = tangent[3];
  bound[LOWEST] = phi - radius;
  setMoved(3);
  if (phi > radius + thickness + moved[3]) return false;
  const isBounded = isConvex(primitive);
  if (isBounded) {
    for (let corner = 0; corner < 3; corner++) setMoved(corner);
    beyond[0] = Math.max(thickness, moved[0], moved[1], moved[2]);
    beyond[1] = bound[LOWEST];
  }
  deepest[0] = local[9];
  deepest[1] = local[10];
  deepest[2] = local[11];
  deepest[6] = radius;
  const isDeep = deepestPoint(primitive, local, deepest, isEdge, isBounded ? beyond : undefined);
  if (isBounded) bound[LOWEST] = beyond[1];
  // On a height field the search may end in another hollow than the deepest.
  else if (primitive.kind === PrimitiveKind.grid) bound[LOWEST] = deepest[6] - SEARCHED * radius;
  return isDeep && Math.max(deepest[3], deepest[4], deepest[5]) < AT_VERTEX;
}

/** Their signed distances are convex functions, which lie above their tangents. */
function isConvex({ kind }: Primitive): boolean {
  return kind !== PrimitiveKind.grid && kind !== PrimitiveKind.heightfield;
}

/** Whether φ has creases beside the surface, where its gradient leaps. Around the corners of other shapes it turns, as their distances are exact. */
function hasCreases({ kind }: Primitive): boolean {
  return kind === PrimitiveKind.hull || kind === PrimitiveKind.grid || kind === PrimitiveKind.heightfield;
}

/** Sets `moved` of a corner, or of the centroid. */
function setMoved(point: number): void {
  const i = 3 * point;
  const x = local[i] - localStart[i];
  const y = local[i + 1] - localStart[i + 1];
  const z = local[i + 2] - localStart[i + 2];
  moved[point] = Math.sqrt(x * x + y * y + z * z);
}

const across = new Float64Array(3);

/**
 * Takes off a normal what it has along the face, or along the edge, in which the deepest point lies. A smooth φ has no slope there, but beside
 * the tip of a cone its gradient is that of the cone's side: such pushes to and fro gave cloth that hangs on a tip a meter a second.
 */
function turnAcross(normal: Float64Array): void {
  let [from, to] = [-1, -1];
  for (let corner = 0; corner < 3; corner++)
    if (deepest[3 + corner] < ON_EDGE) [from, to] = [3 * ((corner + 1) % 3), 3 * ((corner + 2) % 3)];
  if (from < 0) {
    triangleNormal(now, 0, 3, 6, across);
    const rise = dotProduct(normal, across, 3);
    for (let c = 0; c < 3; c++) across[c] *= rise;
  } else {
    for (let c = 0; c < 3; c++) across[c] = now[to + c] - now[from + c];
    const along = dotProduct(normal, across, 3);
    const squared = dotProduct(across, across, 3);
    for (let c = 0; c < 3; c++) across[c] = squared * normal[c] - along * across[c];
  }
  const size = lengthAt(across, 0);
  if (!(dotProduct(normal, across, 3) > STRAIGHT * size)) return;
  for (let c = 0; c < 3; c++) normal[c] = across[c] / size;
}

/**
 * Moves the corners so that the point with barycentric coordinates b moves by Δ: out along the normal, and back against
 * its sliding by at most µ times the push. Δxᵢ = wᵢ bᵢ Δ / Σ wⱼ bⱼ².
 */
function spread(
  set: ColliderSet,
  k: number,
  faces: ArrayLike<number>,
  f: number,
  weights: ArrayLike<number>,
  material: ContactMaterial,
  out: Float64Array,
): boolean {
  const { normal, push, surfaceDisplacement } = contact;
  let sum = 0;
  let most = 0;
  for (let corner = 0; corner < 3; corner++) {
    // On the opposite edge rounding leaves less than zero, and where that edge is pinned there is nothing else to divide by.
    deepest[3 + corner] = Math.max(0, deepest[3 + corner]);
    const share = weights[faces[f + corner]] * deepest[3 + corner];
    sum += share * deepest[3 + corner];
    most = Math.max(most, share);
  }
  if (sum === 0) return false;
  sum = Math.max(sum, most / FURTHEST_CORNER);
  const part = set.proxyOf[k] < 0 ? 1 : pushShare(set, k, sum, pointNow, 0, normal);
  const ux = pointNow[0] - pointThen[0] - surfaceDisplacement[0];
  const uy = pointNow[1] - pointThen[1] - surfaceDisplacement[1];
  const uz = pointNow[2] - pointThen[2] - surfaceDisplacement[2];
  const un = ux * normal[0] + uy * normal[1] + uz * normal[2];
  const tx = ux - un * normal[0];
  const ty = uy - un * normal[1];
  const tz = uz - un * normal[2];
  const sliding = Math.sqrt(tx * tx + ty * ty + tz * tz);
  const friction = set.frictionWith(k, frictionOfFace(material, faces, f));
  const back = sliding > 0 ? Math.min(1, (friction * push) / sliding) : 0;
  const dx = push * normal[0] - back * tx;
  const dy = push * normal[1] - back * ty;
  const dz = push * normal[2] - back * tz;
  for (let corner = 0; corner < 3; corner++) {
    const share = (part * weights[faces[f + corner]] * deepest[3 + corner]) / sum;
    const at = 3 * (f + corner);
    out[at] += share * dx;
    out[at + 1] += share * dy;
    out[at + 2] += share * dz;
    // The next primitive acts on the face as moved by this one.
    now[3 * corner] += share * dx;
    now[3 * corner + 1] += share * dy;
    now[3 * corner + 2] += share * dz;
  }
  setCentroid(now);
  return true;
}
