import { describe, expect, it } from "vitest";
import { fabrics, resolveFabric, type Fabric, type FabricName } from "../../src/materials/fabric";
import { expectRefused } from "../refusal";

describe("fabrics", () => {
  it.each(Object.keys(fabrics) as FabricName[])("%s has numbers that a solver can use", (name) => {
    expect(resolveFabric("cloth", name)).toBe(fabrics[name]);
    expect(resolveFabric("cloth", { ...fabrics[name] })).toEqual(fabrics[name]);
  });

  it("has the fabrics that are promised", () => {
    expect(Object.keys(fabrics)).toEqual(expect.arrayContaining(["cotton", "silk", "denim", "canvas", "rubber-sheet"]));
  });

  it("refuses a name that it does not know", () => {
    expectRefused(() => resolveFabric("cloth", "velvet" as FabricName), "invalid-argument", /cloth\.fabric.*velvet/);
    // property names of every object are no fabrics either
    for (const name of ["constructor", "toString", "__proto__"])
      expectRefused(() => resolveFabric("cloth", name as FabricName), "invalid-argument", /must be one of/);
  });

  const positive: (keyof Fabric)[] = ["areaDensity", "stretchWarp", "stretchWeft", "shear"];
  const atLeastZero: (keyof Fabric)[] = ["bendingWarp", "bendingWeft", "stretchDamping", "bendingDamping", "friction"];
  const bad = [
    ...positive.flatMap((key) => [0, -1, NaN, Infinity].map((value) => [key, value] as const)),
    ...atLeastZero.flatMap((key) => [-1e-9, NaN, Infinity].map((value) => [key, value] as const)),
    ...[-0.1, 1, NaN, Infinity].map((value) => ["poissonRatio", value] as const),
  ];

  it.each(bad)("refuses %s of %d", (key, value) => {
    const fabric = { ...fabrics.cotton, [key]: value };
    expectRefused(() => resolveFabric('cloth "sail"', fabric), "invalid-argument", new RegExp(`cloth "sail".*${key}`));
  });
});
