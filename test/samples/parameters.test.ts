import { describe, expect, it } from "vitest";
import {
  commonParameters,
  describeValid,
  frameCount,
  numberOf,
  parseSettings,
  resolveParameters,
} from "../../samples/parameters";
import type { SceneDefinition } from "../../samples/scene";

const scene: SceneDefinition = {
  name: "made-up",
  title: "Made up",
  description: "",
  frames: 300,
  groundHeight: 0,
  view: { target: [0, 0, 0], alpha: 0, beta: 0, radius: 1 },
  metrics: [],
  parameters: [
    ...commonParameters({ substeps: 8, iterations: 3 }),
    { name: "size", default: 1.5, unit: "m", range: [0.5, 2], description: "" },
    { name: "count", default: 4, unit: "", range: [1, 10], integer: true, description: "" },
    { name: "kind", default: "a", unit: "", choices: ["a", "b"], description: "" },
    { name: "windy", default: true, unit: "", description: "" },
  ],
  build: () => ({ props: [], measure: () => Promise.resolve({}) }),
};

describe("parameters of a scene", () => {
  it("have defaults", () => {
    expect(resolveParameters(scene)).toEqual({
      frameTime: 1 / 60,
      substeps: 8,
      iterations: 3,
      method: "hybrid",
      size: 1.5,
      count: 4,
      kind: "a",
      windy: true,
    });
  });

  it("are read from texts", () => {
    const values = resolveParameters(scene, { size: "0.75", count: "10", kind: "b", windy: "false", method: "jacobi" });
    expect(values).toMatchObject({ size: 0.75, count: 10, kind: "b", windy: false, method: "jacobi" });
  });

  it("keep the limits of a range", () => {
    expect(resolveParameters(scene, { size: 0.5 }).size).toBe(0.5);
    expect(resolveParameters(scene, { size: "2" }).size).toBe(2);
  });

  it.each([
    ["size", "2.01", /size.*from 0.5 to 2 m.*2\.01/],
    ["size", "big", /a number from 0.5 to 2 m/],
    ["size", "NaN", /a number from 0.5 to 2 m/],
    ["size", "Infinity", /a number from 0.5 to 2 m/],
    ["size", " ", /a number from 0.5 to 2 m/],
    ["count", "2.5", /a whole number from 1 to 10/],
    ["count", "0", /a whole number from 1 to 10/],
    ["kind", "c", /one of a, b/],
    ["windy", "yes", /true or false/],
    ["frameTime", "0", /a number from 0.001 to 0.0666667 s/],
    ["substeps", "-1", /a whole number from 1 to/],
  ])("refuse %s=%s and say what is valid", (name, value, message) => {
    expect(() => resolveParameters(scene, { [name]: value })).toThrow(message);
    expect(() => resolveParameters(scene, { [name]: value })).toThrow(/"made-up"/);
  });

  it("refuse a value of another kind", () => {
    expect(() => resolveParameters(scene, { size: true })).toThrow(/a number/);
    expect(() => resolveParameters(scene, { windy: 1 })).toThrow(/true or false/);
  });

  it("refuse an unknown name and list the known ones", () => {
    const attempt = (): unknown => resolveParameters(scene, { sise: 1 });
    expect(attempt).toThrow(/frameTime, substeps, iterations, method, size, count, kind, windy.*"sise"/);
    expect(attempt).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  });

  it("do not take inherited names for parameters", () => {
    expect(() => resolveParameters(scene, { toString: "1" })).toThrow(/must be one of/);
    expect(() => numberOf(resolveParameters(scene), "constructor")).toThrow(/must be a number/);
  });

  it("say what is valid", () => {
    expect(scene.parameters.slice(4).map(describeValid)).toEqual([
      "a number from 0.5 to 2 m",
      "a whole number from 1 to 10",
      "one of a, b",
      "true or false",
    ]);
  });
});

describe("settings", () => {
  it("are key=value, the last one wins", () => {
    expect(parseSettings(["a=1", "b=x=y", "a=2"])).toEqual({ a: "2", b: "x=y" });
  });

  it.each(["a", "=1", "a=", ""])("are refused as %j", (setting) => {
    expect(() => parseSettings([setting])).toThrow(/--set: must have the form key=value/);
  });
});

describe("length of a run", () => {
  it("is the same simulated time for every frame time", () => {
    expect(frameCount(scene, resolveParameters(scene))).toBe(300);
    expect(frameCount(scene, resolveParameters(scene, { frameTime: 1 / 120 }))).toBe(600);
    expect(frameCount({ ...scene, frames: 1 }, resolveParameters(scene, { frameTime: 1 / 15 }))).toBe(1);
  });
});
