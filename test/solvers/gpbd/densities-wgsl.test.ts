import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { GpuContext } from "../../../src/gpu/device";
import { StructWriter } from "../../../src/gpu/struct";
import { corotationalSolid } from "../../../src/materials/corotational-solid";
import type { EnergyDensity } from "../../../src/materials/energy-density";
import { mooneyRivlinSolid } from "../../../src/materials/mooney-rivlin-solid";
import { collapseThreshold, neoHookeanMembrane } from "../../../src/materials/neo-hookean-membrane";
import { stvkMembrane } from "../../../src/materials/stvk-membrane";
import { stvkSolid } from "../../../src/materials/stvk-solid";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { testShader, type TestShader } from "../../gpu/test-shader";
import { relativeError } from "../../math/differences";
import { greenStrainOfGradient, randomGradient, randomSolid, randomSolidStrain } from "../../materials/solid-strains";
import { greenStrainOf, nearCollapse, randomMaterial, randomStrain } from "../../materials/strains";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const count = 1234;

const shader = (name: string): TestShader => testShader(path.join(import.meta.dirname, `${name}.wgsl`));

/** f32 inputs, so that both sides see the same numbers: vec4f with w = 0. */
function inputs(seed: number, strain: (random: RandomGeometry) => Float64Array): Float32Array<ArrayBuffer> {
  const random = new RandomGeometry(seed);
  const out = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) out.set(strain(random), 4 * i);
  return out;
}

/** Uniform material of a membrane kernel; coefficients rounded to f32. */
function materialData({ structs }: TestShader, coefficients: Float64Array): Uint8Array<ArrayBuffer> {
  const writer = new StructWriter(structs.MembraneMaterial, 1);
  writer.set(0, "coefficients", coefficients);
  writer.set(0, "damping", 0);
  return new Uint8Array(writer.bytes);
}

/** Small strains, typical of cloth: values and gradients are differences of nearly equal numbers there. */
const smallStrain = (random: RandomGeometry): Float64Array => {
  const size = 10 ** random.between(-3.5, -1);
  return greenStrainOf(1 + size * random.between(-1, 1), 1 + size * random.between(-1, 1), random.between(0, 3));
};

const densities: [string, EnergyDensity, (random: RandomGeometry) => Float64Array, number][] = [
  ["stvk-density", stvkMembrane, randomStrain, 1],
  ["stvk-density", stvkMembrane, smallStrain, 1],
  ["neo-hookean-density", neoHookeanMembrane, randomStrain, 1],
  ["neo-hookean-density", neoHookeanMembrane, smallStrain, 1],
];

describe.each(densities)("%s in WGSL", (name, density, strain) => {
  it(`is the reference to 1e-4 for ${strain === smallStrain ? "small" : "large"} strains`, async () => {
    const test = shader(name);
    const strains = inputs(51, strain);
    const material = randomMaterial(new RandomGeometry(52)).map(Math.fround);
    const data = {
      strains,
      material: materialData(test, material),
      gradients: 16 * count,
      hessians: 48 * count,
    };
    const read = await runKernel(context, name, test.module, "evaluate", data, count, ["gradients", "hessians"]);
    const gradients = new Float32Array(read.gradients);
    const hessians = new Float32Array(read.hessians);
    const [gradient, hessian] = [new Float64Array(3), new Float64Array(9)];
    const worst = { value: 0, gradient: 0, hessian: 0 };
    for (let i = 0; i < count; i++) {
      const s = Float64Array.from(strains.subarray(4 * i, 4 * i + 3));
      density.gradient(s, material, gradient);
      density.hessian(s, material, hessian);
      const size = Math.hypot(...s);
      // if the parts of an indefinite sum cancel, the loss is a fraction of stiffness × strain (squared)
      const stiffness = Math.max(...material);
      const found = gradients.subarray(4 * i, 4 * i + 3);
      worst.gradient = Math.max(worst.gradient, relativeError(found, gradient, 1e-2 * stiffness * size));
      worst.value = Math.max(
        worst.value,
        relativeError([gradients[4 * i + 3]], [density.value(s, material)], 1e-2 * stiffness * size ** 2),
      );
      const columns = Array.from({ length: 9 }, (_, j) => hessians[12 * i + 4 * Math.floor(j / 3) + (j % 3)]);
      worst.hessian = Math.max(worst.hessian, relativeError(columns, hessian));
    }
    expectWithin(`${name} value, WGSL against reference`, worst.value, 1e-4);
    expectWithin(`${name} gradient, WGSL against reference`, worst.gradient, 1e-4);
    expectWithin(`${name} Hessian, WGSL against reference`, worst.hessian, 1e-4);
  });
});

/** Stretches of a thousandth to a tenth in all directions. */
const smallSolidStrain = (random: RandomGeometry): Float64Array => {
  const size = 10 ** random.between(-3, -1);
  return greenStrainOfGradient(
    randomGradient(
      random,
      [0, 1, 2].map(() => 1 + size * random.between(-1, 1)),
    ),
  );
};

const solids: [string, string, EnergyDensity, (m: number[]) => number[]][] = [
  ["Saint Venant-Kirchhoff", "stvk", stvkSolid, (m) => m],
  ["co-rotational", "corotational", corotationalSolid, (m) => m],
  ["as rigid as possible", "corotational", corotationalSolid, ([mu]) => [mu, 0, 0, 0]],
  ["Mooney-Rivlin", "mooney-rivlin", mooneyRivlinSolid, (m) => m],
];

