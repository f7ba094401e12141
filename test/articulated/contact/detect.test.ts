import { describe, expect, it } from "vitest";
import { ContactDetector } from "../../../src/articulated/contact/detect";
import { hullOf } from "../../../src/collision/narrow/shapes/hull-faces";
import { PartKind, compileParts, type Part } from "../../../src/articulated/contact/part";
import type { LinkDescription, LinkShape } from "../../../src/articulated/description";
import { updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { RandomGeometry } from "../../collision/random";
import { expectRefused } from "../../refusal";

const shapes: readonly ColliderShape[] = [
  { type: "sphere", radius: 0.3 },
  { type: "capsule", pointA: [0, -0.4, 0], pointB: [0.1, 0.4, 0], radius: 0.15 },
  { type: "box", halfExtents: [0.4, 0.3, 0.5] },
  { type: "cylinder", pointA: [0, -0.3, 0], pointB: [0, 0.3, 0], radius: 0.3 },
  {
    type: "mesh",
    positions: [0.5, 0, 0, -0.4, 0.3, 0, -0.3, -0.4, 0, 0, 0.1, 0.5],
    indices: [0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 1],
  },
];
const pairs = shapes.flatMap((a, i) => shapes.slice(i).map((b) => [`${a.type} and ${b.type}`, a, b] as const));

function body(name: string, shape: ColliderShape): LinkDescription {
  return { name, joint: { type: "free" }, mass: 1, inertia: [1, 1, 1, 0, 0, 0], shapes: [{ shape }] };
}

/** Furthest extent of a part along n, brute force. */
function support(part: Part, n: ArrayLike<number>): number {
  let most = -Infinity;
  for (let i = 0; i < part.points.length; i += 3) {
    most = Math.max(most, part.points[i] * n[0] + part.points[i + 1] * n[1] + part.points[i + 2] * n[2]);
  }
  return most + part.radius;
}

/** Overlap along the worst of many directions: an upper bound of the true depth, negative when apart. */
function sampledDepth(random: RandomGeometry, a: Part, b: Part): number {
  let least = Infinity;
  for (let i = 0; i < 4000; i++) {
    const n = random.direction();
    least = Math.min(
      least,
      support(
        a,
        n.map((x) => -x),
      ) + support(b, n),
    );
  }
  return least;
}

describe("ContactDetector", () => {
  it.each(pairs)(
    "%s: contacts where they overlap, none where they are apart, depth as far as they must part",
    (_, a, b) => {
      const random = new RandomGeometry(21);
      const model = new ArticulatedModel({ name: "pair", links: [body("a", a), body("b", b)] });
      const scratch = new ArticulatedScratch(model);
      const detector = new ContactDetector(model, [], "none", 1, 0);
      const { contacts, parts } = detector;
      let [apart, together] = [0, 0];
      for (let trial = 0; trial < 80; trial++) {
        const q = Float64Array.from({ length: 12 }, () => random.between(-1, 1));
        const d = random.direction();
        const distance = random.between(0.4, 1.2);
        for (let c = 0; c < 3; c++) q[9 + c] = q[3 + c] + distance * d[c];
        updatePositions(scratch, q);
        detector.detect(scratch);
        const bound = sampledDepth(random, parts[0], parts[1]);
        if (bound < 0) {
          apart++;
          expect(contacts.count).toBe(0);
          continue;
        }
        // A step should not meet deep overlaps, and directions are only sampled.
        if (bound > 0.12 || bound < 0.03) continue;
        together++;
        expect(contacts.count).toBeGreaterThan(0);
        let deepest = 0;
        for (let c = 1; c < contacts.count; c++) if (contacts.depth[c] > contacts.depth[deepest]) deepest = c;
        const depth = contacts.depth[deepest];
        expect(depth).toBeLessThanOrEqual(bound + 1e-9);
        const n = contacts.normal.slice(3 * deepest, 3 * deepest + 3);
        expect(Math.hypot(...n)).toBeCloseTo(1, 12);
        // Moved out by the depth along the normal, they just touch.
        const sign = contacts.linkA[deepest] === 0 ? 1 : -1;
        for (const [part, touching] of [
          [1.02, false],
          [0.98, true],
        ] as const) {
          const moved = q.slice();
          for (let c = 0; c < 3; c++) moved[3 + c] += sign * part * depth * n[c];
          updatePositions(scratch, moved);
          detector.detect(scratch);
          const hits = [...contacts.depth.subarray(0, contacts.count)];
          // Rounded shapes at edges may have several normals; along each the shapes must be nearly separated.
          if (touching) expect(hits.length).toBeGreaterThan(0);
          else expect(Math.max(0, ...hits)).toBeLessThan(0.35 * depth + 1e-6);
        }
      }
      expect(apart).toBeGreaterThan(0);
      expect(together).toBeGreaterThan(0);
    },
  );

  it("a box on a box has the corners of their common rectangle", () => {
    const box = (x: number, y: number, z: number): ColliderShape => ({ type: "box", halfExtents: [x, y, z] });
    const model = new ArticulatedModel({
      name: "pair",
      links: [body("a", box(0.5, 0.1, 0.5)), body("b", box(0.3, 0.1, 0.8))],
    });
    const scratch = new ArticulatedScratch(model);
    const detector = new ContactDetector(model, [], "none", 1, 0);
    updatePositions(scratch, Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0.4, 0.199, 0));
    detector.detect(scratch);
    const { contacts } = detector;
    const corners = Array.from({ length: contacts.count }, (_, c) =>
      [...contacts.point.subarray(3 * c, 3 * c + 3)].map((x) => Math.round(x * 1e6) / 1e6 + 0),
    );
    expect(corners.sort((p, q) => p[0] - q[0] || p[2] - q[2])).toEqual([
      [0.1, 0.0995, -0.5],
      [0.1, 0.0995, 0.5],
      [0.5, 0.0995, -0.5],
      [0.5, 0.0995, 0.5],
    ]);
  });

  it("a capsule flat on a narrow table touches both edges of it", () => {
    const ground: LinkShape[] = [{ shape: { type: "box", halfExtents: [0.2, 0.1, 1] } }];
    const capsule: ColliderShape = { type: "capsule", pointA: [-0.5, 0, 0], pointB: [0.5, 0, 0], radius: 0.1 };
    const model = new ArticulatedModel({ name: "one", links: [body("a", capsule)] });
    const scratch = new ArticulatedScratch(model);
    const detector = new ContactDetector(model, ground, "none", 1, 0);
    updatePositions(scratch, Float64Array.of(0, 0, 0, 0, 0.199, 0));
    detector.detect(scratch);
    const { contacts } = detector;
    expect([...contacts.point.subarray(0, 6)].filter((_, i) => i % 3 === 0).sort((x, y) => x - y)).toEqual([-0.2, 0.2]);
    expect(contacts.count).toBe(2);
  });

  it("knows who may touch whom", () => {
    const sphere: LinkShape[] = [{ shape: { type: "sphere", radius: 0.5 } }];
    const link = (name: string, parent?: string): LinkDescription => ({
      name,
      ...(parent === undefined ? {} : { parent }),
      joint: { type: "revolute" },
      mass: 1,
      inertia: [1, 1, 1, 0, 0, 0],
      shapes: sphere,
    });
    const weld = { ...link("welded", "b"), joint: { type: "weld" as const } };
    const links = [link("a"), link("b", "a"), weld, link("c", "welded"), link("other")];
    const model = new ArticulatedModel({ name: "chain", links });
    const touching = (self: "none" | "distant"): string[] => {
      const scratch = new ArticulatedScratch(model);
      const detector = new ContactDetector(model, sphere, self, 1, 0);
      updatePositions(scratch, new Float64Array(model.nv));
      detector.detect(scratch);
      const { contacts } = detector;
      const name = (i: number): string => (i < 0 ? "world" : model.linkNames[i]);
      return Array.from({ length: contacts.count }, (_, c) =>
        [name(contacts.linkA[c]), name(contacts.linkB[c])].sort().join("-"),
      ).sort();
    };
    const always = [
      "a-other",
      "a-world",
      "b-other",
      "b-world",
      "c-other",
      "c-world",
      "other-welded",
      "other-world",
      "welded-world",
    ];
    expect(touching("none")).toEqual(always);
    expect(touching("distant")).toEqual([...always, "a-c"].sort());
  });

  it("keeps boxes of any proportions exact, and joins coplanar triangles of hulls to faces", () => {
    const [part] = compileParts([{ shape: { type: "box", halfExtents: [750, 0.025, 2.5] } }], -1, "ground", 1, 0);
    expect(part.kind).toBe(PartKind.Polytope);
    expect([...part.normals].map(Math.abs).reduce((x, y) => x + y)).toBe(6);
    expect([...part.offsets].sort((x, y) => x - y)).toEqual([0.025, 0.025, 2.5, 2.5, 750, 750]);
    const cube = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].flatMap((z) => [x, y, z])));
    const hull = hullOf([...cube, 0.5, 0.5, 0.5], "cube");
    expect([hull.vertexCount, hull.faceCount, hull.edgeCount]).toEqual([8, 6, 12]);
    const line = [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0];
    expectRefused(() => hullOf(line, "line"), "degenerate-geometry", /line/);
  });
});

