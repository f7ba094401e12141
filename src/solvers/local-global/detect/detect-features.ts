/**
 * Contacts of edges and faces with obstacles: for poles, edges and corners that fit between vertices. An edge has one where it is
 * deepest, if that is deeper than both ends; a face where it is deepest, if that is deeper than all of its edges. So what is
 * straight and thin meets a face in the two edges that it crosses, and what is pointed in the inside.
 *
 * φ  signed distance to the obstacle [m], which changes no faster than place
 */
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { deepestPoint } from "../../../collision/distance/deepest-point";
import { POSE, toFrame } from "../../../collision/shape/pose";
import type { Primitive } from "../../../collision/distance/primitives";
import { signedDistance } from "../../../collision/distance/signed-distance";
import { FEATURE_DEEPER as DEEPER, EDGE_HALVINGS as HALVINGS } from "../../../generated/constants";
import type { ContactList } from "../../../collision/soft/contact-list";
import {
  addObstacleContact,
  Feature,
  isMovable,
  nameObstacleContact,
  thinned,
  type DetectedBody,
} from "./detect-contacts";
import type { SurfaceFeatures } from "./surface-features";
import { lengthOf } from "../../../math/vectors";

/** Depth beyond that of the ends, as a part of the thickness, from which an edge has a contact of its own; halvings of an edge. */
/** Slope of φ along an edge that counts as none. */
const FLAT = 1e-9;

const pose = new Float64Array(POSE);
const corners = new Float64Array(9);
const deepest = new Float64Array(7);
const gradient = new Float64Array(3);
const two = new Uint32Array(2);
const three = new Uint32Array(3);
const weightsOfTwo = new Float64Array(2);
const weightsOfThree = new Float64Array(3);

/** vertices in the frame of the primitive, φ there, and the least φ of each edge */
let local = new Float64Array(0);
let phiAt = new Float64Array(0);
let phiOf = new Float64Array(0);

/** Appends contacts of a body's edges and faces; see `detectObstacles` for the rest. */
export function detectFeatures(
  body: DetectedBody,
  { edges, faces, faceEdges }: SurfaceFeatures,
  index: number,
  set: ColliderSet,
  fraction0: number,
  fraction1: number,
  out: ContactList,
): void {
  const { thickness, margin, fall, predicted, surface } = body;
  const reach = thickness + margin + fall;
  reserve(predicted.length, edges.length / 2);
  for (let k = 0; k < set.primitiveCount; k++) {
    set.readPose(k, true, fraction1, pose);
    const primitive = set.primitives[k];
    const append = (feature: Feature, number: number, vertices: Uint32Array, weights: Float64Array): void => {
      if (!isMovable(body, vertices, weights)) return;
      const n = addObstacleContact(thinned(body, feature), index, set, k, fraction0, fraction1, vertices, weights, out);
      if (n >= 0) nameObstacleContact(out, n, index, k, feature, number);
    };
    for (const v of surface) {
      const i = 3 * v;
      toFrame(pose, 0, predicted, i, local, i);
      phiAt[v] = signedDistance(primitive, local[i], local[i + 1], local[i + 2], gradient);
    }
    for (let e = 0; e < edges.length; e += 2) {
      const [a, b] = [edges[e], edges[e + 1]];
      const ends = Math.min(phiAt[a], phiAt[b]);
      phiOf[e / 2] = ends;
      if (phiAt[a] + phiAt[b] - distance(a, b) > 2 * reach) continue;
      const t = deepestOnEdge(primitive, a, b);
      const phi = phiAlong(primitive, a, b, t);
      if (!(phi < ends)) continue;
      phiOf[e / 2] = phi;
      if (!(phi < ends - DEEPER * thickness)) continue;
      two[0] = a;
      two[1] = b;
      weightsOfTwo[0] = 1 - t;
      weightsOfTwo[1] = t;
      append(Feature.edge, e, two, weightsOfTwo);
    }
    for (let f = 0; f < faces.length; f += 3) {
      const edgesOf = Math.min(phiOf[faceEdges[f]], phiOf[faceEdges[f + 1]], phiOf[faceEdges[f + 2]]);
      const highest = Math.max(phiAt[faces[f]], phiAt[faces[f + 1]], phiAt[faces[f + 2]]);
      const width = Math.max(
        distance(faces[f], faces[f + 1]),
        distance(faces[f + 1], faces[f + 2]),
        distance(faces[f + 2], faces[f]),
      );
      if (highest - width > reach) continue;
      for (let c = 0; c < 3; c++) three[c] = faces[f + c]!;
      if (!(deepestOnFace(primitive) < edgesOf - DEEPER * thickness)) continue;
      for (let c = 0; c < 3; c++) weightsOfThree[c] = deepest[3 + c]!;
      append(Feature.face, f, three, weightsOfThree);
    }
  }
}

function reserve(coordinates: number, edges: number): void {
  if (local.length < coordinates) {
    local = new Float64Array(coordinates);
    phiAt = new Float64Array(coordinates / 3);
  }
  if (phiOf.length < edges) phiOf = new Float64Array(edges);
}

function distance(a: number, b: number): number {
  const x = local[3 * a] - local[3 * b];
  const y = local[3 * a + 1] - local[3 * b + 1];
  const z = local[3 * a + 2] - local[3 * b + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** φ at a part of the way from vertex a to b, and its `gradient`. */
function phiAlong(primitive: Primitive, a: number, b: number, t: number): number {
  const x = local[3 * a] + t * (local[3 * b] - local[3 * a]);
  const y = local[3 * a + 1] + t * (local[3 * b + 1] - local[3 * a + 1]);
  const z = local[3 * a + 2] + t * (local[3 * b + 2] - local[3 * a + 2]);
  return signedDistance(primitive, x, y, z, gradient);
}

/** The place of the least φ between two vertices, by its slope: for a convex shape it changes sign only there. */
function deepestOnEdge(primitive: Primitive, a: number, b: number): number {
  const flat = FLAT * distance(a, b);
  let [low, high] = [0, 1];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    phiAlong(primitive, a, b, middle);
    let slope = 0;
    for (let c = 0; c < 3; c++) slope += gradient[c] * (local[3 * b + c] - local[3 * a + c]);
    if (Math.abs(slope) <= flat) return middle;
    if (slope < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** φ at the deepest point of the face of the vertices `three`; `deepest` has the point. */
function deepestOnFace(primitive: Primitive): number {
  deepest.fill(0, 0, 3);
  for (let i = 0; i < 9; i++) {
    corners[i] = local[3 * three[Math.floor(i / 3)] + (i % 3)]!;
    deepest[i % 3] += corners[i] / 3;
  }
  let radius = 0;
  for (let c = 0; c < 9; c += 3)
    radius = Math.max(
      radius,
      lengthOf(corners[c] - deepest[0], corners[c + 1] - deepest[1], corners[c + 2] - deepest[2]),
    );
  deepest[6] = radius;
  deepestPoint(primitive, corners, deepest);
  return deepest[6];
}
