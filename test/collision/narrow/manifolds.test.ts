import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ContactBuffer, ContactKind } from "../../../src/collision/narrow/contact-buffer";
import { collide } from "../../../src/collision/narrow/collide";
import { compileRigidShape } from "../../../src/collision/narrow/shapes/compile-shape";
import { hullOf } from "../../../src/collision/narrow/shapes/hull-faces";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import type { Vec3 } from "../../../src/math/types";
import { RandomGeometry, rotationAround } from "../random";
import { type Contact, contactsOf, length, place, randomHull, subtract } from "./reference";

const box = (x: number, y: number, z: number): ColliderShape => ({ type: "box", halfExtents: [x, y, z] });
const cube = box(0.5, 0.5, 0.5);
const upright: ColliderShape = { type: "cylinder", pointA: [0, -0.5, 0], pointB: [0, 0.5, 0], radius: 0.3 };
const capsule: ColliderShape = { type: "capsule", pointA: [0, -0.5, 0], pointB: [0, 0.5, 0], radius: 0.3 };
const floor = place(box(5, 0.5, 5), [0, -0.5, 0]);
const QUARTER = rotationAround([1, 0, 0], Math.PI / 2);

/** The contact points on B, in the order of x, then z. */
function pointsOf(contacts: readonly Contact[]): Vec3[] {
  return contacts.map((c) => c.b).sort((p, q) => p[0] - q[0] || p[2] - q[2]);
}

function expectPoints(contacts: readonly Contact[], expected: readonly Vec3[]): void {
  const points = pointsOf(contacts);
  expect(points.length).toBe(expected.length);
  points.forEach((p, i) => expect(length(subtract(p, expected[i])), `${p} for ${expected[i]}`).toBeLessThan(1e-9));
}

