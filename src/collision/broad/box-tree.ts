import type { IdList } from "../../math/arrays";
import { rayMeetsBox } from "../shape/ray-box";

/** Items in a leaf, at most. */
const LEAF_SIZE = 4;
/** Median splits halve the items, so this is enough for 2³² of them with room on the stack. */
const MAX_DEPTH = 64;

/**
 * A balanced tree of boxes over items, built by median splits and updated by refitting as long as the items move
 * little. A query finds exactly the items whose boxes meet it, so results do not depend on the shape of the tree.
 *
 * Nodes are in depth-first order: the first child of node i is node i + 1.
 */
export class BoxTree {
  /** ids in leaf order */
  items = new Uint32Array();
  count = 0;
  nodeCount = 0;
  /** min x, y, z, max x, y, z of each node */
  boxes = new Float64Array();
  /** second child of an inner node, 0 for a leaf */
  second = new Uint32Array();
  /** first item of a node and the end of its items */
  first = new Uint32Array();
  end = new Uint32Array();
  private keys = new Float64Array();
  private readonly stack = new Uint32Array(2 * MAX_DEPTH);
  private readonly inverse = new Float64Array(3);

  /**
   * @param ids items of the tree
   * @param itemBoxes 6 numbers for each id, min then max
   */
  build(ids: Uint32Array, count: number, itemBoxes: Float64Array): void {
    this.reserve(count);
    this.count = count;
    for (let i = 0; i < count; i++) this.items[i] = ids[i];
    this.nodeCount = 0;
    if (count > 0) this.split(0, count, itemBoxes);
    this.refit(itemBoxes);
  }

  /**
   * Fits the boxes of the nodes to the items' current boxes.
   *
   * @returns half the surface of all nodes together, a measure of the cost of searching the tree
   */
  refit(itemBoxes: Float64Array): number {
    const { boxes, second, first, end, items } = this;
    let cost = 0;
    for (let node = this.nodeCount - 1; node >= 0; node--) {
      const o = 6 * node;
      let x0: number, y0: number, z0: number, x1: number, y1: number, z1: number;
      if (second[node] !== 0) {
        const p = o + 6;
        const q = 6 * second[node];
        x0 = Math.min(boxes[p], boxes[q]);
        y0 = Math.min(boxes[p + 1], boxes[q + 1]);
        z0 = Math.min(boxes[p + 2], boxes[q + 2]);
        x1 = Math.max(boxes[p + 3], boxes[q + 3]);
        y1 = Math.max(boxes[p + 4], boxes[q + 4]);
        z1 = Math.max(boxes[p + 5], boxes[q + 5]);
      } else {
        x0 = y0 = z0 = Infinity;
        x1 = y1 = z1 = -Infinity;
        for (let i = first[node]; i < end[node]; i++) {
          const b = 6 * items[i];
          x0 = Math.min(x0, itemBoxes[b]);
          y0 = Math.min(y0, itemBoxes[b + 1]);
          z0 = Math.min(z0, itemBoxes[b + 2]);
          x1 = Math.max(x1, itemBoxes[b + 3]);
          y1 = Math.max(y1, itemBoxes[b + 4]);
          z1 = Math.max(z1, itemBoxes[b + 5]);
        }
      }
      boxes[o] = x0;
      boxes[o + 1] = y0;
      boxes[o + 2] = z0;
      boxes[o + 3] = x1;
      boxes[o + 4] = y1;
      boxes[o + 5] = z1;
      // A node that holds only empty boxes costs nothing.
      if (x1 >= x0) cost += (x1 - x0) * (y1 - y0) + (y1 - y0) * (z1 - z0) + (z1 - z0) * (x1 - x0);
    }
    return cost;
  }

