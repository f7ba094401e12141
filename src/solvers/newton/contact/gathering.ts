import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import type { BodyTable } from "../motion/bodies";
import type { ContactRows } from "./contacts";
import type { ImpulseCache } from "./impulse-cache";
import type { Islands } from "../island/islands";
import type { Joint } from "../joints/joint";
import type { PairList } from "./pairs";
import type { JointRows } from "./rows";

/** Contacts and joints of a step in the order of islands, which start from the impulses of the last step. */
export class Gathering {
  /** joints of the step, island after island */
  readonly joints: Joint[] = [];
  /** first contact row of each pair, −1 if it has none */
  private pairRow = new Int32Array(0);
  /** place of each pair's impulses in the cache */
  private pairRecord = new Int32Array(0);
  contactStart = new Int32Array(1);
  jointStart = new Int32Array(1);
  private pairOrder = new Int32Array(0);
  /** number of steps of each island in this step */
  steps = new Int32Array(0);
  /** 1 for small steps by sweeps (small-steps.ts), 0 for steps solved by Newton's method */
  isSwept = new Uint8Array(0);
  private fill = new Int32Array(0);

  constructor(
    private readonly bodies: BodyTable,
    private readonly contacts: ContactRows,
    private readonly rows: JointRows,
    private readonly islands: Islands,
    private readonly cache: ImpulseCache,
  ) {}

  /**
   * Gathers contact rows and joint rows; rows of an island are contiguous.
   *
   * @param h length of the step [s]
   * @param isWarm whether contacts start from the impulses of the last step
   * @param plan sets the steps of an island, once its contacts and joints are counted
   */
  gather(
    buffer: ContactBuffer,
    pairs: PairList,
    joints: readonly Joint[],
    h: number,
    isWarm: boolean,
    plan: (island: number, h: number) => void,
  ): void {
    const { islands, contacts, rows, bodies, cache } = this;
    this.reserve(islands.count, pairs.count);
    cache.wake(bodies);
    const { contactStart, pairOrder, pairRow, pairRecord, fill } = this;
    // Pairs by island, otherwise in their order: a counting sort.
    fill.fill(0, 0, islands.count + 1);
    for (let k = 0; k < pairs.count; k++) {
      const island = this.islandOfPair(pairs, k);
      if (island >= 0) fill[island + 1]++;
    }
    for (let i = 0; i < islands.count; i++) fill[i + 1] += fill[i];
    let record = 0;
    for (let k = 0; k < pairs.count; k++) {
      const island = this.islandOfPair(pairs, k);
      record = cache.find(pairs.bodyA[k], pairs.bodyB[k], record);
      pairRecord[k] = record;
      pairRow[k] = -1;
      if (island >= 0) pairOrder[fill[island]++] = k;
    }
    const solved = islands.count > 0 ? fill[islands.count - 1] : 0;
    contacts.clear();
    let place = 0;
    for (let island = 0; island < islands.count; island++) {
      contactStart[island] = contacts.count;
      for (; place < solved && place < fill[island]; place++) this.addPair(buffer, pairs, pairOrder[place], isWarm);
    }
    contactStart[islands.count] = contacts.count;
    this.sortJoints(joints);
    rows.clear();
    for (let island = 0; island < islands.count; island++) {
      plan(island, h);
      for (let k = this.jointStart[island]; k < this.jointStart[island + 1]; k++)
        this.addJoint(this.joints[k], this.steps[island], h);
    }
    for (let r = 0; r < rows.count; r++) rows.respond(bodies, r);
  }

  /**
   * Rewrites the rows of an island's joints for current poses and impulses, and for `count` steps that together have
   * length h.
   */
  renewJoints(island: number, count: number, h: number): void {
    const { rows, bodies, jointStart, joints } = this;
    const { count: rowCount } = rows;
    for (let k = jointStart[island]; k < jointStart[island + 1]; k++) {
      rows.count = joints[k].firstRow;
      this.addJoint(joints[k], count, h);
      for (let r = joints[k].firstRow; r < rows.count; r++) rows.respond(bodies, r);
    }
    rows.count = rowCount;
  }

