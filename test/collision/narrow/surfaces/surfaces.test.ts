import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColliderShape } from "../../../../src/collision/shape/shape";
import type { Quat, Vec3 } from "../../../../src/math/types";
import { RandomGeometry, rotationAround } from "../../random";
import { ballMesh, HILLS } from "../../samples";
import { add, contactsOf, deepest, dot, length, moved, place, reach, rotate, subtract, unit } from "../reference";

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** A flat floor of triangles of many sizes and shapes, whose inner edges must not be felt. */
function floorMesh(random: RandomGeometry, cells = 8, size = 8): ColliderShape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= cells; j++)
    for (let i = 0; i <= cells; i++) {
      const jitter = i > 0 && j > 0 && i < cells && j < cells ? 0.3 : 0;
      const [x, , z] = random.vector(jitter);
      positions.push(((i + x) / cells - 0.5) * size, 0, ((j + z) / cells - 0.5) * size);
    }
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) {
      const at = j * (cells + 1) + i;
      const [right, next] = [at + 1, at + cells + 1];
      indices.push(at, next, right, right, next, next + 1);
    }
  return { type: "mesh", positions, indices };
}

const flatField: ColliderShape = {
  type: "heightfield",
  sizeX: 8,
  sizeZ: 8,
  samplesX: 9,
  samplesZ: 9,
  heights: new Array<number>(81).fill(0),
};

const SOLIDS: [string, ColliderShape][] = [
  ["sphere", { type: "sphere", radius: 0.4 }],
  ["box", { type: "box", halfExtents: [0.5, 0.3, 0.7] }],
  ["capsule", { type: "capsule", pointA: [-0.5, 0, 0], pointB: [0.5, 0, 0], radius: 0.3 }],
  ["cylinder", { type: "cylinder", pointA: [0, -0.3, 0], pointB: [0, 0.3, 0], radius: 0.5 }],
  [
    "convex-hull",
    { type: "convex-hull", positions: [0.6, -0.3, 0, -0.4, -0.3, 0.6, -0.4, -0.3, -0.6, 0.2, 0.5, 0, -0.3, 0.4, 0.1] },
  ],
];

describe.each(SOLIDS)("a %s on a flat floor of triangles", (_, shape) => {
  it("feels nothing but the floor, wherever it slides and however deep it is", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const floor = random.between(0, 1) < 0.5 ? place(floorMesh(random)) : place(flatField);
        const turned = place(shape, [0, 0, 0], rotationAround([0, 1, 0], random.between(0, 6)));
        const low = -reach(turned, [0, -1, 0]);
        const height = random.between(-0.02, 0.015);
        const solid = moved(turned, [random.between(-2.5, 2.5), height - low, random.between(-2.5, 2.5)]);
        const contacts = contactsOf(floor, solid, 0.02);
        expect(contacts.length).toBeGreaterThan(0);
        expect(contacts.length).toBeLessThanOrEqual(4);
        for (const c of contacts) {
          // EPA on a round shape stops within about a milliradian
          expect(c.normal[1]).toBeGreaterThan(1 - 5e-6);
          expect(c.separation).toBeCloseTo(height, 6);
          expect(c.a[1]).toBeCloseTo(0, 9);
          expect(c.triangleA).toBeGreaterThanOrEqual(0);
        }
        const back = contactsOf(solid, floor, 0.02);
        expect(back.map((c) => c.separation)).toEqual(contacts.map((c) => c.separation));
        expect(back[0].normal[1]).toBeLessThan(-1 + 5e-6);
        expect(back[0].triangleB).toBe(contacts[0].triangleA);
      }),
      { numRuns: 60 },
    );
  });

  it("is held as by a box of the same size, tilted", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const floor = place(floorMesh(random));
        const turned = place(shape, [0, 0, 0], random.rotation());
        const low = -reach(turned, [0, -1, 0]);
        const height = random.between(-0.02, 0.015);
        const solid = moved(turned, [random.between(-2.5, 2.5), height - low, random.between(-2.5, 2.5)]);
        const contacts = contactsOf(floor, solid, 0.02);
        expect(deepest(contacts)).toBeCloseTo(height, 4);
        for (const c of contacts) expect(c.normal[1]).toBeGreaterThan(0.9999);
      }),
      { numRuns: 60 },
    );
  });
});

