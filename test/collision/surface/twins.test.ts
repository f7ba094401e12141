import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { GAP_SHARE, REST_SHARE } from "../../../src/collision/surface/candidate-pairs";
import { BRANCHING } from "../../../src/collision/surface/implicit-tree";
import { LEAST_GAP } from "../../../src/collision/surface/surface-mesh";
import { LEAST_SEPARATION, LEAST_SHARE, RELAXATION } from "../../../src/collision/surface/surface-contact";

const folder = path.resolve(import.meta.dirname, "../../../shaders/surface");

/** Value of a constant, once for each shader that declares it. */
function valuesOf(name: string): number[] {
  const pattern = new RegExp(`const ${name} = ([\\d.]+)u?;`);
  return fs.readdirSync(folder).flatMap((file) => {
    const found = pattern.exec(fs.readFileSync(path.join(folder, file), "utf8"));
    return found ? [Number(found[1])] : [];
  });
}

describe("surface contact in f64 and in WGSL", () => {
  it("has the same constants", () => {
    expect(valuesOf("branching")).toEqual([BRANCHING, BRANCHING]);
    expect(valuesOf("gapShare")).toEqual([GAP_SHARE]);
    expect(valuesOf("leastGap")).toEqual([LEAST_GAP]);
    expect(valuesOf("restShare")).toEqual([REST_SHARE]);
    expect(valuesOf("surfaceRelaxation")).toEqual([RELAXATION]);
    expect(valuesOf("surfaceLeastSeparation")).toEqual([LEAST_SEPARATION]);
    expect(valuesOf("surfaceLeastShare")).toEqual([LEAST_SHARE]);
  });
});
