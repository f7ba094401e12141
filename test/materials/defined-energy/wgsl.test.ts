import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { GpuContext } from "../../../src/gpu/device";
import { defineEnergy } from "../../../src/materials/defined-energy/define-energy";
import { neoHookeanSolid } from "../../../src/materials/neo-hookean-solid";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { testShader } from "../../gpu/test-shader";
import { randomSolidStrain } from "../solid-strains";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const count = 1234;

async function evaluate(wgsl: string, strains: Float32Array<ArrayBuffer>, density = "gpbd/defined/solid-density") {
  const { module } = testShader(path.join(import.meta.dirname, "solid-density.wgsl"), {
    "gpbd/defined/solid-density.wgsl": [`${density}.wgsl`],
  });
  const shader = { ...module, code: module.code + wgsl };
  const data = { strains, gradients: 28 * count, hessians: 144 * count };
  const read = await runKernel(context, wgsl, shader, "evaluate", data, count, ["gradients", "hessians"]);
  return { gradients: new Float32Array(read.gradients), hessians: new Float32Array(read.hessians) };
}

/** f32 knows det C to its last digits only; if it is small, powers of its inverse are known to fewer. */
const ranges = [
  { low: 0.9, high: 1.3, bound: 1e-6 },
  { low: 0.5, high: 1.6, bound: 1e-5 },
];

const [mu, lambda] = [3e4, 1.2e5];
const volume = "- mu*log(J) + lambda/2*log(J)^2";
const ofGreenStrain = {
  density: "gpbd/defined/solid-density",
  strain: "green-tet",
  energy: `mu/2*(I1-3) ${volume}`,
} as const;
const ofStretches = {
  density: "solids/defined/principal-density",
  strain: "principal-stretches",
  energy: `mu/2*(lambda1^2 + lambda2^2 + lambda3^2 - 3) ${volume}`,
} as const;

it.each([
  ...ranges.map((range) => ({ ...range, of: ofGreenStrain })),
  // quotients of differences in the principal directions are known to fewer digits
  { low: 0.9, high: 1.3, bound: 5e-5, of: ofStretches },
  { low: 0.5, high: 1.6, bound: 2e-4, of: ofStretches },
  { low: 1 - 1e-3, high: 1 + 1e-3, bound: 2e-5, of: ofStretches },
])("the neo-Hookean solid by $of.strain in WGSL is that in f64, to $bound from $low to $high", async (range) => {
  const random = new RandomGeometry(71);
  const strains = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) strains.set(randomSolidStrain(random, range.low, range.high), 6 * i);
  const { strain, energy, density } = range.of;
  const { wgsl } = defineEnergy({ strain, energy, parameters: { mu, lambda } });
  const { gradients, hessians } = await evaluate(wgsl, strains, density);
  const [gradient, hessian] = [new Float64Array(6), new Float64Array(36)];
  const worst = { value: 0, gradient: 0, hessian: 0 };
  for (let i = 0; i < count; i++) {
    const s = Float64Array.from(strains.subarray(6 * i, 6 * i + 6));
    neoHookeanSolid.gradient(s, [mu, lambda], gradient);
    neoHookeanSolid.hessian(s, [mu, lambda], hessian);
    // Parts of the order of stiffness × strain cancel; the loss is a fraction of those, and of the largest entries.
    const size = Math.hypot(...s);
    const stiffness = Math.max(...hessian.map(Math.abs));
    const value = Math.abs(gradients[7 * i] - neoHookeanSolid.value(s, [mu, lambda]));
    worst.value = Math.max(worst.value, value / (stiffness * size));
    for (let j = 0; j < 6; j++)
      worst.gradient = Math.max(worst.gradient, Math.abs(gradients[7 * i + 1 + j] - gradient[j]) / stiffness);
    for (let j = 0; j < 36; j++)
      worst.hessian = Math.max(worst.hessian, Math.abs(hessians[36 * i + j] - hessian[j]) / stiffness);
  }
  expectWithin("neo-Hookean by expression in WGSL, value", worst.value, range.bound);
  expectWithin("neo-Hookean by expression in WGSL, gradient", worst.gradient, range.bound);
  expectWithin("neo-Hookean by expression in WGSL, Hessian", worst.hessian, range.bound);
});

it("every function is in WGSL what it is in f64", async () => {
  const { density, parameterValues, wgsl } = defineEnergy({
    strain: "green-tet",
    energy:
      "exp(Exx) + sin(2*Eyy)*cos(Ezz) + tan(Exy) + atan(Eyz) + tanh(Ezx) + abs(Exx + 3) + (2 + Eyy)^a + log(3 + Ezz) + (2+Exx)^-2.5",
    parameters: { a: 1.3 },
  });
  const random = new RandomGeometry(72);
  const strains = Float32Array.from({ length: 6 * count }, () => random.between(-0.5, 0.5));
  const { gradients, hessians } = await evaluate(wgsl, strains);
  const [gradient, hessian] = [new Float64Array(6), new Float64Array(36)];
  let worst = 0;
  for (let i = 0; i < count; i++) {
    const s = strains.subarray(6 * i, 6 * i + 6);
    density.gradient(s, parameterValues, gradient);
    density.hessian(s, parameterValues, hessian);
    const expected = [density.value(s, parameterValues), ...gradient, ...hessian];
    const found = [...gradients.subarray(7 * i, 7 * i + 7), ...hessians.subarray(36 * i, 36 * i + 36)];
    expected.forEach(
      (value, k) => (worst = Math.max(worst, Math.abs(found[k] - value) / Math.max(1, Math.abs(value)))),
    );
  }
  expect(worst).toBeGreaterThan(0);
  expectWithin("functions of expressions, WGSL against f64", worst, 1e-5);
});
