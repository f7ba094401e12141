import { describe, expect, it } from "vitest";
import { Fabric, fabrics, resolveFabric } from "../../../src/materials/fabric";
import { hylcDensity } from "../../../src/materials/hylc/density";
import { builtInCurves } from "../../../src/materials/hylc/built-in";
import type { FabricCurves } from "../../../src/materials/hylc/from-curves";
import { packHylc } from "../../../src/materials/hylc/pack";
import { readHylcTable, writeHylcTable } from "../../../src/materials/hylc/table";
import { RandomGeometry } from "../../collision/random";
import { expectRefused } from "../../refusal";
import { randomTable } from "./tables";

/** A J-shaped curve, typical of fabrics. */
const forceAt = (strain: number): number => 40 * strain + 900 * strain ** 3;
const measured = (f: (x: number) => number, last: number, count: number): [number, number][] =>
  Array.from({ length: count }, (_, i) => [(last * (i + 1)) / count, f((last * (i + 1)) / count)]);

const curves: FabricCurves = {
  areaDensity: 0.25,
  warp: measured(forceAt, 0.4, 40),
  weft: measured((x) => 2 * forceAt(x), 0.3, 40),
  shear: measured((x) => 3 * x + 10 * x ** 3, 0.7, 40),
  bendWarp: measured((x) => 5e-6 * x, 200, 5),
  bendWeft: measured((x) => 8e-6 * x, 150, 5),
  naturalCurvature: [30, -50],
};

const l = 0.01;

function gradientOf(fabric: Fabric, s: ArrayLike<number>): Float64Array {
  const gradient = new Float64Array(6);
  hylcDensity.gradient(s, packHylc(fabric.table!, 0, l), gradient);
  return gradient;
}

describe("Fabric.fromCurves", () => {
  const fabric = Fabric.fromCurves(curves);

  it("has the forces that were measured, to 1 % of the largest", () => {
    for (let i = 0; i <= 40; i++) {
      const part = i / 40;
      const warp = gradientOf(fabric, [0.4 * part, 0, 0, 0, 0, 0])[0];
      const weft = gradientOf(fabric, [0, 0, 0.3 * part, 0, 0, 0])[2];
      const shear = gradientOf(fabric, [0, 0.7 * part, 0, 0, 0, 0])[1];
      const other = gradientOf(fabric, [0, -0.7 * part, 0, 0, 0, 0])[1];
      expect(Math.abs(warp - forceAt(0.4 * part))).toBeLessThan(0.01 * forceAt(0.4));
      expect(Math.abs(weft - 2 * forceAt(0.3 * part))).toBeLessThan(0.02 * forceAt(0.3));
      const expected = 3 * 0.7 * part + 10 * (0.7 * part) ** 3;
      expect(Math.abs(shear - expected)).toBeLessThan(0.01 * 5.53);
      expect(other).toBeCloseTo(-shear, 10);
    }
  });

  it("has the moments that were measured, about its natural curvature", () => {
    for (const kappa of [-150, -20, 0, 10, 30, 90, 210]) {
      const bent = gradientOf(fabric, [0, 0, 0, l * l * kappa, 0, l * l * -50]);
      // moment per width = dψ/dκ; s is l² κ
      expect(bent[3] * l * l).toBeCloseTo(5e-6 * (kappa - 30), 12);
      expect(bent[5] * l * l).toBeCloseTo(0, 12);
    }
  });

  it("pulls harder the further it is stretched, far beyond the curves too", () => {
    let before = -Infinity;
    for (let strain = -0.9; strain < 1.4; strain += 0.01) {
      const force = gradientOf(fabric, [strain, 0, 0, 0, 0, 0])[0];
      expect(force).toBeGreaterThan(before);
      before = force;
    }
    expect(gradientOf(fabric, [0.8, 0, 0, 0, 0, 0])[0]).toBeGreaterThan(1.5 * forceAt(0.4));
  });

  it("rests where nothing pulls, and contracts across a strain as its Poisson's ratio says", () => {
    const flat = Fabric.fromCurves({ ...curves, naturalCurvature: 0, poissonRatio: 0.3 });
    expect(Math.max(...gradientOf(flat, new Float64Array(6)).map(Math.abs))).toBeLessThan(1e-12);
    const hessian = new Float64Array(36);
    hylcDensity.hessian(new Float64Array(6), packHylc(flat.table!, 0, l), hessian);
    expect(hessian[2] / Math.sqrt(hessian[0] * hessian[14])).toBeCloseTo(0.3, 1);
    expect(flat.poissonRatio).toBeCloseTo(0.3, 1);
    expect(flat.stretchWarp).toBeCloseTo(hessian[0], 9);
    expect(flat.areaDensity).toBe(0.25);
  });

  it("makes a table that can be written and read", () => {
    const again = Fabric.fromTable(writeHylcTable(fabric.table!), { damping: 1e-3, friction: 0.7 });
    expect(again).toEqual({ ...fabric, stretchDamping: 1e-3, bendingDamping: 1e-3, friction: 0.7 });
    expect(Fabric.fromTable(readHylcTable(writeHylcTable(fabric.table!)))).toEqual(fabric);
  });

  const replaced = (key: keyof FabricCurves, at: number, point: [number, number]): FabricCurves => ({
    ...curves,
    [key]: (curves[key] as [number, number][]).map((old, i) => (i === at ? point : old)),
  });
  it.each<[string, FabricCurves, "invalid-argument" | "non-finite", RegExp]>([
    ["a force that falls", replaced("warp", 7, [0.08, 1]), "invalid-argument", /fabric\.warp\[7\]: must be more than/],
    ["a strain that comes twice", replaced("weft", 3, [0.0225, 99]), "invalid-argument", /fabric\.weft\[3\]/],
    ["a force against the strain", replaced("shear", 0, [0.01, -1]), "invalid-argument", /shear\[0\]: must go through/],
    ["NaN", replaced("bendWarp", 2, [NaN, 1]), "non-finite", /bendWarp\[2\]: must be two finite numbers/],
    ["no points", { ...curves, bendWeft: [] }, "invalid-argument", /bendWeft: must be a list of points/],
    ["nothing but the origin", { ...curves, warp: [[0, 0]] }, "invalid-argument", /warp: must have a point above/],
    ["a density of zero", { ...curves, areaDensity: 0 }, "invalid-argument", /areaDensity: must be positive/],
    ["a Poisson's ratio of 1", { ...curves, poissonRatio: 1 }, "invalid-argument", /poissonRatio/],
    ["an infinite curvature", { ...curves, naturalCurvature: Infinity }, "invalid-argument", /naturalCurvature/],
  ])("refuses %s", (_, bad, code, message) => {
    expectRefused(() => Fabric.fromCurves(bad), code, message);
  });

  it("refuses a damping time below zero, and a broken table where it is used", () => {
    expectRefused(
      () => Fabric.fromCurves(curves, { damping: -1 }),
      "invalid-argument",
      /Damping: must not be negative/,
    );
    const table = { ...randomTable(new RandomGeometry(1)), strainScale: [1, 1, 1, 1] };
    expectRefused(() => Fabric.fromTable(table), "invalid-argument", /strainScale: must have 5/);
    expectRefused(() => resolveFabric("sail", { ...fabrics.satin, table }), "invalid-argument", /sail\.fabric\.table/);
  });
});

