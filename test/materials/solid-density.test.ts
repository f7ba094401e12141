import { describe, expect, it } from "vitest";
import { corotationalSolid } from "../../src/materials/corotational-solid";
import type { EnergyDensity } from "../../src/materials/energy-density";
import { mooneyRivlinSolid } from "../../src/materials/mooney-rivlin-solid";
import { neoHookeanSolid } from "../../src/materials/neo-hookean-solid";
import { stableNeoHookeanSolid } from "../../src/materials/stable-neo-hookean-solid";
import { stvkSolid } from "../../src/materials/stvk-solid";
import { determinant } from "../../src/math/determinant";
import { singularValues } from "../../src/math/eigen/svd3";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { jacobianByDifferences, relativeError } from "../math/differences";
import { greenStrainOfGradient, randomGradient, randomSolid, randomSolidStrain } from "./solid-strains";

/** ‖F‖² */
const squares = (f: readonly number[]): number => f.reduce((sum, value) => sum + value * value, 0);

/** ‖cof F‖², the second invariant of C, by the minors of F */
function cofactorSquares(f: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const [p, q, r, s] = [(i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3];
      sum += (f[3 * p + r] * f[3 * q + s] - f[3 * p + s] * f[3 * q + r]) ** 2;
    }
  return sum;
}

/** µ ‖F − R‖² + λ/2 tr²(RᵀF − I) with the rotation R of the polar decomposition */
function corotational(f: readonly number[], mu: number, lambda: number): number {
  const [u, sigma, v] = [new Float64Array(9), new Float64Array(3), new Float64Array(9)];
  singularValues(f, 0, 3, u, sigma, v);
  let [distance, trace] = [0, -3];
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let r = 0;
      for (let k = 0; k < 3; k++) r += u[3 * i + k] * v[3 * j + k];
      distance += (f[3 * i + j] - r) ** 2;
      trace += r * f[3 * i + j];
    }
  return mu * distance + 0.5 * lambda * trace * trace;
}

interface Case {
  readonly name: string;
  readonly density: EnergyDensity;
  /** the energy density by a formula in F */
  readonly throughF: (f: readonly number[], m: ArrayLike<number>) => number;
  /** Lamé's parameters at rest */
  readonly lame: (m: ArrayLike<number>) => [mu: number, lambda: number];
}

const cases: Case[] = [
  {
    name: "neo-Hookean",
    density: neoHookeanSolid,
    throughF: (f, m) => {
      const log = Math.log(determinant(f));
      return (m[0] / 2) * (squares(f) - 3) - m[0] * log + (m[1] / 2) * log * log;
    },
    lame: (m) => [m[0], m[1]],
  },
  {
    name: "stable neo-Hookean",
    density: stableNeoHookeanSolid,
    throughF: (f, m) => {
      const j = determinant(f);
      return (m[0] / 2) * (squares(f) - 3) - m[0] * (j - 1) + (m[1] / 2) * (j - 1) ** 2;
    },
    lame: (m) => [m[0], m[1] - m[0]],
  },
  {
    name: "Saint Venant-Kirchhoff",
    density: stvkSolid,
    throughF: (f, m) => {
      const e = greenStrainOfGradient(f);
      const full = [e[0], e[3], e[5], e[3], e[1], e[4], e[5], e[4], e[2]];
      return m[0] * squares(full) + 0.5 * m[1] * (e[0] + e[1] + e[2]) ** 2;
    },
    lame: (m) => [m[0], m[1]],
  },
  {
    name: "co-rotational",
    density: corotationalSolid,
    throughF: (f, m) => corotational(f, m[0], m[1]),
    lame: (m) => [m[0], m[1]],
  },
  {
    name: "Mooney-Rivlin",
    density: mooneyRivlinSolid,
    throughF: (f, m) => {
      const log = Math.log(determinant(f));
      const isochoric = (m[0] / 2) * (squares(f) - 3) + (m[1] / 2) * (cofactorSquares(f) - 3);
      return isochoric - (m[0] + 2 * m[1]) * log + (m[2] / 2) * log * log;
    },
    lame: (m) => [m[0] + m[1], m[2] + 2 * m[1]],
  },
];

