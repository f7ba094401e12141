import { describe, expect, it } from "vitest";
import type { EnergyDensity } from "../../src/materials/energy-density";
import { collapseThreshold, neoHookeanMembrane } from "../../src/materials/neo-hookean-membrane";
import { quadratic } from "../../src/materials/quadratic";
import { stvkMembrane } from "../../src/materials/stvk-membrane";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { jacobianByDifferences, relativeError } from "../math/differences";
import { nearCollapse, randomMaterial, randomStrain } from "./strains";

interface Case {
  readonly name: string;
  readonly density: EnergyDensity;
  readonly strain: (random: RandomGeometry) => Float64Array;
  /** step of the differences */
  readonly step: number;
}

const cases: Case[] = [
  { name: "stvk", density: stvkMembrane, strain: randomStrain, step: 1e-3 },
  { name: "neo-Hookean", density: neoHookeanMembrane, strain: randomStrain, step: 1e-4 },
  // The logarithm bends sharply there: the step has to be a small fraction of the squared area ratio.
  { name: "neo-Hookean near collapse", density: neoHookeanMembrane, strain: nearCollapse, step: 1e-6 },
  { name: "quadratic, k = 1", density: quadratic(1), strain: (r) => Float64Array.of(r.between(-3, 3)), step: 1e-3 },
  { name: "quadratic, k = 3", density: quadratic(3), strain: (r) => Float64Array.from(r.vector(3)), step: 1e-3 },
];

describe.each(cases)("energy density $name", ({ name, density, strain, step }) => {
  const k = density.dimension;
  const samples = 1234;

  it("has the gradient that its values have, to 1e-6", () => {
    const random = new RandomGeometry(11);
    const gradient = new Float64Array(k);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const s = strain(random);
      const m = randomMaterial(random);
      density.gradient(s, m, gradient);
      const differences = jacobianByDifferences((x, out) => (out[0] = density.value(x, m)), s, 1, step);
      worst = Math.max(worst, relativeError(differences, gradient, scaleOf(density, s, m)));
    }
    expectWithin(`${name} gradient, relative`, worst, 1e-6);
  });

  it("has the Hessian that its gradient has, to 1e-6, and it is symmetric", () => {
    const random = new RandomGeometry(12);
    const hessian = new Float64Array(k * k);
    let worst = 0;
    let asymmetry = 0;
    for (let i = 0; i < samples; i++) {
      const s = strain(random);
      const m = randomMaterial(random);
      density.hessian(s, m, hessian);
      const differences = jacobianByDifferences((x, out) => density.gradient(x, m, out), s, k, step);
      worst = Math.max(worst, relativeError(differences, hessian));
      for (let a = 0; a < k; a++)
        for (let b = 0; b < a; b++)
          asymmetry = Math.max(asymmetry, Math.abs(hessian[a * k + b] - hessian[b * k + a]) / hessian[a * k + a]);
    }
    expectWithin(`${name} Hessian, relative`, worst, 1e-6);
    expectWithin("asymmetry", asymmetry, 1e-12);
  });

  it("rests without strain", () => {
    const m = randomMaterial(new RandomGeometry(13));
    const gradient = new Float64Array(k).fill(NaN);
    density.gradient(new Float64Array(k), m, gradient);
    expect(Math.max(...gradient.map(Math.abs))).toBeLessThan(1e-12 * m[0]);
    expect(Math.abs(density.value(new Float64Array(k), m))).toBeLessThan(1e-12 * m[0]);
  });
});

/** A gradient with cancellation is only as accurate as its largest part, stiffness × strain. */
function scaleOf(density: EnergyDensity, s: Float64Array, m: Float64Array): number {
  const strain = Math.max(...s.map(Math.abs));
  return density === stvkMembrane || density === neoHookeanMembrane ? 0.1 * m[0] * strain : 0.1 * strain;
}

describe("neo-Hookean membrane", () => {
  const material = Float64Array.of(120, 300, 900, 500);

  it("is finite for a triangle collapsed to a line or a point, and resists it", () => {
    for (const s of [Float64Array.of(-0.5, 0, -0.5), Float64Array.of(-0.5, 0, 0.3), Float64Array.of(0, 0.5, 0)]) {
      const gradient = new Float64Array(3);
      const hessian = new Float64Array(9);
      neoHookeanMembrane.gradient(s, material, gradient);
      neoHookeanMembrane.hessian(s, material, hessian);
      expect([neoHookeanMembrane.value(s, material), ...gradient, ...hessian].every(Number.isFinite)).toBe(true);
    }
    // along the path from rest to a point, the energy grows
    const values = Array.from({ length: 50 }, (_, i) => {
      const e = (-0.5 * i) / 49;
      return neoHookeanMembrane.value([e, 0, e], material);
    });
    for (let i = 1; i < values.length; i++) expect(values[i]).toBeGreaterThan(values[i - 1]);
  });

  it("goes on smoothly below the threshold: value, gradient and Hessian have no jump", () => {
    const at = (d: number): number[] => {
      // E_vv with det C = d for E_uu = 0.1, E_uv = 0.2
      const s = [0.1, 0.2, 0.5 * ((d + 0.16) / 1.2 - 1)];
      const gradient = new Float64Array(3);
      const hessian = new Float64Array(9);
      neoHookeanMembrane.gradient(s, material, gradient);
      neoHookeanMembrane.hessian(s, material, hessian);
      return [neoHookeanMembrane.value(s, material), ...gradient, ...hessian];
    };
    const below = at(collapseThreshold * (1 - 1e-9));
    const above = at(collapseThreshold * (1 + 1e-9));
    for (let i = 0; i < below.length; i++)
      expect(Math.abs(below[i] - above[i])).toBeLessThan(1e-7 * Math.max(1, Math.abs(above[i])));
  });

  it("has the stiffnesses of the small-strain sheet: 2µ + λ + a, λ and 4µ", () => {
    const [mu, lambda, fibreU, fibreV] = material;
    const hessian = new Float64Array(9);
    neoHookeanMembrane.hessian(new Float64Array(3), material, hessian);
    const expected = [2 * mu + lambda + fibreU, 0, lambda, 0, 4 * mu, 0, lambda, 0, 2 * mu + lambda + fibreV];
    expect(relativeError(hessian, expected)).toBeLessThan(1e-14);
  });
});
