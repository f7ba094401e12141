import { Table } from "../../../math/table";

/**
 * Pairs of bodies that may touch in this step, sorted by places (A, then B), A before B. Contacts of a pair are `first`
 * to `end − 1` in the contact buffer.
 */
export class PairList extends Table {
  bodyA = new Int32Array(1);
  bodyB = new Int32Array(1);
  first = new Int32Array(1);
  end = new Int32Array(1);
  friction = new Float64Array(1);
  restitution = new Float64Array(1);
  /** 1 for contacts that are reported but not solved, like those of a trigger */
  isSensor = new Uint8Array(1);
  /** after the step: sum of the normal impulses of the contacts [N s] */
  impulse = new Float64Array(1);

  /** Adds a pair without friction and restitution, and returns its place. */
  add(a: number, b: number, first: number, end: number, isSensor: boolean): number {
    if (this.count === this.capacity) this.reserve(this.count + 1);
    const k = this.count++;
    this.bodyA[k] = a;
    this.bodyB[k] = b;
    this.first[k] = first;
    this.end[k] = end;
    this.friction[k] = this.restitution[k] = this.impulse[k] = 0;
    this.isSensor[k] = isSensor ? 1 : 0;
    return k;
  }

  /**
   * Renumbers bodies after additions or removals since the step; pairs of a removed body are dropped.
   *
   * @param slotOf new place of each body by its old one, in the same order; −1 for a removed body
   */
  renumber(slotOf: Int32Array): void {
    const { bodyA, bodyB } = this;
    for (let k = 0; k < this.count; k++) {
      bodyA[k] = slotOf[bodyA[k]]!;
      bodyB[k] = slotOf[bodyB[k]]!;
    }
    this.drop((k) => bodyA[k] < 0 || bodyB[k] < 0);
  }
}
