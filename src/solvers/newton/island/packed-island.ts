/**
 * Contacts and bodies of one large island in the layout for sweeps, see contact-blocks.ts.
 *
 * A sweep visits contact after contact, and each contact starts from the velocities that earlier ones left. But only
 * contacts that share a moving body depend on each other, and waiting wastes processor time. So contacts are arranged
 * in levels: each contact is one level above the highest earlier one, in the order of pairs, that shares a body with
 * it. Contacts of a level are independent, and are swept two at a time. The result has the same bits as a sweep in the
 * order of pairs.
 */

import { POSE_SIZE, TWIST_SIZE } from "../motion/bodies";
import { BLOCK_BYTES, BODY_BYTES, CONTACT_NUMBERS, type ContactSweeps, PLACES_AT } from "../contact/contact-blocks";
import { CONTACT_SIZE } from "../contact/contacts";
import type { IslandSystem } from "./island-system";
import { turnQuaternion } from "../motion/rotation";
import { ScalarSweeps } from "./scalar-sweeps";
import { wasmSweeps } from "./wasm-sweeps";

/** All worlds share these sweeps: their memory keeps nothing from one island to the next. */
let shared: ContactSweeps | undefined;

export class PackedIsland {
  private readonly sweeps: ContactSweeps;
  private contactCount = 0;
  private bodyCount = 0;
  /** place of each packed body in the table; packed bodies are numbered from 1 on */
  private slots = new Int32Array(0);
  /** packed body of each place, 0 for none */
  private packedOf = new Int32Array(0);
  /** highest level so far of the contacts of each packed body */
  private height = new Int32Array(0);
  /** packed bodies A and B and the level of each contact; then its place in the levels, two a block */
  private bodyA = new Int32Array(0);
  private bodyB = new Int32Array(0);
  private order = new Int32Array(0);
  /** first place of each level; while contacts are arranged, also the end of each level's contacts */
  private starts = new Int32Array(1);
  private levelCount = 0;
  private delta = 0;
  private blocksAt = 0;
  private blocksEnd = 0;

  /** @param sweeps implementation of the sweeps; default: the fastest available */
  constructor(sweeps?: ContactSweeps) {
    this.sweeps = sweeps ?? (shared ??= wasmSweeps() ?? new ScalarSweeps());
  }

  /** The memory: velocities of a body are six numbers from `offsetOf` on. */
  get numbers(): Float64Array {
    return this.sweeps.numbers;
  }

  /** Offset of a body's velocities in `numbers`, −1 for a body that is not packed. */
  offsetOf(slot: number): number {
    return this.packedOf[slot] === 0 ? -1 : (BODY_BYTES / 8) * this.packedOf[slot];
  }

  /** Copies the island, for `count` small steps that together have length H [s]. */
  pack(system: IslandSystem, H: number, count: number): void {
    this.collectBodies(system);
    this.arrange(system);
    this.delta = BODY_BYTES * (this.bodyCount + 1);
    this.blocksAt = 2 * this.delta;
    this.sweeps.reserve(this.blocksEnd + this.blocksAt);
    this.blocksEnd += this.blocksAt;
    this.writeNobody();
    for (let k = 1; k <= this.bodyCount; k++) this.writeBody(system, k, count);
    this.writeContacts(system, H, count);
    this.sweeps.prepare(this.blocksAt, this.blocksEnd);
  }

  /** Writes velocities and displacements of bodies to scratch and poses, and impulses to the contacts. */
  unpack(system: IslandSystem, H: number, count: number): void {
    const { contacts, firstContact } = system;
    const { numbers } = this.sweeps;
    for (let k = 0; k < this.contactCount; k++) {
      const at = this.contactAt(k) + 42;
      for (let i = 0; i < 3; i++) contacts.impulse[3 * (firstContact + k) + i] = count * numbers[at + 2 * i];
    }
    const { velocity } = system.bodies.scratch;
    for (let k = 1; k <= system.bodyCount; k++)
      for (let i = 0; i < TWIST_SIZE; i++) velocity[TWIST_SIZE * this.slots[k] + i] = numbers[(BODY_BYTES / 8) * k + i];
    this.writePoses(system, H / count);
  }