describe("pairs that may touch", () => {
  const ball = (name: string, more: Partial<LinkShape> = {}): LinkDescription => ({
    ...body(name, { type: "sphere", radius: 0.3 }),
    shapes: [{ shape: { type: "sphere", radius: 0.3 }, ...more }],
  });
  const contactsOf = (
    links: readonly LinkDescription[],
    exclusions: readonly (readonly [string, string])[] = [],
    ground: readonly LinkShape[] = [],
  ): number => {
    const model = new ArticulatedModel({ name: "m", links, exclusions });
    const scratch = new ArticulatedScratch(model);
    updatePositions(scratch, new Float64Array(model.nv));
    const detector = new ContactDetector(model, ground, "none", 1, 0);
    detector.detect(scratch);
    return detector.contacts.count;
  };

  it.each([
    ["the default bits", {}, {}, 1],
    ["a bit in one direction", { category: 2, meets: 0 }, { category: 0, meets: 6 }, 1],
    ["no bit in common", { category: 2, meets: 4 }, { category: 1, meets: 1 }, 0],
    ["the sign bit", { category: -2147483648 }, { meets: -1 }, 1],
  ])("follow %s", (_, a, b, count) => {
    expect(contactsOf([ball("a", a), ball("b", b)])).toBe(count);
    expect(contactsOf([ball("a", a)], [], [{ shape: { type: "sphere", radius: 0.2 }, ...b }])).toBe(count);
  });

  it("leave out exclusions, in either order, the ground's too", () => {
    const links = ["a", "b", "c"].map((name) => ball(name));
    expect(contactsOf(links)).toBe(3);
    expect(contactsOf(links, [["b", "a"]])).toBe(2);
    const floor = [{ shape: { type: "sphere", radius: 0.2 } as const }];
    expect(contactsOf(links, [], floor)).toBe(6);
    expect(
      contactsOf(
        links,
        [
          ["world", "c"],
          ["a", "c"],
        ],
        floor,
      ),
    ).toBe(4);
  });

  it("refuse exclusions of links that are none, and bits that are no integers", () => {
    expectRefused(() => contactsOf([ball("a")], [["a", "x"]]), "invalid-argument", /"x"/);
    expectRefused(() => contactsOf([ball("a", { category: 0.5 })]), "invalid-argument", /integer/);
  });
});
