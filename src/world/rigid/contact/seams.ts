/**
 * Contacts of rigid bodies with edges of others that are covered: a body that slides from one box of a floor to the next meets the side of that one,
 * and would stop at it or jump (see collision/contact/seam.ts).
 */
import { type PlacedPart, seamNormal } from "../../../collision/contact/seam";
import { type Primitive, PrimitiveKind, primitivesOf } from "../../../collision/distance/primitives";
import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { FRAME, toLocal } from "../../../collision/narrow/frame";
import type { PairCache } from "../../../collision/narrow/pair-cache";
import type { Polytope } from "../../../collision/narrow/shapes/rigid-shape";
import { composePose, POSE, rotateAt, rotateBack, toFrame } from "../../../collision/shape/pose";
import { IdList } from "../../../math/arrays";
import { dotProduct } from "../../../math/dense";
import type { PairList } from "../../../solvers/newton/contact/pairs";
import { type BodyTable, Motion, POSE_SIZE } from "../../../solvers/newton/motion/bodies";
import type { BodySlots } from "../body-slots";
import type { RigidBody } from "../rigid-body";

/** Parts of the distance of contacts: how far apart bodies may be at a seam, and by how far above it normals are looked for. */
const COVERED = 0.04;
const ABOVE = 1;

const e = new Float64Array(3);
const n = new Float64Array(3);
const turned = new Float64Array(6);
const local = new Float64Array(3);
const way = new Float64Array(3);
const pose = new Float64Array(POSE);
const around = new Float64Array(6);
const own: PlacedPart = { primitive: undefined as unknown as Primitive, poses: new Float64Array(POSE) };
const other: PlacedPart = { primitive: undefined as unknown as Primitive, poses: new Float64Array(POSE) };

export class Seams {
  /** for each body, bodies that it has contacts with, from `first` of its slot on; unknown until one is asked for: what covers an edge is met, too */
  private neighbors = new Int32Array(0);
  private first = new Int32Array(1);
  private filled = new Int32Array(0);
  private isKnown = false;
  /** pair whose contacts were gathered for: bodies that may cover A, or B, at some of its contacts */
  private gathered = -1;
  private readonly overA = new IdList();
  private readonly overB = new IdList();
  /** 6 a body: see `begin` */
  private boxes = new Float64Array(0);

  /**
   * @param cache has the frames of the bodies, at their places when the step begins
   * @param solids of the bodies that are one polytope
   */
  constructor(
    private readonly slots: BodySlots,
    private readonly table: BodyTable,
    private readonly pairs: PairList,
    private readonly cache: PairCache,
    private readonly solids: readonly (Polytope | undefined)[],
  ) {}

  /**
   * Begins a step, once all pairs have their contacts.
   *
   * @param boxes around the bodies at their places, 6 numbers each [m]
   */
  begin(boxes: Float64Array<ArrayBuffer>): void {
    this.isKnown = false;
    this.gathered = -1;
    this.boxes = boxes;
  }

  /**
   * Gives contact c of a pair the normal that is felt there, if it lies at a seam on either side.
   *
   * @param distance up to which contacts of the two bodies are searched for [m]
   * @returns whether it is another one than before
   */
  settle(contacts: ContactBuffer, c: number, pair: number, distance: number): boolean {
    const { first, end, bodyA, bodyB } = this.pairs;
    const a = bodyA[pair];
    const b = bodyB[pair];
    if (this.gathered !== pair) {
      this.gathered = pair;
      if (!this.isKnown) this.findNeighbors();
      this.gather(this.overB, a, b, contacts.pointB, first[pair], end[pair], distance);
      this.gather(this.overA, b, a, contacts.pointA, first[pair], end[pair], distance);
    }
    if (this.settleOn(contacts, c, b, contacts.partB[c], a, distance, false)) return true;
    return this.settleOn(contacts, c, a, contacts.partA[c], b, distance, true);
  }