describe("fabrics of tables", () => {
  it.each(Object.keys(builtInCurves) as (keyof typeof builtInCurves)[])(
    "%s is convex where it is not coupled",
    (name) => {
      const table = fabrics[name].table!;
      for (const [k, { knots, values, slopes }] of table.curves.entries())
        for (let i = 1; i < knots.length; i++) {
          const h = knots[i] - knots[i - 1];
          const mean = (values[i] - values[i - 1]) / h;
          const roundings = 1e-9 * Math.abs(slopes[i]);
          expect(6 * mean - 4 * slopes[i - 1] - 2 * slopes[i], `curve ${k}`).toBeGreaterThan(-roundings);
          expect(2 * slopes[i - 1] + 4 * slopes[i] - 6 * mean, `curve ${k}`).toBeGreaterThan(-roundings);
        }
    },
  );

  it("rib stretches ten times further across its ribs than along them", () => {
    const [across, along] = [0, 2].map(
      (k) =>
        gradientOf(
          fabrics.rib,
          [0, 1, 2].map((i) => (i === k ? 0.3 : 0)),
        )[k],
    );
    expect(along / across).toBeGreaterThan(10);
  });

  it("stockinette wants to bend to one side along x and to the other along y; honeycomb to one, wovens to none", () => {
    const moments = (name: keyof typeof builtInCurves) => gradientOf(fabrics[name], new Float64Array(6));
    const [stockinette, honeycomb] = [moments("stockinette"), moments("honeycomb")];
    expect([Math.sign(stockinette[3]), Math.sign(stockinette[5])]).toEqual([1, -1]);
    expect([Math.sign(honeycomb[3]), Math.sign(honeycomb[5])]).toEqual([-1, -1]);
    for (const name of ["satin", "basket", "rib"] as const) expect(Math.hypot(...moments(name))).toBeLessThan(1e-12);
  });
});
