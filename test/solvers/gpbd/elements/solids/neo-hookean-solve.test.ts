import { describe, expect, it } from "vitest";
import { singularValues } from "../../../../../src/math/eigen/svd3";
import { solveElement } from "../../../../../src/solvers/gpbd/elements/local-solve";
import { solveNeoHookeanTet } from "../../../../../src/solvers/gpbd/elements/solids/neo-hookean-solve";
import { deformationGradient } from "../../../../../src/solvers/gpbd/strains/green-tet";
import { RandomGeometry } from "../../../../collision/random";
import { expectWithin } from "../../../../figures";
import { randomElement, type RandomElement } from "../../elements";
import { kindOf, objective } from "../../local-objective";

const kinds = ["neo-hookean-tet", "stable-neo-hookean-tet"] as const;
const samples = 400;

function closedForm(sample: RandomElement, newtonIterations: number): Float64Array {
  const { rest, material, dt, element } = sample;
  solveNeoHookeanTet(kindOf(sample).barrier!, rest, 0, material, dt, newtonIterations, element);
  return element.displacement.slice();
}

describe.each(kinds)("closed form of the %s update", (kind) => {
  /** @param noise distance from rest, as a fraction of its size */
  function undamped(random: RandomGeometry, noise: number): RandomElement {
    const sample = randomElement(kind, random, 0.05, noise);
    sample.material[4] = 0;
    return sample;
  }

  it("finds the minimiser of (19) that the general solver finds", () => {
    const random = new RandomGeometry(71);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const sample = undamped(random, 0.12);
      const found = closedForm(sample, 60);
      const { rest, material, dt, element } = sample;
      solveElement(kindOf(sample), rest, 0, material, dt, 60, element);
      const size = Math.max(...element.displacement.map(Math.abs), 1e-6);
      for (let c = 0; c < 12; c++) worst = Math.max(worst, Math.abs(found[c] - element.displacement[c]) / size);
    }
    expectWithin(`${kind}, difference of the minimisers, relative`, worst, 1e-5);
  });

  it.each([1, 2, 5, 20])("never makes (19) larger, with %i Newton iterations", (newtonIterations) => {
    const random = new RandomGeometry(72);
    for (let i = 0; i < samples; i++) {
      const sample = undamped(random, 0.25);
      const before = objective(sample, kindOf(sample), new Float64Array(12));
      const found = closedForm(sample, newtonIterations);
      expect(objective(sample, kindOf(sample), found)).toBeLessThanOrEqual(before + 1e-12 * Math.abs(before));
    }
  });

  it("keeps linear and angular momentum, damped or not", () => {
    const random = new RandomGeometry(73);
    const worst = { linear: 0, angular: 0 };
    for (let i = 0; i < samples; i++) {
      const sample = randomElement(kind, random, 0.05, 0.15);
      const { w, x } = sample.element;
      for (let p = 0; p < 4; p++) w[p] ||= 1e-4;
      const found = closedForm(sample, 3);
      const [impulse, spin] = [
        [0, 0, 0],
        [0, 0, 0],
      ];
      let size = 0;
      for (let p = 0; p < 4; p++)
        for (let c = 0; c < 3; c++) {
          const [d, e] = [(c + 1) % 3, (c + 2) % 3];
          impulse[c] += found[3 * p + c] / w[p];
          // about the first vertex, so that the arm is as long as the element
          spin[c] += ((x[3 * p + d] - x[d]) * found[3 * p + e] - (x[3 * p + e] - x[e]) * found[3 * p + d]) / w[p];
          size += Math.abs(found[3 * p + c] / w[p]);
        }
      if (size === 0) continue;
      for (let c = 0; c < 3; c++) {
        worst.linear = Math.max(worst.linear, Math.abs(impulse[c]) / size);
        worst.angular = Math.max(worst.angular, Math.abs(spin[c]) / (0.05 * size));
      }
    }
    expectWithin(`${kind}, linear momentum, relative`, worst.linear, 1e-10);
    expectWithin(`${kind}, angular momentum, relative`, worst.angular, 1e-10);
  });

  it("damps a small motion as the potential of Kelvin and Voigt does", () => {
    const random = new RandomGeometry(74);
    let worst = 0;
    let felt = 0;
    for (let i = 0; i < samples; i++) {
      // It starts at rest and has moved by strains of 1e-4, so that the linearized part is smaller still.
      const sample = randomElement(kind, random, 0.05, 0);
      const { start, x, w, tracked } = sample.element;
      for (let p = 0; p < 4; p++) w[p] = 1e-3 * random.between(0.5, 2);
      for (let c = 0; c < 12; c++) x[c] = start[c] + 5e-6 * random.between(-1, 1);
      tracked.fill(0);
      // (21) has λ − µ for its Lamé parameter: it must belong to a material that resists.
      sample.material[1] += sample.material[0];
      sample.material[4] = 10 ** random.between(-3, -1);
      const found = closedForm(sample, 20);
      const { rest, material, dt, element } = sample;
      solveElement(kindOf(sample), rest, 0, material, dt, 20, element);
      const damped = element.displacement.slice();
      material[4] = 0;
      const without = closedForm(sample, 20);
      const size = Math.max(...damped.map(Math.abs));
      for (let c = 0; c < 12; c++) {
        worst = Math.max(worst, Math.abs(found[c] - damped[c]) / size);
        felt = Math.max(felt, Math.abs(without[c] - damped[c]) / size);
      }
    }
    expectWithin(`${kind}, damped update, relative`, worst, 1e-2);
    expect(felt).toBeGreaterThan(0.1);
  });

  // As for Jacobi, with light vertices and a time step in which sound passes many elements: the Hessian is indefinite here.
  it.each([1, 3])(
    "draws nothing out that is too large and nearly incompressible, with %i Newton iterations",
    (count) => {
      const random = new RandomGeometry(77);
      const dt = 7.5e-4;
      const [f, u, v, sigma] = [9, 9, 9, 3].map((size) => new Float64Array(size));
      let worst = 0;
      for (let i = 0; i < samples; i++) {
        const sample = { ...undamped(random, 0), dt };
        const { rest, material, element } = sample;
        material.set([3.3e4, 3.3e7]);
        element.w.fill((24 * dt * dt) / (250 * rest[9]));
        element.tracked.fill(0);
        const stretch = [random.between(0.95, 1.3), random.between(0.95, 1.2), random.between(0.9, 1.1)];
        for (let c = 0; c < 12; c++) element.x[c] = stretch[c % 3] * element.start[c];
        const found = closedForm(sample, count);
        deformationGradient(
          element.x.map((x, c) => x + found[c]),
          rest,
          0,
          f,
        );
        singularValues(f, 0, 3, u, sigma, v);
        worst = Math.max(worst, sigma[0] / Math.max(...stretch));
      }
      expectWithin(`${kind}, largest stretch over that before`, worst, 1.1);
    },
  );

  it("finds the minimiser where three vertices are pinned, and edges lie along the axes", () => {
    const random = new RandomGeometry(76);
    let worst = 0;
    for (let i = 0; i < 100; i++) {
      const sample = undamped(random, 0);
      const { rest, material, dt, element } = sample;
      const free = i % 4;
      rest.set([20, 0, 0, 0, 20, 0, 0, 0, 20, 0.05 ** 3 / 6]);
      for (let p = 0; p < 4; p++) {
        element.w[p] = p === free ? (dt * dt) / 0.05 : 0;
        for (let c = 0; c < 3; c++) {
          const at = p === c + 1 ? 0.05 : 0;
          element.x[3 * p + c] = at + (p === free ? 0.005 * random.between(-1, 1) : 0);
        }
      }
      element.tracked.fill(0);
      const found = closedForm(sample, 6);
      solveElement(kindOf(sample), rest, 0, material, dt, 60, element);
      const size = Math.max(...element.displacement.map(Math.abs));
      for (let c = 0; c < 12; c++) worst = Math.max(worst, Math.abs(found[c] - element.displacement[c]) / size);
    }
    expectWithin(`${kind}, three pinned vertices, relative`, worst, 1e-6);
  });

  it("does nothing to an element that is wholly pinned, and leaves pinned vertices to the bit", () => {
    const random = new RandomGeometry(75);
    for (let i = 0; i < 50; i++) {
      const sample = randomElement(kind, random, 0.05, 0.1);
      sample.element.w[i % 4] = 0;
      const found = closedForm(sample, 3);
      for (let c = 0; c < 3; c++) expect(Math.abs(found[3 * (i % 4) + c])).toBe(0);
      sample.element.w.fill(0);
      expect(Math.max(...closedForm(sample, 3).map(Math.abs))).toBe(0);
    }
  });
});