  /**
   * Appends the items whose boxes meet a box.
   *
   * @param box 6 numbers from place `at` on
   * @param after only items at places behind this one in leaf order; −1 for all
   */
  query(box: Float64Array, at: number, itemBoxes: Float64Array, after: number, out: IdList): void {
    if (this.count === 0) return;
    const { boxes, second, first, end, items, stack } = this;
    const x0 = box[at];
    const y0 = box[at + 1];
    const z0 = box[at + 2];
    const x1 = box[at + 3];
    const y1 = box[at + 4];
    const z1 = box[at + 5];
    let top = 0;
    stack[0] = 0;
    while (top >= 0) {
      const node = stack[top--];
      if (end[node] <= after) continue;
      const o = 6 * node;
      if (boxes[o] > x1 || boxes[o + 3] < x0 || boxes[o + 2] > z1 || boxes[o + 5] < z0) continue;
      if (boxes[o + 1] > y1 || boxes[o + 4] < y0) continue;
      if (second[node] !== 0) {
        stack[++top] = second[node];
        stack[++top] = node + 1;
        continue;
      }
      for (let i = Math.max(first[node], after + 1); i < end[node]; i++) {
        const id = items[i];
        const b = 6 * id;
        if (itemBoxes[b] > x1 || itemBoxes[b + 3] < x0 || itemBoxes[b + 2] > z1 || itemBoxes[b + 5] < z0) continue;
        if (itemBoxes[b + 1] > y1 || itemBoxes[b + 4] < y0) continue;
        out.push(id);
      }
    }
  }

  /** Appends the items whose boxes a ray (start, unit direction, length) meets. */
  queryRay(
    start: ArrayLike<number>,
    direction: ArrayLike<number>,
    length: number,
    itemBoxes: Float64Array,
    out: IdList,
  ): void {
    if (this.count === 0) return;
    const { boxes, second, first, end, items, stack, inverse } = this;
    for (let k = 0; k < 3; k++) inverse[k] = 1 / direction[k];
    let top = 0;
    stack[0] = 0;
    while (top >= 0) {
      const node = stack[top--];
      if (!rayMeetsBox(boxes, 6 * node, start, inverse, length)) continue;
      if (second[node] !== 0) {
        stack[++top] = second[node];
        stack[++top] = node + 1;
        continue;
      }
      for (let i = first[node]; i < end[node]; i++)
        if (rayMeetsBox(itemBoxes, 6 * items[i], start, inverse, length)) out.push(items[i]);
    }
  }

  private split(from: number, to: number, itemBoxes: Float64Array): void {
    const node = this.nodeCount++;
    this.first[node] = from;
    this.end[node] = to;
    this.second[node] = 0;
    if (to - from <= LEAF_SIZE) return;
    const axis = this.longestAxis(from, to, itemBoxes);
    const { items, keys } = this;
    for (let i = from; i < to; i++) keys[i] = itemBoxes[6 * items[i] + axis] + itemBoxes[6 * items[i] + 3 + axis];
    const middle = (from + to) >>> 1;
    this.select(from, to - 1, middle);
    this.split(from, middle, itemBoxes);
    this.second[node] = this.nodeCount;
    this.split(middle, to, itemBoxes);
  }

  /** The axis along which the centers of the boxes are spread most. */
  private longestAxis(from: number, to: number, itemBoxes: Float64Array): number {
    const { items } = this;
    let best = 0;
    let most = -1;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = from; i < to; i++) {
        const m = itemBoxes[6 * items[i] + axis] + itemBoxes[6 * items[i] + 3 + axis];
        if (m < low) low = m;
        if (m > high) high = m;
      }
      if (high - low > most) {
        most = high - low;
        best = axis;
      }
    }
    return best;
  }

  /** Puts the items with the smallest keys before place k (quickselect, Hoare 1961, pivots in the middle). */
  private select(low: number, high: number, k: number): void {
    const { items, keys } = this;
    while (low < high) {
      const pivot = keys[(low + high) >>> 1];
      let i = low;
      let j = high;
      while (i <= j) {
        while (keys[i] < pivot) i++;
        while (keys[j] > pivot) j--;
        if (i > j) break;
        const key = keys[i];
        keys[i] = keys[j];
        keys[j] = key;
        const item = items[i];
        items[i] = items[j];
        items[j] = item;
        i++;
        j--;
      }
      if (k <= j) high = j;
      else if (k >= i) low = i;
      else return;
    }
  }

  private reserve(count: number): void {
    if (count <= this.items.length) return;
    const size = 2 * count;
    this.items = new Uint32Array(size);
    this.keys = new Float64Array(size);
    this.boxes = new Float64Array(12 * size);
    this.second = new Uint32Array(2 * size);
    this.first = new Uint32Array(2 * size);
    this.end = new Uint32Array(2 * size);
  }
}
