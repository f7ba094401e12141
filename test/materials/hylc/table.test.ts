import { describe, expect, it } from "vitest";
import { hylcPairs, readHylcTable, validateHylcTable, writeHylcTable } from "../../../src/materials/hylc/table";
import { RandomGeometry } from "../../collision/random";
import { expectRefused } from "../../refusal";
import { randomTable } from "./tables";

interface Json {
  density: unknown;
  "strain scale": unknown;
  ext?: unknown;
  coeffs: { const?: unknown; "1D": Record<string, unknown>[]; "2D": Record<string, unknown>[] };
}

const table = randomTable(new RandomGeometry(71));
const json = (): Json => JSON.parse(writeHylcTable(table)) as Json;

describe("HYLC tables", () => {
  it("are read as they were written", () => {
    expect(readHylcTable(writeHylcTable(table))).toEqual(table);
    expect(readHylcTable(json())).toEqual(table);
  });

  it("may have their terms in any order, and no constant", () => {
    const shuffled = json();
    shuffled.coeffs["1D"].reverse();
    shuffled.coeffs["2D"].reverse();
    delete shuffled.coeffs.const;
    expect(readHylcTable(shuffled)).toEqual({ ...table, constant: 0 });
  });

  const cases: [string, (t: Json) => void, string, RegExp][] = [
    ["a density of zero", (t) => (t.density = 0), "invalid-argument", /areaDensity: must be positive, got 0/],
    ["a density that is a text", (t) => (t.density = "1"), "invalid-argument", /density: must be a number/],
    ["four scales", (t) => (t["strain scale"] = [1, 1, 1, 1]), "invalid-argument", /strainScale: must have 5 entries/],
    ["a negative scale", (t) => (t["strain scale"] = [1, 1, 1, -2, 1]), "invalid-argument", /strainScale\[3\]/],
    ["another extrapolation", (t) => (t.ext = 2), "unsupported", /ext: must be absent or 0/],
    ["a missing curve", (t) => t.coeffs["1D"].splice(2, 1), "invalid-argument", /"1D"\]: lacks the term 2/],
    ["a curve twice", (t) => (t.coeffs["1D"][1].k = 0), "invalid-argument", /"1D"\]\[1\]: must be each of .* once/],
    ["a missing surface", (t) => t.coeffs["2D"].pop(), "invalid-argument", /"2D"\]: lacks the term 2-4/],
    ["coupled curvatures", (t) => (t.coeffs["2D"][8].k0 = 3), "invalid-argument", /"2D"\]\[8\]: must be each/],
    ["a list that is none", (t) => (t.coeffs["1D"][0].t = 3), "invalid-argument", /\[0\]\.t: must be a list/],
    [
      "a value that is null",
      (t) => (t.coeffs["2D"][4].p = [null]),
      "invalid-argument",
      /\[4\]\.p\[0\]: must be a number/,
    ],
    ["too few values", (t) => (t.coeffs["1D"][3].p as number[]).pop(), "invalid-argument", /curve 3\.values/],
    ["too few twists", (t) => (t.coeffs["2D"][5].muv as number[]).pop(), "invalid-argument", /surface 1-3\.twists/],
    ["one knot", (t) => (t.coeffs["1D"][0].t = [0]), "invalid-argument", /curve 0\.knots: must have two knots/],
    [
      "knots out of order",
      (t) => ((t.coeffs["1D"][4].t as number[])[5] = -0.9),
      "invalid-argument",
      /curve 4\.knots\[5\]: must be larger than the knot before it, got -0\.9/,
    ],
    [
      "knots of a surface that are the same",
      (t) => ((t.coeffs["2D"][0].tv as number[])[3] = (t.coeffs["2D"][0].tv as number[])[2]),
      "invalid-argument",
      /surface 0-1\.vKnots\[3\]: must be larger/,
    ],
  ];

  it.each(cases)("are refused with %s", (_, change, code, message) => {
    const changed = json();
    change(changed);
    expectRefused(() => readHylcTable(changed, "table"), code as "invalid-argument", message);
  });

  it("are refused when they are no JSON, or no table", () => {
    expectRefused(() => readHylcTable("{"), "invalid-argument", /must be JSON/);
    expectRefused(() => readHylcTable("[]"), "invalid-argument", /must be an object/);
    expectRefused(() => readHylcTable("{}"), "invalid-argument", /coeffs: must be an object/);
  });

  it("are refused with numbers that are not finite", () => {
    const values = Array.from(table.curves[2].values);
    values[7] = NaN;
    const curves = table.curves.map((curve, k) => (k === 2 ? { ...curve, values } : curve));
    expectRefused(() => validateHylcTable({ ...table, curves }), "non-finite", /curve 2\.values\[7\]/);
    expectRefused(() => validateHylcTable({ ...table, constant: Infinity }), "non-finite", /constant/);
    expectRefused(
      () => validateHylcTable({ ...table, surfaces: [...table.surfaces].reverse() }),
      "invalid-argument",
      /surface 0-1\.pair: must be 0, 1/,
    );
    expect(hylcPairs).toHaveLength(9);
  });
});
