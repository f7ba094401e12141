import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContactKind } from "../../../src/collision/narrow/contact-buffer";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import type { Quat } from "../../../src/math/types";
import { RandomGeometry } from "../random";
import { boxPoints } from "../../../src/collision/shape/tessellation";
import { contactsOf, deepest, place, sampledSeparation, separationAlong } from "./reference";

/** Shapes of round sizes, so that they touch exactly, share centers, and have aligned faces and edges. */
const SHAPES: ColliderShape[] = [
  { type: "box", halfExtents: [0.5, 0.5, 0.5] },
  { type: "box", halfExtents: [0.5, 0.25, 1] },
  { type: "capsule", pointA: [0, -0.5, 0], pointB: [0, 0.5, 0], radius: 0.25 },
  { type: "cylinder", pointA: [0, -0.5, 0], pointB: [0, 0.5, 0], radius: 0.5 },
  { type: "cylinder", pointA: [0, -0.25, 0], pointB: [0, 0.25, 0], radius: 0.5 },
  { type: "sphere", radius: 0.5 },
  { type: "convex-hull", positions: boxPoints([0.5, 0.5, 0.5]) },
  { type: "convex-hull", positions: [0, 0.5, 0, 0, -0.5, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0, 0.5, 0, 0, -0.5] },
];
const [S, C] = [Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)];
const TURNS: Quat[] = [
  [0, 0, 0, 1],
  [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  [0, S, 0, C],
  [S, 0, 0, C],
];
const quarters = fc.integer({ min: -6, max: 6 }).map((n) => n / 4);

describe("shapes in line with each other", () => {
  it("touch along the direction that separates most", () => {
    const anyShape = fc.constantFrom(...SHAPES);
    const anyTurn = fc.constantFrom(...TURNS);
    const place3 = fc.tuple(quarters, quarters, quarters);
    fc.assert(
      fc.property(anyShape, anyShape, anyTurn, anyTurn, place3, (shapeA, shapeB, turnA, turnB, at) => {
        const a = place(shapeA, [0, 0, 0], turnA);
        const b = place(shapeB, at, turnB);
        const contacts = contactsOf(a, b, 0.3);
        const sampled = sampledSeparation(a, b, new RandomGeometry(1), 80);
        if (contacts.length === 0) {
          expect(sampled).toBeGreaterThan(0.3 - 1e-3);
          return;
        }
        const least = deepest(contacts);
        const isFace = contacts.length > 1 && contacts[0].kind <= ContactKind.vertexFace;
        // A face may be chosen although edges overlap slightly less.
        const slack = isFace ? 0.05 + 0.3 * Math.max(0, -least) : 0;
        expect(sampled).toBeLessThanOrEqual(least + 1e-4 + slack);
        if (!isFace) expect(separationAlong(a, b, contacts[0].normal)).toBeCloseTo(least, 3);
      }),
      { numRuns: 400 },
    );
  });
});