  /** Writes poses of the island's bodies from their displacements, with small steps of h. */
  writePoses(system: IslandSystem, h: number): void {
    const { state, scratch, model } = system.bodies;
    const { numbers } = this.sweeps;
    for (let k = 1; k <= system.bodyCount; k++) {
      const slot = this.slots[k];
      const at = (this.delta + BODY_BYTES * k) / 8;
      const pose = POSE_SIZE * slot;
      for (let i = 0; i < 3; i++) state.pose[pose + i] = scratch.startPose[pose + i] + h * numbers[at + i];
      if (model.inertia[3 * slot] === 0) continue;
      for (let i = 0; i < 3; i++) turn[i] = h * numbers[at + 3 + i];
      turnQuaternion(scratch.startPose, pose + 3, turn, state.pose, pose + 3);
    }
  }

  /**
   * Begins the first small step: applies the initial impulses of contacts. Velocities already include the forces of
   * this step.
   */
  begin(): void {
    this.sweeps.start(this.blocksAt, this.blocksEnd);
  }

  /** Begins another small step. */
  goOn(): void {
    this.sweeps.goOn(BODY_BYTES, this.delta, this.delta);
  }

  /** d += u */
  advance(): void {
    this.sweeps.advance(BODY_BYTES, this.delta, this.delta);
  }

  /** Makes a sweep over the contacts, forward or backward. */
  sweep(isForward: boolean): void {
    const { blocksAt, blocksEnd } = this;
    if (isForward) this.sweeps.sweep(blocksAt, blocksEnd, BLOCK_BYTES);
    else this.sweeps.sweep(blocksEnd - BLOCK_BYTES, blocksAt - BLOCK_BYTES, -BLOCK_BYTES);
  }

  /** Updates gaps of the contacts and removes a part of each overlap, see `ContactSweeps`. */
  separate(share: number, allowed: number, most: number): void {
    this.sweeps.separate(this.blocksAt, this.blocksEnd, this.delta, share, allowed, most);
  }

  /** Offset of a contact in `numbers`. */
  private contactAt(k: number): number {
    const place = this.order[k];
    return (this.blocksAt + BLOCK_BYTES * (place >> 1)) / 8 + (place & 1);
  }

