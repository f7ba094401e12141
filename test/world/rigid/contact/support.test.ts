import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../../../src/math/types";
import { Support } from "../../../../src/world/rigid/contact/support";

const WEIGHT: Vec3 = [0, -2, 0];
const none: Vec3 = [0, 0, 0];
const component = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const vector: fc.Arbitrary<Vec3> = fc.tuple(component, component, component);
const add = (...all: Vec3[]): Vec3 => [0, 1, 2].map((c) => all.reduce((sum, v) => sum + v[c], 0)) as unknown as Vec3;
const negative = (v: Vec3): Vec3 => v.map((value) => -value) as unknown as Vec3;

describe("what holds a body beside deformable ones", () => {
  it("is nothing for one that falls: it yields to all", () => {
    const support = new Support();
    support.note([3, -5, 1]);
    support.hear(none, WEIGHT);
    expect([support.mobility, support.turning]).toEqual([1, 1]);
    expect(support.yielding([1, 2, 3])).toEqual([1, 2, 3]);
  });

  it("is the ground below one that stands, before a load is heard of: it yields across its weight", () => {
    const support = new Support();
    support.hear(negative(WEIGHT), WEIGHT);
    expect(support.mobility).toBe(1);
    expect(support.turning).toBeCloseTo(0, 12);
    support.yielding([1, -7, 2]).forEach((value, c) => expect(value).toBeCloseTo([1, 0, 2][c], 12));
  });

  it("bears, and does not pull: what lifts a body that stands lifts it", () => {
    const support = new Support();
    support.hear(negative(WEIGHT), WEIGHT);
    expect(support.yielding([1, 7, 2])).toEqual([1, 7, 2]);
  });

  it("takes up loads in the end, in any direction, until they are forgotten", () => {
    fc.assert(
      fc.property(
        vector.filter((v) => Math.hypot(...v) > 1e-3),
        (load) => {
          const support = new Support();
          support.note(load);
          support.hear(negative(add(load, WEIGHT)), WEIGHT);
          // the force of gravity does not count for the load if the two have opposite directions
          const along = load[1] * WEIGHT[1];
          if (along >= 0) expect(support.mobility).toBeCloseTo(0, 9);
          for (let frame = 0; frame < 8; frame++) support.hear(none, none);
          expect(support.mobility).toBe(1);
        },
      ),
    );
  });

  it("never gives a body more than comes, nor turns it round", () => {
    fc.assert(
      fc.property(vector, vector, vector, vector, (load, contacts, weight, impulse) => {
        const support = new Support();
        support.note(load);
        support.hear(contacts, weight);
        const given = support.yielding(impulse);
        expect(Math.hypot(...given)).toBeLessThanOrEqual(Math.hypot(...impulse) * (1 + 1e-12));
        expect(given.reduce((sum, value, c) => sum + value * impulse[c], 0)).toBeGreaterThanOrEqual(-1e-6);
        expect(support.turning).toBeGreaterThanOrEqual(0);
        expect(support.turning).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("adds up what comes before the next step, and is saved with it", () => {
    const support = new Support();
    support.note([1, 0, 0]);
    support.note([1, 0, 0]);
    const copy = new Support();
    copy.load(structuredClone(support.save()));
    for (const each of [support, copy]) {
      each.hear([-1, 0, 0], none);
      expect(each.mobility).toBe(0.5);
    }
  });
});
