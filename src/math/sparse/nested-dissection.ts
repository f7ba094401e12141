import type { SymmetricMatrix } from "./symmetric-matrix";
import { smallestCover } from "./vertex-cover";

type Graph = Pick<SymmetricMatrix, "size" | "offsets" | "columns">;

/** Parts of at most this many unknowns are not cut further. */
const LEAF = 24;
/** Cuts are tried at this many places between the ends of a part. */
const BINS = 256;
/** Each half has at least this share of a part. */
const LEAST_SHARE = 0.3;

/**
 * Fill-reducing order by nested dissection (George 1973): a part is cut in two by a small separator, which is
 * eliminated after both; each half is cut in turn. Cuts are tried along the coordinates and along the distance from an
 * end of the part, at all places in one pass. The best cut is then reduced to the smallest separator between its two
 * sides.
 *
 * @param graph entries of the matrix; values do not matter
 * @param coordinates size × 3, positions of the unknowns; without them, only distances within the graph are used
 * @returns old number of each new unknown
 */
export function nestedDissection(graph: Graph, coordinates?: ArrayLike<number>): Int32Array {
  return new Dissection(graph, coordinates).run();
}

class Dissection {
  private readonly order = new Int32Array(this.graph.size);
  /** number of each unknown's part, −1 once the unknown has its place */
  private readonly part = new Int32Array(this.graph.size);
  private parts = 0;
  private readonly bin = new Int32Array(this.graph.size);
  private readonly level = new Int32Array(this.graph.size);
  private readonly lower = new Int32Array(BINS + 1);
  private readonly upper = new Int32Array(BINS + 1);
  private readonly members = new Int32Array(BINS + 1);
  /** the end of the free places, which are filled downward */
  private end: number = this.graph.size;

  constructor(
    private readonly graph: Graph,
    private readonly coordinates: ArrayLike<number> | undefined,
  ) {}

  run(): Int32Array {
    const whole: Int32Array = Int32Array.from({ length: this.graph.size }, (_, i) => i);
    // Places are filled from the end, so halves go on a stack and get their places after their separator.
    const stack: Int32Array[] = [whole];
    while (stack.length > 0) {
      const part = stack.pop()!;
      const id = ++this.parts;
      for (const i of part) this.part[i] = id;
      const pieces = this.components(part, id);
      if (pieces.length > 1) stack.push(...pieces);
      else if (part.length <= LEAF) this.place(part);
      else stack.push(...this.cut(part, id));
    }
    return this.order;
  }

  private place(vertices: ArrayLike<number>): void {
    for (let k = vertices.length - 1; k >= 0; k--) {
      this.order[--this.end] = vertices[k]!;
      this.part[vertices[k]] = -1;
    }
  }

  private components(part: Int32Array, id: number): Int32Array[] {
    const pieces: Int32Array[] = [];
    let found = 0;
    while (found < part.length) {
      const id2 = ++this.parts;
      const first = part.find((i) => this.part[i] === id)!;
      const piece = this.spread(first, id, id2);
      found += piece.length;
      pieces.push(piece);
    }
    if (pieces.length === 1) for (const i of part) this.part[i] = id;
    return pieces;
  }

  /** Unknowns reachable from `first` in part `from`, nearest first. They go to part `to`; `level` is their distance. */
  private spread(first: number, from: number, to: number): Int32Array {
    const { offsets, columns } = this.graph;
    const queue = [first];
    this.part[first] = to;
    this.level[first] = 0;
    for (const i of queue)
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = columns[k];
        if (this.part[j] !== from) continue;
        this.part[j] = to;
        this.level[j] = this.level[i] + 1;
        queue.push(j);
      }
    return Int32Array.from(queue);
  }

  /** Assigns places to the separator and returns the halves. */
  private cut(part: Int32Array, id: number): Int32Array[] {
    // Find an end of the part by moving to the farthest unknown several times.
    for (let n = 0, start = part[0]; n < 3; n++) {
      const reached = this.spread(start, this.part[part[0]], ++this.parts);
      start = reached[reached.length - 1]!;
    }
    for (const i of part) this.part[i] = id;
    let best = Infinity;
    let bestKey = 3;
    let bestBin = -1;
    for (let key = this.coordinates ? 0 : 3; key < 4; key++) {
      this.sortIntoBins(part, key);
      this.countBoundaries(part, id);
      let before = 0;
      for (let b = 0; b + 1 < BINS; b++) {
        before += this.members[b];
        const share = before / part.length;
        if (share < LEAST_SHARE || share > 1 - LEAST_SHARE) continue;
        const cost = Math.min(this.lower[b], this.upper[b]) * (1 + 2 * Math.abs(share - 0.5));
        if (cost >= best) continue;
        best = cost;
        bestKey = key;
        bestBin = b;
      }
    }
    // One bin holds nearly all unknowns, as in a complete graph: all cuts are equally bad.
    if (bestBin < 0) {
      this.place(part);
      return [];
    }
    this.sortIntoBins(part, bestKey);
    const separator = this.thinnest(part, id, bestBin);
    const halves = [0, 1].map((side) =>
      part.filter((i) => !separator.has(i) && (this.bin[i] <= bestBin ? 0 : 1) === side),
    );
    this.place(part.filter((i) => separator.has(i)));
    return halves.filter((half) => half.length > 0);
  }

  private sortIntoBins(part: Int32Array, key: number): void {
    const { coordinates, level, bin, members } = this;
    const value = (i: number): number => (key < 3 ? coordinates![3 * i + key] : level[i]);
    let low = Infinity;
    let high = -Infinity;
    for (const i of part) {
      low = Math.min(low, value(i));
      high = Math.max(high, value(i));
    }
    const scale = high > low ? (BINS - 1) / (high - low) : 0;
    members.fill(0);
    for (const i of part) {
      bin[i] = Math.round(scale * (value(i) - low));
      members[bin[i]]++;
    }
  }

  /** Counts, for a cut after each bin, the vertices below with neighbors above, and the other way round. */
  private countBoundaries(part: Int32Array, id: number): void {
    const { offsets, columns } = this.graph;
    const { bin, lower, upper } = this;
    lower.fill(0);
    upper.fill(0);
    for (const i of part) {
      const own = bin[i];
      let lowest = own;
      let highest = own;
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = columns[k];
        if (this.part[j] !== id) continue;
        if (bin[j] < lowest) lowest = bin[j]!;
        if (bin[j] > highest) highest = bin[j]!;
      }
      // vertex i is on the boundary of the cuts own … highest − 1 from below, and lowest … own − 1 from above
      lower[own]++;
      lower[highest]--;
      upper[lowest]++;
      upper[own]--;
    }
    for (let b = 1; b <= BINS; b++) {
      lower[b] += lower[b - 1];
      upper[b] += upper[b - 1];
    }
  }

  private thinnest(part: Int32Array, id: number, cutBin: number): Set<number> {
    const { offsets, columns } = this.graph;
    const across = (i: number): number[] => {
      const found: number[] = [];
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = columns[k];
        if (this.part[j] === id && this.bin[j] > cutBin) found.push(j);
      }
      return found;
    };
    const left: number[] = [];
    for (const i of part) if (this.bin[i] <= cutBin && across(i).length > 0) left.push(i);
    return new Set(smallestCover(left, across));
  }
}
