import { describe, expect, it } from "vitest";
import { defineEnergy, type EnergyDefinition } from "../../../src/materials/defined-energy/define-energy";
import type { EnergyDensity } from "../../../src/materials/energy-density";
import { corotationalSolid } from "../../../src/materials/corotational-solid";
import { mooneyRivlinSolid } from "../../../src/materials/mooney-rivlin-solid";
import { neoHookeanSolid } from "../../../src/materials/neo-hookean-solid";
import { stableNeoHookeanSolid } from "../../../src/materials/stable-neo-hookean-solid";
import { stvkMembrane } from "../../../src/materials/stvk-membrane";
import { stvkSolid } from "../../../src/materials/stvk-solid";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { expectRefused } from "../../refusal";
import { greenStrainOfGradient, randomGradient, randomSolid, randomSolidStrain } from "../solid-strains";
import { randomMaterial, randomStrain } from "../strains";

const samples = 300;

interface Case {
  readonly name: string;
  readonly density: EnergyDensity;
  readonly strain: "green-tet" | "principal-stretches" | "green-triangle";
  readonly energy: string;
  /** parameters of the density's material, by name */
  readonly parameters: readonly string[];
}

const cases: Case[] = [
  {
    name: "neo-Hookean",
    density: neoHookeanSolid,
    strain: "green-tet",
    energy: "mu/2*(I1-3) - mu*log(J) + lambda/2*log(J)^2",
    parameters: ["mu", "lambda"],
  },
  {
    name: "stable neo-Hookean",
    density: stableNeoHookeanSolid,
    strain: "green-tet",
    energy: "mu/2*(I1 - 3) - mu*(J - 1) + lambda/2*(J - 1)^2",
    parameters: ["mu", "lambda"],
  },
  {
    name: "Mooney-Rivlin",
    density: mooneyRivlinSolid,
    strain: "green-tet",
    energy: "a/2*(I1 - 3) + b/2*(I2 - 3) - (a + 2*b)*log(sqrt(I3)) + lambda/2*log(J)**2",
    parameters: ["a", "b", "lambda"],
  },
  {
    name: "Saint Venant-Kirchhoff",
    density: stvkSolid,
    strain: "green-tet",
    energy: "mu*(Exx^2+Eyy^2+Ezz^2 + 2*(Exy^2+Eyz^2+Ezx^2)) + lambda/2*(Exx+Eyy+Ezz)^2",
    parameters: ["mu", "lambda"],
  },
  {
    name: "neo-Hookean of principal stretches",
    density: neoHookeanSolid,
    strain: "principal-stretches",
    energy: "mu/2*(lambda1^2 + lambda2^2 + lambda3^2 - 3) - mu*log(J) + lambda/2*log(J)^2",
    parameters: ["mu", "lambda"],
  },
  {
    name: "co-rotational",
    density: corotationalSolid,
    strain: "principal-stretches",
    energy: "mu*((lambda1-1)^2 + (lambda2-1)^2 + (lambda3-1)^2) + lambda/2*(lambda1 + lambda2 + lambda3 - 3)^2",
    parameters: ["mu", "lambda"],
  },
  {
    name: "orthotropic membrane",
    density: stvkMembrane,
    strain: "green-triangle",
    energy: "uu/2*Euu^2 + uv*Euu*Evv + vv/2*Evv^2 + 2*g*Euv^2",
    parameters: ["uu", "uv", "vv", "g"],
  },
];

describe.each(cases)("$name from an expression", ({ name, density, strain, energy, parameters }) => {
  it("has the energy, gradient and Hessian of the one written by hand, to 1e-6", () => {
    const random = new RandomGeometry(61);
    const k = density.dimension;
    const [gradient, hessian] = [new Float64Array(k), new Float64Array(k * k)];
    const [otherGradient, otherHessian] = [new Float64Array(k), new Float64Array(k * k)];
    const material = k === 6 ? randomSolid(random) : randomMaterial(random);
    const numbers = Object.fromEntries(parameters.map((parameter, i) => [parameter, material[i]]));
    const defined = defineEnergy({ strain, energy, parameters: numbers });
    const worst = { value: 0, gradient: 0, hessian: 0 };
    for (let i = 0; i < samples; i++) {
      const s = k === 6 ? randomSolidStrain(random) : randomStrain(random);
      const value = defined.density.value(s, defined.parameterValues);
      worst.value = Math.max(worst.value, relativeError([value], [density.value(s, material)]));
      density.gradient(s, material, gradient);
      density.hessian(s, material, hessian);
      defined.density.gradient(s, defined.parameterValues, otherGradient);
      defined.density.hessian(s, defined.parameterValues, otherHessian);
      worst.gradient = Math.max(worst.gradient, relativeError(otherGradient, gradient));
      worst.hessian = Math.max(worst.hessian, relativeError(otherHessian, hessian));
    }
    expectWithin(`${name} by expression, value`, worst.value, 1e-6);
    expectWithin(`${name} by expression, gradient`, worst.gradient, 1e-6);
    expectWithin(`${name} by expression, Hessian`, worst.hessian, 1e-6);
  });
});

