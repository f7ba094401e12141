import { describe, expect, it } from "vitest";
import { gridMesh } from "../../../../src/index";
import { clothModel } from "../../../../src/models/cloth";
import type { ClothModel } from "../../../../src/models/gpbd/cloth";
import { fabrics } from "../../../../src/materials/fabric";
import { termLayout } from "../../../../src/solvers/gpbd/model";
import { Folds } from "../../../../src/solvers/gpbd/plasticity/folds";
import type { Plasticity } from "../../../../src/solvers/gpbd/plasticity/plasticity";
import { curvatureChange } from "../../../../src/solvers/gpbd/strains/curvature-vectors";
import { RandomGeometry } from "../../../collision/random";

const frame = 1 / 60;
/** as thick as this plate, whose stiffnesses it has [m] */
const half = (size: number): number => 0.01 * size;

/** A square sheet with a stiffness of bending that scales with it. */
function sheet(plasticity: Plasticity | undefined, size = 1, given: Record<string, unknown> = {}): ClothModel {
  const bending = (fabrics.cotton.stretchWarp * (2 * half(size)) ** 2) / 12;
  const fabric = {
    ...fabrics.cotton,
    stretchWeft: fabrics.cotton.stretchWarp,
    bendingWarp: bending,
    bendingWeft: bending,
  };
  const grid = gridMesh({ width: size, height: size, columns: 8, rows: 8 });
  return clothModel({ ...grid, fabric, plasticity, ...given });
}

/** The sheet rolled to a cylinder of a curvature [1/m], along x. */
function rolled({ positions }: ClothModel, curvature: number): Float64Array {
  return positions.map((value, i) => {
    const x = curvature * positions[i - (i % 3)];
    return i % 3 === 0 ? Math.sin(x) / curvature : i % 3 === 1 ? (1 - Math.cos(x)) / curvature : value;
  });
}

function bendingEnergy({ model }: Folds, positions: ArrayLike<number>): number {
  const term = model.terms.at(-1)!;
  const { arity, rest: stride } = termLayout[term.kind];
  const [x, s] = [new Float64Array(3 * arity), new Float64Array(9)];
  let energy = 0;
  for (let e = 0; e < term.elementCount; e++) {
    x.forEach((_, i) => (x[i] = positions[3 * term.indices[arity * e + Math.floor(i / 3)] + (i % 3)] ?? 0));
    curvatureChange.strain(x, term.rest, stride * e, s);
    for (const value of s) energy += (value * value) / 2;
  }
  return energy;
}

/** The curvature at which least is stored, by search [1/m]. */
function restCurvature(model: ClothModel, folds: Folds, most: number): number {
  let [low, high] = [1e-3 * most, most];
  for (let i = 0; i < 20; i++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (bendingEnergy(folds, rolled(model, a)) < bendingEnergy(folds, rolled(model, b))) high = b;
    else low = a;
  }
  return (low + high) / 2;
}

describe("folds of cloth", () => {
  it("leave curvature up to the yield strain alone", () => {
    const model = sheet({ yield: 0.02 });
    const folds = new Folds(model);
    // half the thickness is 1 % of the side, so the faces have 2 % strain at a curvature of 2
    expect(folds.flow(rolled(model, 1.8), frame)).toBe(false);
    expect(folds.model.terms.at(-1)!.rest).toEqual(model.terms.at(-1)!.rest);
    expect(folds.flow(rolled(model, 2.2), frame)).toBe(true);
    // stretch comes back
    const flat = new Folds(model);
    expect(
      flat.flow(
        model.positions.map((x, i) => [1.5, 1, 1.2][i % 3] * x),
        frame,
      ),
    ).toBe(false);
  });

  it.each([0.1, 1, 10])("keep what is beyond it, for a sheet of %s m", (size) => {
    const model = sheet({ yield: 0.005 }, size);
    const folds = new Folds(model);
    const curvature = 2 / size;
    for (let i = 0; i < 3; i++) folds.flow(rolled(model, curvature), frame);
    // 2 % strain, of which half a percent comes back
    expect(restCurvature(model, folds, curvature) / curvature).toBeGreaterThan(0.7);
    expect(restCurvature(model, folds, curvature) / curvature).toBeLessThan(0.8);
  });

  it("flow at their rate, whatever the frames are", () => {
    const kept = [1, 8].map((parts) => {
      const model = sheet({ yield: 0.002, creep: 0.5 });
      const folds = new Folds(model);
      for (let i = 0; i < 30 * parts; i++) folds.flow(rolled(model, 2), frame / parts);
      return restCurvature(model, folds, 2) / 2;
    });
    // 1 − e^−¼ of nine tenths in half a second
    expect(kept[1]).toBeGreaterThan(0.18);
    expect(kept[1]).toBeLessThan(0.22);
    expect(Math.abs(kept[0] - kept[1])).toBeLessThan(0.02 * kept[1]);
  });

  it("end at the largest permanent strain", () => {
    const model = sheet({ yield: 0.002, max: 0.01 });
    const folds = new Folds(model);
    for (let i = 0; i < 20; i++) folds.flow(rolled(model, 3), frame);
    // 1 % strain is a curvature of 1
    expect(restCurvature(model, folds, 3)).toBeGreaterThan(0.9);
    expect(restCurvature(model, folds, 3)).toBeLessThan(1.02);
  });

  it("only lose energy", () => {
    const random = new RandomGeometry(5);
    let flowed = 0;
    for (let i = 0; i < 10; i++) {
      const limits = { creep: i % 2 === 0 ? 20 : undefined, max: i % 3 === 0 ? 0.03 : undefined };
      const model = sheet({ yield: 0.004, ...limits });
      const folds = new Folds(model);
      for (let step = 0; step < 3; step++) {
        const places = model.positions.map((x) => x + random.between(-0.02, 0.02));
        const before = bendingEnergy(folds, places);
        if (!folds.flow(places, frame)) continue;
        flowed++;
        expect(bendingEnergy(folds, places)).toBeLessThan(before);
      }
    }
    expect(flowed).toBeGreaterThan(20);
  });

  it.each([
    { bending: "isometric" },
    { fabric: { ...fabrics.cotton, bendingWarp: 0, bendingWeft: 0 } },
    { solver: "newton" },
    { solver: "local-global" },
  ])("are refused with %o", (given) => {
    const build = (): unknown => sheet({ yield: 0.1 }, 1, given);
    expect(build).toThrow(expect.objectContaining({ code: "unsupported", object: "cloth.plasticity" }) as Error);
  });

  it("are refused out of range", () => {
    expect(() => sheet({ yield: -1 })).toThrow(
      expect.objectContaining({ code: "invalid-argument", object: "cloth.plasticity.yield" }) as Error,
    );
  });
});
