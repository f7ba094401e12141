import { describe, expect, it } from "vitest";
import {
  createFrame,
  crossInto,
  findFrame,
  reactionTo,
  turnOf,
} from "../../../src/solvers/gpbd/strains/triangle-frame";
import { RandomGeometry } from "../../collision/random";

describe("the frame of a triangle", () => {
  it("turns with small turns of the triangle, and not with its translation", () => {
    const random = new RandomGeometry(61);
    for (const size of [1e-4, 1, 1e3])
      for (let i = 0; i < 50; i++) {
        const x = Float64Array.from({ length: 9 }, () => size * random.between(-1, 1));
        const frame = createFrame();
        expect(findFrame(x, frame)).toBe(true);
        const [turn, shift] = [Float64Array.from(random.vector(1)), random.vector(size)];
        const u = new Float64Array(9);
        for (let c = 0; c < 9; c += 3) crossInto(turn, 0, x, c, u, c);
        u.forEach((_, c) => (u[c] += shift[c % 3]));
        const found = new Float64Array(3);
        turnOf(frame, u, found);
        found.forEach((value, c) => expect(Math.abs(value - turn[c])).toBeLessThan(1e-9));
      }
  });

  it("takes up a torque with impulses that have no sum and the opposite torque", () => {
    const random = new RandomGeometry(62);
    for (let i = 0; i < 100; i++) {
      const x = Float64Array.from({ length: 9 }, () => random.between(-1, 1));
      const frame = createFrame();
      findFrame(x, frame);
      const torque = Float64Array.from(random.vector(1));
      const impulses = new Float64Array(9);
      reactionTo(torque, frame, impulses);
      const size = Math.max(...impulses.map(Math.abs));
      const left = torque.slice();
      const part = new Float64Array(3);
      for (let c = 0; c < 3; c++)
        expect(Math.abs(impulses[c] + impulses[3 + c] + impulses[6 + c])).toBeLessThan(1e-13 * size);
      for (let corner = 0; corner < 9; corner += 3) {
        crossInto(x, corner, impulses, corner, part, 0);
        part.forEach((value, c) => (left[c] += value));
      }
      expect(Math.hypot(...left)).toBeLessThan(1e-12 * (1 + size));
    }
  });

  it("has none without area", () => {
    const frame = createFrame();
    for (const x of [new Float64Array(9), Float64Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2)]) {
      expect(findFrame(x, frame)).toBe(false);
      expect([...frame.axes, ...frame.across, ...frame.hats].every((value) => value === 0)).toBe(true);
    }
  });
});
