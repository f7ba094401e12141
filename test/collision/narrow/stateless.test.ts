import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ContactBuffer } from "../../../src/collision/narrow/contact-buffer";
import { collide } from "../../../src/collision/narrow/collide";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { RandomGeometry } from "../random";
import { ballMesh, HILLS } from "../samples";
import { add, CONVEX_KINDS, place, type PlacedShape, randomConvex } from "./reference";

const random = new RandomGeometry(11);
const convex = Array.from({ length: 60 }, (_, i) => randomConvex(CONVEX_KINDS[i % CONVEX_KINDS.length], random));
const surfaces: ColliderShape[] = [HILLS, { type: "mesh", ...ballMesh(0.6, 3) }];
const table: ColliderShape = {
  type: "container",
  children: convex.slice(0, 5).map((shape) => ({ shape, position: random.vector(0.5), rotation: random.rotation() })),
};

/** Pairs of every kind, most of which touch. */
const pairs: [PlacedShape, PlacedShape][] = Array.from({ length: 400 }, (_, i) => {
  const a = place([...convex, ...surfaces, table][i % 63], random.vector(2), random.rotation());
  const b = place([table, ...convex][(7 * i) % 61], add(a.position, random.vector(0.7)), random.rotation());
  return i % 2 ? [a, b] : [b, a];
});

function bytesOf([a, b]: [PlacedShape, PlacedShape]): string {
  const out = new ContactBuffer();
  const n = collide(a.compiled, a.pose, 0, b.compiled, b.pose, 0, 0.1, out);
  const hash = createHash("sha256");
  for (const list of [out.pointA, out.pointB, out.normal]) hash.update(new Uint8Array(list.slice(0, 3 * n).buffer));
  for (const list of [out.separation, out.id, out.kind, out.partA, out.partB, out.triangleA, out.triangleB])
    hash.update(new Uint8Array(list.slice(0, n).buffer));
  return `${n} ${hash.digest("hex")}`;
}

describe("collide", () => {
  it("remembers nothing: every pair gives the same bits, whatever was asked before", () => {
    const forth = pairs.map(bytesOf);
    expect(forth.filter((text) => !text.startsWith("0 ")).length).toBeGreaterThan(200);
    const back = [...pairs].reverse().map(bytesOf).reverse();
    expect(back).toEqual(forth);
    // Each one right after a very different one.
    pairs.forEach((pair, i) => {
      bytesOf(pairs[(31 * i + 17) % pairs.length]);
      expect(bytesOf(pair)).toBe(forth[i]);
    });
  });
});
