/**
 * Collision detection of a step (the H of section 5.3): between where the bodies start and where they would go without forces; then,
 * if they turn out to go elsewhere, between where they start and where they come to. A contact is taken up while there is
 * still room, so that what elastic forces press on meets it in the same step.
 */
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { FEATURE_DEEPER, LEAST_MOVABLE } from "../../../generated/constants";
import { createSweepContact, sweepContact } from "../../../collision/contact/sweep";
import type { ContactList } from "../../../collision/soft/contact-list";
import { CONTACT_VERTICES, KEY_SIZE } from "../../../collision/soft/contact-table";
import { KeyTable } from "../../../collision/soft/impulse-memory";
import type { ExpectedBody } from "../../../collision/soft/surface-detection";
import { rimNormal } from "./rim-normal";
import type { SurfaceFeatures } from "./surface-features";

const sweep = createSweepContact();

/** The parts of a body that detection needs. */
export interface DetectedBody extends ExpectedBody {
  /** vertices that may touch something */
  readonly surface: Uint32Array;
  /** All others. They lie beyond the surface of a body that is pressed inside out, so they touch obstacles that they get into. */
  readonly inner: Uint32Array;
  /** how far beyond `margin` obstacles are taken up, as gravity may bring the body nearer [m] */
  readonly fall: number;
  /** faces of a solid */
  readonly rims: SurfaceFeatures | undefined;
}

/** The part of a surface that touches an obstacle, in the key of a contact: its dimension. */
export const enum Feature {
  vertex,
  edge,
  face,
}

/**
 * Appends contacts of a body's vertices with all obstacles.
 *
 * @param index of the body in its group
 * @param fraction0 where in the frame the step begins, 0 to 1; `fraction1` where it ends
 */
export function detectObstacles(
  body: DetectedBody,
  index: number,
  set: ColliderSet,
  fraction0: number,
  fraction1: number,
  out: ContactList,
): void {
  const sunk = { ...body, margin: 0, fall: 0, rims: undefined };
  const add = (of: DetectedBody, v: number, k: number): void => {
    if (of.pinned[v] === 1) return;
    one[0] = v;
    const n = addObstacleContact(of, index, set, k, fraction0, fraction1, one, whole, out);
    if (n >= 0) nameObstacleContact(out, n, index, k, Feature.vertex, v);
  };
  for (let k = 0; k < set.primitiveCount; k++) {
    const { count } = out;
    for (const v of body.surface) add(body, v, k);
    if (out.count > count) for (const v of body.inner) add(sunk, v, k);
  }
}

/**
 * Appends the contact of a point on up to three vertices, if there is one within reach.
 *
 * @param k primitive
 * @param weights of the vertices, their sum 1
 * @returns its place, −1 for none; the caller names it
 */
export function addObstacleContact(
  body: DetectedBody,
  index: number,
  set: ColliderSet,
  k: number,
  fraction0: number,
  fraction1: number,
  vertices: ArrayLike<number>,
  weights: Float64Array,
  out: ContactList,
): number {
  const { thickness } = body;
  const margin = body.margin + body.fall;
  before.fill(0);
  after.fill(0);
  for (let i = 0; i < vertices.length; i++)
    for (let c = 0; c < 3; c++) {
      before[c] += weights[i] * body.start[3 * vertices[i] + c];
      after[c] += weights[i] * body.predicted[3 * vertices[i] + c];
    }
  if (!sweepContact(set, k, before, after, 0, thickness + margin, fraction0, fraction1, sweep, true)) return -1;
  let gap = margin - sweep.push;
  const { rims, start } = body;
  if (rimNormal(rims, vertices, weights, start, after, set, k, fraction0, fraction1, thickness, rim)) {
    sweep.normal.set(rim.subarray(0, 3));
    sweep.normalChange.set(rim.subarray(6));
    gap = -thickness;
    for (let c = 0; c < 3; c++) gap += rim[c] * (after[c] - rim[3 + c]);
  }
  // where a rigid body goes is known with the forces only
  if (set.proxyOf[k] < 0) out.noteGap(gap);
  const n = out.add();
  for (let i = 0; i < vertices.length; i++) {
    out.body[CONTACT_VERTICES * n + i] = index;
    out.vertex[CONTACT_VERTICES * n + i] = vertices[i]!;
    out.weight[CONTACT_VERTICES * n + i] = weights[i]!;
  }
  const [x, y, z] = sweep.normal as unknown as [number, number, number];
  out.setNormal(n, x, y, z);
  out.offset[3 * n] = row(out, n, 0, after) - gap;
  // what turns with the obstacle does not slip, a thickness above it either
  for (let c = 0; c < 3; c++) sweep.surfaceDisplacement[c] += thickness * sweep.normalChange[c];
  for (let t = 1; t < 3; t++)
    out.offset[3 * n + t] = row(out, n, t, before) + row(out, n, t, sweep.surfaceDisplacement);
  out.friction[n] = set.frictionWith(k, body.friction);
  out.rigid[n] = set.proxyOf[k]!;
  out.primitive[n] = k;
  out.point.set(after, 3 * n);
  return n;
}

