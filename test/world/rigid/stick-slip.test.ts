import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aboutY, aboutZ } from "../../../samples/rigid";
import { product, turn } from "../../../src/math/quaternions";
import { cos, sin } from "../../../src/math/deterministic";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";

const G = 9.81;
/** frames of a run */
const FRAMES = 60;

/** Travel of a box down a slope of this angle whose steepest line points along `yaw` [m]. */
function slide(angle: number, yaw: number, spin: number, friction: number): number {
  const world = new RigidWorld();
  const rotation = product(aboutY(yaw), aboutZ(-angle));
  world.addBody({
    motion: "static",
    shape: { type: "box", halfExtents: [20, 0.5, 20] },
    position: turn(rotation, [0, -0.5, 0]),
    rotation,
    friction,
  });
  const sled = world.addBody({
    shape: { type: "box", halfExtents: [0.25, 0.25, 0.25] },
    friction,
    position: turn(rotation, [0, 0.25, 0]),
    rotation: product(rotation, aboutY(spin)),
    canSleep: false,
  });
  const start = sled.position;
  for (let frame = 0; frame < FRAMES; frame++) world.step(1 / 60);
  return turn(rotation, [1, 0, 0]).reduce((sum, d, i) => sum + d * (sled.position[i] - start[i]), 0);
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

describe("a box on a slope, whichever way it looks", () => {
  const slopes = fc.tuple(
    fc.double({ min: 5, max: 35, noNaN: true }).map(radians),
    fc.double({ min: 0, max: 360, noNaN: true }).map(radians),
    fc.double({ min: 0, max: 90, noNaN: true }).map(radians),
  );

  it("sticks at µ = tan α + 1e-4 and slides at tan α − 1e-4", () => {
    fc.assert(
      fc.property(slopes, ([angle, yaw, spin]) => {
        const tangent = sin(angle) / cos(angle);
        // At the edge it would slide by a t²/2 in the time of the test.
        const creep = (1e-4 * G * cos(angle) * (FRAMES / 60) ** 2) / 2;
        expect(Math.abs(slide(angle, yaw, spin, tangent + 1e-4))).toBeLessThan(0.05 * creep);
        expect(slide(angle, yaw, spin, tangent - 1e-4)).toBeGreaterThan(0.9 * creep);
      }),
      { numRuns: 12, seed: 20 },
    );
  });

  it("slides with g (sin α − µ cos α) within a hundredth", () => {
    fc.assert(
      fc.property(slopes, fc.double({ min: 0.2, max: 0.8, noNaN: true }), ([angle, yaw, spin], share) => {
        const friction = (share * sin(angle)) / cos(angle);
        const acceleration = G * (sin(angle) - friction * cos(angle));
        const expected = (acceleration * FRAMES * (FRAMES + 1)) / 2 / 3600;
        expect(slide(angle, yaw, spin, friction) / expected).toBeCloseTo(1, 2);
      }),
      { numRuns: 12, seed: 21 },
    );
  });
});
