import { IdList } from "../../../src/math/arrays";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { BoxTree } from "../../../src/collision/broad/box-tree";
import { BroadPhase } from "../../../src/collision/broad/broad-phase";
import { RandomGeometry } from "../random";

interface Body {
  id: number;
  box: number[];
  still: boolean;
  membership: number;
  collideWith: number;
}

function randomBodies(random: RandomGeometry, count: number): Body[] {
  return Array.from({ length: count }, (_, id) => {
    const p = random.vector(4);
    const h = [random.between(0.1, 1), random.between(0.1, 1), random.between(0.1, 1)];
    return {
      id,
      box: [...p.map((value, k) => value - h[k]), ...p.map((value, k) => value + h[k])],
      still: random.between(0, 1) < 0.3,
      membership: 1 << Math.floor(random.between(0, 3)),
      collideWith: Math.floor(random.between(0, 8)),
    };
  });
}

const meet = (a: number[], b: number[]): boolean => [0, 1, 2].every((k) => a[k] <= b[3 + k] && b[k] <= a[3 + k]);

function bruteForce(bodies: readonly Body[]): string[] {
  const pairs: string[] = [];
  const sorted = [...bodies].sort((a, b) => a.id - b.id);
  sorted.forEach((a, i) => {
    for (const b of sorted.slice(i + 1)) {
      const agree = (a.membership & b.collideWith) !== 0 && (b.membership & a.collideWith) !== 0;
      if (agree && !(a.still && b.still) && meet(a.box, b.box)) pairs.push(`${a.id},${b.id}`);
    }
  });
  return pairs;
}

function pairsOf(broad: BroadPhase): string[] {
  broad.findPairs();
  return Array.from({ length: broad.pairCount }, (_, i) => `${broad.pairs[2 * i]},${broad.pairs[2 * i + 1]}`);
}

function enter(broad: BroadPhase, bodies: readonly Body[]): void {
  for (const { id, box, still, membership, collideWith } of bodies) {
    broad.add(id, still, membership, collideWith);
    broad.setBox(id, box);
  }
}

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe("broad phase", () => {
  it("finds the pairs that brute force finds, in their order, while bodies move, sleep, come and go", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 120 }), (seed, count) => {
        const random = new RandomGeometry(seed);
        let bodies = randomBodies(random, count);
        const broad = new BroadPhase();
        enter(broad, bodies);
        expect(pairsOf(broad)).toEqual(bruteForce(bodies));
        for (let round = 0; round < 4; round++) {
          for (const body of bodies) {
            const shift = random.vector(round === 2 ? 3 : 0.2);
            if (!body.still) body.box = body.box.map((value, k) => value + shift[k % 3]);
            if (random.between(0, 1) < 0.1) body.still = !body.still;
            broad.setStill(body.id, body.still);
            broad.setBox(body.id, body.box);
          }
          const gone = bodies.filter(() => random.between(0, 1) < 0.05);
          gone.forEach(({ id }) => broad.remove(id));
          bodies = bodies.filter((body) => !gone.includes(body));
          expect(pairsOf(broad)).toEqual(bruteForce(bodies));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("finds them without a search of the trees while bodies move slowly, at any size, and after anything else changed", () => {
    const query = vi.spyOn(BoxTree.prototype, "query");
    let searches = 0;
    const rounds = 60 * 12;
    fc.assert(
      fc.property(seeds, fc.constantFrom(0.01, 1, 100), (seed, size) => {
        const random = new RandomGeometry(seed);
        const bodies = randomBodies(random, 60);
        for (const body of bodies) body.box = body.box.map((value) => size * value);
        const broad = new BroadPhase();
        enter(broad, bodies);
        for (let round = 0; round < 12; round++) {
          for (const body of bodies) {
            const shift = random.vector(size * 2e-4);
            if (body.still) continue;
            body.box = body.box.map((value, k) => value + shift[k % 3]);
            broad.setBox(body.id, body.box);
          }
          const one = bodies[Math.floor(random.between(0, 60))];
          if (round === 7) one.box = one.box.map((value) => value + 0.3 * size);
          if (round === 7) broad.setBox(one.id, one.box);
          if (round === 9) broad.setStill(one.id, (one.still = !one.still));
          if (round === 10) broad.setFilter(one.id, (one.membership = 7), (one.collideWith = 7));
          query.mockClear();
          const found = pairsOf(broad);
          if (query.mock.calls.length > 0) searches++;
          expect(found).toEqual(bruteForce(bodies));
        }
      }),
      { numRuns: 60 },
    );
    query.mockRestore();
    expect(searches).toBeLessThan(rounds * 0.8);
  });

  it("does not depend on the order in which bodies were added", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const bodies = randomBodies(random, 60);
        const [forth, back] = [new BroadPhase(), new BroadPhase()];
        enter(forth, bodies);
        enter(back, [...bodies].reverse());
        expect(pairsOf(back)).toEqual(pairsOf(forth));
      }),
      { numRuns: 20 },
    );
  });

  it("leaves out pairs that were turned off, until they are on again or one of them is gone", () => {
    const broad = new BroadPhase();
    for (const id of [0, 1, 2]) {
      broad.add(id, false);
      broad.setBox(id, [0, 0, 0, 1, 1, 1]);
    }
    broad.setPairEnabled(2, 0, false);
    expect(pairsOf(broad)).toEqual(["0,1", "1,2"]);
    broad.setPairEnabled(0, 2, true);
    expect(pairsOf(broad)).toEqual(["0,1", "0,2", "1,2"]);
    broad.setPairEnabled(0, 2, false);
    broad.remove(2);
    broad.add(2, false);
    broad.setBox(2, [0, 0, 0, 1, 1, 1]);
    expect(pairsOf(broad)).toEqual(["0,1", "0,2", "1,2"]);
  });

  it("answers box and ray queries as brute force does", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const bodies = randomBodies(random, 80);
        const broad = new BroadPhase();
        enter(broad, bodies);
        broad.update();
        const out = new IdList();
        const [p, h] = [random.vector(4), random.between(0.1, 2)];
        const box = Float64Array.of(p[0] - h, p[1] - h, p[2] - h, p[0] + h, p[1] + h, p[2] + h);
        broad.query(box, out);
        const expected = bodies.filter((body) => meet(body.box, [...box])).map(({ id }) => id);
        expect([...out.items.slice(0, out.count)]).toEqual(expected);
        const direction = random.direction();
        broad.queryRay(p, direction, 5, out);
        const found = new Set(out.items.slice(0, out.count));
        // Points along the ray are only in boxes that the query found.
        for (let i = 0; i <= 50; i++) {
          const x = p.map((value, k) => value + 0.1 * i * direction[k]);
          for (const body of bodies) if (meet(body.box, [...x, ...x])) expect(found.has(body.id)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});
