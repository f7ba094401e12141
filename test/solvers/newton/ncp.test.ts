import { describe, expect, it } from "vitest";
import {
  fischerBurmeister,
  fischerBurmeisterSlip,
  minimumMap,
  minimumMapSlip,
  type NormalRow,
} from "../../../src/solvers/ncp";

const row = (): NormalRow => ({ isActive: false, step: 0, compliance: 0, residual: 0, phi: 0 });

describe.each([
  ["minimum map", minimumMap],
  ["Fischer-Burmeister", fischerBurmeister],
] as const)("the %s function", (_, ncp) => {
  it("vanishes exactly where one of gap and impulse is zero and the other is not negative", () => {
    for (const [a, p, isSolution] of [
      [0, 2, true],
      [3, 0, true],
      [0, 0, true],
      [-1, 0, false],
      [1, 1, false],
      [2, -1, false],
    ] as const) {
      const out = row();
      ncp(a, p, 0.5, out);
      if (isSolution) expect(Math.abs(out.phi)).toBeLessThan(1e-12);
      else expect(Math.abs(out.phi)).toBeGreaterThan(0.1);
    }
  });

  it("solves one contact in few iterations when r is the mobility", () => {
    // a = 0.25 p − 0.125: figure 9, whose solution is p = 0.5
    let p = 3;
    const out = row();
    for (let k = 0; k < 8; k++) {
      ncp(0.25 * p - 0.125, p, 0.25, out);
      p += out.isActive ? -out.residual / (0.25 + out.compliance) : out.step;
    }
    expect(p).toBeCloseTo(0.5, 8);
  });
});

describe.each([
  ["minimum map", minimumMapSlip],
  ["Fischer-Burmeister", fischerBurmeisterSlip],
] as const)("friction compliance of the %s", (_, slip) => {
  it("is none for a contact that stands within its cone", () => {
    expect(slip(0, 1, 2, 0.7)).toBeCloseTo(0, 12);
  });

  it("is |v| / µ p for one that slides with all of its friction", () => {
    expect(slip(0.5, 2, 2, 0.7)).toBeCloseTo(0.25, 12);
  });

  it("brings friction back to the cone, at rest and in motion", () => {
    // one contact: v = v₀ − a f, so W f = v gives f = v₀ / (a + W)
    for (const [start, limit] of [
      [3, 1],
      [0.5, 1],
    ]) {
      const a = 0.8;
      let f = 5;
      for (let k = 0; k < 200; k++) f = start / (a + slip(Math.abs(start - a * f), f, limit, a));
      expect(f).toBeCloseTo(Math.min(limit, start / a), 4);
    }
  });
});
