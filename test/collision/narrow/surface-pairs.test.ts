import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxPoints } from "../../../src/collision/shape/tessellation";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import type { Quat, Vec3 } from "../../../src/math/types";
import { MESHES, scaled, torus } from "../../world/rigid/thrown-meshes";
import { RandomGeometry, rotationAround } from "../random";
import { ballMesh } from "../samples";
import { add, contactsOf, deepest, dot, length, moved, place, rotate, subtract } from "./reference";

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** A box of twelve triangles. */
function boxMesh(half: Vec3): ColliderShape {
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  const indices = faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return { type: "mesh", positions: boxPoints(half), indices };
}

const cube = boxMesh([0.5, 0.5, 0.5]);
const field: ColliderShape = {
  type: "heightfield",
  sizeX: 8,
  sizeZ: 8,
  samplesX: 9,
  samplesZ: 9,
  heights: new Array<number>(81).fill(0),
};

describe("two meshes", () => {
  it.each([-0.002, 0.002])("stacked as boxes touch as boxes, %d m apart, whichever way they are turned", (gap) => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const [x, z] = [random.between(-0.6, 0.6), random.between(-0.6, 0.6)];
        const turn = rotationAround([0, 1, 0], random.between(0, 6));
        const contacts = contactsOf(place(cube), place(cube, [x, 1 + gap, z], turn), 0.01);
        const box: ColliderShape = { type: "box", halfExtents: [0.5, 0.5, 0.5] };
        const expected = contactsOf(place(box), place(box, [x, 1 + gap, z], turn), 0.01);
        const up = contacts.filter((c) => c.normal[1] > 0.99);
        expect(up.length).toBeGreaterThanOrEqual(Math.min(3, expected.length));
        expect(deepest(up)).toBeCloseTo(gap, 9);
        // Both hold the same ground, except for a corner that is less deep behind the side of the other box than below its top.
        const span = (list: typeof expected): number[] =>
          [0, 2].flatMap((k) => [Math.min(...list.map((c) => c.a[k])), Math.max(...list.map((c) => c.a[k]))]);
        span(up).forEach((value, i) => expect(Math.abs(value - span(expected)[i])).toBeLessThan(0.6));
        for (const c of contacts) {
          expect(length(subtract(add(c.a, c.normal, c.separation), c.b))).toBeLessThan(1e-9);
          expect([c.triangleA >= 0, c.triangleB >= 0]).toEqual([true, true]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("rest on a heightfield by their corners", () => {
    const contacts = contactsOf(place(field), place(cube, [0.3, 0.499, 0.2], rotationAround([0, 1, 0], 0.4)), 0.01);
    expect(contacts.length).toBe(4);
    for (const c of contacts) {
      expect(c.normal[1]).toBeCloseTo(1, 12);
      expect(c.separation).toBeCloseTo(-0.001, 9);
    }
    const back = contactsOf(place(cube, [0.3, 0.499, 0.2]), place(field), 0.01);
    expect(back.length).toBe(4);
    for (const c of back) expect(c.normal[1]).toBeCloseTo(-1, 9);
  });

  it("of two balls push along the line of centres", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const ball = place({ type: "mesh", ...ballMesh(0.5, 3) });
        const way = random.direction();
        const other = moved(ball, add([0, 0, 0], way, 0.985), random.rotation());
        const contacts = contactsOf(ball, other, 0.01);
        expect(contacts.length).toBeGreaterThan(0);
        for (const c of contacts) {
          expect(dot(c.normal, way)).toBeGreaterThan(0.9);
          expect(c.separation).toBeGreaterThan(-0.03);
        }
        expect(contactsOf(ball, moved(other, add([0, 0, 0], way, 1.02)), 0.01)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

describe("a closed mesh in a large solid, off the middle of it", () => {
  const slab: ColliderShape = { type: "box", halfExtents: [140, 5, 140] };
  const wide: ColliderShape = { type: "convex-hull", positions: boxPoints([140, 5, 140]) };
  it.each(Object.keys(MESHES))("is held by what of a %s is lowest, no deeper than it is, in both orders", (name) => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, isHull) => {
        const random = new RandomGeometry(seed);
        const size = 10 ** random.between(-1, 1);
        const shape: ColliderShape = { type: "mesh", ...scaled(MESHES[name], size) };
        const turn = random.rotation();
        const low = Math.min(...cornersOf(shape.positions, turn).map(([, y]) => y));
        const depth = size * random.between(-0.04, 0.1);
        const solid = place(shape, [random.between(-130, 130), -low - depth, random.between(-130, 130)], turn);
        const ground = place(isHull ? wide : slab, [0, -5, 0]);
        const contacts = contactsOf(solid, ground, 0.05 * size);
        expect(contacts.length).toBeGreaterThan(0);
        expect(deepest(contacts)).toBeCloseTo(-depth, 6);
        for (const c of contacts) {
          expect(c.normal[1]).toBeCloseTo(-1, 9);
          expect(c.separation).toBeLessThanOrEqual(0.05 * size);
        }
        const back = contactsOf(ground, solid, 0.05 * size);
        expect(back.map((c) => c.separation)).toEqual(contacts.map((c) => c.separation));
        for (const c of back) expect(c.normal[1]).toBeCloseTo(1, 9);
      }),
      { numRuns: 12 },
    );
  });

  it("that is a ring is held all around by what touches, however far contacts are looked for", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 3, max: 8 }), fc.integer({ min: 1, max: 3 }), (seed, around, across) => {
        const random = new RandomGeometry(seed);
        const size = 10 ** random.between(-2, 2);
        const tube = random.between(0.05, 0.4);
        const ring: ColliderShape = { type: "mesh", ...scaled(torus(1, tube, 3 * around, 8 * across), size) };
        const turn = rotationAround([0, 1, 0], random.between(0, 6));
        const solid = place(ring, [random.between(-1, 1), size * tube, random.between(-1, 1)], turn);
        const margin = size * 10 ** random.between(-3, 0);
        const touching = contactsOf(solid, place(slab, [0, -5, 0]), margin).filter((c) => c.separation < 1e-6 * size);
        for (let k = 0; k < 12; k++) {
          const [x, z] = [Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6)];
          const beyond = Math.max(
            ...touching.map((c) => x * (c.a[0] - solid.position[0]) + z * (c.a[2] - solid.position[2])),
          );
          expect(beyond).toBeGreaterThan(0.2 * size);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("is let alone inside of a hollow one that it does not touch", () => {
    const hall = boxMesh([2, 2, 2]);
    for (const small of [cube, { type: "box", halfExtents: [0.5, 0.5, 0.5] } as const])
      expect(contactsOf(place(hall), place(small, [0.3, -0.2, 0.4], rotationAround([0.6, 0, 0.8], 1)), 0.1)).toEqual(
        [],
      );
  });
});

function cornersOf(positions: ArrayLike<number>, turn: Quat): Vec3[] {
  return Array.from({ length: positions.length / 3 }, (_, i) =>
    rotate(turn, [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]]),
  );
}