const samples = 400;

describe.each(cases)("$name density of solids", ({ name, density, throughF, lame }) => {
  it("is the energy that F has", () => {
    const random = new RandomGeometry(21);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const f = randomGradient(random, [random.between(0.4, 1.7), random.between(0.4, 1.7), random.between(0.4, 1.7)]);
      const m = randomSolid(random);
      worst = Math.max(worst, relativeError([density.value(greenStrainOfGradient(f), m)], [throughF(f, m)], m[0]));
    }
    expectWithin(`${name}, value, relative`, worst, 1e-12);
  });

  it("has the gradient and the Hessian of its values, to 1e-6, and the Hessian is symmetric", () => {
    const random = new RandomGeometry(22);
    const [gradient, hessian] = [new Float64Array(6), new Float64Array(36)];
    const worst = { gradient: 0, hessian: 0, asymmetry: 0 };
    for (let i = 0; i < samples; i++) {
      const s = randomSolidStrain(random);
      const m = randomSolid(random);
      density.gradient(s, m, gradient);
      density.hessian(s, m, hessian);
      const slope = jacobianByDifferences((x, out) => (out[0] = density.value(x, m)), s, 1, 1e-4);
      worst.gradient = Math.max(worst.gradient, relativeError(slope, gradient, m[0]));
      const curvature = jacobianByDifferences((x, out) => density.gradient(x, m, out), s, 6, 1e-4);
      worst.hessian = Math.max(worst.hessian, relativeError(curvature, hessian));
      for (let a = 0; a < 6; a++)
        for (let b = 0; b < a; b++)
          worst.asymmetry = Math.max(worst.asymmetry, Math.abs(hessian[6 * a + b] - hessian[6 * b + a]) / m[0]);
    }
    expectWithin(`${name}, gradient, relative`, worst.gradient, 1e-6);
    expectWithin(`${name}, Hessian, relative`, worst.hessian, 1e-6);
    expectWithin(`${name}, asymmetry`, worst.asymmetry, 1e-10);
  });

  it("is without stress at rest, where it is isotropic with its Lamé parameters", () => {
    const m = randomSolid(new RandomGeometry(23));
    const [mu, lambda] = lame(m);
    const [gradient, hessian] = [new Float64Array(6).fill(NaN), new Float64Array(36)];
    density.gradient(new Float64Array(6), m, gradient);
    density.hessian(new Float64Array(6), m, hessian);
    expect(Math.max(...gradient.map(Math.abs))).toBeLessThan(1e-12 * mu);
    expect(Math.abs(density.value(new Float64Array(6), m))).toBeLessThan(1e-12 * mu);
    for (let i = 0; i < 6; i++)
      for (let j = 0; j < 6; j++) {
        const expected = (i < 3 && j < 3 ? lambda : 0) + (i === j ? (i < 3 ? 2 * mu : 4 * mu) : 0);
        expect(Math.abs(hessian[6 * i + j] - expected)).toBeLessThan(1e-9 * (Math.abs(lambda) + mu));
      }
  });

  it("keeps its digits near rest: the energy of a small strain is that of linear elasticity", () => {
    const random = new RandomGeometry(24);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const m = randomSolid(random);
      const [mu, lambda] = lame(m);
      const s = Float64Array.from({ length: 6 }, () => 1e-7 * random.between(-1, 1));
      const trace = s[0] + s[1] + s[2];
      const norm = s[0] ** 2 + s[1] ** 2 + s[2] ** 2 + 2 * (s[3] ** 2 + s[4] ** 2 + s[5] ** 2);
      const linear = mu * norm + 0.5 * lambda * trace * trace;
      // The energy is a difference of numbers of the order of the strain, and rounding is 1e-16 of them.
      worst = Math.max(worst, Math.abs(density.value(s, m) - linear) / (mu * 1e-7));
    }
    expectWithin(`${name} near rest, part of µ × strain`, worst, 1e-8);
  });
});