describe("manifolds", () => {
  it.each([-0.001, 0, 0.001])("of stacked boxes are the four corners exactly, %d m apart", (gap) => {
    const contacts = contactsOf(place(cube), place(cube, [0.25, 1 + gap, 0]), 0.01);
    const y = 0.5 + gap;
    expectPoints(contacts, [
      [-0.25, y, -0.5],
      [-0.25, y, 0.5],
      [0.5, y, -0.5],
      [0.5, y, 0.5],
    ]);
    for (const c of contacts) {
      expect(c.normal).toEqual([0, 1, 0]);
      expect(c.separation).toBeCloseTo(gap, 15);
      expect(c.kind).toBe(ContactKind.faceVertex);
    }
    expect(new Set(contacts.map((c) => c.id)).size).toBe(4);
  });

  it("keep their ids while a box slides and turns a little", () => {
    const ids = (x: number, angle: number): Set<number> => {
      const turn = rotationAround([0, 1, 0], angle);
      return new Set(contactsOf(floor, place(cube, [x, 0.4999, 0.3], turn), 0.01).map((c) => c.id));
    };
    for (let i = 0; i < 20; i++) expect(ids(0.1 * i, 0.05 * i)).toEqual(ids(0, 0));
  });

  it("of a standing cylinder hold it in every direction", () => {
    for (const gap of [-0.0005, 0.0005]) {
      const contacts = contactsOf(floor, place(upright, [0.2, 0.5 + gap, 0.1]), 0.01);
      expect(contacts.length).toBe(4);
      const across = contacts.map((c) => [c.b[0] - 0.2, c.b[2] - 0.1]);
      for (const [x, z] of across) expect(Math.hypot(x, z)).toBeCloseTo(0.3, 9);
      for (let k = 0; k < 16; k++) {
        const [dx, dz] = [Math.cos((k * Math.PI) / 8), Math.sin((k * Math.PI) / 8)];
        expect(Math.max(...across.map(([x, z]) => x * dx + z * dz))).toBeGreaterThan(0.2);
      }
      for (const c of contacts) expect(c.separation).toBeCloseTo(gap, 12);
    }
  });

  it("of a lying cylinder and of a lying capsule are the two ends of the line", () => {
    for (const shape of [upright, capsule]) {
      const contacts = contactsOf(floor, place(shape, [0, 0.2995, 0], QUARTER), 0.01);
      expectPoints(contacts, [
        [0, -0.0005, -0.5],
        [0, -0.0005, 0.5],
      ]);
      for (const c of contacts) expect(c.separation).toBeCloseTo(-0.0005, 12);
    }
  });

  it("of capsules and cylinders side by side are the ends of what they share", () => {
    for (const [a, b] of [
      [capsule, capsule],
      [upright, upright],
      [capsule, upright],
    ]) {
      const contacts = contactsOf(place(a), place(b, [0.5999, 0.2, 0]), 0.01);
      expect(contacts.length).toBe(2);
      const heights = contacts.map((c) => c.a[1]).sort((p, q) => p - q);
      expect(heights[0]).toBeCloseTo(-0.3, 3);
      expect(heights[1]).toBeCloseTo(0.5, 3);
      for (const c of contacts) expect(c.separation).toBeCloseTo(-0.0001, 6);
    }
  });

  it("of a box on the end of a cylinder are its corners and where its edges cross the rim", () => {
    const inside = contactsOf(place(upright), place(box(0.1, 0.1, 0.15), [0.02, 0.5995, 0]), 0.01);
    expectPoints(inside, [
      [-0.08, 0.4995, -0.15],
      [-0.08, 0.4995, 0.15],
      [0.12, 0.4995, -0.15],
      [0.12, 0.4995, 0.15],
    ]);
    const across = contactsOf(place(upright), place(box(0.2, 0.1, 1), [0, 0.5995, 0]), 0.01);
    const z = Math.sqrt(0.09 - 0.04);
    expectPoints(across, [
      [-0.2, 0.4995, -z],
      [-0.2, 0.4995, z],
      [0.2, 0.4995, -z],
      [0.2, 0.4995, z],
    ]);
  });

  it("of crossed edges are one point", () => {
    const a = place(cube, [0, 0, 0], rotationAround([0, 0, 1], Math.PI / 4));
    const b = place(cube, [0.1, 2 * Math.SQRT1_2 - 0.002, 0.2], rotationAround([1, 0, 0], Math.PI / 4));
    const [contact, ...others] = contactsOf(a, b, 0.001);
    expect(others).toEqual([]);
    expect(contact.kind).toBe(ContactKind.edgeEdge);
    expect(contact.separation).toBeCloseTo(-0.002, 9);
    expect(length(subtract(contact.a, [0, Math.SQRT1_2, 0.2]))).toBeLessThan(1e-9);
    expect(length(subtract(contact.normal, [0, 1, 0]))).toBeLessThan(1e-9);
  });

  it("of many corners keep the deepest and the largest area", () => {
    // A prism of twelve sides, a little tilted, on the floor.
    const rim = Array.from({ length: 12 }, (_, i) => [Math.cos((i * Math.PI) / 6), Math.sin((i * Math.PI) / 6)]);
    const positions = rim.flatMap(([x, z]) => [x, -0.2, z, x, 0.2, z]);
    const tilt = 1e-4;
    const prism = place({ type: "convex-hull", positions }, [0, 0.1999, 0], rotationAround([0, 0, 1], tilt));
    const contacts = contactsOf(floor, prism, 0.01);
    expect(contacts.length).toBe(4);
    const depths = contacts.map((c) => c.separation);
    // It leans over to −x.
    const deepest = contacts[depths.indexOf(Math.min(...depths))];
    expect(deepest.b[0]).toBeCloseTo(-1, 3);
    const p = pointsOf(contacts);
    const area = 0.5 * Math.abs((p[3][0] - p[0][0]) * (p[2][2] - p[1][2]) - (p[3][2] - p[0][2]) * (p[2][0] - p[1][0]));
    // The largest quadrilateral in a regular dodecagon is its square, of area 2.
    expect(area).toBeGreaterThan(1.7);
  });

  it("of containers tell the parts, and come from each of them", () => {
    const table: ColliderShape = {
      type: "container",
      children: [
        { shape: box(0.5, 0.05, 0.5), position: [0, 0.55, 0] },
        ...[-1, 1].flatMap((x) =>
          [-1, 1].map((z) => ({ shape: box(0.05, 0.25, 0.05), position: [0.4 * x, 0.25, 0.4 * z] as Vec3 })),
        ),
      ],
    };
    const compiled = compileRigidShape(table);
    const out = new ContactBuffer();
    const pose = Float64Array.of(1, -0.001, 1, 0, 0, 0, 1);
    const count = collide(floor.compiled, floor.pose, 0, compiled, pose, 0, 0.01, out);
    expect(count).toBe(16);
    expect(new Set(out.partB.slice(0, count))).toEqual(new Set([1, 2, 3, 4]));
    expect(new Set(out.id.slice(0, count)).size).toBe(16);
  });

  it("append to a buffer that grows, and drop none", () => {
    const out = new ContactBuffer();
    for (let i = 0; i < 30; i++) {
      const b = place(cube, [0, 0.499, 0]);
      expect(collide(floor.compiled, floor.pose, 0, b.compiled, b.pose, 0, 0.01, out)).toBe(4);
    }
    expect(out.count).toBe(120);
    expect([...out.separation.slice(0, 120)].every((s) => Math.abs(s + 0.001) < 1e-12)).toBe(true);
    out.clear();
    expect(out.count).toBe(0);
    expect(out.capacity).toBeGreaterThanOrEqual(120);
  });

  it("find a fast small ball ahead of a thin wall", () => {
    const wall = place(box(1, 1, 0.005));
    const ball = place({ type: "sphere", radius: 0.025 }, [0.1, 0.2, -1.5]);
    const [contact] = contactsOf(wall, ball, 100 / 60);
    expect(contact.separation).toBeCloseTo(1.5 - 0.03, 12);
    expect(contact.normal).toEqual([0, 0, -1]);
  });
});