  /** Gathers neighbors of a body, if contacts move it, whose boxes meet the box around the points of its contacts on an obstacle. */
  private gather(
    out: IdList,
    mover: number,
    obstacle: number,
    points: Float64Array,
    from: number,
    to: number,
    distance: number,
  ): void {
    out.count = 0;
    // A ground may have all bodies for neighbors, and does not slide over them.
    if (this.table.model.motion[mover] < Motion.dynamic) return;
    const { bodies } = this.slots;
    const { leader } = bodies[mover].options;
    const covered = COVERED * distance;
    for (let i = 0; i < 3; i++) {
      let low = points[3 * from + i];
      let high = low;
      for (let c = from + 1; c < to; c++) {
        const x = points[3 * c + i];
        if (x < low) low = x;
        if (x > high) high = x;
      }
      around[i] = low - covered;
      around[3 + i] = high + covered;
    }
    const { boxes, neighbors, first } = this;
    const end = first[mover + 1];
    for (let i = first[mover]; i < end; i++) {
      const k = neighbors[i];
      const at = 6 * k;
      if (around[3] < boxes[at] || around[0] > boxes[at + 3]) continue;
      if (around[4] < boxes[at + 1] || around[1] > boxes[at + 4]) continue;
      if (around[5] < boxes[at + 2] || around[2] > boxes[at + 5]) continue;
      // A body of one polytope covers nothing of itself, and a link nothing of what its mechanism slides over.
      const isOwn = leader !== undefined && bodies[k].options.leader?.group === leader.group;
      if (!isOwn && (k !== obstacle || !this.solids[k])) out.push(k);
    }
  }

  /** @param isOnA whether the obstacle is A of the contact, which `mover` meets */
  private settleOn(
    contacts: ContactBuffer,
    c: number,
    obstacle: number,
    part: number,
    mover: number,
    distance: number,
    isOnA: boolean,
  ): boolean {
    const on = isOnA ? contacts.pointA : contacts.pointB;
    const x = (e[0] = on[3 * c]!);
    const y = (e[1] = on[3 * c + 1]!);
    const z = (e[2] = on[3 * c + 2]!);
    const covered = COVERED * distance;
    const { boxes } = this;
    const { items, count } = isOnA ? this.overA : this.overB;
    for (let i = 0; i < count; i++) {
      const k = items[i];
      const at = 6 * k;
      if (x < boxes[at] - covered || x > boxes[at + 3] + covered) continue;
      if (y < boxes[at + 1] - covered || y > boxes[at + 4] + covered) continue;
      if (z < boxes[at + 2] - covered || z > boxes[at + 5] + covered) continue;
      if (k !== obstacle && this.isOutside(k, covered)) continue;
      if (this.settleBeside(contacts, c, obstacle, part, mover, k, distance, isOnA)) return true;
    }
    return false;
  }

  /** @param cover the body that may cover the obstacle, or the obstacle itself, whose parts may cover each other */
  private settleBeside(
    contacts: ContactBuffer,
    c: number,
    obstacle: number,
    part: number,
    mover: number,
    cover: number,
    distance: number,
    isOnA: boolean,
  ): boolean {
    const { bodies } = this.slots;
    const parts = partsOf(bodies[cover]);
    if (bodies[cover].options.isTrigger || partsOf(bodies[obstacle]).length === 0) return false;
    const on = isOnA ? contacts.pointA : contacts.pointB;
    const off = isOnA ? contacts.pointB : contacts.pointA;
    const sign = isOnA ? 1 : -1;
    for (let d = 0; d < 3; d++) n[d] = sign * contacts.normal[3 * c + d];
    this.place(obstacle, part, own);
    for (let p = 0; p < parts.length; p++) {
      if (cover === obstacle && p === part) continue;
      this.place(cover, p, other);
      if (!seamNormal(own, other, e, n, COVERED * distance, ABOVE * distance, turned)) continue;
      this.roll(mover, isOnA ? contacts.partB[c] : contacts.partA[c], off, 3 * c);
      let gap = 0;
      for (let d = 0; d < 3; d++) gap += turned[d] * (off[3 * c + d] - turned[3 + d]);
      for (let d = 0; d < 3; d++) {
        on[3 * c + d] = off[3 * c + d] - gap * turned[d];
        contacts.normal[3 * c + d] = sign * turned[d];
      }
      contacts.separation[c] = gap;
      return true;
    }
    return false;
  }

