/**
 * A tree of boxes over things whose number and neighborhood do not change, such as the triangles of a cloth. The
 * things are sorted along a space-filling curve at rest; node k of level l holds the 8ˡ things from k·8ˡ on. So the
 * tree has no pointers, is updated level by level, and gives the same order of visits on every machine.
 */

import { boxOf, sizeOf } from "../../geometry/box";

const BITS = 3;
/** Children of a node. */
export const BRANCHING = 1 << BITS;

export class ImplicitTree {
  /** number of the thing in each leaf */
  readonly order: Uint32Array;
  /** first node of each level in `boxes`; the leaves are level 0 */
  readonly levelStart: Uint32Array;
  /** nodes × 6: lowest corner, highest corner [m] */
  readonly boxes: Float64Array;
  /** leaves found by `query`, `foundCount` of them */
  readonly found: Uint32Array;
  foundCount = 0;
  private readonly stack: Uint32Array;

  /**
   * @param centres middle of each thing at rest, count × 3 [m]
   * @param groups group of each thing; the things of a group are contiguous in the order
   */
  constructor(centres: ArrayLike<number>, groups: ArrayLike<number>) {
    const count = centres.length / 3;
    const keys = mortonKeys(centres);
    this.order = Uint32Array.from({ length: count }, (_, k) => k).sort(
      (a, b) => groups[a] - groups[b] || keys[a] - keys[b] || a - b,
    );
    const starts = [0];
    let nodes = count;
    let size = count;
    while (size > 1) {
      starts.push(nodes);
      size = Math.ceil(size / BRANCHING);
      nodes += size;
    }
    starts.push(nodes);
    this.levelStart = Uint32Array.from(starts);
    this.boxes = new Float64Array(6 * nodes);
    this.found = new Uint32Array(count);
    this.stack = new Uint32Array(2 * Math.max(1, BRANCHING * this.depth));
  }

  get leafCount(): number {
    return this.order.length;
  }

  /** number of levels, leaves included */
  get depth(): number {
    return this.levelStart.length - 1;
  }

  /** Computes boxes of all nodes from those of the leaves. */
  refit(): void {
    const { boxes, levelStart } = this;
    for (let level = 1; level < this.depth; level++) {
      const from = levelStart[level - 1];
      const to = levelStart[level];
      for (let node = to; node < levelStart[level + 1]; node++) {
        const first = from + BRANCHING * (node - to);
        const last = Math.min(first + BRANCHING, to);
        for (let i = 0; i < 3; i++) {
          let low = Infinity;
          let high = -Infinity;
          for (let child = first; child < last; child++) {
            low = Math.min(low, boxes[6 * child + i]);
            high = Math.max(high, boxes[6 * child + 3 + i]);
          }
          boxes[6 * node + i] = low;
          boxes[6 * node + 3 + i] = high;
        }
      }
    }
  }

  /**
   * Writes the leaves whose boxes meet a box to `found`, in order.
   *
   * @param box lowest corner, highest corner from `at` on [m]
   * @param from first of the leaves that are left out, and `to` the one after the last; default none
   */
  query(box: ArrayLike<number>, at: number, from = 0, to = 0): void {
    const { boxes, levelStart, stack, found, depth, leafCount } = this;
    let count = 0;
    // Nodes whose parents meet the box: pairs of level and place.
    let size = 0;
    stack[size++] = depth - 1;
    stack[size++] = 0;
    while (size > 0 && to - from < leafCount) {
      const place = stack[--size];
      const level = stack[--size];
      const b = 6 * (levelStart[level] + place);
      const meets =
        boxes[b] <= box[at + 3] &&
        boxes[b + 3] >= box[at] &&
        boxes[b + 1] <= box[at + 4] &&
        boxes[b + 4] >= box[at + 1] &&
        boxes[b + 2] <= box[at + 5] &&
        boxes[b + 5] >= box[at + 2];
      if (!meets) continue;
      if (level === 0) {
        found[count++] = place;
        continue;
      }
      const width = 1 << (BITS * (level - 1));
      const first = BRANCHING * place;
      const end = Math.min(first + BRANCHING, levelStart[level] - levelStart[level - 1]);
      for (let child = end - 1; child >= first; child--) {
        if (child * width >= from && Math.min(leafCount, (child + 1) * width) <= to) continue;
        stack[size++] = level - 1;
        stack[size++] = child;
      }
    }
    this.foundCount = count;
  }
}

/** Place of each point along Morton's curve through their common box: ten bits an axis. */
function mortonKeys(points: ArrayLike<number>): Float64Array {
  const box = boxOf(points);
  const { min: low } = box;
  const extent = sizeOf(box);
  const scale = extent > 0 ? 1023 / extent : 0;
  const keys = new Float64Array(points.length / 3);
  for (let k = 0; k < keys.length; k++) {
    let key = 0;
    for (let axis = 0; axis < 3; axis++) key |= spread(Math.floor(scale * (points[3 * k + axis] - low[axis]))) << axis;
    keys[k] = key >>> 0;
  }
  return keys;
}

/** Puts two zeros between the ten bits of a number. */
function spread(bits: number): number {
  let x = bits & 0x3ff;
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  x = (x | (x << 2)) & 0x09249249;
  return x;
}
