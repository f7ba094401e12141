import { IdList, resized } from "../../math/arrays";
import { BoxTree } from "./box-tree";

/** A tree is rebuilt when a search of it costs this many times as much as just after it was built. */
const WORN = 1.25;
/** Pairs are kept while bodies move by less than this part of the least extent of their boxes. */
const SLOW = 0.02;
/** Key of a disabled pair: lower id · PAIR + higher id. */
const PAIR = 0x4000000;

const ABSENT = 0;
const MOVING = 1;
const STILL = 2;

/**
 * Finds bodies that may touch: pairs whose boxes meet and whose filters agree, at least one of the two being moving.
 * Bodies are known by small integers, their ids.
 *
 * Pairs come sorted by id and depend on boxes, filters and ids alone, not on earlier steps. Still bodies (static or
 * asleep) have a tree of their own, which does not change as long as they stay still. Work grows as n log n. Once all bodies move slowly,
 * pairs of wider boxes are found, and the next searches look through these alone.
 */
export class BroadPhase {
  /** 2 ids a pair, the lower one first; sorted */
  pairs = new Uint32Array(1024);
  pairCount = 0;
  /** 6 numbers an id: box (min, max) in the world [m] */
  boxes = new Float64Array();
  /** boxes of the last search of the trees, those of moving bodies wider, and whether this search was for pairs of them */
  private wide = new Float64Array();
  private isWide = false;
  /** whether nothing but boxes of moving bodies has changed since that search */
  private isSearched = false;
  /** what that search found, 2 ids a pair */
  private candidates = new Uint32Array(0);
  private candidateCount = 0;
  private state = new Uint8Array();
  private membership = new Int32Array();
  private collideWith = new Int32Array();
  private ids = new Uint32Array();
  /** ids are below this */
  private limit = 0;
  private readonly ignored = new Set<number>();
  private readonly moving = new BoxTree();
  private readonly still = new BoxTree();
  private movingCost = 0;
  private movingChanged = false;
  private stillChanged = false;
  private readonly found = new IdList();
  /** pairs in the order in which the trees give them, 2 ids each */
  private readonly unsorted = new IdList();
  /** first pair of each lower id; during sorting, the end of the pairs already in place */
  private starts = new Uint32Array(1);
  private ends = new Uint32Array(1);

  /**
   * Adds a body; its box is empty until it is set.
   *
   * @param id integer from 0 to 2²⁶ − 1, best without large gaps
   * @param isStill static or asleep
   * @param membership, collideWith two bodies are a pair if the membership bits of each overlap with the `collideWith`
   * bits of the other
   */
  add(id: number, isStill: boolean, membership = ~0, collideWith = ~0): void {
    if (id >= this.state.length) this.reserve(2 * id + 16);
    this.limit = Math.max(this.limit, id + 1);
    this.state[id] = isStill ? STILL : MOVING;
    this.membership[id] = membership;
    this.collideWith[id] = collideWith;
    this.boxes.fill(Infinity, 6 * id, 6 * id + 3).fill(-Infinity, 6 * id + 3, 6 * id + 6);
    this.touch(isStill);
  }

  remove(id: number): void {
    this.touch(this.state[id] === STILL);
    this.state[id] = ABSENT;
    for (const pair of this.ignored)
      if (pair % PAIR === id || Math.floor(pair / PAIR) === id) this.ignored.delete(pair);
  }

  has(id: number): boolean {
    return id < this.limit && this.state[id] !== ABSENT;
  }

  /** A body falls asleep or wakes up. */
  setStill(id: number, isStill: boolean): void {
    const state = isStill ? STILL : MOVING;
    if (this.state[id] === state) return;
    this.state[id] = state;
    this.movingChanged = this.stillChanged = true;
    this.isSearched = false;
  }

  isStill(id: number): boolean {
    return this.state[id] === STILL;
  }

  setFilter(id: number, membership: number, collideWith: number): void {
    this.membership[id] = membership;
    this.collideWith[id] = collideWith;
    this.isSearched = false;
  }

  /** Disables or enables a pair; a constraint between two bodies may disable it. */
  setPairEnabled(a: number, b: number, enabled: boolean): void {
    const pair = Math.min(a, b) * PAIR + Math.max(a, b);
    this.isSearched = false;
    if (enabled) this.ignored.delete(pair);
    else this.ignored.add(pair);
  }

