import { describe, expect, it } from "vitest";
import { quadratic } from "../../../src/materials/quadratic";
import { solveBending } from "../../../src/solvers/gpbd/elements/bending-solve";
import { elementKinds, type ElementKind } from "../../../src/solvers/gpbd/elements/elements";
import {
  createElementScratch,
  solveCompliantElement,
  solveElement,
  type ElementScratch,
} from "../../../src/solvers/gpbd/elements/local-solve";
import { termLayout } from "../../../src/solvers/gpbd/model";
import { WEIGHTS } from "../../../src/solvers/gpbd/strains/curvature-vectors";
import type { StrainMeasure } from "../../../src/solvers/gpbd/strains/strain";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { displacementBy, xpbdUpdate, type XpbdConstraint } from "./xpbd";

const noMaterial = new Float64Array(0);

/** Compliance from zero over soft to almost no constraint. */
function randomCompliance(random: RandomGeometry): number {
  return random.between(0, 1) < 0.2 ? 0 : 10 ** random.between(-12, 6);
}

function randomInverseMass(random: RandomGeometry): number {
  return random.between(0, 1) < 0.2 ? 0 : 10 ** random.between(-1, 5);
}

interface Sample {
  readonly constraint: XpbdConstraint;
  readonly element: ElementScratch;
  readonly rest: Float64Array;
}

/** A constraint at random positions, masses and history, as XPBD and as GPBD see it. */
function sampleOf(strain: StrainMeasure, rest: Float64Array, random: RandomGeometry): Sample {
  const { arity } = strain;
  const dt = 1 / random.between(30, 6000);
  const element = createElementScratch();
  for (let c = 0; c < 3 * arity; c++) element.x[c] = random.between(-1, 1);
  const inverseMasses = Array.from({ length: arity }, () => randomInverseMass(random));
  const s = new Float64Array(1);
  const gradient = new Float64Array(3 * arity);
  strain.strain(element.x, rest, 0, s);
  strain.jacobian(element.x, rest, 0, gradient);
  const multiplier = random.between(-1, 1) * 10 ** random.between(-8, 0);
  const constraint = {
    value: s[0],
    gradient,
    compliance: randomCompliance(random),
    inverseMasses,
    multiplier,
    dt,
  };
  element.tracked.set(displacementBy(multiplier, constraint));
  inverseMasses.forEach((value, p) => (element.w[p] = dt * dt * value));
  return { constraint, element, rest };
}

function distanceSample(random: RandomGeometry): Sample {
  const rest = Float64Array.of(random.between(0.01, 2), 0);
  return sampleOf(elementKinds.distance.strain, rest, random);
}

/** c(x) = a·x − b with random coefficients. */
function linearStrain(random: RandomGeometry, arity: number): StrainMeasure {
  const a = Float64Array.from({ length: 3 * arity }, () => random.between(-1, 1));
  const b = random.between(-1, 1);
  return {
    arity,
    dimension: 1,
    strain(x, _rest, _at, s) {
      s[0] = -b;
      for (let c = 0; c < a.length; c++) s[0] += a[c] * x[c];
    },
    jacobian(_x, _rest, _at, jacobian) {
      jacobian.set(a);
    },
  };
}

/** Size of the parts of an update: value and history may cancel. */
function partsOf(constraint: XpbdConstraint): number {
  return Math.max(
    ...xpbdUpdate({ ...constraint, multiplier: 0 }).map(Math.abs),
    ...xpbdUpdate({ ...constraint, value: 0 }).map(Math.abs),
  );
}

/** Largest difference relative to the largest compared part. */
function difference(found: Float64Array, expected: Float64Array, constraint: XpbdConstraint): number {
  const parts = partsOf(constraint);
  let worst = 0;
  for (let c = 0; c < expected.length; c++) worst = Math.max(worst, Math.abs(found[c] - expected[c]));
  return parts === 0 ? worst : worst / parts;
}

const samples = 1234;

