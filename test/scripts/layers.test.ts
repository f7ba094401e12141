import { describe, expect, it } from "vitest";
import { layerViolation } from "../../scripts/lint/layers.mjs";

describe("layers", () => {
  it.each([
    ["src/world/world.ts", "src/solvers/gpbd/solver"],
    ["src/solvers/gpbd/solver.ts", "src/materials/fabric"],
    ["src/solvers/gpbd/solver.ts", "src/solvers/solver"],
    ["src/solvers/gpbd/strains/strain.ts", "src/solvers/gpbd/model"],
    ["src/gpu/device.ts", "src/errors"],
    ["src/models/gpbd/cloth.ts", "src/solvers/gpbd/model"],
    ["src/index.ts", "src/world/world"],
    ["plugin/index.ts", "src/index"],
    ["test/world/world.test.ts", "src/world/world"],
  ])("%s may import %s", (from, to) => {
    expect(layerViolation(from, to)).toBeUndefined();
  });

  it.each([
    ["src/math/dense.ts", "src/world/world", "downward"],
    ["src/materials/fabric.ts", "src/solvers/gpbd/solver", "downward"],
    ["src/gpu/device.ts", "src/math/dense", "src/gpu"],
    ["src/solvers/gpbd/solver.ts", "src/models/gpbd/cloth", "downward"],
    ["src/models/gpbd/cloth.ts", "src/world/world", "downward"],
    ["src/solvers/gpbd/solver.ts", "src/solvers/newton/solver", "solver gpbd must not import solver newton"],
    ["src/world/world.ts", "plugin/index", "src/ must not import plugin/"],
    ["plugin/index.ts", "samples/scene", "plugin/ must not import samples/"],
  ])("%s must not import %s", (from, to, message) => {
    expect(layerViolation(from, to)).toContain(message);
  });
});
