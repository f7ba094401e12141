import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Store, type StoredResult } from "../../../bench/sweep/store";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "store-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const file = (): string => path.join(folder, "results.jsonl");

function result(key: string, value = 1): StoredResult {
  const job = { scene: "flag", settings: { wind: value }, seed: 1, backend: "cpu" } as const;
  return { key, version: "1", job, outcome: { metrics: { sag: value }, frames: 1, ms: 1 }, node: "20", host: "here" };
}

function withStore<T>(use: (store: Store) => T): T {
  const store = Store.open(folder);
  try {
    return use(store);
  } finally {
    store.close();
  }
}

describe("the store of a sweep", () => {
  it("keeps results by key", () => {
    withStore((store) => store.append([result("a"), result("b", 2)]));
    withStore((store) => store.append([result("c", 3)]));
    withStore((store) => {
      expect(["a", "b", "c", "d"].map((key) => store.get(key))).toEqual([
        result("a"),
        result("b", 2),
        result("c", 3),
        undefined,
      ]);
    });
  });

  it("survives an end within the last line", () => {
    withStore((store) => store.append([result("a"), result("ä", 2)]));
    const whole = fs.readFileSync(file());
    const first = whole.indexOf("\n") + 1;
    const letter = whole.indexOf("ä");
    for (const length of [0, 5, first - 1, first, first + 1, letter, letter + 1, letter + 2, whole.length - 1]) {
      fs.writeFileSync(file(), whole.subarray(0, length));
      withStore((store) => {
        expect(store.get("a") !== undefined).toBe(length >= first);
        expect(store.get("ä")).toBeUndefined();
        expect(store.broken).toBe(0);
        store.append([result("c", 3)]);
      });
      withStore((store) => expect(store.get("c")).toEqual(result("c", 3)));
    }
  });

  it("leaves out a broken line in the middle", () => {
    withStore((store) => store.append([result("a"), result("b"), result("c")]));
    const lines = fs.readFileSync(file(), "utf8").split("\n");
    fs.writeFileSync(file(), [lines[0], lines[1].slice(5), lines[2], ""].join("\n"));
    withStore((store) => {
      expect(store.broken).toBe(1);
      expect(["a", "b", "c"].map((key) => store.get(key) !== undefined)).toEqual([true, false, true]);
    });
  });

  it("takes the later result of a key", () => {
    withStore((store) => store.append([result("a", 1), result("a", 2)]));
    withStore((store) => expect(store.get("a")).toEqual(result("a", 2)));
  });

  it("has one writer at a time, and does not wait for one that is gone", () => {
    withStore(() => expect(() => Store.open(folder)).toThrow(/another sweep: process \d+/));
    fs.writeFileSync(path.join(folder, "lock"), `1 ${os.hostname()}-2`);
    expect(() => Store.open(folder)).toThrow(/process 1 of/);
    // No process has this number.
    fs.writeFileSync(path.join(folder, "lock"), `4194305 ${os.hostname()}`);
    withStore((store) => expect(store.get("a")).toBeUndefined());
    expect(fs.readdirSync(folder)).toEqual(["results.jsonl"]);
  });
});
