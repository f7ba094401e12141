import { describe, expect, it } from "vitest";
import { hylcDensity } from "../../../src/materials/hylc/density";
import { packHylc } from "../../../src/materials/hylc/pack";
import type { HylcTable } from "../../../src/materials/hylc/table";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { jacobianByDifferences, relativeError } from "../../math/differences";
import { randomHylcStrain, randomTable } from "./tables";

const l = 0.005;
const samples = 432;

/** The second derivative of the splines jumps at knots: differences across a knot mean nothing. */
function crossesKnot(table: HylcTable, s: ArrayLike<number>, margin: number): boolean {
  const [m, d, q] = [(s[3] + s[5]) / 2 / l ** 2, (s[3] - s[5]) / 2 / l ** 2, s[4] / l ** 2];
  const r = Math.hypot(d, q);
  if (r < 1) return true;
  const near = (x: number, knots: ArrayLike<number>): boolean =>
    Array.from(knots).some((knot) => Math.abs(x - knot) < margin);
  const places = (k: number): number[] => (k < 3 ? [s[k]] : [m + r, m - r]).map((x) => x / table.strainScale[k]);
  return (
    table.curves.some(({ knots }, k) => places(k).some((x) => near(x, knots))) ||
    table.surfaces.some(
      ({ pair, uKnots, vKnots }) =>
        places(pair[0]).some((x) => near(x, uKnots)) || places(pair[1]).some((x) => near(x, vKnots)),
    )
  );
}

describe("HYLC energy density", () => {
  const random = new RandomGeometry(61);
  const table = randomTable(random);
  const m = packHylc(table, 0, l);

  /** Unit of each strain; differences are taken in these units. */
  const unit = Float64Array.of(1, 0.7, 0.9, 150 * l * l, 150 * l * l, 150 * l * l);
  const strainAt = (x: ArrayLike<number>): Float64Array => unit.map((size, i) => size * x[i]);

  it("is what the table says, written out term by term", () => {
    const r = new RandomGeometry(62);
    for (let i = 0; i < 300; i++) {
      const s = randomHylcStrain(r, l);
      expect(hylcDensity.value(s, m) + table.constant).toBeCloseTo(energyOf(table, s), 9);
    }
  });

  it("has the gradient that its values have, to 1e-6", () => {
    const r = new RandomGeometry(63);
    const gradient = new Float64Array(6);
    let [worst, count] = [0, 0];
    for (let i = 0; i < samples; i++) {
      const s = randomHylcStrain(r, l);
      if (crossesKnot(table, s, 2e-4)) continue;
      count++;
      hylcDensity.gradient(s, m, gradient);
      const x = s.map((value, j) => value / unit[j]);
      const differences = jacobianByDifferences((y, out) => (out[0] = hylcDensity.value(strainAt(y), m)), x, 1, 1e-4);
      worst = Math.max(
        worst,
        relativeError(
          differences,
          gradient.map((value, j) => value * unit[j]),
        ),
      );
    }
    expect(count).toBeGreaterThan(250);
    expectWithin("HYLC gradient, relative", worst, 1e-6);
  });

  it("has the Hessian that its gradient has, to 1e-6", () => {
    const r = new RandomGeometry(64);
    const hessian = new Float64Array(36);
    let [worst, count] = [0, 0];
    for (let i = 0; i < samples; i++) {
      const s = randomHylcStrain(r, l);
      if (crossesKnot(table, s, 2e-4)) continue;
      count++;
      hylcDensity.hessian(s, m, hessian);
      const x = s.map((value, j) => value / unit[j]);
      const differences = jacobianByDifferences((y, out) => hylcDensity.gradient(strainAt(y), m, out), x, 6, 1e-4);
      worst = Math.max(
        worst,
        relativeError(
          differences,
          hessian.map((value, j) => value * unit[j % 6]),
        ),
      );
    }
    expect(count).toBeGreaterThan(250);
    expectWithin("HYLC Hessian, relative", worst, 1e-6);
  });

  it("goes on smoothly where both principal curvatures are the same", () => {
    const r = new RandomGeometry(65);
    const [at, beside] = [new Float64Array(6), new Float64Array(6)];
    const [h, hBeside] = [new Float64Array(36), new Float64Array(36)];
    for (let i = 0; i < 100; i++) {
      const s = randomHylcStrain(r, l);
      s[5] = s[3];
      s[4] = 0;
      hylcDensity.gradient(s, m, at);
      hylcDensity.hessian(s, m, h);
      for (const size of [1e-9, 1e-6, 5e-5, 1e-4]) {
        const moved = s.slice();
        const angle = r.between(0, 6.28);
        moved[3] += size * Math.cos(angle) * unit[3];
        moved[5] -= size * Math.cos(angle) * unit[3];
        moved[4] += size * Math.sin(angle) * unit[3];
        if (crossesKnot(table, [...s.slice(0, 3), s[3] + unit[3], 0, s[5]], 0)) continue;
        hylcDensity.gradient(moved, m, beside);
        hylcDensity.hessian(moved, m, hBeside);
        expect([...beside, ...hBeside].every(Number.isFinite)).toBe(true);
        expect(relativeError(scaledGradient(beside), scaledGradient(at))).toBeLessThan(100 * size + 1e-9);
      }
    }
    function scaledGradient(v: Float64Array): Float64Array {
      return v.map((value, j) => value * unit[j]);
    }
  });

  it("depends on the curvatures in their frame: a sheet bent along x alone pays for x alone", () => {
    const only = { ...table, surfaces: table.surfaces.map((surface) => zeroSurface(surface)) };
    const flat = hylcDensity.value(new Float64Array(6), packHylc(only, 0, l));
    const bent = hylcDensity.value([0, 0, 0, 40 * l * l, 0, 0], packHylc(only, 0, l));
    const [f3] = [only.curves[3]];
    expect(bent - flat).toBeCloseTo(hermite(f3, 40 / 150) - hermite(f3, 0), 10);
  });
});

