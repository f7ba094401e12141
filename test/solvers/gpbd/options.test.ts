import { describe, expect, it } from "vitest";
import { boxTetrahedra } from "../../../src/geometry/tetrahedra/tet-mesh";
import { chainModel } from "../../../samples/chain";
import { gpbdSolid } from "../../../src/models/gpbd/soft-body";
import type { TermKind } from "../../../src/solvers/gpbd/model";
import {
  defaultOptions,
  recommendedSubsteps,
  sweepsAtOnce,
  termInterval,
  validateOptions,
} from "../../../src/solvers/gpbd/options";
import { gridCloth } from "../../world/cloths";
import { allKinds } from "./elements";

describe("options", () => {
  it("by default are valid", () => {
    expect(() => validateOptions("body", defaultOptions)).not.toThrow();
    expect(() => validateOptions("body", {})).not.toThrow();
  });
});

describe("recommended substeps", () => {
  const of = (segments: number, scale = 1): number =>
    recommendedSubsteps(
      gridCloth({ width: scale, height: scale / 2, columns: segments, rows: Math.max(1, Math.round(segments / 2)) }),
    );

  it("grow with the number of segments, not with the size of the cloth", () => {
    const numbers = [4, 16, 32, 64, 128].map((segments) => of(segments));
    for (let i = 1; i < numbers.length; i++) expect(numbers[i]).toBeGreaterThanOrEqual(numbers[i - 1]);
    expect(numbers[4]).toBeGreaterThan(2 * numbers[2]);
    expect(of(32, 10)).toBe(of(32));
    expect(numbers.every((n) => Number.isInteger(n) && n >= 1 && n <= 1000)).toBe(true);
  });

  it("are the default's for a body without faces", () => {
    const chain = chainModel({ positions: [0, 0, 0, 1, 0, 0], masses: [1, 1], compliance: 0 });
    expect(recommendedSubsteps(chain)).toBe(defaultOptions.substeps);
  });
});

describe("recommended substeps of solids", () => {
  const cube = (cells: number, youngsModulus: number, warmStart: number, size = 0.5): number => {
    const mesh = boxTetrahedra({ size: [size, size, size], cells: [cells, cells, cells] });
    return recommendedSubsteps(
      gpbdSolid({ ...mesh, material: { youngsModulus, poissonRatio: 0.3, density: 1000 } }),
      warmStart,
    );
  };

  it("grow with the speed of sound over the edge", () => {
    // c = 11.6 m/s and l = 0.05 m: 3.9 elements a frame
    expect(cube(10, 1e5, 0)).toBe(8);
    expect(cube(10, 4e5, 0)).toBe(16);
    expect(cube(5, 4e5, 0)).toBe(8);
    expect(cube(10, 4e5, 0, 1)).toBe(8);
    expect(cube(4, 1e9, 0)).toBe(100);
  });

  it("are fewer with a warm start, which is stable with them", () => {
    expect(cube(10, 4e5, 0.98)).toBe(6);
    expect(cube(4, 1e9, 0.98)).toBeGreaterThan(100);
  });
});

describe("terms", () => {
  const isBending = (kind: TermKind): boolean => kind.endsWith("bending");

  it.each(allKinds)("of kind %s are swept as the method says", (kind) => {
    expect(sweepsAtOnce("gauss-seidel", kind)).toBe(false);
    expect(sweepsAtOnce("jacobi", kind)).toBe(true);
    expect(sweepsAtOnce("hybrid", kind)).toBe(isBending(kind));
  });

  it.each(allKinds)("of kind %s are solved at least ten times a frame, stiff ones in every substep", (kind) => {
    for (const substeps of [1, 5, 10, 19, 20, 37, 200]) {
      const interval = termInterval(kind, substeps);
      if (!isBending(kind)) expect(interval).toBe(1);
      expect(Number.isInteger(interval)).toBe(true);
      expect(Math.ceil(substeps / interval)).toBeGreaterThanOrEqual(Math.min(10, substeps));
    }
  });
});