  /** Moves a point of a round part of a body to where it is nearest to a plane with the normal `turned`. */
  private roll(body: number, part: number, points: Float64Array, at: number): void {
    if (partsOf(this.slots.bodies[body]).length <= part) return;
    this.place(body, part, other);
    rollTo(other, points, at);
  }

  /** Whether `e` lies further than `covered` above a face of a body that is one polytope, which takes less time than its distance. */
  private isOutside(slot: number, covered: number): boolean {
    const polytope = this.solids[slot];
    if (!polytope) return false;
    const { faceNormals, faceOffsets, radius } = polytope.convex;
    const { frames } = this.cache;
    const at = FRAME * slot;
    const x = e[0] - frames[at + 9];
    const y = e[1] - frames[at + 10];
    const z = e[2] - frames[at + 11];
    for (let i = 0; i < 3; i++) local[i] = frames[at + i] * x + frames[at + 3 + i] * y + frames[at + 6 + i] * z;
    if (!polytope.isPlain) toLocal(polytope.frame, local, 0, 1, local, 0);
    for (let f = 0; f < faceOffsets.length; f++) {
      const along =
        faceNormals[3 * f] * local[0] + faceNormals[3 * f + 1] * local[1] + faceNormals[3 * f + 2] * local[2];
      if (along - faceOffsets[f] - radius > covered) return true;
    }
    return false;
  }

  private place(slot: number, part: number, into: PlacedPart): void {
    into.primitive = partsOf(this.slots.bodies[slot])[part];
    for (let i = 0; i < POSE; i++) pose[i] = this.slots.poses[POSE_SIZE * slot + i];
    composePose(pose, into.primitive, into.poses, 0);
  }

  private findNeighbors(): void {
    this.isKnown = true;
    const { pairs, slots } = this;
    const { bodyA, bodyB } = pairs;
    const count = slots.bodies.length;
    if (this.first.length < count + 1) {
      this.first = new Int32Array(2 * count + 1);
      this.filled = new Int32Array(2 * count);
    }
    if (this.neighbors.length < 2 * pairs.count) this.neighbors = new Int32Array(4 * pairs.count);
    const { first, neighbors, filled } = this;
    first.fill(0);
    for (let k = 0; k < pairs.count; k++) {
      first[bodyA[k] + 1]++;
      first[bodyB[k] + 1]++;
    }
    for (let slot = 0; slot < count; slot++) first[slot + 1] += first[slot];
    for (let slot = 0; slot < count; slot++) filled[slot] = first[slot];
    for (let k = 0; k < pairs.count; k++) {
      neighbors[filled[bodyA[k]]++] = bodyB[k];
      neighbors[filled[bodyB[k]]++] = bodyA[k];
    }
  }
}

/** Of a round part: see `roll`. */
function rollTo({ primitive, poses }: PlacedPart, points: Float64Array, at: number): void {
  const { kind, size } = primitive;
  const isSphere = kind === PrimitiveKind.sphere;
  const isCylinder = kind === PrimitiveKind.cylinder;
  if (!isSphere && !isCylinder && kind !== PrimitiveKind.capsule) return;
  toFrame(poses, 0, points, at, local, 0);
  rotateBack(poses, 0, turned[0], turned[1], turned[2], way, 0);
  if (isCylinder) way[1] = 0;
  const length = Math.sqrt(dotProduct(way, way, 3));
  if (!(length > 0)) return;
  const radius = isSphere ? size[0] : size[1];
  const y = isSphere ? 0 : Math.min(Math.max(local[1], -size[0]), size[0]);
  for (let d = 0; d < 3; d++) local[d] = -(radius / length) * way[d];
  local[1] += y;
  rotateAt(poses, 0, local, 0, points, at);
  for (let d = 0; d < 3; d++) points[at + d] += poses[d]!;
}

const none: readonly Primitive[] = [];

/** Parts of a body without surfaces of triangles: their distances are exact, and take no time to prepare. */
function partsOf({ shape, name, record }: RigidBody): readonly Primitive[] {
  if (!shape || record.compiled?.parts.some(({ surface }) => surface)) return none;
  return primitivesOf(shape, name);
}
