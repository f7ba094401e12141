import { describe, expect, it } from "vitest";
import { ContactList } from "../../../src/collision/soft/contact-list";
import { ImpulseMemory, KeyTable } from "../../../src/collision/soft/impulse-memory";
import { mulberry } from "../../../samples/random";

/** Few values, so that many keys differ in one place alone. */
const keysOf = (count: number, seed: number): Int32Array => {
  const random = mulberry(seed);
  return Int32Array.from({ length: 4 * count }, () => Math.floor(12 * random()) - 4);
};

describe("places by keys", () => {
  it("are those of a map, also with thousands of keys, and after a snapshot", () => {
    const keys = keysOf(5000, 3);
    const known = new Map<string, number>();
    const table = new KeyTable();
    for (let at = 0; at < keys.length; at += 4) {
      const name = keys.subarray(at, at + 4).join(" ");
      if (!known.has(name)) known.set(name, known.size);
      expect(table.add(keys, at)).toBe(known.get(name));
    }
    const other = new KeyTable();
    other.load(table.save());
    const asked = keysOf(5000, 4);
    for (let at = 0; at < asked.length; at += 4) {
      const place = known.get(asked.subarray(at, at + 4).join(" ")) ?? -1;
      expect(table.find(asked, at)).toBe(place);
      expect(other.find(asked, at)).toBe(place);
    }
    table.clear();
    expect(table.find(keys, 0)).toBe(-1);
  });
});

describe("impulses of the last step", () => {
  const list = (normal: readonly [number, number, number], keys: readonly number[]): ContactList => {
    const contacts = new ContactList();
    for (const key of keys) {
      const n = contacts.add();
      contacts.setNormal(n, ...normal);
      contacts.setKey(n, key, -7, 2, 5);
    }
    return contacts;
  };

  it("are the same vectors in the frame of the next step, and of contacts with one key the last", () => {
    const before = list([0.6, 0.8, 0], [8, 9, 8, 10]);
    before.impulse.set([1, 2, 3, 0, 0, 0, 4, 5, 6, 7, 8, 9]);
    const memory = new ImpulseMemory();
    memory.keep(before, (n) => before.impulse[3 * n] !== 0);
    const copy = new ImpulseMemory();
    copy.load(memory.save());
    const after = list([0, 0, 1], [9, 8, 10]);
    expect(memory.recall(after, 0, after.impulse, 0)).toBe(false);
    for (const [n, from] of [
      [1, 2],
      [2, 3],
    ]) {
      expect(copy.recall(after, n, after.impulse, 3 * n)).toBe(true);
      const world = (of: ContactList, k: number): number[] =>
        [0, 1, 2].map((c) =>
          [0, 1, 2].reduce((sum, d) => sum + of.frame[9 * k + 3 * d + c] * of.impulse[3 * k + d], 0),
        );
      world(before, from).forEach((value, c) => {
        expect(world(after, n)[c]).toBeCloseTo(value, 12);
        expect(memory.get(after, n)![c]).toBeCloseTo(value, 12);
      });
    }
    expect(memory.has(after, 0)).toBe(false);
  });

  it("move along when contacts are dropped, with all columns", () => {
    const contacts = list([0, 1, 0], [1, 2, 3, 4]);
    contacts.impulse.set([1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0]);
    contacts.point.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6]);
    contacts.drop((n) => contacts.key[4 * n] === 2, 1);
    expect([contacts.count, contacts.key[8], contacts.impulse[6], contacts.point[8]]).toEqual([3, 4, 4, 6]);
    const copy = new ContactList();
    copy.loadAll(contacts.saveAll());
    expect([copy.count, copy.key[8], copy.add()]).toEqual([3, 4, 3]);
  });
});