describe("hulls", () => {
  it("are polytopes: Euler's formula, corners on faces, every edge between two faces", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const points = Float64Array.from(randomHull(new RandomGeometry(seed), 4 + seed).positions);
      const hull = hullOf(points);
      expect(hull.vertexCount - hull.edgeCount + hull.faceCount).toBe(2);
      for (let f = 0; f < hull.faceCount; f++) {
        const n = hull.faceNormals.subarray(3 * f, 3 * f + 3);
        for (let i = 0; i < points.length; i += 3) {
          const height = n[0] * points[i] + n[1] * points[i + 1] + n[2] * points[i + 2] - hull.faceOffsets[f];
          expect(height).toBeLessThan(1e-6);
        }
      }
    }
  });

  it("have the faces of the solid, not its triangles, and no corners inside of faces", () => {
    const positions: number[] = [];
    for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) positions.push(x, y, z);
    const hull = hullOf(Float64Array.from(positions));
    expect([hull.vertexCount, hull.edgeCount, hull.faceCount]).toEqual([8, 12, 6]);
  });
});

describe("operations", () => {
  // The language leaves the rounding of these to the engine, so that bits would differ between engines.
  it("are rounded correctly everywhere: no other functions of Math, and no powers", () => {
    const root = path.resolve(import.meta.dirname, "../../../src/collision");
    const allowed = /Math\.(sqrt|abs|min|max|floor|imul|PI|SQRT1_2|SQRT2|LN2)\b/g;
    for (const folder of ["narrow", "broad", "query"])
      for (const file of readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })) {
        if (!file.endsWith(".ts")) continue;
        const code = readFileSync(path.join(root, folder, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
        expect(code.replace(allowed, "").match(/Math\.\w+|\*\*/g) ?? [], `${folder}/${file}`).toEqual([]);
      }
  });
});
