import { describe, expect, it } from "vitest";
import { compileShape } from "../../../src/collision/distance/primitives";
import { type ColliderShape, validateShape } from "../../../src/collision/shape/shape";
import { PliantError } from "../../../src/errors";
import type { Quat, Vec3 } from "../../../src/math/types";
import { HILLS, SHAPES } from "../samples";

const TRIANGLE = { positions: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 1, 2] };
const BALL: ColliderShape = { type: "sphere", radius: 1 };
const child = (extra: object): ColliderShape => ({ type: "container", children: [{ shape: BALL, ...extra }] });
const nested = (depth: number): ColliderShape => (depth === 0 ? BALL : child({ shape: nested(depth - 1) }));

const refused: [string, ColliderShape, string, RegExp][] = [
  ["a ball without size", { type: "sphere", radius: 0 }, "invalid-argument", /radius: must be positive, got 0/],
  ["a ball of infinite size", { type: "sphere", radius: Infinity }, "non-finite", /radius/],
  ["a ball at no place", { type: "sphere", radius: 1, center: [0, Number.NaN, 0] }, "non-finite", /center\[1\]/],
  ["a flat box", { type: "box", halfExtents: [1, 0, 1] }, "invalid-argument", /halfExtents/],
  [
    "a box of two numbers",
    { type: "box", halfExtents: [1, 1] as unknown as Vec3 },
    "invalid-argument",
    /three numbers/,
  ],
  [
    "a box turned by nothing",
    { type: "box", halfExtents: [1, 1, 1], rotation: [0, 0, 0, 0] },
    "invalid-argument",
    /rotation/,
  ],
  [
    "a box turned by three numbers",
    { type: "box", halfExtents: [1, 1, 1], rotation: [0, 0, 1] as unknown as Quat },
    "invalid-argument",
    /four/,
  ],
  [
    "a capsule without radius",
    { type: "capsule", pointA: [0, 0, 0], pointB: [0, 1, 0], radius: -1 },
    "invalid-argument",
    /radius/,
  ],
  [
    "a cylinder without height",
    { type: "cylinder", pointA: [0, 1, 0], pointB: [0, 1, 0], radius: 1 },
    "degenerate-geometry",
    /pointB/,
  ],
  [
    "a hull of two points",
    { type: "convex-hull", positions: [0, 0, 0, 1, 0, 0] },
    "degenerate-geometry",
    /at least 3 points/,
  ],
  [
    "a hull of numbers that are no points",
    { type: "convex-hull", positions: new Float32Array(13) },
    "invalid-argument",
    /multiple of 3/,
  ],
  [
    "a hull with NaN",
    { type: "convex-hull", positions: [...TRIANGLE.positions, 0, Number.NaN, 0] },
    "non-finite",
    /positions\[10\]/,
  ],
  [
    "a mesh without triangles",
    { type: "mesh", positions: TRIANGLE.positions, indices: [] },
    "invalid-argument",
    /indices/,
  ],
  [
    "a mesh with a wrong index",
    { type: "mesh", positions: TRIANGLE.positions, indices: [0, 1, 3] },
    "index-out-of-range",
    /indices\[2\].*got 3/,
  ],
  [
    "a mesh with half an index",
    { type: "mesh", positions: TRIANGLE.positions, indices: [0, 1, 0.5] },
    "index-out-of-range",
    /integer/,
  ],
  [
    "a mesh of fine grain",
    { type: "mesh", ...TRIANGLE, resolution: 1000 },
    "invalid-argument",
    /resolution.*from 4 to 256/,
  ],
  ["a heightfield of one sample", { ...HILLS, samplesX: 1 }, "invalid-argument", /samplesX/],
  [
    "a heightfield of wrong length",
    { ...HILLS, heights: [1, 2, 3] },
    "invalid-argument",
    /samplesX \* samplesZ = 117, got 3/,
  ],
  [
    "a heightfield with a hole",
    { ...HILLS, heights: Array.from(HILLS.heights, (h, i) => (i === 5 ? Number.NaN : h)) },
    "non-finite",
    /heights\[5\]/,
  ],
  ["a heightfield without extent", { ...HILLS, sizeZ: 0 }, "invalid-argument", /sizeZ/],
  ["a child of no size", child({ scale: [1, 0, 1] }), "invalid-argument", /children\[0\]\.scale/],
  [
    "a child that is refused",
    child({ shape: { type: "sphere", radius: -2 } }),
    "invalid-argument",
    /children\[0\] \(sphere\)\.radius/,
  ],
  ["a nest without end", nested(40), "invalid-argument", /deep/],
  ["an unknown type", { type: "torus" } as unknown as ColliderShape, "invalid-argument", /type.*"torus"/],
];

describe("validateShape", () => {
  it.each(refused)("refuses %s", (_what, shape, code, message) => {
    expect(() => validateShape(shape, "lamp")).toThrow(expect.objectContaining({ name: "PliantError", code }));
    expect(() => validateShape(shape, "lamp")).toThrow(message);
    expect(() => validateShape(shape, "lamp")).toThrow(/^lamp/);
  });

  it("accepts what is sound", () => {
    for (const shape of Object.values(SHAPES)) expect(() => validateShape(shape)).not.toThrow();
    expect(() => validateShape(nested(10))).not.toThrow();
    expect(() => validateShape({ type: "capsule", pointA: [0, 0, 0], pointB: [0, 0, 0], radius: 1 })).not.toThrow();
    expect(() => validateShape({ type: "container", children: [] })).not.toThrow();
  });

  it("refuses whatever else plain JavaScript may pass", () => {
    const wrong: unknown[] = [undefined, null, 1, "x", {}, [], [null], [[]], () => 1, true, Number.NaN, Symbol("s")];
    const good: Record<string, unknown>[] = [
      ...Object.values(SHAPES),
      { type: "container", children: [{ shape: BALL, position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }] },
    ].map((shape) => ({ ...shape }));
    const refusedOrFine = (shape: unknown): void => {
      try {
        validateShape(shape as ColliderShape);
      } catch (error) {
        expect(error).toBeInstanceOf(PliantError);
      }
    };
    for (const value of wrong) {
      expect(() => validateShape(value as ColliderShape)).toThrow(PliantError);
      expect(() => validateShape(child({ shape: value }))).toThrow(PliantError);
      for (const key of ["position", "rotation", "scale"]) refusedOrFine(child({ [key]: value }));
      for (const shape of good) for (const key of Object.keys(shape)) refusedOrFine({ ...shape, [key]: value });
    }
  });
});

describe("compileShape", () => {
  it("gives flat hulls a thickness", () => {
    expect(() => compileShape({ type: "convex-hull", positions: TRIANGLE.positions }, "leaf")).not.toThrow();
    const lid: ColliderShape = { type: "convex-hull", positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0.4, 0, 0.3] };
    expect(() => compileShape(lid, "lid")).not.toThrow();
  });

  it("refuses what only shows when it is built", () => {
    const rod: ColliderShape = { type: "convex-hull", positions: [0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4] };
    expect(() => compileShape(rod, "rod")).toThrow(expect.objectContaining({ code: "degenerate-geometry" }));
    const line: ColliderShape = { type: "mesh", positions: TRIANGLE.positions, indices: [0, 1, 1] };
    expect(() => compileShape(line, "wire")).toThrow(expect.objectContaining({ code: "degenerate-geometry" }));
    expect(() => compileShape({ type: "sphere", radius: -1 })).toThrow(/radius/);
  });
});
