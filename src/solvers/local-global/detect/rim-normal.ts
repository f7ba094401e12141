/**
 * The normal of a vertex, or a point of an edge or a face, of a body that lies at an edge or a corner of an obstacle. The distance
 * tells one that is round about the edge. It pushes a face of the solid that lies over the edge sideways, first a little and then ever
 * more: a block rolls off what it lies on, or clamps it. The surface of the solid knows better: it can be borne only against the
 * directions between its faces there.
 *
 *     e   nearest point of the obstacle
 *     d   of the directions against which the faces at the point look, and those between them, the one nearest to the normal
 *     the normal of the obstacle at e + t d: at an edge it is d, or the nearest one that the edge has; on what is smooth it stays
 *
 * Another obstacle may cover e, as at seams of a floor of boards. Its normal there is then taken for the one of the distance, for sheets as well.
 */
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { nearestOfHull } from "../../../collision/distance/nearest-of-hull";
import { type Primitive, PrimitiveKind } from "../../../collision/distance/primitives";
import { turnIntoCone } from "../../../collision/soft/own-normals";
import { distanceAt } from "../../../collision/distance/signed-distance";
import { POSE, rotateAt, rotateBack, toFrame } from "../../../collision/shape/pose";
import { triangleNormal } from "../../../geometry/triangles/triangle";
import { dotProduct } from "../../../math/dense";
import {
  RIM_BESIDE as BESIDE,
  RIM_NEAR as NEAR,
  RIM_SAME as SAME,
  OWN_FACES as FACES,
  RIM_COVERED as COVERED,
  RIM_HIDDEN as HIDDEN,
} from "../../../generated/constants";
import { facesWith, type SurfaceFeatures } from "./surface-features";

/** See rim-normal.wgsl, the twin. */

const pose0 = new Float64Array(POSE);
const pose1 = new Float64Array(POSE);
const at = new Float64Array(3);
const place = new Float64Array(3);
const other = new Float64Array(POSE);
/** nearest point of the obstacle, and its normal there, in the world */
const edge = new Float64Array(6);
const way = new Float64Array(3);
const above = new Float64Array(3);
const near = new Float64Array(4);
const found = new Float64Array(4);
const rest = new Float64Array(3);
const inward = new Float64Array(3);
const directions = new Float64Array(3 * FACES);

/**
 * @param faces those of a solid, clockwise seen from outside
 * @param vertices one, or those of an edge or a face, and `weights` of the point
 * @param x positions with which the step begins, and `end` of the point as it ends [m]
 * @param k primitive
 * @param fraction0 where in the frame the step begins, 0 to 1; `fraction1` where it ends
 * @param out normal, and a point of the obstacle in its plane, as the step ends, and by how much the normal has turned: nine numbers
 * @returns whether it differs from the one that the distance tells
 */
export function rimNormal(
  faces: SurfaceFeatures | undefined,
  vertices: ArrayLike<number>,
  weights: ArrayLike<number>,
  x: Float64Array,
  end: Float64Array,
  set: ColliderSet,
  k: number,
  fraction0: number,
  fraction1: number,
  thickness: number,
  out: Float64Array,
): boolean {
  set.readPose(k, false, fraction0, pose0);
  set.readPose(k, true, fraction1, pose1);
  const primitive = set.primitives[k];
  at.fill(0);
  for (let i = 0; i < vertices.length; i++) for (let c = 0; c < 3; c++) at[c] += weights[i] * x[3 * vertices[i] + c];
  toFrame(pose0, 0, at, 0, place, 0);
  distanceAt(primitive, place, 0, near);
  if (primitive.kind === PrimitiveKind.hull && near[3] > 0) nearestOfHull(primitive, place, near);
  toFrame(pose1, 0, end, 0, way, 0);
  for (let c = 0; c < 3; c++) way[c] -= place[c]!;
  const phi = near[3];
  if (!(phi > 0) || phi > NEAR * thickness + Math.sqrt(dotProduct(way, way, 3))) return false;
  const isCovered = coverNormal(set, k, fraction0, thickness) && turnsNormal(faces, vertices, x, primitive, thickness);
  if (!isCovered) {
    for (let c = 0; c < 3; c++) rest[c] = near[c]!;
    if (!turnsNormal(faces, vertices, x, primitive, thickness)) return false;
  }
  for (let c = 0; c < 3; c++) {
    above[c] -= found[3] * found[c];
    rest[c] = place[c] - above[c];
  }
  const height = dotProduct(rest, found, 3);
  if (!(height > 0) || height > NEAR * thickness) return false;
  const sinks = dotProduct(way, found, 3);
  for (let c = 0; c < 3; c++) {
    rest[c] -= height * found[c];
    way[c] -= sinks * found[c];
  }
  const passed = -dotProduct(rest, way, 3) / dotProduct(way, way, 3);
  const part = passed > 0 ? Math.min(1, passed) : 0;
  let beside = 0;
  for (let c = 0; c < 3; c++) beside += (rest[c] + part * way[c]) ** 2;
  if (beside > (BESIDE * thickness) ** 2) return false;
  rotateAt(pose1, 0, found, 0, out, 0);
  rotateAt(pose1, 0, above, 0, out, 3);
  rotateAt(pose0, 0, found, 0, out, 6);
  for (let c = 0; c < 3; c++) {
    out[3 + c] += pose1[c];
    out[6 + c] = out[c] - out[6 + c];
  }
  return true;
}