describe.each(solids)("%s solids in WGSL", (_, name, density, parameters) => {
  it.each([
    ["large", randomSolidStrain],
    ["small", smallSolidStrain],
  ])("are the reference to 1e-4 for %s strains", async (_size, strain) => {
    const file = path.join(import.meta.dirname, "../../materials/defined-energy/solid-density.wgsl");
    const test = testShader(file, {
      "gpbd/defined/solid-density.wgsl": ["solids/solid.wgsl", `solids/densities/${name}-solid-density.wgsl`],
    });
    const random = new RandomGeometry(55);
    const strains = new Float32Array(6 * count);
    for (let i = 0; i < count; i++) strains.set(strain(random), 6 * i);
    const material = Float64Array.from(parameters(randomSolid(random)), Math.fround);
    const writer = new StructWriter(test.structs.TetMaterial, 1);
    writer.set(0, "coefficients", material);
    writer.set(0, "damping", 0);
    const data = {
      strains,
      material: new Uint8Array(writer.bytes),
      gradients: 28 * count,
      hessians: 144 * count,
    };
    const results = ["gradients", "hessians"];
    const read = await runKernel(context, `${name}-solid`, test.module, "evaluate", data, count, results);
    const gradients = new Float32Array(read.gradients);
    const hessians = new Float32Array(read.hessians);
    const [gradient, hessian] = [new Float64Array(6), new Float64Array(36)];
    const worst = { value: 0, gradient: 0, hessian: 0 };
    const stiffness = Math.max(...material);
    for (let i = 0; i < count; i++) {
      const s = Float64Array.from(strains.subarray(6 * i, 6 * i + 6));
      density.gradient(s, material, gradient);
      density.hessian(s, material, hessian);
      const [value, size] = [density.value(s, material), Math.hypot(...s)];
      worst.value = Math.max(worst.value, relativeError([gradients[7 * i]], [value], 1e-2 * stiffness * size ** 2));
      const slope = gradients.subarray(7 * i + 1, 7 * i + 7);
      worst.gradient = Math.max(worst.gradient, relativeError(slope, gradient, 1e-2 * stiffness * size));
      worst.hessian = Math.max(worst.hessian, relativeError(hessians.subarray(36 * i, 36 * i + 36), hessian));
    }
    expectWithin(`${name} solid, value, WGSL against reference`, worst.value, 1e-4);
    expectWithin(`${name} solid, gradient, WGSL against reference`, worst.gradient, 1e-4);
    expectWithin(`${name} solid, Hessian, WGSL against reference`, worst.hessian, 1e-4);
  });
});

describe("ln det C in WGSL", () => {
  const reference = (s: ArrayLike<number>): number[] => {
    const excess = 2 * (s[0] + s[2]) + 4 * (s[0] * s[2] - s[1] * s[1]);
    const d = 1 + excess;
    const e = collapseThreshold;
    if (d >= e) return [Math.log1p(excess), 1 / d, -1 / (d * d)];
    const r = (d - e) / e;
    return [Math.log(e) + r - 0.5 * r * r, (1 - r) / e, -1 / (e * e)];
  };

  const run = async (strains: Float32Array<ArrayBuffer>): Promise<Float32Array> => {
    const test = shader("neo-hookean-density");
    const data = { strains, logarithms: 16 * count };
    const read = await runKernel(context, "neo-hookean-density", test.module, "logarithm", data, count, ["logarithms"]);
    return new Float32Array(read.logarithms);
  };

  it("keeps its digits near rest, where the determinant is one and a little", async () => {
    const strains = inputs(53, (random) => {
      const size = 10 ** random.between(-6, -1);
      return Float64Array.from(random.vector(size));
    });
    const found = await run(strains);
    let worst = 0;
    for (let i = 0; i < count; i++) {
      const s = strains.subarray(4 * i, 4 * i + 3);
      const expected = reference(s);
      const parts = Math.max(Math.abs(s[0]), Math.abs(s[1]), Math.abs(s[2]));
      worst = Math.max(worst, Math.abs(found[4 * i] - expected[0]) / parts);
      for (const j of [1, 2]) worst = Math.max(worst, Math.abs(found[4 * i + j] / expected[j] - 1));
    }
    expectWithin("ln det C near rest, relative", worst, 2e-6);
  });

  it("goes on below the threshold as the reference does", async () => {
    const strains = inputs(54, nearCollapse);
    const found = await run(strains);
    let below = 0;
    for (let i = 0; i < count; i++) {
      const s = strains.subarray(4 * i, 4 * i + 3);
      const expected = reference(s);
      // det C itself is a difference of numbers of order one: its f32 rounding is a fraction of the threshold.
      const rounding = 1e-6 / collapseThreshold;
      expect(Math.abs(found[4 * i] - expected[0])).toBeLessThan(4 * rounding);
      if (expected[0] < Math.log(collapseThreshold)) below++;
      const d = (2 * s[0] + 1) * (2 * s[2] + 1) - 4 * s[1] * s[1];
      // only the second derivative jumps at the threshold
      if (Math.abs(d / collapseThreshold - 1) < 0.01) continue;
      for (const j of [1, 2]) expect(Math.abs(found[4 * i + j] / expected[j] - 1)).toBeLessThan(8 * rounding);
    }
    expect(below).toBeGreaterThan(300);
  });
});