  /** Stores in the joints of an island the impulses of a whole step, from those of one of `count` steps. */
  keepJoints(island: number, count: number): void {
    const { rows, jointStart, joints } = this;
    for (let k = jointStart[island]; k < jointStart[island + 1]; k++) {
      const { firstRow, rowCount } = joints[k];
      for (let r = firstRow; r < firstRow + rowCount; r++) rows.impulse[r] *= count;
      joints[k].keepImpulses(rows);
    }
  }

  /** Adds rows of a joint for `count` steps that together have length h. */
  private addJoint(joint: Joint, count: number, h: number): void {
    const { rows, bodies } = this;
    joint.firstRow = rows.count;
    rows.h = h / count;
    joint.addRows(bodies, rows);
    joint.rowCount = rows.count - joint.firstRow;
    for (let r = joint.firstRow; r < rows.count; r++) rows.impulse[r] /= count;
    joint.writeJacobians(bodies, rows);
    joint.writeValues(bodies, rows);
  }

  /** Sorts joints by island, otherwise in their order. */
  private sortJoints(joints: readonly Joint[]): void {
    const { islands, jointStart, joints: list } = this;
    jointStart.fill(0, 0, islands.count + 1);
    for (const joint of joints) {
      const island = islands.ofPair(joint.slotA, joint.slotB);
      if (island >= 0) jointStart[island + 1]++;
    }
    for (let i = 0; i < islands.count; i++) jointStart[i + 1] += jointStart[i];
    list.length = jointStart[islands.count];
    // Filling from the back turns the ends into starts.
    for (let k = joints.length - 1; k >= 0; k--) {
      const island = islands.ofPair(joints[k].slotA, joints[k].slotB);
      if (island >= 0) list[--jointStart[island + 1]] = joints[k];
    }
    for (let i = 0; i < islands.count; i++) jointStart[i] = jointStart[i + 1];
    jointStart[islands.count] = list.length;
  }

  private islandOfPair(pairs: PairList, k: number): number {
    if (pairs.end[k] === pairs.first[k] || pairs.isSensor[k] === 1) return -1;
    return this.islands.ofPair(pairs.bodyA[k], pairs.bodyB[k]);
  }

  private addPair(buffer: ContactBuffer, pairs: PairList, k: number, isWarm: boolean): void {
    const { contacts, bodies, cache } = this;
    const a = pairs.bodyA[k];
    const b = pairs.bodyB[k];
    this.pairRow[k] = contacts.count;
    const from = this.pairRecord[k];
    for (let i = pairs.first[k]; i < pairs.end[k]; i++) {
      const c = contacts.add(bodies, a, b, buffer, i);
      contacts.friction[c] = pairs.friction[k];
      contacts.restitution[c] = pairs.restitution[k];
    }
    if (isWarm) cache.recall(contacts, this.pairRow[k], buffer, pairs.first[k], pairs.end[k], a, b, from);
  }

  /**
   * Keeps the impulses of contacts in the order of the pairs.
   *
   * @param impacts part of each contact's normal impulse that restitution added [N s]
   */
  remember(buffer: ContactBuffer, pairs: PairList, impacts: Float64Array): void {
    const { bodies, cache, contacts, pairRow } = this;
    cache.begin();
    for (let k = 0; k < pairs.count; k++) {
      const a = pairs.bodyA[k];
      const b = pairs.bodyB[k];
      const row = pairRow[k];
      cache.keepResting(bodies, a, b);
      if (row < 0) continue;
      const count = pairs.end[k] - pairs.first[k];
      for (let i = 0; i < count; i++) {
        cache.note(contacts, row + i, buffer, a, b);
        pairs.impulse[k] += contacts.impulse[3 * (row + i)] + impacts[row + i];
      }
    }
    cache.end(bodies);
  }

  private reserve(islandCount: number, pairCount: number): void {
    if (this.contactStart.length < islandCount + 1) {
      this.contactStart = new Int32Array(2 * islandCount + 1);
      this.jointStart = new Int32Array(2 * islandCount + 1);
      this.fill = new Int32Array(2 * islandCount + 1);
      this.steps = new Int32Array(2 * islandCount + 1);
      this.isSwept = new Uint8Array(2 * islandCount + 1);
    }
    if (this.pairRow.length < pairCount) {
      this.pairRow = new Int32Array(2 * pairCount);
      this.pairOrder = new Int32Array(2 * pairCount);
      this.pairRecord = new Int32Array(2 * pairCount);
    }
  }
}