describe("GPBD equals XPBD for linearly compliant constraints (Appendix A)", () => {
  it("with the compliance form that distance constraints use, to 1e-12", () => {
    const random = new RandomGeometry(41);
    let worst = 0;
    let hard = 0;
    for (let i = 0; i < samples; i++) {
      const { constraint, element, rest } = distanceSample(random);
      if (constraint.compliance === 0) hard++;
      solveCompliantElement(elementKinds.distance, rest, 0, constraint.compliance, element);
      worst = Math.max(worst, difference(element.displacement, xpbdUpdate(constraint), constraint));
    }
    expect(hard).toBeGreaterThan(100);
    expectWithin("distance constraints, relative", worst, 1e-12);
  });

  it.each([1, 2, 3, 4])("with random linear constraints of %i vertices in compliance form, to 1e-12", (arity) => {
    const random = new RandomGeometry(42);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const strain = linearStrain(random, arity);
      const { constraint, element, rest } = sampleOf(strain, new Float64Array(1), random);
      const kind: ElementKind = { strain, density: quadratic(1), measureAt: -1, dampingAt: -1 };
      solveCompliantElement(kind, rest, 0, constraint.compliance, element);
      worst = Math.max(worst, difference(element.displacement, xpbdUpdate(constraint), constraint));
    }
    expectWithin("linear constraints, relative", worst, 1e-12);
  });

  // The general update knows the constraint only as an energy c²/2α. Its Newton matrix is shifted by 1e-12 of itself.
  it.each([
    ["linear constraints", 1],
    ["linear constraints", 5],
    ["distance constraints, linearised once", 1],
  ])("with the general Newton update of an energy: %s, %i Newton iterations", (what, newtonIterations) => {
    const random = new RandomGeometry(43);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const linear = what === "linear constraints";
      const strain = linear ? linearStrain(random, 1 + (i % 4)) : elementKinds.distance.strain;
      const { constraint, element } = sampleOf(strain, Float64Array.of(random.between(0.01, 2)), random);
      const compliance = 10 ** random.between(-7, 2);
      const kind: ElementKind = { strain, density: quadratic(1), measureAt: 1, dampingAt: -1 };
      const rest = Float64Array.of(linear ? 0 : 0.5, 1 / compliance);
      const s = new Float64Array(1);
      strain.strain(element.x, rest, 0, s);
      const expected = { ...constraint, value: s[0], compliance };
      solveElement(kind, rest, 0, noMaterial, constraint.dt, newtonIterations, element);
      worst = Math.max(worst, difference(element.displacement, xpbdUpdate(expected), expected));
    }
    expectWithin(`general update, ${what}, relative`, worst, 1e-10);
  });

  it("over many iterations of a coupled system: XPBD's multipliers and GPBD's displacements stay together", () => {
    // A polygon of compliant distance constraints that share vertices, solved in turn; small motion keeps ∇c the same.
    const random = new RandomGeometry(44);
    const count = 17;
    const dt = 1 / 600;
    const compliance = 1e-7;
    const inverseMasses = Array.from({ length: count }, (_, p) => (p === 0 ? 0 : random.between(10, 1000)));
    const rest = Array.from({ length: count }, () => random.between(0.5, 1.5));
    const byXpbd = Float64Array.from({ length: 3 * count }, () => random.between(-1, 1));
    const byGpbd = byXpbd.slice();
    const multipliers = new Float64Array(count);
    const strain = linearStrain(random, 2);
    const tracked = Array.from({ length: count }, () => new Float64Array(6));
    const corners = (x: Float64Array, e: number): Float64Array =>
      Float64Array.from({ length: 6 }, (_, c) => x[3 * ((e + Math.floor(c / 3)) % count) + (c % 3)]);
    const move = (x: Float64Array, e: number, delta: Float64Array): void => {
      for (let c = 0; c < 6; c++) x[3 * ((e + Math.floor(c / 3)) % count) + (c % 3)] += delta[c];
    };
    const gradient = new Float64Array(6);
    strain.jacobian(byXpbd, noMaterial, 0, gradient);
    const s = new Float64Array(1);
    const element = createElementScratch();
    const kind: ElementKind = { strain, density: quadratic(1), measureAt: -1, dampingAt: -1 };
    for (let iteration = 0; iteration < 50; iteration++)
      for (let e = 0; e < count; e++) {
        const masses = [inverseMasses[e], inverseMasses[(e + 1) % count]];
        strain.strain(corners(byXpbd, e), noMaterial, 0, s);
        const value = s[0] - rest[e];
        let denominator = compliance / dt ** 2;
        for (let c = 0; c < 6; c++) denominator += masses[Math.floor(c / 3)] * gradient[c] ** 2;
        const change = -(value + (compliance / dt ** 2) * multipliers[e]) / denominator;
        multipliers[e] += change;
        move(byXpbd, e, displacementBy(change, { gradient, inverseMasses: masses }));

        element.x.set(corners(byGpbd, e));
        element.tracked.set(tracked[e]);
        masses.forEach((inverse, p) => (element.w[p] = dt * dt * inverse));
        const shifted: StrainMeasure = {
          ...strain,
          strain(x, r, at, out) {
            strain.strain(x, r, at, out);
            out[0] -= rest[e];
          },
        };
        solveCompliantElement({ ...kind, strain: shifted }, noMaterial, 0, compliance, element);
        const delta = element.displacement.slice(0, 6);
        tracked[e].forEach((_, c) => (tracked[e][c] += delta[c]));
        move(byGpbd, e, delta);
      }
    let worst = 0;
    for (let i = 0; i < byXpbd.length; i++) worst = Math.max(worst, Math.abs(byXpbd[i] - byGpbd[i]));
    expectWithin("positions after 50 iterations [m]", worst, 1e-12);
    // and the tracked displacements correspond to XPBD's multipliers
    for (let e = 0; e < count; e++) {
      const masses = [inverseMasses[e], inverseMasses[(e + 1) % count]];
      const expected = displacementBy(multipliers[e], { gradient, inverseMasses: masses });
      for (let c = 0; c < 6; c++) expect(Math.abs(tracked[e][c] - expected[c])).toBeLessThan(1e-12);
    }
  });
});