  /** The box of a body, from place `at` of `box` on. */
  setBox(id: number, box: ArrayLike<number>, at = 0): void {
    const o = 6 * id;
    for (let k = 0; k < 6; k++) this.boxes[o + k] = box[at + k];
    if (this.state[id] === STILL) this.touch(true);
  }

  /** Brings the trees up to date with all boxes, for queries; `findPairs` does it by itself. */
  update(): void {
    if (this.stillChanged) {
      this.still.build(this.ids, this.gather(STILL), this.boxes);
      this.stillChanged = false;
    }
    if (!this.movingChanged) if (this.moving.refit(this.boxes) <= WORN * this.movingCost) return;
    this.moving.build(this.ids, this.gather(MOVING), this.boxes);
    this.movingCost = this.moving.refit(this.boxes);
    this.movingChanged = false;
  }

  /** Finds all pairs, into `pairs` and `pairCount`. */
  findPairs(): void {
    const isSlow = this.isSearched && this.areWithin();
    if (!isSlow || !this.isWide) {
      this.isWide = isSlow;
      this.search();
    }
    if (this.isWide) this.select();
  }

  /** Whether no moving body has left its wide box. */
  private areWithin(): boolean {
    const { wide, boxes, moving } = this;
    for (let k = 0; k < moving.count; k++) {
      const o = 6 * moving.items[k];
      for (let i = o; i < o + 3; i++) if (boxes[i] < wide[i] || boxes[i + 3] > wide[i + 3]) return false;
    }
    return true;
  }

  private widen(): void {
    const { wide, boxes, moving } = this;
    if (this.isWide) for (let i = 0; i < 6 * this.limit; i++) wide[i] = boxes[i];
    for (let k = 0; k < moving.count; k++) {
      const o = 6 * moving.items[k];
      const x = boxes[o + 3] - boxes[o];
      const y = boxes[o + 4] - boxes[o + 1];
      const z = boxes[o + 5] - boxes[o + 2];
      const margin = SLOW * (x < y ? (x < z ? x : z) : y < z ? y : z);
      for (let i = o; i < o + 3; i++) {
        wide[i] = boxes[i] - margin;
        wide[i + 3] = boxes[i + 3] + margin;
      }
    }
  }

  /** Takes the pairs whose boxes meet out of those whose wide boxes do. */
  private select(): void {
    const { candidates, candidateCount, boxes } = this;
    if (this.pairs.length < 2 * candidateCount) this.pairs = new Uint32Array(4 * candidateCount);
    const { pairs } = this;
    let count = 0;
    for (let k = 0; k < candidateCount; k++) {
      const a = candidates[2 * k];
      const b = candidates[2 * k + 1];
      if (!meet(boxes, a, b)) continue;
      pairs[2 * count] = a;
      pairs[2 * count + 1] = b;
      count++;
    }
    this.pairCount = count;
  }

  /** Searches the trees for all pairs, or for those of wide boxes. */
  private search(): void {
    this.update();
    this.isSearched = true;
    this.widen();
    const { found, moving, unsorted } = this;
    const boxes = this.isWide ? this.wide : this.boxes;
    if (this.isWide) moving.refit(boxes);
    unsorted.count = 0;
    // A leaf of the tree makes one query for its few bodies together. Each pair of moving bodies is found once: by the
    // body that comes first in the tree.
    for (let node = 0; node < moving.nodeCount; node++) {
      if (moving.second[node] !== 0) continue;
      const first = moving.first[node];
      const end = moving.end[node];
      found.count = 0;
      moving.query(moving.boxes, 6 * node, boxes, end - 1, found);
      this.still.query(moving.boxes, 6 * node, boxes, -1, found);
      for (let i = first; i < end; i++) {
        const a = moving.items[i];
        for (let k = i + 1; k < end; k++) this.consider(boxes, a, moving.items[k]);
        for (let k = 0; k < found.count; k++) this.consider(boxes, a, found.items[k]);
      }
    }
    this.sortPairs();
    if (!this.isWide) return;
    [this.pairs, this.candidates] = [this.candidates, this.pairs];
    this.candidateCount = this.pairCount;
  }