/** Two terms of Ogden's rubber (1972), and a term of volume. */
const ogden =
  "m/a*(lambda1^a + lambda2^a + lambda3^a - 3) + n/b*(lambda1^b + lambda2^b + lambda3^b - 3) - (m + n)*log(J) + k/2*(J - 1)^2";
const ogdenRubber = { m: 6.3e5, a: 1.3, n: -1e4, b: -2, k: 1e7 };

describe("principal stretches that are equal, or nearly so", () => {
  const own = defineEnergy({
    strain: "principal-stretches",
    energy: "mu/2*(lambda1^2 + lambda2^2 + lambda3^2 - 3) - mu*log(J) + lambda/2*log(J)^2",
    parameters: { mu: 3, lambda: 5 },
  });

  it.each([0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3])("apart by %s", (gap) => {
    const random = new RandomGeometry(67);
    for (const stretches of [
      [1, 1 + gap, 1],
      [1.2, 1.2 + gap, 0.9],
      [0.7, 1.4, 0.7 - gap],
      [1.3, 1.3 + gap, 1.3 - gap],
    ]) {
      const s = greenStrainOfGradient(randomGradient(random, stretches));
      const [found, right] = [new Float64Array(36), new Float64Array(36)];
      own.density.hessian(s, own.parameterValues, found);
      neoHookeanSolid.hessian(s, [3, 5], right);
      expect(relativeError(found, right)).toBeLessThan(1e-8);
      own.density.gradient(s, own.parameterValues, found);
      neoHookeanSolid.gradient(s, [3, 5], right);
      expect(relativeError(found.subarray(0, 6), right.subarray(0, 6), 1)).toBeLessThan(1e-12);
    }
  });
});

const everything: EnergyDefinition[] = [
  { strain: "green-tet", energy: "exp(0.3*(I1-3)) + a*abs(J-1)^3 + I2^a + Cxy*Czx + Exy", parameters: { a: 1.7 } },
  { strain: "principal-stretches", energy: ogden, parameters: ogdenRubber },
  { strain: "green-triangle", energy: "tan(0.2*Euu) + atan(Euv) - tanh(Evv) + (Cuu/Cvv)^2 + I2*log(I1) - log(J)" },
  { strain: "deformation-gradient", energy: "(I1-3)/2 + (I2-3)/4 - 2*log(J) + F12*F21 + sqrt(F11^2 + F22^2) + F33^-2" },
  { strain: "dihedral", energy: "1 - cos(theta) + sin(theta)^4" },
  { strain: "distance", energy: "k/2*c^2 + k*c^3/(1+c^2) + 2^c - c*log(2)", parameters: { k: 3 } },
  { strain: "hylc", energy: "10*sx^2 + 4*sx*sy + sa^4 + sy^2 + kxx^2*(1+sx) + kxy^2 + exp(kyy) - kyy" },
];

describe.each(everything)("an energy of $strain", (definition) => {
  it("has the gradient and the Hessian of its values", () => {
    const { density, parameterValues: m } = defineEnergy(definition);
    const k = density.dimension;
    const random = new RandomGeometry(62);
    const [gradient, up, down] = [new Float64Array(k), new Float64Array(k), new Float64Array(k)];
    const hessian = new Float64Array(k * k);
    const h = 1e-5;
    const worst = { gradient: 0, hessian: 0 };
    for (let sample = 0; sample < 50; sample++) {
      const s = Float64Array.from({ length: k }, () => random.between(-0.2, 0.2));
      if (k === 9)
        randomGradient(random, [0.8, 1.1, 1.3]).forEach((value, i) => (s[i] = value - (i % 4 === 0 ? 1 : 0)));
      // A rotation may make F₃₃ zero, by which one of the energies divides.
      if (k === 9 && Math.abs(1 + s[8]) < 0.3) continue;
      density.gradient(s, m, gradient);
      density.hessian(s, m, hessian);
      const slopes: number[] = [];
      const columns = new Float64Array(k * k);
      for (let i = 0; i < k; i++) {
        const shifted = (by: number): Float64Array => s.map((value, j) => (j === i ? value + by : value));
        slopes.push((density.value(shifted(h), m) - density.value(shifted(-h), m)) / (2 * h));
        density.gradient(shifted(h), m, up);
        density.gradient(shifted(-h), m, down);
        for (let j = 0; j < k; j++) columns[k * j + i] = (up[j] - down[j]) / (2 * h);
      }
      worst.gradient = Math.max(worst.gradient, relativeError(gradient, slopes));
      worst.hessian = Math.max(worst.hessian, relativeError(hessian, columns));
    }
    expectWithin(`${definition.strain}, gradient by differences`, worst.gradient, 1e-6);
    expectWithin(`${definition.strain}, Hessian by differences`, worst.hessian, 1e-6);
  });
});