describe("contacts with triangles", () => {
  it("keep the ids of corners while a box slides across edges", () => {
    const floor = place(flatField);
    const at = (x: number): number[] => {
      const box = place({ type: "box", halfExtents: [0.5, 0.3, 0.7] }, [x, 0.2999, 0.13]);
      return contactsOf(floor, box, 0.01).map((c) => c.id);
    };
    const first = new Set(at(0.03));
    expect(first.size).toBe(4);
    for (let x = 0.03; x < 2; x += 0.071) expect(new Set(at(x))).toEqual(first);
  });

  it("let a ball roll over hills as over the solid below them", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const hills = place(HILLS);
        const ball = place({ type: "sphere", radius: 0.1 }, [random.between(-1, 1), 0, random.between(-0.8, 0.8)]);
        // Down from above until it touches.
        let [low, high] = [-1, 2];
        for (let i = 0; i < 50; i++) {
          const y = (low + high) / 2;
          const there = moved(ball, [ball.position[0], y, ball.position[2]]);
          if (contactsOf(hills, there, 0).length > 0) low = y;
          else high = y;
        }
        const contacts = contactsOf(hills, moved(ball, [ball.position[0], low, ball.position[2]]), 1e-3);
        for (const c of contacts) {
          expect(c.normal[1]).toBeGreaterThan(0.3);
          expect(Math.abs(c.separation)).toBeLessThan(1.1e-3);
        }
        // At any depth it is pushed up.
        const sunk = contactsOf(hills, moved(ball, [ball.position[0], low - 0.5, ball.position[2]]), 0);
        expect(deepest(sunk)).toBeLessThan(-0.1);
        for (const c of sunk) expect(c.normal[1]).toBeGreaterThan(0.3);
      }),
      { numRuns: 40 },
    );
  });

  it("push a box out of a ball of triangles, along the radius", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new RandomGeometry(seed);
        const globe = place({ type: "mesh", ...ballMesh(1, 4) });
        const out = random.direction();
        const rotation = random.rotation();
        // The corner that points most towards the middle is a centimeter deep.
        const corners = Array.from({ length: 8 }, (_, c) =>
          rotate(rotation, [c & 1 ? 0.2 : -0.2, c & 2 ? 0.3 : -0.3, c & 4 ? 0.25 : -0.25]),
        );
        const corner = corners.reduce((a, b) => (dot(b, out) < dot(a, out) ? b : a));
        const position = subtract(add([0, 0, 0], out, 0.99), corner);
        const there = place({ type: "box", halfExtents: [0.2, 0.3, 0.25] }, position, rotation);
        const contacts = contactsOf(globe, there, 0.01);
        expect(contacts.length).toBeGreaterThan(0);
        for (const c of contacts) {
          expect(dot(c.normal, unit(c.a))).toBeGreaterThan(0.97);
          expect(c.separation).toBeGreaterThan(-0.03);
          expect(Math.abs(length(c.a) - 1)).toBeLessThan(0.03);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("hold a box at the edge of a table, and let it pass beside", () => {
    const top: ColliderShape = {
      type: "mesh",
      positions: [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1],
      indices: [0, 2, 1, 0, 3, 2],
    };
    const table = place(top);
    const box: ColliderShape = { type: "box", halfExtents: [0.25, 0.25, 0.25] };
    const over = contactsOf(table, place(box, [1.1, 0.2499, 0]), 0.01);
    expect(over.length).toBe(4);
    const xs = over.map((c) => c.a[0]).sort((a, b) => a - b);
    expect(xs[0]).toBeCloseTo(0.85, 9);
    expect(xs[3]).toBeCloseTo(1, 9);
    // Beside the edge: pushed out sideways, not up.
    const beside = contactsOf(table, place(box, [1.2499, 0.1, 0]), 0.01);
    expect(beside.length).toBeGreaterThan(0);
    for (const c of beside) expect(c.normal[0]).toBeCloseTo(1, 6);
    expect(contactsOf(table, place(box, [1.27, 0.1, 0]), 0.01)).toEqual([]);
    // Entirely below the floor: an open mesh holds nothing on its back.
    expect(contactsOf(table, place(box, [0, -0.3, 0]), 0.01)).toEqual([]);
  });

  it("takes closed meshes as solids whichever way they wind", () => {
    const ball = ballMesh(0.5, 2);
    const inverted = ball.indices.map((_, i, all) => all[i - (i % 3) + 2 - (i % 3)]);
    const solid = place({ type: "sphere", radius: 0.2 }, [0, 0.68, 0] as Vec3, [0, 0, 0, 1] as Quat);
    const usual = contactsOf(place({ type: "mesh", ...ball }), solid, 0.05);
    const turned = contactsOf(place({ type: "mesh", positions: ball.positions, indices: inverted }), solid, 0.05);
    expect(usual.length).toBeGreaterThan(0);
    expect(turned.length).toBe(usual.length);
    expect(deepest(turned)).toBeCloseTo(deepest(usual), 9);
    expect(length(subtract(turned[0].normal, usual[0].normal))).toBeLessThan(1e-9);
  });
});