  /** Adds a pair if its boxes meet and its filters agree. */
  private consider(boxes: Float64Array, a: number, b: number): void {
    const { unsorted } = this;
    if (!meet(boxes, a, b)) return;
    const low = a < b ? a : b;
    const high = a < b ? b : a;
    if (!this.agree(low, high)) return;
    unsorted.push(low);
    unsorted.push(high);
  }

  /** Sorts pairs by the lower id, then by the higher id: the order no longer depends on the trees. */
  private sortPairs(): void {
    const { items, count } = this.unsorted;
    if (this.pairs.length < count) this.pairs = new Uint32Array(2 * count);
    const { pairs, starts, ends } = this;
    starts.fill(0, 0, this.limit + 1);
    for (let i = 0; i < count; i += 2) starts[items[i] + 1]++;
    for (let id = 0; id < this.limit; id++) {
      starts[id + 1] += starts[id];
      ends[id] = starts[id];
    }
    for (let i = 0; i < count; i += 2) {
      const b = items[i + 1];
      const start = starts[items[i]];
      let k = ends[items[i]]++;
      for (; k > start && pairs[2 * k - 1] > b; k--) pairs[2 * k + 1] = pairs[2 * k - 1];
      pairs[2 * k + 1] = b;
    }
    for (let id = 0; id < this.limit; id++) for (let k = starts[id]; k < ends[id]; k++) pairs[2 * k] = id;
    this.pairCount = count / 2;
  }

  /** Bodies whose boxes meet a box, in ascending order of ids. @param out cleared, then receives the ids */
  query(box: Float64Array, out: IdList): void {
    out.count = 0;
    this.moving.query(box, 0, this.boxes, -1, out);
    this.still.query(box, 0, this.boxes, -1, out);
    sortFirst(out.items, out.count);
  }

  /** The same along a ray: start [m], unit direction, length [m]. */
  queryRay(start: ArrayLike<number>, direction: ArrayLike<number>, length: number, out: IdList): void {
    out.count = 0;
    this.moving.queryRay(start, direction, length, this.boxes, out);
    this.still.queryRay(start, direction, length, this.boxes, out);
    sortFirst(out.items, out.count);
  }

  /** Whether the bits of two bodies, or of a body and a query, agree. */
  matches(id: number, membership: number, collideWith: number): boolean {
    return (this.membership[id] & collideWith) !== 0 && (this.collideWith[id] & membership) !== 0;
  }

  /** Whether two bodies would be a pair if their boxes met. */
  mayMeet(a: number, b: number): boolean {
    return a < b ? this.agree(a, b) : this.agree(b, a);
  }

  private agree(a: number, b: number): boolean {
    if (!this.matches(a, this.membership[b], this.collideWith[b])) return false;
    return this.ignored.size === 0 || !this.ignored.has(a * PAIR + b);
  }

  private touch(isStill: boolean): void {
    this.isSearched = false;
    if (isStill) this.stillChanged = true;
    else this.movingChanged = true;
  }

  private gather(state: number): number {
    let count = 0;
    for (let id = 0; id < this.limit; id++) if (this.state[id] === state) this.ids[count++] = id;
    return count;
  }

  private reserve(count: number): void {
    this.boxes = resized(this.boxes, new Float64Array(6 * count));
    this.wide = new Float64Array(6 * count);
    this.state = resized(this.state, new Uint8Array(count));
    this.membership = resized(this.membership, new Int32Array(count));
    this.collideWith = resized(this.collideWith, new Int32Array(count));
    this.ids = new Uint32Array(count);
    this.starts = new Uint32Array(count + 1);
    this.ends = new Uint32Array(count);
  }
}

/** Whether the boxes of two bodies meet. */
function meet(boxes: Float64Array, a: number, b: number): boolean {
  const p = 6 * a;
  const q = 6 * b;
  if (boxes[p] > boxes[q + 3] || boxes[p + 3] < boxes[q] || boxes[p + 2] > boxes[q + 5]) return false;
  return !(boxes[p + 5] < boxes[q + 2] || boxes[p + 1] > boxes[q + 4] || boxes[p + 4] < boxes[q + 1]);
}

/** Sorts the first numbers of a list, by insertion if there are few. */
function sortFirst(items: Uint32Array, count: number): void {
  if (count > 32) {
    items.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const id = items[i];
    let j = i;
    for (; j > 0 && items[j - 1] > id; j--) items[j] = items[j - 1];
    items[j] = id;
  }
}
