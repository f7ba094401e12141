import { describe, expect, it } from "vitest";
import { ContactDetector } from "../../../src/articulated/contact/detect";
import { ContactKind, type ContactSet } from "../../../src/articulated/contact/contact-set";
import { tangents } from "../../../src/articulated/contact/tangents";
import { VARIATION } from "../../../src/articulated/contact/variation";
import { updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { ContactMotion } from "../../../src/articulated/step/contact-motion";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { RandomGeometry } from "../../collision/random";
import { riddersJacobian } from "../ridders";

const sphere: ColliderShape = { type: "sphere", radius: 0.3, center: [0.1, 0, 0] };
const capsule: ColliderShape = { type: "capsule", pointA: [0, -0.4, 0], pointB: [0.1, 0.4, 0], radius: 0.15 };
const box: ColliderShape = { type: "box", halfExtents: [0.4, 0.3, 0.5] };
const hull: ColliderShape = {
  type: "convex-hull",
  positions: [0.5, 0, -0.2, -0.4, 0.3, -0.2, -0.3, -0.4, -0.3, 0, 0.1, 0.5, 0.2, 0.4, 0.1, 0.1, -0.3, 0.3],
};

const pairs: readonly (readonly [string, ColliderShape, ColliderShape])[] = [
  ["sphere and sphere", sphere, sphere],
  ["sphere and capsule", sphere, capsule],
  ["sphere and box", sphere, box],
  ["sphere and hull", hull, sphere],
  ["capsule and capsule", capsule, capsule],
  ["capsule and box", capsule, box],
  ["capsule and hull", hull, capsule],
  ["box and box", box, box],
  ["box and hull", box, hull],
  ["hull and hull", hull, hull],
  ["a box flat on a box", box, { ...box, halfExtents: [0.3, 0.25, 0.6] }],
];

/** Two bodies, the second one carried by the first and free relative to it, so that some coordinates carry both. */
function twoBodies(a: ColliderShape, b: ColliderShape): ArticulatedModel {
  const inertia = [1, 1, 1, 0, 0, 0] as const;
  return new ArticulatedModel({
    name: "two bodies",
    links: [
      { name: "a", joint: { type: "free" }, mass: 1, inertia, shapes: [{ shape: a }] },
      { name: "between", parent: "a", joint: { type: "revolute" }, mass: 1, inertia },
      { name: "b", parent: "between", joint: { type: "free" }, mass: 1, inertia, shapes: [{ shape: b }] },
    ],
  });
}

/** Moves b along a direction until it just overlaps a by a given length. */
function bringTogether(
  random: RandomGeometry,
  detector: ContactDetector,
  scratch: ArticulatedScratch,
  depth: number,
  flat: boolean,
): Float64Array | undefined {
  const q = Float64Array.from({ length: 13 }, () => random.between(-1, 1) * (flat ? 0.02 : 1));
  if (flat) q[6] = random.between(-1, 1);
  const d = flat ? ([0.1, 0.2, 1] as const) : random.direction();
  const at = (distance: number): number => {
    for (let c = 0; c < 3; c++) q[10 + c] = distance * d[c];
    updatePositions(scratch, q);
    detector.detect(scratch);
    return detector.contacts.count;
  };
  let [near, far] = [0.5, 3];
  for (let i = 0; i < 40; i++) {
    const middle = (near + far) / 2;
    if (at(middle) > 0) near = middle;
    else far = middle;
  }
  return at(near - depth) > 0 ? q : undefined;
}

const covered = new Map<number, number>();

describe("contacts as functions of the coordinates", () => {
  it.each(pairs)("%s: point, normal, depth and friction directions change as computed", (name, a, b) => {
    const random = new RandomGeometry(7);
    const model = twoBodies(a, b);
    const scratch = new ArticulatedScratch(model);
    const detector = new ContactDetector(model, [], "distant", 1, 0);
    const motion = new ContactMotion(model);
    let tested = 0;
    for (let trial = 0; trial < 24; trial++) {
      const q = bringTogether(random, detector, scratch, 0.02, name.includes("flat"));
      if (q === undefined) continue;
      const { contacts } = detector;
      motion.compute(scratch, contacts);
      const keys = [...contacts.key.subarray(0, contacts.count)];
      const kinds = [...contacts.kind.subarray(0, contacts.count)];
      const analytic = keys.map((_key, c) => columns(motion, c));
      keys.forEach((key, c) => {
        let complete = true;
        const read = (x: Float64Array, out: Float64Array): void => {
          updatePositions(scratch, x);
          detector.detect(scratch);
          const place = contacts.key.subarray(0, contacts.count).indexOf(key);
          if (place < 0) complete = false;
          else describeContact(contacts, place, out);
        };
        const numeric = riddersJacobian(read, q, 13, 2e-3);
        // Near the border of a feature the contact differs on the two sides; there is no derivative to compare with.
        if (!complete) return;
        tested++;
        covered.set(kinds[c], (covered.get(kinds[c]) ?? 0) + 1);
        const scale = Math.max(1, ...numeric.map(Math.abs));
        numeric.forEach((value, i) => {
          expect(Math.abs(value - analytic[c][i]) / scale, `entry ${i}, kind ${kinds[c]}`).toBeLessThan(1e-7);
        });
      });
    }
    expect(tested).toBeGreaterThan(8);
  });

  it("has seen every kind of contact", () => {
    for (const kind of Object.values(ContactKind)) expect(covered.get(kind) ?? 0, `kind ${kind}`).toBeGreaterThan(1);
  });
});

/** p, n, δ, t₁, t₂ */
function describeContact(contacts: ContactSet, c: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    out[i] = contacts.point[3 * c + i];
    out[3 + i] = contacts.normal[3 * c + i];
  }
  out[6] = contacts.depth[c];
  tangents(contacts.normal, 3 * c, out, 7);
}

/** Derivatives of the output of `describeContact`, 13 × 13. */
function columns(motion: ContactMotion, c: number): Float64Array {
  const out = new Float64Array(13 * 13);
  for (let place = motion.start[c]; place < motion.start[c + 1]; place++) {
    const k = motion.dof[place];
    for (let i = 0; i < VARIATION; i++) out[i * 13 + k] = motion.change[VARIATION * place + i];
    for (let i = 0; i < 6; i++) out[(VARIATION + i) * 13 + k] = motion.tangentChange[6 * place + i];
  }
  return out;
}