/**
 * Whether the obstacle has another normal a thickness above its nearest point in the direction `rest`, or in the one nearest to it against which
 * the solid can be borne: into `found`, at `above`.
 */
function turnsNormal(
  faces: SurfaceFeatures | undefined,
  vertices: ArrayLike<number>,
  x: Float64Array,
  primitive: Primitive,
  thickness: number,
): boolean {
  if (faces && !nearestDirection(faces, vertices, x)) return false;
  for (let c = 0; c < 3; c++) above[c] = place[c] - near[3] * near[c] + thickness * rest[c];
  distanceAt(primitive, above, 0, found);
  return dotProduct(found, near, 3) < SAME;
}

/**
 * Turns `rest`, in the frame of the obstacle, into the nearest direction that is a sum of normals into the solid.
 *
 * @returns whether there is one
 */
function nearestDirection(features: SurfaceFeatures, vertices: ArrayLike<number>, x: Float64Array): boolean {
  const { faces } = features;
  const found = facesWith(features, vertices);
  const count = Math.min(found.length, FACES);
  for (let i = 0; i < count; i++) {
    const f = found[i];
    triangleNormal(x, 3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2], inward);
    const length = Math.sqrt(dotProduct(inward, inward, 3));
    const scale = length > 0 ? 1 / length : 0;
    rotateBack(pose0, 0, scale * inward[0], scale * inward[1], scale * inward[2], directions, 3 * i);
  }
  return turnIntoCone(directions, count, rest);
}

/**
 * Into `rest`, in the frame of an obstacle: where another one covers the point nearest to `place`, the normal of that other one.
 *
 * @returns whether there is one
 */
function coverNormal(set: ColliderSet, k: number, fraction: number, thickness: number): boolean {
  for (let c = 0; c < 3; c++) above[c] = place[c] - near[3] * near[c];
  rotateAt(pose0, 0, above, 0, edge, 0);
  rotateAt(pose0, 0, near, 0, edge, 3);
  for (let c = 0; c < 3; c++) edge[c] += pose0[c]!;
  const { bounds, slack } = set;
  for (let j = 0; j < set.primitiveCount; j++) {
    let outside = j === k ? Infinity : -Infinity;
    for (let c = 0; c < 3; c++)
      outside = Math.max(outside, edge[c] - bounds[6 * j + 3 + c], bounds[6 * j + c] - edge[c]);
    if (!(outside <= COVERED * thickness + slack[j])) continue;
    set.readPose(j, false, fraction, other);
    toFrame(other, 0, edge, 0, rest, 0);
    distanceAt(set.primitives[j], rest, 0, found);
    if (found[3] > COVERED * thickness) continue;
    for (let c = 0; c < 3; c++) above[c] = edge[c] + thickness * edge[3 + c];
    toFrame(other, 0, above, 0, rest, 0);
    distanceAt(set.primitives[j], rest, 0, found);
    if (found[3] >= HIDDEN * thickness) continue;
    rotateAt(other, 0, found, 0, above, 0);
    rotateBack(pose0, 0, above[0], above[1], above[2], rest, 0);
    return true;
  }
  return false;
}