function zeroSurface(surface: HylcTable["surfaces"][number]): HylcTable["surfaces"][number] {
  const zero = new Float64Array(surface.values.length);
  return { ...surface, values: zero, uSlopes: zero, vSlopes: zero, twists: zero };
}

/** The formulas of the data's description, by matrices of the Hermite basis instead of weights. */
function hermite({ knots, values, slopes }: HylcTable["curves"][number], x: number): number {
  const last = knots.length - 1;
  if (x <= knots[0]) return values[0] + slopes[0] * (x - knots[0]);
  if (x >= knots[last]) return values[last] + slopes[last] * (x - knots[last]);
  const i = Array.from(knots).findIndex((knot, k) => k > 0 && x < knot) - 1;
  const h = knots[i + 1] - knots[i];
  const t = (x - knots[i]) / h;
  const [a, b] = [values[i], h * slopes[i]];
  const [rise, end] = [values[i + 1] - values[i], h * slopes[i + 1]];
  return a + t * (b + t * (3 * rise - 2 * b - end + t * (b + end - 2 * rise)));
}

/** A bicubic spline as a spline in v of splines in u. */
function bicubic(f: HylcTable["surfaces"][number], u: number, v: number): number {
  const nu = f.uKnots.length;
  const row = (list: ArrayLike<number>, slopes: ArrayLike<number>, j: number): number =>
    hermite(
      {
        knots: f.uKnots,
        values: Array.from(list).slice(j * nu, (j + 1) * nu),
        slopes: Array.from(slopes).slice(j * nu, (j + 1) * nu),
      },
      u,
    );
  const rows = Array.from(f.vKnots, (_, j) => j);
  return hermite(
    {
      knots: f.vKnots,
      values: rows.map((j) => row(f.values, f.uSlopes, j)),
      slopes: rows.map((j) => row(f.vSlopes, f.twists, j)),
    },
    v,
  );
}

function energyOf(table: HylcTable, s: ArrayLike<number>): number {
  const [xx, xy, yy] = [s[3], s[4], s[5]].map((value) => value / l ** 2);
  const r = Math.sqrt(xy ** 2 + (xx - yy) ** 2 / 4 + 1e-15);
  const lambda = [(xx + yy) / 2 + r, (xx + yy) / 2 - r];
  // squared cosine of the angle of the first principal direction, by an eigenvector
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const cc = Math.cos(angle) ** 2;
  const c = table.strainScale;
  const scaled = [s[0] / c[0], s[1] / c[1], s[2] / c[2]];
  let sum = table.constant;
  for (let k = 0; k < 3; k++) sum += hermite(table.curves[k], scaled[k]);
  for (const [k, weight] of [
    [3, [cc, 1 - cc]],
    [4, [1 - cc, cc]],
  ] as const)
    for (const i of [0, 1]) {
      sum += weight[i] * hermite(table.curves[k], lambda[i] / c[k]);
      for (const f of table.surfaces)
        if (f.pair[1] === k) sum += weight[i] * bicubic(f, scaled[f.pair[0]], lambda[i] / c[k]);
    }
  for (const f of table.surfaces) if (f.pair[1] < 3) sum += bicubic(f, scaled[f.pair[0]], scaled[f.pair[1]]);
  return sum;
}
