import { beforeAll, describe, expect, it } from "vitest";
import { families } from "../../../bench/stress/families/index";
import { play, replayOf } from "../../../bench/stress/run";
import { loadWebGpu } from "../../../scripts/environment/node-webgpu";

/** Seeds of random scenes that pass, and must keep passing. docs/measurements/random-scenes.md lists those that fail. */
const seeds: Readonly<Record<string, readonly number[]>> = {
  heaps: [1, 2, 3, 4, 6, 12, 22, 100, 628, 652],
  chains: [2, 4],
  ragdolls: [3, 4, 7, 9],
  vehicles: [7, 8, 9, 11],
  meshes: [1, 2, 4, 6, 9, 12],
  hulls: [1, 2, 4, 6, 8, 11, 24, 38, 43],
  crushed: [5, 11, 23, 28, 36, 52, 59, 85, 97, 112, 147, 169],
  solids: [1, 4, 6, 7, 8, 11, 38, 52],
  cloth: [2, 3, 5, 6, 7, 8, 11, 46, 91, 114, 254],
  ropes: [1, 2, 5, 6, 7, 8, 11, 12, 92],
  balloons: [3, 4, 5, 7, 8, 9],
  mechanisms: [3, 4, 5, 8, 12, 602],
  mixed: [1, 2, 6, 24, 37, 72, 94],
  changing: [2, 4, 8],
  dragged: [1, 10, 29],
  played: [1, 2, 8],
  tied: [4, 5],
};

const onGpu: Readonly<Record<string, readonly number[]>> = { cloth: [7], ropes: [1], balloons: [7] };

describe.each(families)("random scenes of $name", (family) => {
  it.each(seeds[family.name])("are well: seed %i", async (seed) => {
    const result = await play(family, seed);
    expect(result.broken, replayOf(result)).toBeUndefined();
  });
});

describe("random scenes on a GPU", () => {
  let gpu: GPU;
  beforeAll(async () => void ({ gpu } = await loadWebGpu()));

  const soft = families.filter(({ name }) => name in onGpu);
  it.each(soft.flatMap((family) => onGpu[family.name].map((seed) => ({ family, seed, name: family.name }))))(
    "are well: $name $seed",
    async ({ family, seed }) => {
      const result = await play(family, seed, gpu);
      expect(result.broken, replayOf(result)).toBeUndefined();
    },
  );
});
