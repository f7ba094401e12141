/**
 * Contacts of the inside and the edges of faces with obstacles: for poles and corners that fit between vertices. The deepest
 * point of a face hangs on its three vertices; it counts where it is deeper than all of them.
 */
import type { ColliderSet } from "../../collision/collider-set";
import { deepestPoint } from "../../collision/deepest-point";
import { interpolatePose, POSE, rotateBack } from "../../collision/pose";
import { signedDistance } from "../../collision/signed-distance";
import { addObstacleContact, type DetectedBody } from "./detect-contacts";
import type { ContactList } from "./contact-list";

/** How much deeper than the vertices, as a part of the thickness. */
const DEEPER = 0.2;

const pose = new Float64Array(POSE);
const local = new Float64Array(9);
const deepest = new Float64Array(6);
const gradient = new Float64Array(3);
const vertices = new Uint32Array(3);
const weights = new Float64Array(3);

/**
 * Appends contacts of a body's faces; see `detectObstacles` for the rest.
 *
 * @param faces triangles, vertices of the body
 */
export function detectFaces(
  body: DetectedBody,
  faces: Uint32Array,
  index: number,
  set: ColliderSet,
  fraction0: number,
  fraction1: number,
  out: ContactList,
): void {
  const reach = body.thickness + body.margin;
  for (let k = 0; k < set.primitiveCount; k++) {
    if (set.proxyOf[k]! >= 0) pose.set(set.substepEnds.subarray(POSE * k, POSE * k + POSE));
    else interpolatePose(set.startPoses, set.endPoses, POSE * k, fraction1, pose);
    for (let f = 0; f < faces.length; f += 3) {
      if (!findDeepest(body, faces, f, set, k, reach)) continue;
      for (let c = 0; c < 3; c++) {
        vertices[c] = faces[f + c]!;
        weights[c] = deepest[3 + c]!;
      }
      addObstacleContact(body, index, set, k, fraction0, fraction1, vertices, weights, `${index} f${f} ${k}`, out);
    }
  }
}

function findDeepest(
  { predicted, pinned, thickness }: DetectedBody,
  faces: Uint32Array,
  f: number,
  set: ColliderSet,
  k: number,
  reach: number,
): boolean {
  const primitive = set.primitives[k]!;
  let held = 0;
  for (let c = 0; c < 3; c++) {
    const v = faces[f + c]!;
    held += pinned[v]!;
    const [x, y, z] = [predicted[3 * v]!, predicted[3 * v + 1]!, predicted[3 * v + 2]!];
    rotateBack(pose, 0, x - pose[0]!, y - pose[1]!, z - pose[2]!, local, 3 * c);
  }
  if (held === 3) return false;
  deepest.fill(0, 0, 3);
  deepest.fill(1 / 3, 3);
  for (let i = 0; i < 9; i++) deepest[i % 3]! += local[i]! / 3;
  let radius = 0;
  for (let c = 0; c < 9; c += 3)
    radius = Math.max(
      radius,
      Math.hypot(local[c]! - deepest[0]!, local[c + 1]! - deepest[1]!, local[c + 2]! - deepest[2]!),
    );
  const phi = signedDistance(primitive, deepest[0]!, deepest[1]!, deepest[2]!, gradient);
  if (phi > radius + reach) return false;
  let least = Infinity;
  for (let c = 0; c < 9; c += 3)
    least = Math.min(least, signedDistance(primitive, local[c]!, local[c + 1]!, local[c + 2]!, gradient));
  return deepestPoint(primitive, local, radius, deepest) < least - DEEPER * thickness;
}
