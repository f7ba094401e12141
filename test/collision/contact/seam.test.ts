import fc from "fast-check";
import { expect, it } from "vitest";
import { type PlacedPart, seamNormal } from "../../../src/collision/contact/seam";
import { compileShape } from "../../../src/collision/distance/primitives";
import { composePose } from "../../../src/collision/shape/pose";
import type { Quat, Vec3 } from "../../../src/math/types";
import { turn } from "../../../src/math/quaternions";

/** Boxes from x to x + 1 and from y − 1 to y, 2 wide, turned and moved as a whole. */
function board(x: number, y: number, size: number, place: Vec3, rotation: Quat): PlacedPart {
  const half = size / 2;
  const [primitive] = compileShape({
    type: "box",
    halfExtents: [half, half, size],
    center: [size * x + half, size * y - half, 0],
  });
  const poses = new Float64Array(7);
  composePose(Float64Array.of(...place, ...rotation), primitive, poses, 0);
  return { primitive, poses };
}

const number = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
const axis = fc
  .tuple(number(-1, 1), number(-1, 1), number(-1, 1))
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v) => v.map((c) => c / Math.hypot(...v)) as unknown as Vec3);

const anywhere = fc.record({
  size: fc.integer({ min: -3, max: 2 }).map((power) => 10 ** power),
  place: fc.tuple(number(-3, 3), number(-3, 3), number(-3, 3)),
  rotation: fc
    .tuple(axis, number(-3, 3))
    .map(([about, angle]) => [...about.map((c) => c * Math.sin(angle / 2)), Math.cos(angle / 2)] as unknown as Quat),
  /** of the normal from straight back to nearly straight up [rad] */
  lean: number(0, 1.5),
  across: number(-0.9, 0.9),
});

it("turns normals of the edge between two boards straight up, wherever they are", () => {
  fc.assert(
    fc.property(anywhere, ({ size, place, rotation, lean, across }) => {
      const [before, beyond] = [-1, 0].map((x) => board(x, 0, size, place, rotation));
      const world = (v: Vec3): Float64Array => Float64Array.from(turn(rotation, v), (c, d) => c + place[d]);
      const n = Float64Array.from(turn(rotation, [-Math.cos(lean), Math.sin(lean), 0]));
      const out = new Float64Array(6);
      const e = world([0, 0, across * size]);
      expect(seamNormal(beyond, before, e, n, 1e-4 * size, 0.02 * size, out)).toBe(true);
      const up = turn(rotation, [0, 1, 0]);
      for (let d = 0; d < 3; d++) expect(Math.abs(out[d] - up[d])).toBeLessThan(1e-9);
      for (let d = 0; d < 3; d++) expect(Math.abs(out[3 + d] - e[d])).toBeLessThan(1e-9 * (3 + size));
    }),
  );
});

it("leaves the sides of walls and steps, and edges that nothing covers", () => {
  fc.assert(
    fc.property(anywhere, number(0.05, 1), number(0, 1), ({ size, place, rotation, lean, across }, step, share) => {
      const world = (v: Vec3): Float64Array => Float64Array.from(turn(rotation, v), (c, d) => c + place[d]);
      const out = new Float64Array(6);
      const back = Float64Array.from(turn(rotation, [-1, 0, 0]));
      const floor = board(-1, 0, size, place, rotation);
      const wall = board(0, step, size, place, rotation);
      const onWall = world([0, share * step * size, across * size]);
      expect(seamNormal(wall, floor, onWall, back, 1e-4 * size, 0.02 * size, out)).toBe(false);
      const onFloor = world([-1e-5 * size, 0, across * size]);
      const up = Float64Array.from(turn(rotation, [0, 1, 0]));
      expect(seamNormal(floor, wall, onFloor, up, 1e-4 * size, 0.02 * size, out)).toBe(false);
      // a gap between the two
      const far = board(0.01, 0, size, place, rotation);
      const n = Float64Array.from(turn(rotation, [-Math.cos(lean), Math.sin(lean), 0]));
      expect(seamNormal(far, floor, world([0.01 * size, 0, 0]), n, 1e-4 * size, 0.02 * size, out)).toBe(false);
    }),
  );
});
