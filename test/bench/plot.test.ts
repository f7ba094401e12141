import { parseXml, type XmlElement } from "@rgrove/parse-xml";
import { describe, expect, it } from "vitest";
import { drawCharts } from "../../bench/plot";
import { axis } from "../../bench/plot-axis";

function elements(svg: string, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (element: XmlElement): void => {
    if (element.name === name) found.push(element);
    for (const child of element.children) if ("name" in child) visit(child as XmlElement);
  };
  visit(parseXml(svg).root!);
  return found;
}

describe("an axis", () => {
  it("has round marks that enclose the values", () => {
    const marks = axis(-0.13, 2.9, "linear").ticks.map(({ value }) => value);
    expect(marks).toEqual([-0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3]);
    expect(axis(3e-5, 20, "log").ticks.map(({ label }) => label)).toEqual([
      "1e-5",
      "1e-4",
      "1e-3",
      "1e-2",
      "1e-1",
      "1e0",
      "1e1",
      "1e2",
    ]);
  });

  it("puts its ends at 0 and 1", () => {
    const log = axis(1e-4, 1e2, "log");
    expect([log.place(1e-4), log.place(1e-1), log.place(1e2)]).toEqual([0, 0.5, 1]);
    expect(log.place(0)).toBeNaN();
    const flat = axis(3, 3, "linear");
    expect(flat.place(3)).toBe(0);
    expect(axis(Infinity, -Infinity, "linear").place(0)).toBeGreaterThanOrEqual(0);
  });
});

describe("a chart", () => {
  const curves = [
    { name: "a < b", values: [1, 0.1, 0.01, 0.001] },
    { name: "gap", values: [1, NaN, 0, 0.1, 0.2], dashed: true },
    { name: "band", values: [1, 1], band: { low: [0.5, 0.5], high: [2, 2] } },
  ];
  const svg = drawCharts("Title & more", [{ title: "one", xLabel: "x", yLabel: "y", scale: "log", curves }]);

  it("is well-formed XML with every curve and its name", () => {
    const texts = elements(svg, "text").map((element) => element.text);
    for (const content of ["Title & more", "one", "x", "y", "a < b", "gap", "band"]) expect(texts).toContain(content);
    const lines = elements(svg, "path").filter(({ attributes }) => attributes["stroke-width"] === "1.7");
    expect(lines).toHaveLength(3);
  });

  it("draws straight lines for geometric sequences, and interrupts a curve where it has no value", () => {
    const [first, second] = elements(svg, "path")
      .filter(({ attributes }) => attributes["stroke-width"] === "1.7")
      .map(({ attributes }) => attributes.d);
    const points = first
      .slice(1)
      .split("L")
      .map((pair) => pair.split(" ").map(Number));
    expect(points).toHaveLength(4);
    for (let k = 2; k < 4; k++) {
      const [before, here] = [points[k - 1][1] - points[k - 2][1], points[k][1] - points[k - 1][1]];
      expect(Math.abs(here - before)).toBeLessThan(0.15);
      expect(here).toBeGreaterThan(10);
    }
    expect(second.match(/M/g)).toHaveLength(2);
  });
});