  /** Collects the island's own bodies first, then all others that its contacts and rows touch. */
  private collectBodies(system: IslandSystem): void {
    const { bodies, contacts, rows, firstContact, contactCount, firstRow, rowCount } = system;
    for (let k = 1; k <= this.bodyCount; k++) this.packedOf[this.slots[k]] = 0;
    this.bodyCount = 0;
    this.contactCount = contactCount;
    this.reserve(bodies.capacity, contactCount);
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++) this.find(system.bodyList[k]);
    for (let r = firstRow; r < firstRow + rowCount; r++) {
      this.find(rows.bodyA[r]);
      this.find(rows.bodyB[r]);
    }
    for (let k = 0; k < contactCount; k++) {
      this.bodyA[k] = this.find(contacts.bodyA[firstContact + k]);
      this.bodyB[k] = this.find(contacts.bodyB[firstContact + k]);
    }
  }

  /** Finds the level of each contact, and its place among all. */
  private arrange(system: IslandSystem): void {
    const { bodyA, bodyB, order, height, starts, slots, contactCount } = this;
    const { inverseMass } = system.bodies.scratch;
    height.fill(0, 0, this.bodyCount + 1);
    let top = 0;
    starts[0] = 0;
    for (let k = 0; k < contactCount; k++) {
      const a = bodyA[k];
      const b = bodyB[k];
      // Many contacts may share an immovable body.
      const isFreeA = inverseMass[slots[a]] > 0;
      const isFreeB = inverseMass[slots[b]] > 0;
      let level = isFreeA ? height[a] : 0;
      if (isFreeB && height[b] > level) level = height[b];
      order[k] = level++;
      if (isFreeA) height[a] = level;
      if (isFreeB) height[b] = level;
      if (level > top) starts[(top = level)] = 0;
      starts[level]++;
    }
    // A block has contacts of one level.
    for (let level = 1; level <= top; level++) starts[level] = starts[level - 1] + ((starts[level] + 1) & ~1);
    this.levelCount = top;
    this.blocksEnd = (BLOCK_BYTES * starts[top]) / 2;
    for (let k = 0; k < contactCount; k++) order[k] = starts[order[k]]++;
  }

  private writeContacts({ contacts, firstContact }: IslandSystem, H: number, count: number): void {
    const { numbers: out, places } = this.sweeps;
    const { geometry: g, gap, friction, impulse } = contacts;
    this.clearRest();
    for (let k = 0; k < this.contactCount; k++) {
      const c = firstContact + k;
      const at = this.contactAt(k);
      for (let i = 0; i < CONTACT_SIZE; i++) out[at + 2 * i] = g[CONTACT_SIZE * c + i];
      out[at + 38] = (gap[c] * count) / H;
      out[at + 40] = friction[c];
      for (let i = 0; i < 3; i++) out[at + 42 + 2 * i] = impulse[3 * c + i] / count;
      const place = this.order[k];
      const bodies = (this.blocksAt + BLOCK_BYTES * (place >> 1) + PLACES_AT) / 4 + (place & 1);
      places[bodies] = BODY_BYTES * this.bodyA[k];
      places[bodies + 2] = BODY_BYTES * this.bodyB[k];
    }
  }

  /** Clears the unused second contact of blocks with a single one; both its bodies are the dummy. */
  private clearRest(): void {
    const { numbers, places } = this.sweeps;
    for (let level = 0; level < this.levelCount; level++) {
      const place = this.starts[level];
      if ((place & 1) === 0) continue;
      const block = this.blocksAt + BLOCK_BYTES * (place >> 1);
      for (let i = 0; i < CONTACT_NUMBERS; i++) numbers[block / 8 + 2 * i + 1] = 0;
      places[(block + PLACES_AT) / 4 + 1] = 0;
      places[(block + PLACES_AT) / 4 + 3] = 0;
    }
  }

  private find(slot: number): number {
    if (this.packedOf[slot] !== 0) return this.packedOf[slot];
    const k = ++this.bodyCount;
    this.slots[k] = slot;
    this.packedOf[slot] = k;
    return k;
  }

  /** Writes the dummy body of unused contacts. It has a mass, so that quotients stay finite. */
  private writeNobody(): void {
    const { numbers } = this.sweeps;
    for (const at of [0, this.delta / 8]) numbers.fill(0, at, at + BODY_BYTES / 8);
    numbers[6] = 1;
  }

  private writeBody(system: IslandSystem, k: number, count: number): void {
    const { scratch, state } = system.bodies;
    const { numbers: w } = this.sweeps;
    const slot = this.slots[k];
    const at = (BODY_BYTES * k) / 8;
    const moved = at + this.delta / 8;
    const isPushed = scratch.inverseMass[slot] > 0;
    for (let i = 0; i < TWIST_SIZE; i++) {
      const end = scratch.freeVelocity[TWIST_SIZE * slot + i];
      const start = isPushed ? state.velocity[TWIST_SIZE * slot + i] : end;
      w[at + i] = start + (end - start) / count;
      w[at + 7 + i] = scratch.worldInverseInertia[6 * slot + i];
      w[moved + i] = 0;
      w[moved + 6 + i] = start;
    }
    w[at + 6] = scratch.inverseMass[slot];
  }

  private reserve(capacity: number, contactCount: number): void {
    if (this.packedOf.length < capacity) {
      this.packedOf = new Int32Array(capacity);
      this.slots = new Int32Array(capacity + 1);
      this.height = new Int32Array(capacity + 1);
    }
    if (this.order.length >= contactCount) return;
    this.bodyA = new Int32Array(2 * contactCount);
    this.bodyB = new Int32Array(2 * contactCount);
    this.order = new Int32Array(2 * contactCount);
    this.starts = new Int32Array(2 * contactCount + 2);
  }
}

const turn = new Float64Array(3);
