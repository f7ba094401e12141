/**
 * Contacts of rigid bodies with edges of others that are covered: a body that slides from one box of a floor to the next meets the side of that one,
 * and would stop at it or jump (see collision/contact/seam.ts).
 */
import type { BroadPhase } from "../../../collision/broad/broad-phase";
import { type PlacedPart, seamNormal } from "../../../collision/contact/seam";
import { type Primitive, PrimitiveKind, primitivesOf } from "../../../collision/distance/primitives";
import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { composePose, POSE, rotateAt, rotateBack, toFrame } from "../../../collision/shape/pose";
import { dotProduct } from "../../../math/dense";
import { POSE_SIZE } from "../../../solvers/newton/motion/bodies";
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
const own: PlacedPart = { primitive: undefined as unknown as Primitive, poses: new Float64Array(POSE) };
const other: PlacedPart = { primitive: undefined as unknown as Primitive, poses: new Float64Array(POSE) };

export class Seams {
  /** for each body, bodies whose boxes meet its box, from `first` of its slot on; empty until one is asked for */
  private neighbors = new Int32Array(0);
  private first = new Int32Array(1);
  private isKnown = false;

  constructor(
    private readonly slots: BodySlots,
    private readonly broad: BroadPhase,
  ) {}

  /** Begins a step, once the broad phase has its pairs. */
  begin(): void {
    this.isKnown = false;
  }

  /**
   * Gives contact c of bodies a and b the normal that is felt there, if it lies at a seam on either side.
   *
   * @param distance up to which contacts of the two are searched for [m]
   */
  settle(contacts: ContactBuffer, c: number, a: number, b: number, distance: number): void {
    if (!this.isKnown) this.findNeighbors();
    if (this.settleOn(contacts, c, b, contacts.partB[c], a, distance, false)) return;
    this.settleOn(contacts, c, a, contacts.partA[c], b, distance, true);
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
    const { bodies } = this.slots;
    if (partsOf(bodies[obstacle]).length === 0) return false;
    const on = isOnA ? contacts.pointA : contacts.pointB;
    const off = isOnA ? contacts.pointB : contacts.pointA;
    const sign = isOnA ? 1 : -1;
    for (let d = 0; d < 3; d++) {
      e[d] = on[3 * c + d]!;
      n[d] = sign * contacts.normal[3 * c + d];
    }
    for (let i = this.first[mover] - 1; i < this.first[mover + 1]; i++) {
      // Parts of the obstacle itself cover each other as well.
      const k = i < this.first[mover] ? obstacle : this.neighbors[i];
      if (k === obstacle && i >= this.first[mover]) continue;
      const body = bodies[k];
      if (body.options.isTrigger || !this.isNear(body, k, COVERED * distance)) continue;
      const parts = partsOf(body);
      if (k === obstacle && parts.length < 2) continue;
      for (let p = 0; p < parts.length; p++) {
        if (k === obstacle && p === part) continue;
        this.place(obstacle, part, own);
        this.place(k, p, other);
        if (!seamNormal(own, other, e, n, COVERED * distance, ABOVE * distance, turned)) continue;
        this.place(mover, isOnA ? contacts.partB[c] : contacts.partA[c], other);
        rollTo(other, off, 3 * c);
        let gap = 0;
        for (let d = 0; d < 3; d++) gap += turned[d] * (off[3 * c + d] - turned[3 + d]);
        for (let d = 0; d < 3; d++) {
          on[3 * c + d] = off[3 * c + d] - gap * turned[d];
          contacts.normal[3 * c + d] = sign * turned[d];
        }
        contacts.separation[c] = gap;
        return true;
      }
    }
    return false;
  }

  /** Whether `e` may be within `covered` of a body. */
  private isNear({ record }: RigidBody, slot: number, covered: number): boolean {
    const { poses } = this.slots;
    const reach = (record.compiled?.reach ?? 0) + covered;
    let squared = 0;
    for (let d = 0; d < 3; d++) {
      const way = e[d] - poses[POSE_SIZE * slot + d];
      squared += way * way;
    }
    return squared <= reach * reach;
  }

  private place(slot: number, part: number, into: PlacedPart): void {
    into.primitive = partsOf(this.slots.bodies[slot])[part];
    for (let i = 0; i < POSE; i++) pose[i] = this.slots.poses[POSE_SIZE * slot + i];
    composePose(pose, into.primitive, into.poses, 0);
  }

  private findNeighbors(): void {
    this.isKnown = true;
    const { broad, slots } = this;
    const count = slots.bodies.length;
    const { pairs, pairCount } = broad;
    if (this.first.length < count + 1) this.first = new Int32Array(2 * count + 1);
    if (this.neighbors.length < 2 * pairCount) this.neighbors = new Int32Array(4 * pairCount);
    this.first.fill(0);
    for (let k = 0; k < 2 * pairCount; k++) this.first[pairs[k] + 1]++;
    for (let slot = 0; slot < count; slot++) this.first[slot + 1] += this.first[slot];
    // Filling from the back turns the ends into starts.
    const { first, neighbors } = this;
    const ends = first.slice(1, count + 1);
    for (let k = pairCount - 1; k >= 0; k--) {
      const [a, b] = [pairs[2 * k], pairs[2 * k + 1]];
      neighbors[--ends[a]] = b;
      neighbors[--ends[b]] = a;
    }
  }
}

/** Moves a point of a round part to where it is nearest to a plane with the normal `turned`. */
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
