import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acos, atan, atan2, cos, sin, tan } from "../../src/math/deterministic";

const RUNS = { numRuns: 3000 };
const within = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true });

/** Difference in units of the last place of the expected value; below the size `floor` it counts as absolute. */
function ulps(value: number, expected: number, floor = 1e-300): number {
  const unit = Math.pow(2, Math.floor(Math.log2(Math.max(Math.abs(expected), floor))) - 52);
  return Math.abs(value - expected) / unit;
}

function expectClose(name: string, own: (x: number) => number, other: (x: number) => number, limit: number, x: number) {
  const error = ulps(own(x), other(x));
  expect(error, `${name}(${x}) = ${own(x)}, Math has ${other(x)}`).toBeLessThanOrEqual(limit);
}

describe("elementary functions of correctly rounded operations", () => {
  it.each([
    ["sin", sin, Math.sin, -100, 100, 2],
    ["cos", cos, Math.cos, -100, 100, 2],
    ["sin far out", sin, Math.sin, -1e6, 1e6, 2],
    ["cos far out", cos, Math.cos, -1e6, 1e6, 2],
    ["tan", tan, Math.tan, -1.5, 1.5, 4],
    ["atan", atan, Math.atan, -50, 50, 2],
    ["acos", acos, Math.acos, -1, 1, 3],
  ] as const)("%s is within a few units of the last place", (name, own, other, low, high, limit) => {
    fc.assert(
      fc.property(within(low, high), (x) => expectClose(name, own, other, limit, x)),
      RUNS,
    );
  });

  it("atan2 is right in every quadrant and at the axes", () => {
    fc.assert(
      fc.property(within(-10, 10), within(-10, 10), (y, x) => {
        expect(ulps(atan2(y, x), Math.atan2(y, x))).toBeLessThanOrEqual(2);
      }),
      RUNS,
    );
    for (const y of [0, -0, 1, -1, Infinity, -Infinity, NaN])
      for (const x of [0, -0, 1, -1, Infinity, -Infinity, NaN])
        if (Number.isNaN(x + 0 * y) || Number.isNaN(y))
          expect(Number.isNaN(atan2(y, x))).toBe(Number.isNaN(Math.atan2(y, x)));
        else expect(atan2(y, x), `atan2(${y}, ${x})`).toBeCloseTo(Math.atan2(y, x), 15);
    expect(Object.is(atan2(-0, 1), -0)).toBe(true);
  });

  it("knows its ends", () => {
    expect(acos(1)).toBe(0);
    expect(acos(-1)).toBe(Math.PI);
    expect(acos(-1.5)).toBeNaN();
    expect(sin(NaN)).toBeNaN();
    expect(sin(0)).toBe(0);
    expect(cos(0)).toBe(1);
  });

  it("keeps sin² + cos² at one and stays bounded at any angle", () => {
    fc.assert(
      fc.property(within(-1e15, 1e15), (x) => {
        expect(sin(x) * sin(x) + cos(x) * cos(x)).toBeCloseTo(1, 14);
      }),
    );
  });

  it("gives pinned bits", () => {
    const bits = (x: number): string => {
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, x);
      return view.getBigUint64(0).toString(16);
    };
    expect([sin(1.25), cos(-7.5), atan2(-3, -2), acos(0.3)].map(bits)).toMatchInlineSnapshot(`
      [
        "3fee5e14fe11418c",
        "3fd62f45e66f5c2f",
        "c00145385fa3af71",
        "3ff441f5ecbeef58",
      ]
    `);
  });
});
