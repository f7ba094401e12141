import { describe, expect, it } from "vitest";
import { collide } from "../../../src/collision/narrow/collide";
import { ContactBuffer } from "../../../src/collision/narrow/contact-buffer";
import { PairCache } from "../../../src/collision/narrow/pair-cache";
import { RandomGeometry } from "../random";
import { add, moved, place, type PlacedShape, randomConvex } from "./reference";

const MARGIN = 0.01;
const TOLERANCE = 1e-3;
const random = new RandomGeometry(5);

/** Contacts of a pair by the cache: a step with two bodies. */
function step(cache: PairCache, [a, b]: readonly PlacedShape[]): ContactBuffer {
  const out = new ContactBuffer();
  cache.place(0, a.pose, 0, a.compiled);
  cache.place(1, b.pose, 0, b.compiled);
  cache.begin();
  if (!cache.isApart(0, 1, Float64Array.of(MARGIN)))
    cache.collide(0, 1, [a.compiled.polytope, b.compiled.polytope], Float64Array.of(MARGIN, TOLERANCE), out);
  cache.end();
  return out;
}

function anew([a, b]: readonly PlacedShape[]): ContactBuffer {
  const out = new ContactBuffer();
  collide(a.compiled, a.pose, 0, b.compiled, b.pose, 0, MARGIN, out);
  return out;
}

function numbers({ pointA, pointB, separation, id, count }: ContactBuffer): number[] {
  return [
    ...pointA.slice(0, 3 * count),
    ...pointB.slice(0, 3 * count),
    ...separation.slice(0, count),
    ...id.slice(0, count),
  ];
}

function deepest({ separation, count }: ContactBuffer): number {
  return Math.min(Infinity, ...separation.slice(0, count));
}

/** Boxes and hulls that touch, or nearly, each with small moves of its B. */
const pairs = Array.from({ length: 120 }, (_, i) => {
  const a = place(randomConvex(i % 2 ? "box" : "convex-hull", random), random.vector(2), random.rotation());
  const b = place(
    randomConvex(i % 3 ? "box" : "convex-hull", random),
    add(a.position, random.vector(0.7)),
    random.rotation(),
  );
  return [a, b] as const;
});

/** Moved and turned by about 1e-4 m and rad. */
function nudged(b: PlacedShape): PlacedShape {
  const [x, y, z] = random.vector(1e-4);
  const [qx, qy, qz, qw] = b.rotation;
  const q = [qx + x, qy + y, qz + z, qw];
  const scale = 1 / Math.sqrt(q.reduce((sum, value) => sum + value * value, 0));
  const [rx, ry, rz, rw] = q.map((value) => value * scale);
  return moved(b, add(b.position, random.vector(1e-4)), [rx, ry, rz, rw]);
}

describe("contacts of pairs from step to step", () => {
  it("are those of the narrow phase where nothing is known, and stay while nothing moves", () => {
    for (const pair of pairs) {
      const cache = new PairCache();
      const first = step(cache, pair);
      expect(deepest(first)).toBeCloseTo(deepest(anew(pair)), 12);
      const second = step(cache, pair);
      expect(second.count).toBe(first.count);
      const before = numbers(first);
      expect(Math.max(0, ...numbers(second).map((value, i) => Math.abs(value - before[i])))).toBeLessThan(1e-12);
    }
  });

  it("are as deep as those found anew, to a small part of what has moved", () => {
    let count = 0;
    let sum = 0;
    for (const [a, b] of pairs) {
      const cache = new PairCache();
      if (step(cache, [a, b]).count === 0) continue;
      for (let k = 0; k < 4; k++) {
        const now = [a, nudged(b)];
        const [kept, found] = [deepest(step(cache, now)), deepest(anew(now))];
        // If one is just inside the margin and the other is not, there is nothing to compare.
        if (kept > 0.9 * MARGIN || found > 0.9 * MARGIN) continue;
        // By now another axis may be the best.
        expect(Math.abs(kept - found)).toBeLessThan(4e-4);
        sum += Math.abs(kept - found);
        count++;
      }
    }
    expect(count).toBeGreaterThan(100);
    expect(sum / count).toBeLessThan(1e-5);
  });

  it("come about where shapes that were apart have met", () => {
    for (const [a, b] of pairs) {
      const cache = new PairCache();
      const far = moved(b, add(a.position, [3, 0, 0]));
      expect(step(cache, [a, far]).count).toBe(0);
      for (let x = 2.5; x > 0.2; x -= 0.3) {
        const now = [a, moved(b, add(a.position, [x, 0, 0]))];
        expect(step(cache, now).count > 0).toBe(anew(now).count > 0);
      }
    }
  });

  it("go on from a saved state with the same bits", () => {
    for (const [a, b] of pairs) {
      const cache = new PairCache();
      step(cache, [a, b]);
      const other = new PairCache();
      other.load(cache.save());
      expect(other.save()).toEqual(cache.save());
      const now = [a, nudged(b)];
      expect(numbers(step(other, now))).toEqual(numbers(step(cache, now)));
    }
  });

  it("are not those of another pair that is gone", () => {
    const at = (x: number, half: number): PlacedShape =>
      place({ type: "box", halfExtents: [half, half, half] }, [x, 0, 0]);
    const bodies = [at(0, 0.5), at(1.2, 0.1), at(0.99, 0.5)];
    const solids = bodies.map(({ compiled }) => compiled.polytope);
    const cache = new PairCache();
    const out = new ContactBuffer();
    // The caller need not search a pair in the first step that has it.
    for (const [other, isSearched] of [
      [1, true],
      [2, false],
      [2, true],
    ] as const) {
      bodies.forEach(({ pose, compiled }, k) => cache.place(k, pose, 0, compiled));
      cache.begin();
      const isApart = cache.isApart(0, other, Float64Array.of(MARGIN));
      if (isSearched && !isApart) cache.collide(0, other, solids, Float64Array.of(MARGIN, TOLERANCE), out);
      cache.end();
    }
    expect(out.count).toBe(4);
  });
});
