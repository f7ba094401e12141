import { expect, it } from "vitest";
import {
  areFair,
  frameWork,
  patchSubsteps,
  SMALL_GPU,
  timeOfOne,
  timeOfPatches,
  timeOfStages,
  type WorkInput,
} from "../../../src/solvers/gpbd/fused/fused-cost";
import type { GpbdModel } from "../../../src/solvers/gpbd/model";
import { recommendedSubsteps, sweepsAtOnce, termInterval } from "../../../src/solvers/gpbd/options";
import { isSoftware } from "../../../src/gpu/software";
import { gridCloth } from "../../world/cloths";

const sheets = new Map<number, GpbdModel>();

function sheetOf(cells: number): GpbdModel {
  const model = sheets.get(cells) ?? gridCloth({ width: 1, height: 1, columns: cells, rows: cells });
  sheets.set(cells, model);
  return model;
}

/** A square of cotton with its own substeps, or with those of tethers. */
function inputOf(cells: number, hasTethers: boolean): WorkInput {
  const model = sheetOf(cells);
  const substeps = hasTethers ? 12 : recommendedSubsteps(model);
  const terms = model.terms.map(({ kind, colours, elementCount }) => {
    const isAtOnce = sweepsAtOnce("hybrid", kind);
    const interval = termInterval(kind, substeps);
    return { isAtOnce, interval, colours: isAtOnce ? Uint32Array.of(0, elementCount) : colours };
  });
  const { particleCount, faces } = model;
  const faceCount = faces.length / 3;
  return {
    particleCount,
    faceCount,
    substeps,
    terms,
    contactPasses: 1,
    withFaces: false,
    hasTethers,
    airInterval: 4,
  };
}

it.each([
  { cells: 8, hasTethers: false, isOne: true },
  { cells: 32, hasTethers: false, isOne: true },
  { cells: 32, hasTethers: true, isOne: true },
  { cells: 64, hasTethers: false, isOne: false },
  { cells: 64, hasTethers: true, isOne: false },
])("one dispatch for $cells cells a side, tethers $hasTethers: $isOne", ({ cells, hasTethers, isOne }) => {
  const work = frameWork(inputOf(cells, hasTethers));
  expect(timeOfOne(work) < timeOfStages(work)).toBe(isOne);
  // A GPU whose dispatches cost no more than barriers has no use for it, and one without cores for many does for any size.
  expect(timeOfOne(work, { dispatch: 0.5, barrier: 0.5, round: 1, cores: 1 })).toBeGreaterThan(0.5 * work.stages);
  expect(timeOfOne(work, { dispatch: 1000, barrier: 1, round: 1, cores: 1 })).toBeLessThan(1000 * work.stages);
});

it.each([
  { cells: 16, hasTethers: false, most: 4, isFaster: false, isFair: true },
  { cells: 32, hasTethers: false, most: 4, isFaster: true, isFair: true },
  { cells: 64, hasTethers: false, most: 4, isFaster: true, isFair: true },
  { cells: 64, hasTethers: true, most: 1, isFaster: true, isFair: true },
  { cells: 96, hasTethers: false, most: 2, isFaster: true, isFair: false },
])("patches for $cells cells a side, tethers $hasTethers: $isFaster, and on a small GPU $isFair", (test) => {
  const input = inputOf(test.cells, test.hasTethers);
  const work = frameWork(input);
  const most = patchSubsteps(work, input);
  expect(most).toBe(test.most);
  const others = Math.min(timeOfOne(work), timeOfStages(work));
  expect(timeOfPatches(work, input, most) < others).toBe(test.isFaster);
  expect(areFair(work, input, most)).toBe(test.isFair);
  // Work that patches do for each other is lost on a GPU with one core.
  expect(timeOfPatches(work, input, most, { ...SMALL_GPU, cores: 1 })).toBeGreaterThan(
    test.cells > 32 ? timeOfOne(work, SMALL_GPU) : 0,
  );
});

it.each([
  ["google swiftshader SwiftShader Device (LLVM 16.0.0)", true],
  ["mesa llvmpipe", true],
  ["microsoft Microsoft Basic Render Driver", true],
  ["nvidia lovelace NVIDIA GeForce RTX 4080", false],
  ["apple metal-3", false],
  ["webgpu", false],
])("%s is a program on the CPU: %s", (adapterName, expected) => {
  expect(isSoftware({ adapterName } as Parameters<typeof isSoftware>[0])).toBe(expected);
});
