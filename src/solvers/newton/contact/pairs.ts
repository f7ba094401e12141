import { resized } from "../../../math/arrays";

/**
 * Pairs of bodies that may touch in this step, sorted by places (A, then B), A before B. Contacts of a pair are `first`
 * to `end − 1` in the contact buffer.
 */
export class PairList {
  count = 0;
  bodyA = new Int32Array(0);
  bodyB = new Int32Array(0);
  first = new Int32Array(0);
  end = new Int32Array(0);
  friction = new Float64Array(0);
  restitution = new Float64Array(0);
  /** 1 for contacts that are reported but not solved, like those of a trigger */
  isSensor = new Uint8Array(0);
  /** after the step: sum of the normal impulses of the contacts [N s] */
  impulse = new Float64Array(0);

  clear(): void {
    this.count = 0;
  }

  add(
    a: number,
    b: number,
    first: number,
    end: number,
    friction: number,
    restitution: number,
    isSensor: boolean,
  ): void {
    if (this.count === this.first.length) this.grow(Math.max(32, 2 * this.count));
    const k = this.count++;
    this.bodyA[k] = a;
    this.bodyB[k] = b;
    this.first[k] = first;
    this.end[k] = end;
    this.friction[k] = friction;
    this.restitution[k] = restitution;
    this.isSensor[k] = isSensor ? 1 : 0;
    this.impulse[k] = 0;
  }

  /**
   * Renumbers bodies after additions or removals since the step; pairs of a removed body are dropped.
   *
   * @param slotOf new place of each body by its old one, in the same order; −1 for a removed body
   */
  renumber(slotOf: Int32Array): void {
    const { bodyA, bodyB, first, end, friction, restitution, isSensor, impulse } = this;
    const columns = [first, end, friction, restitution, isSensor, impulse];
    let kept = 0;
    for (let k = 0; k < this.count; k++) {
      const a = slotOf[bodyA[k]];
      const b = slotOf[bodyB[k]];
      if (a < 0 || b < 0) continue;
      bodyA[kept] = a;
      bodyB[kept] = b;
      for (const column of columns) column[kept] = column[k];
      kept++;
    }
    this.count = kept;
  }

  private grow(capacity: number): void {
    this.bodyA = resized(this.bodyA, new Int32Array(capacity));
    this.bodyB = resized(this.bodyB, new Int32Array(capacity));
    this.first = resized(this.first, new Int32Array(capacity));
    this.end = resized(this.end, new Int32Array(capacity));
    this.friction = resized(this.friction, new Float64Array(capacity));
    this.restitution = resized(this.restitution, new Float64Array(capacity));
    this.isSensor = resized(this.isSensor, new Uint8Array(capacity));
    this.impulse = resized(this.impulse, new Float64Array(capacity));
  }
}
