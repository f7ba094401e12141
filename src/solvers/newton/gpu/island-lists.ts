import type { FrameTables } from "./frame-tables";
import { NONE } from "./frame-tables";

/**
 * Colors the blocks of an island so that blocks of one color share no body, and lists the blocks of each body. Blocks
 * are colored in order, each with the lowest color that is free on both its bodies.
 */
export class IslandLists {
  /** bits of the colors used at each body */
  private taken = new Uint32Array(64);
  private ends = new Uint32Array(64);

  /**
   * @param first block of the island
   * @param bodyCount number of bodies of the island
   * @returns number of colors
   */
  colour(tables: FrameTables, first: number, end: number, bodyCount: number): number {
    const { blocks } = tables;
    const [localA, localB, colour] = [blocks.at("localA"), blocks.at("localB"), blocks.at("colour")];
    const degree = this.countBlocks(tables, first, end, bodyCount);
    const words = Math.ceil((2 * degree + 1) / 32);
    if (this.taken.length < words * bodyCount) this.taken = new Uint32Array(2 * words * bodyCount);
    const { taken } = this;
    taken.fill(0, 0, words * bodyCount);
    let count = 0;
    for (let k = first; k < end; k++) {
      const at = blocks.stride * k;
      const a = blocks.u32[at + localA];
      const b = blocks.u32[at + localB];
      for (let word = 0; word < words; word++) {
        const bits = (a === NONE ? 0 : taken[words * a + word]) | (b === NONE ? 0 : taken[words * b + word]);
        if (bits === -1) continue;
        const bit = 31 - Math.clz32(~bits & -~bits);
        if (a !== NONE) taken[words * a + word] |= 1 << bit;
        if (b !== NONE) taken[words * b + word] |= 1 << bit;
        const chosen = 32 * word + bit;
        blocks.u32[at + colour] = chosen;
        count = Math.max(count, chosen + 1);
        break;
      }
    }
    return count;
  }

  /** Writes the ends of the bodies' incidences, and then these, to the lists: 2 × number of the block + side. */
  incidences(tables: FrameTables, first: number, end: number, bodyCount: number): void {
    const { blocks, lists } = tables;
    const [localA, localB] = [blocks.at("localA"), blocks.at("localB")];
    this.countBlocks(tables, first, end, bodyCount);
    const { ends } = this;
    const offsets = lists.count;
    lists.reserve(offsets + bodyCount + 1 + 2 * (end - first));
    let start = offsets + bodyCount + 1;
    for (let body = 0; body < bodyCount; body++) {
      lists.words[offsets + body] = start;
      const count = ends[body];
      ends[body] = start;
      start += count;
    }
    lists.words[offsets + bodyCount] = start;
    lists.count = start;
    for (let k = first; k < end; k++) {
      const at = blocks.stride * k;
      const a = blocks.u32[at + localA];
      const b = blocks.u32[at + localB];
      if (a !== NONE) lists.words[ends[a]++] = 2 * (k - first);
      if (b !== NONE) lists.words[ends[b]++] = 2 * (k - first) + 1;
    }
  }

  /** Counts the blocks of each body, in `ends`. Returns the largest count. */
  private countBlocks(tables: FrameTables, first: number, end: number, bodyCount: number): number {
    const { blocks } = tables;
    const [localA, localB] = [blocks.at("localA"), blocks.at("localB")];
    if (this.ends.length < bodyCount) this.ends = new Uint32Array(2 * bodyCount);
    const { ends } = this;
    ends.fill(0, 0, bodyCount);
    let most = 0;
    for (let k = first; k < end; k++) {
      const at = blocks.stride * k;
      for (const local of [blocks.u32[at + localA], blocks.u32[at + localB]])
        if (local !== NONE) most = Math.max(most, ++ends[local]);
    }
    return most;
  }
}
