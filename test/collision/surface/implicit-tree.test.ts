import { describe, expect, it } from "vitest";
import { ImplicitTree } from "../../../src/collision/surface/implicit-tree";

describe("a query of a tree", () => {
  // Places on a lattice in shuffled order, in groups of all sizes, an empty one among them.
  it.each([1, 2, 9, 70, 700])("leaves out a range of leaves and nothing else, of %i", (count) => {
    const centres = Float64Array.from({ length: 3 * count }, (_, i) => ((i * 7919) % 101) / 10);
    const groups = Uint32Array.from({ length: count }, (_, k) => [0, 1, 1, 3, 3, 3][k % 6]);
    const tree = new ImplicitTree(centres, groups);
    for (let leaf = 0; leaf < count; leaf++)
      for (let c = 0; c < 6; c++)
        tree.boxes[6 * leaf + c] = centres[3 * tree.order[leaf] + (c % 3)] + (c < 3 ? -0.4 : 0.4);
    tree.refit();
    const found = (box: number[], from?: number, to?: number): number[] => {
      tree.query(box, 0, from, to);
      return [...tree.found.subarray(0, tree.foundCount)];
    };
    for (const box of [
      [-1, -1, -1, 20, 20, 20],
      [2, 1, 3, 6, 7, 5],
      [30, 30, 30, 31, 31, 31],
    ]) {
      const all = found(box);
      const ways = [0, 1, 2].map((c) => (leaf: number) => centres[3 * tree.order[leaf] + c]);
      const expected = Array.from({ length: count }, (_, leaf) => leaf).filter((leaf) =>
        ways.every((at, c) => at(leaf) - 0.4 <= box[c + 3] && at(leaf) + 0.4 >= box[c]),
      );
      expect(all).toEqual(expected);
      for (const [from, to] of [0, 1, 2, 3].map((group) => [group - 1, group].map((g) => lastOf(g, groups))))
        expect(found(box, from, to)).toEqual(all.filter((leaf) => leaf < from || leaf >= to));
    }
  });
});

/** The number of things in groups up to one. */
function lastOf(group: number, groups: Uint32Array): number {
  return groups.filter((own) => own <= group).length;
}
