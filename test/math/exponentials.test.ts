import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exp, log, log1p } from "../../src/math/exponentials";
import { cbrt, pow } from "../../src/math/powers";

const RUNS = { numRuns: 3000 };
const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Difference in units of the last place of the expected value. */
function ulps(value: number, expected: number): number {
  if (Object.is(value, expected) || (Number.isNaN(value) && Number.isNaN(expected))) return 0;
  const exponent = Math.floor(Math.log2(Math.max(Math.abs(expected), 2.3e-308)));
  return Math.abs(value - expected) / Math.pow(2, Math.max(-1074, exponent - 52));
}

describe("exponentials of correctly rounded operations", () => {
  it.each([
    ["exp", exp, Math.exp, within(-745, 709)],
    ["exp near zero", exp, Math.exp, within(-1, 1)],
    ["log", log, Math.log, within(1e-300, 1e300)],
    ["log near one", log, Math.log, within(0.5, 2)],
    ["log1p", log1p, Math.log1p, within(-0.999, 3)],
    ["log1p near zero", log1p, Math.log1p, within(-1e-6, 1e-6)],
    ["cbrt", cbrt, Math.cbrt, within(-1e3, 1e3)],
  ] as const)("%s is within two units of the last place", (name, own, other, numbers) => {
    fc.assert(
      fc.property(numbers, (x) => {
        expect(ulps(own(x), other(x)), `${name}(${x}) = ${own(x)}, Math has ${other(x)}`).toBeLessThanOrEqual(2);
      }),
      RUNS,
    );
  });

  it("pow is within rounding of its logarithm, exact for squares and roots", () => {
    fc.assert(
      fc.property(within(1e-6, 1e6), within(-20, 20), (x, y) => {
        const lost = 8 + 4 * Math.abs(y * Math.log(x));
        expect(ulps(pow(x, y), Math.pow(x, y)), `${x}^${y}`).toBeLessThanOrEqual(lost);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(within(-1e6, 1e6), (x) => {
        expect(pow(x, 2)).toBe(x * x);
        expect(pow(x, 3)).toBe(x * (x * x));
        expect(pow(Math.abs(x), 0.5)).toBe(Math.sqrt(Math.abs(x)));
      }),
    );
  });

  it("has the ends that Math has", () => {
    const ends = [0, -0, 1, -1, 2.5, -2.5, 1e-310, -1e-310, 710, -746, 1e308, Infinity, -Infinity, NaN];
    for (const x of ends) {
      for (const [own, other] of [
        [exp, Math.exp],
        [log, Math.log],
        [cbrt, Math.cbrt],
      ] as const)
        expect(ulps(own(x), other(x)), `${other.name}(${x}): ${own(x)}`).toBeLessThanOrEqual(2);
      for (const y of [0, 1, -1, 2, -3, 0.5, -0.5, 65, 66, 0.3]) {
        if (!Number.isFinite(x) || Object.is(x, -0)) continue;
        const [own, other] = [pow(x, y), Math.pow(x, y)];
        if (Number.isNaN(other) || !Number.isFinite(other) || other === 0) expect(own, `${x}^${y}`).toBe(other);
        else expect(Math.abs(own / other - 1), `${x}^${y}`).toBeLessThan(1e-12);
      }
    }
  });
});
