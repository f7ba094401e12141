import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileShape } from "../../../src/collision/distance/primitives";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import type { Vec3 } from "../../../src/math/types";
import { RandomGeometry } from "../random";
import {
  add,
  CONVEX_KINDS,
  contactsOf,
  deepest,
  dot,
  length,
  moved,
  place,
  type PlacedShape,
  randomConvex,
  rotate,
  sampledSeparation,
  separationAlong,
  subtract,
} from "./reference";

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const PAIRS = CONVEX_KINDS.flatMap((a, i) => CONVEX_KINDS.slice(i).map((b) => [a, b] as const));
const MARGIN = 0.5;

/** Two shapes of the kinds at random places, between deep overlap and half a meter apart. */
function randomPair(kindA: (typeof CONVEX_KINDS)[number], kindB: (typeof CONVEX_KINDS)[number], seed: number) {
  const random = new RandomGeometry(seed);
  const a = place(randomConvex(kindA, random), random.vector(3), random.rotation());
  const far = random.between(0.1, 2);
  const b = place(randomConvex(kindB, random), add(a.position, random.direction(), far), random.rotation());
  return { random, a, b };
}

/** Preference for faces (see PREFERENCE) and the accuracy of searches, for shapes about a meter large. */
const EXACT = 3e-5;

describe.each(PAIRS)("contacts of %s and %s", (kindA, kindB) => {
  it("are along the direction of least overlap or least distance", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { random, a, b } = randomPair(kindA, kindB, seed);
        const contacts = contactsOf(a, b, MARGIN);
        const sampled = sampledSeparation(a, b, random, 200);
        if (contacts.length === 0) {
          expect(sampled).toBeGreaterThan(MARGIN - 1e-3);
          return;
        }
        const least = deepest(contacts);
        // The separation is the one along the normal, and no direction separates more. (If faces are askew, the deepest
        // corner may lie beside the other face, where it is no contact.)
        const along = separationAlong(a, b, contacts[0].normal);
        expect(along).toBeLessThanOrEqual(least + 1e-4);
        if (contacts.length === 1) expect(along).toBeGreaterThanOrEqual(least - 1e-4);
        // Faces that lie slightly askew may be chosen although edges overlap slightly less.
        const slack = contacts.length > 1 ? 0.3 * Math.max(0, -least) + 0.05 : 0;
        expect(sampled).toBeLessThanOrEqual(least + EXACT + slack);
      }),
      { numRuns: 40 },
    );
  });

  it("lie on both surfaces, along the normal, no further apart than the margin", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { a, b } = randomPair(kindA, kindB, seed);
        const contacts = contactsOf(a, b, MARGIN);
        expect(contacts.length).toBeLessThanOrEqual(4);
        for (const c of contacts) {
          expect(length(c.normal)).toBeCloseTo(1, 12);
          expect(c.separation).toBeLessThanOrEqual(MARGIN + 1e-9);
          expect(dot(subtract(c.b, c.a), c.normal)).toBeCloseTo(c.separation, 6);
          expect(length(subtract(add(c.a, c.normal, c.separation), c.b))).toBeLessThan(1e-4);
          // One of the two has its surface at the contact (except for the bend of a capsule that lies nearly flat), the
          // other is at least not far outside of it.
          const [da, db] = [distanceTo(a, c.a), distanceTo(b, c.b)];
          expect(Math.min(Math.abs(da), Math.abs(db))).toBeLessThan(3e-3);
          expect(Math.max(da, db)).toBeLessThan(0.2);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are the same with A and B exchanged", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { a, b } = randomPair(kindA, kindB, seed);
        const forth = contactsOf(a, b, MARGIN);
        const back = contactsOf(b, a, MARGIN);
        if (forth.length === 0 || back.length === 0) {
          // Exactly at the margin rounding decides.
          for (const c of [...forth, ...back]) expect(c.separation).toBeGreaterThan(MARGIN - 1e-6);
          return;
        }
        // EPA stops within a fraction of the depth
        expect(Math.abs(deepest(back) - deepest(forth))).toBeLessThan(5e-5 + 2e-3 * Math.abs(deepest(forth)));
      }),
      { numRuns: 40 },
    );
  });

  it("move with the pair", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { random, a, b } = randomPair(kindA, kindB, seed);
        const [turn, shift] = [random.rotation(), random.vector(5)];
        const carry = (s: PlacedShape): PlacedShape =>
          moved(s, add(rotate(turn, s.position), shift), product(turn, s.rotation));
        const before = contactsOf(a, b, MARGIN);
        const after = contactsOf(carry(a), carry(b), MARGIN);
        expect(after.length).toBe(before.length);
        before.forEach((c, i) => {
          expect(after[i].separation).toBeCloseTo(c.separation, 6);
          expect(length(subtract(after[i].a, add(rotate(turn, c.a), shift)))).toBeLessThan(2e-3);
        });
      }),
      { numRuns: 25 },
    );
  });
});

function product(p: readonly number[], q: readonly number[]): [number, number, number, number] {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}

/** Signed distance of a world point to a shape, from the distance functions of the obstacles of cloth. */
function distanceTo(s: PlacedShape, p: Vec3): number {
  const [x, y, z, w] = s.rotation;
  const inShape = rotate([-x, -y, -z, w], subtract(p, s.position));
  const [primitive] = compileShape(s.shape);
  const [qx, qy, qz, qw] = primitive.rotation;
  const local = rotate([-qx, -qy, -qz, qw], subtract(inShape, primitive.position));
  return signedDistance(primitive, ...local, new Float64Array(3));
}