/** Names the contact of a feature with a primitive. Keys of contacts of two surfaces begin with a number that is not negative. */
export function nameObstacleContact(
  out: ContactList,
  n: number,
  index: number,
  k: number,
  feature: Feature,
  number: number,
): void {
  out.setKey(n, -2 - k, index, feature, number);
}

/**
 * Appends contacts with obstacles that carry load in a list before, and were not found again: whether an edge is just deeper than its
 * ends changes from one place to the next, and a load that comes and goes with that never rests.
 */
export function keepLoaded(
  bodies: readonly DetectedBody[],
  set: ColliderSet,
  fraction0: number,
  fraction1: number,
  before: ContactList,
  out: ContactList,
): void {
  found.clear();
  for (let n = 0; n < out.count; n++) found.add(out.key, KEY_SIZE * n);
  for (let n = 0; n < before.count; n++) {
    const k = before.primitive[n];
    if (before.z[3 * n] === 0 || k < 0 || k >= set.primitiveCount || found.find(before.key, KEY_SIZE * n) >= 0)
      continue;
    const at = CONTACT_VERTICES * n;
    const { length: count } = before.verticesOf(n);
    const body = thinned(bodies[before.body[at]], before.key[KEY_SIZE * n + 2]);
    const vertices = before.vertex.subarray(at, at + count);
    const weights = before.weight.subarray(at, at + count);
    if (!isMovable(body, vertices, weights)) continue;
    const next = addObstacleContact(body, before.body[at], set, k, fraction0, fraction1, vertices, weights, out);
    if (next >= 0) out.key.set(before.key.subarray(KEY_SIZE * n, KEY_SIZE * (n + 1)), KEY_SIZE * next);
  }
}

const found = new KeyTable();

/**
 * A body of which a feature touches. An edge keeps the distance at which it is taken up if its ends keep the thickness, and a face that at
 * which it is if its edges keep theirs. With the thickness itself, each that comes would push at once by what it is deeper, and nothing comes
 * to rest on edges.
 */
export const thinned = (body: DetectedBody, feature: Feature): DetectedBody => ({
  ...body,
  thickness: (1 - FEATURE_DEEPER * feature) * body.thickness,
});

/** Whether contact forces move a point on some vertices at all. */
export function isMovable({ pinned }: DetectedBody, vertices: ArrayLike<number>, weights: Float64Array): boolean {
  let movable = 0;
  for (let i = 0; i < vertices.length; i++) if (pinned[vertices[i]] !== 1) movable += weights[i];
  return movable > LEAST_MOVABLE;
}

const one = new Uint32Array(1);
const whole = Float64Array.of(1);
const rim = new Float64Array(9);
const before = new Float64Array(3);
const after = new Float64Array(3);

function row(out: ContactList, n: number, r: number, x: ArrayLike<number>): number {
  const at = 9 * n + 3 * r;
  return out.frame[at] * x[0] + out.frame[at + 1] * x[1] + out.frame[at + 2] * x[2];
}
