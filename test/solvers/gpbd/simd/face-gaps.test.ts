import { describe, expect, it } from "vitest";
import { ColliderSet } from "../../../../src/collision/obstacles/collider-set";
import { deepestPoint } from "../../../../src/collision/distance/deepest-point";
import { signedDistance } from "../../../../src/collision/distance/signed-distance";
import type { ColliderShape } from "../../../../src/collision/shape/shape";
import { layOutCloth, loadClothMemory, RECORD } from "../../../../src/solvers/gpbd/simd/cloth-memory";
import { kernelShapeOf, writeObstacle } from "../../../../src/solvers/gpbd/simd/obstacle-block";
import { random } from "../../../collision/random";

const FACES = 2000;
const THICKNESS = 0.004;
const HALF = [0.06, 0.03, 0.09] as const;
const gradient = new Float64Array(3);

const shapes: readonly (readonly [string, ColliderShape])[] = [
  ["box", { type: "box", halfExtents: HALF }],
  ["sphere", { type: "sphere", radius: 0.06 }],
  ["capsule", { type: "capsule", pointA: [0, -0.05, 0], pointB: [0, 0.05, 0], radius: 0.03 }],
  ["cylinder", { type: "cylinder", pointA: [0, -0.05, 0], pointB: [0, 0.05, 0], radius: 0.04 }],
];

/** Faces of 7 cm whose centers are up to 3 cm from a box around an obstacle: their corners. */
function faces(scale: number, away: number): Float64Array {
  const next = random(3);
  const points = new Float64Array(9 * FACES);
  for (let f = 0; f < FACES; f++) {
    const center = HALF.map((half) => (2 * next() - 1) * (half + 0.03));
    for (let i = 0; i < 9; i++) points[9 * f + i] = away + scale * (center[i % 3] + 0.04 * (2 * next() - 1));
  }
  return points;
}

/** Least φ at points of a face. */
function least(set: ColliderSet, points: Float64Array, face: number, away: number): number {
  const cells = 24;
  let found = Infinity;
  for (let i = 0; i <= cells; i++)
    for (let j = 0; i + j <= cells; j++) {
      const [x, y, z] = [0, 1, 2].map((c) => {
        const at = 9 * face + c;
        return (i * points[at] + j * points[at + 3] + (cells - i - j) * points[at + 6]) / cells - away;
      });
      found = Math.min(found, signedDistance(set.primitives[0], x, y, z, gradient));
    }
  return found;
}

const scaled = (shape: ColliderShape, by: number): ColliderShape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [
      key,
      typeof value === "number" ? by * value : Array.isArray(value) ? value.map((one: number) => by * one) : value,
    ]),
  ) as unknown as ColliderShape;

function obstacle(shape: ColliderShape, scale: number): ColliderSet {
  const set = new ColliderSet();
  set.add(scaled(shape, scale));
  set.update();
  return set;
}

describe.each(shapes)("faces beside a %s", (name, shape) => {
  it("have lower bounds of their distance", () => {
    const set = obstacle(shape, 1);
    const points = faces(1, 0);
    let cleared = 0;
    for (let f = 0; f < FACES; f++) {
      const corners = points.slice(9 * f, 9 * f + 9);
      const out = new Float64Array(7);
      for (let i = 0; i < 9; i++) out[i % 3] += corners[i] / 3;
      for (let i = 0; i < 9; i += 3)
        out[6] = Math.max(out[6], Math.hypot(...[0, 1, 2].map((c) => corners[i + c] - out[c])));
      const bounds = Float64Array.of(THICKNESS, -Infinity);
      const isNear = deepestPoint(set.primitives[0], corners, out, false, bounds);
      const found = least(set, points, f, 0);
      expect(bounds[1]).toBeLessThanOrEqual(found + 1e-12);
      if (isNear) continue;
      cleared++;
      expect(found).toBeGreaterThan(THICKNESS);
    }
    expect(cleared).toBeGreaterThan(FACES / 10);
  });

  // The kernel knows no cylinders.
  if (name === "cylinder") return;
  it.each([
    { scale: 1, away: 0 },
    { scale: 1, away: 1 },
    { scale: 10, away: 3 },
    { scale: 0.1, away: 0.1 },
  ])(
    "are left out by the kernel only if they are clear: $scale times the size, $away m away",
    async ({ scale, away }) => {
      const set = obstacle(shape, scale);
      const points = faces(scale, away);
      const memory = (await loadClothMemory())!;
      const layout = layOutCloth(3 * FACES, FACES, []);
      memory.reserve(layout.size);
      const { f32, f64, u32, u8, kernels } = memory;
      const origin = [-away, -away, -away];
      for (let p = 0; p < 3 * FACES; p++) for (let c = 0; c < 3; c++) f32[(RECORD / 4) * p + c] = points[3 * p + c]!;
      for (let i = 0; i < 3 * FACES; i++)
        u32[layout.faces / 4 + 12 * Math.floor(i / 12) + 4 * (i % 3) + (Math.floor(i / 3) % 4)] = RECORD * i;
      f32.fill(-1, layout.faceWaits / 4, layout.faceWaits / 4 + 3 * FACES);
      const kind = kernelShapeOf(set, 0, origin, 1);
      writeObstacle(set, 0, kind, 0, 1, origin, THICKNESS, 0, f32, u32, layout.obstacles / 4);
      const keep = scale * THICKNESS;
      const { faces: from, faceEnd, faceFlags, faceBoxes, faceUntils, ways, faceWaits, scratch, obstacles } = layout;
      f64.fill(0, layout.untils / 8, layout.untilEnd / 8);
      kernels.beginBoxes(obstacles, 1, 0, 0, Infinity, 0);
      const end = kernels.boxFaces(from, faceEnd, ways, faceWaits, faceBoxes, faceUntils, 0);
      kernels.touchFaces(from, obstacles, keep, faceFlags, faceBoxes, end, scratch);
      let [clear, tested] = [0, 0];
      for (let f = 0; f < FACES; f++) {
        const found = least(set, points, f, away);
        const isLeftOut = u8[faceFlags + f] === 0;
        if (isLeftOut) expect(found).toBeGreaterThan(keep);
        if (found <= 1.2 * keep) continue;
        clear++;
        if (!isLeftOut) tested++;
      }
      expect(clear).toBeGreaterThan(FACES / 10);
      // by tangents alone 15 % of them beside a box
      expect(tested).toBeLessThan(clear / 25);
    },
  );
});
