import { describe, expect, it } from "vitest";
import { lameParameters } from "../../../../src/materials/solid-material";
import {
  EnergyPoint,
  evaluateEnergy,
  type StretchEnergy,
} from "../../../../src/solvers/newton/deformable/stretch-energy";

const kinds: readonly StretchEnergy[] = ["corotational", "stable-neo-hookean"];
const stretches = [
  [1, 1, 1],
  [1.4, 0.9, 0.7],
  [2.2, 1.1, 0.4],
  [1.2, 0.8, -0.3],
  [1.05, 1.05, 0.9],
];
const flat = [
  [1.2, 0.8, 0.05],
  [1.1, 0.06, -0.3],
  [0.07, 0.03, -0.02],
];
const [mu, lambda] = [3, 11];

/** inertia term of flat elements [Pa] */
const inertia = 50;

function at(kind: StretchEnergy, s: readonly number[], pressure = 0): EnergyPoint {
  const point = new EnergyPoint();
  evaluateEnergy(kind, mu, lambda, pressure, Float64Array.from(s), 3, point, inertia);
  return point;
}

const shifted = (s: readonly number[], i: number, by: number): number[] =>
  s.map((value, k) => (k === i ? value + by : value));

describe.each(kinds)("the energy density of %s", (kind) => {
  it.each([...stretches, ...flat])(
    "has its differences as stress, and those of the stress as N, at %s, %s, %s",
    (...s) => {
      const h = 1e-5;
      for (const pressure of [0, 4]) {
        const { stress, hessian } = at(kind, s, pressure);
        for (let i = 0; i < 3; i++) {
          const [up, down] = [at(kind, shifted(s, i, h), pressure), at(kind, shifted(s, i, -h), pressure)];
          expect((up.energy - down.energy) / (2 * h)).toBeCloseTo(stress[i], 6);
          for (let j = 0; j < 3; j++)
            expect((up.stress[j] - down.stress[j]) / (2 * h)).toBeCloseTo(hessian[3 * i + j], 5);
        }
      }
    },
  );

  it("has in its closed form what divides differences of stresses by those of stretches", () => {
    for (const s of [...stretches.slice(1, 4), ...flat]) {
      const { stress, shear } = at(kind, s);
      for (let i = 0; i < 3; i++)
        for (let j = i + 1; j < 3; j++)
          expect((stress[i] - stress[j]) / (s[i] - s[j])).toBeCloseTo(shear[3 - i - j], 9);
    }
  });

  it("is that of a linear material at rest: no energy, no stress, and E = N⁻¹ has Young's modulus and Poisson's ratio", () => {
    const [young, poisson] = [1e5, 0.45];
    const lame = lameParameters(young, poisson);
    const point = new EnergyPoint();
    evaluateEnergy(kind, lame.mu, lame.lambda, 0, Float64Array.of(1, 1, 1), 3, point);
    expect(point.energy / young).toBeCloseTo(0, 12);
    for (const value of point.stress) expect(value / young).toBeCloseTo(0, 12);
    // N times the strain of a bar that is pulled by a stress of one modulus
    const strain = [1, -poisson, -poisson];
    for (let i = 0; i < 3; i++) {
      const stress = strain.reduce((sum, value, j) => sum + point.hessian[3 * i + j] * value, 0);
      expect(stress / young).toBeCloseTo(i === 0 ? 1 : 0, 9);
    }
  });

  it("swells by the internal stress over three bulk moduli, to first order", () => {
    const pressure = 1e-4;
    const { hessian, stress } = at(kind, [1, 1, 1], pressure);
    const stiffness = hessian[0] + hessian[1] + hessian[2];
    expect(stiffness).toBeCloseTo(3 * lambda + 2 * mu, 9);
    const swollen = 1 + pressure / stiffness;
    expect(stress[0]).toBeCloseTo(-pressure, 12);
    expect(Math.abs(at(kind, [swollen, swollen, swollen], pressure).stress[0])).toBeLessThan(1e-3 * pressure);
  });
});

it.each(kinds)("%s holds against being flat and inside out, and has no rest shape there", (kind) => {
  for (const wide of [0.02, 0.3, 1, 1.4])
    for (let s = -2; s < 0.05; s += 0.01) expect(at(kind, [wide, wide, Math.min(s, wide)]).stress[2]).toBeLessThan(0);
});

it("stable neo-Hookean resists being flattened out less than being inflated, linear alike", () => {
  const pressureOf = (kind: StretchEnergy, s: number): number => at(kind, [s, s, s]).stress[0];
  expect(pressureOf("corotational", 1.3)).toBeCloseTo(-pressureOf("corotational", 0.7), 9);
  expect(pressureOf("stable-neo-hookean", 1.3)).toBeGreaterThan(-pressureOf("stable-neo-hookean", 0.7));
});