describe("what is read", () => {
  const valueOf = (energy: string, c = 0.5, parameters = {}): number => {
    const { density, parameterValues } = defineEnergy({ strain: "distance", energy, parameters });
    return density.value([c], parameterValues);
  };

  it.each([
    ["1 + 2*3", 7],
    ["-c^2", -0.25],
    ["2^3^2", 512],
    ["2**-1", 0.5],
    ["8/4/2", 1],
    ["1 - 2 - 3", -4],
    ["-(c - 1.5e0) * .5", 0.5],
    ["((1+c)^2)^0.5 - abs(-1-c)", 0],
    ["sqrt(4 + 0*c)", 2],
    ["exp(log(1 + c)) - 1", 0.5],
    ["--c", 0.5],
  ])("%s is %f", (energy, value) => expect(valueOf(energy)).toBeCloseTo(value, 12));

  it("roots of squares are lengths, also where what was squared is negative", () => {
    expect(valueOf("((1+c)^2)^0.5", -3)).toBeCloseTo(2, 12);
    expect(valueOf("log((1+c)^2)", -3)).toBeCloseTo(Math.log(4), 12);
  });

  it("what cancels does so before any rounding", () => {
    const { density } = defineEnergy({ strain: "green-tet", energy: "I1 - 3 - 2*log(J)" });
    const s = [1e-9, 0, 0, 0, 0, 0];
    // x − ½ x² + … for x = 2·10⁻⁹
    expect(density.value(s, []) / 2e-18).toBeCloseTo(1, 1);
  });
});

describe("what is refused", () => {
  it.each([
    ["k*(c - 1", /column 9: expected "\)" before the end/],
    ["k*c + lamda", /column 7: unknown name "lamda", known are c, k/],
    ["k*ln(c)", /column 3: unknown function "ln", known are log, exp/],
    ["k*c c", /column 5: expected an operator before "c"/],
    ["k*", /column 3: expected a number, a name or "\(" before the end/],
    ["k*c # 2", /column 5: unexpected "#"/],
    ["", /column 1: expected a number/],
    ["k*)", /column 3: expected a number, a name or "\(" before "\)"/],
    ["log(c)", /finite value at rest/],
    ["k*sqrt(c)", /finite gradient at rest/],
    ["k*c^1.5", /finite Hessian at rest/],
  ])("%s", (energy, message) =>
    expectRefused(
      () => defineEnergy({ strain: "distance", energy, parameters: { k: 2 } }),
      "invalid-argument",
      message,
    ),
  );

  it.each(["lambda1^2 - 1", "(lambda1 - 1)*(lambda2 - 1)", "lambda1*lambda2^2*lambda3 - 1"])(
    "%s, which depends on the order of stretches",
    (energy) =>
      expectRefused(
        () => defineEnergy({ strain: "principal-stretches", energy }),
        "invalid-argument",
        /in whatever order/,
      ),
  );

  it("names and numbers that cannot be", () => {
    const define = (change: Partial<EnergyDefinition>) => () =>
      defineEnergy({ strain: "green-tet", energy: "I1 - 3", ...change });
    expectRefused(define({ strain: "stretch" as never }), "invalid-argument", /must be one of green-tet/);
    expectRefused(define({ energy: 3 as never }), "invalid-argument", /in a string/);
    expectRefused(define({ parameters: { J: 1 } }), "invalid-argument", /taken/);
    expectRefused(define({ parameters: { log: 1 } }), "invalid-argument", /taken/);
    expectRefused(define({ parameters: { "a b": 1 } }), "invalid-argument", /letters/);
    expectRefused(define({ parameters: { mu: NaN } }), "non-finite", /finite/);
    expectRefused(define({ energy: "mu*(I1-3)", parameters: { mu: 1e39 } }), "invalid-argument", /f32/);
  });
});