describe("isometric bending", () => {
  it("is the XPBD update of its three constraints at once", () => {
    // One row of weights: s = K·x in three directions that share g = Σ w K², each a linear constraint of compliance one.
    const random = new RandomGeometry(45);
    const { arity, rest: stride } = termLayout["isometric-bending"];
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const dt = 1 / random.between(60, 1000);
      const weights = Array.from({ length: arity - 1 }, () => random.between(-3, 3));
      weights.push(-weights.reduce((sum, value) => sum + value, 0));
      const rest = new Float64Array(stride);
      weights.forEach((weight, a) => (rest[WEIGHTS + 3 * a + (i % 3)] = weight));
      const inverseMasses = weights.map(() => randomInverseMass(random));
      const element = createElementScratch();
      for (let c = 0; c < 3 * arity; c++) element.x[c] = random.between(-1, 1);
      inverseMasses.forEach((value, p) => (element.w[p] = dt * dt * value));
      // multipliers along s have no torque
      const factor = random.between(-1, 1);
      const constraints = [0, 1, 2].map((axis): XpbdConstraint => {
        const gradient = Float64Array.from({ length: 3 * arity }, (_, c) =>
          c % 3 === axis ? weights[Math.floor(c / 3)] : 0,
        );
        const value = gradient.reduce((sum, g, c) => sum + g * element.x[c], 0);
        return { value, gradient, compliance: 1, inverseMasses, multiplier: factor * value, dt };
      });
      for (const constraint of constraints)
        displacementBy(constraint.multiplier, constraint).forEach((d, c) => (element.tracked[c] += d));
      solveBending(false, rest, 0, 0, element);
      const expected = new Float64Array(3 * arity);
      for (const constraint of constraints) xpbdUpdate(constraint).forEach((d, c) => (expected[c] += d));
      const parts = Math.max(...constraints.map(partsOf));
      for (let c = 0; c < 3 * arity && parts > 0; c++)
        worst = Math.max(worst, Math.abs(element.displacement[c] - expected[c]) / parts);
    }
    expectWithin("isometric bending against XPBD, relative", worst, 1e-9);
  });
});
