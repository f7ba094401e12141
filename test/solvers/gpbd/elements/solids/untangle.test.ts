import { describe, expect, it } from "vitest";
import { determinant } from "../../../../../src/math/determinant";
import { singularValues } from "../../../../../src/math/eigen/svd3";
import { recoveryIn } from "../../../../../src/solvers/gpbd/guard/recovery";
import { deformationGradient } from "../../../../../src/solvers/gpbd/strains/green-tet";
import { smallestStretch, untangle } from "../../../../../src/solvers/gpbd/elements/solids/untangle";
import { RandomGeometry } from "../../../../collision/random";
import { expectWithin } from "../../../../figures";
import { randomGradient } from "../../../../materials/solid-strains";
import { randomElement, type RandomElement } from "../../elements";

const samples = 400;
/** time step [s] */
const DT = 0.01;

/** Edges from vertex 0, one after another, with the deformation gradient F. */
function deformedEdges(rest: Float64Array, f: ArrayLike<number>): number[] {
  // Dm from its inverse: edges are the columns
  const inverse = rest.subarray(0, 9);
  const det = determinant(inverse);
  return [0, 1, 2].flatMap((edge) => {
    const column = [0, 1, 2].map((row) => {
      const [p, q, r, s] = [(edge + 1) % 3, (edge + 2) % 3, (row + 1) % 3, (row + 2) % 3];
      return (inverse[3 * p + r] * inverse[3 * q + s] - inverse[3 * p + s] * inverse[3 * q + r]) / det;
    });
    return [0, 1, 2].map((c) => f[3 * c] * column[0] + f[3 * c + 1] * column[1] + f[3 * c + 2] * column[2]);
  });
}

/** A tetrahedron with the deformation gradient F; vertex 0 keeps its `x`. */
function deformed(random: RandomGeometry, f: readonly number[]): RandomElement {
  const sample = randomElement("neo-hookean-tet", random, 0.05, 0);
  const { x } = sample.element;
  const edges = deformedEdges(sample.rest, f);
  for (let i = 0; i < 9; i++) x[3 + i] = x[i % 3] + edges[i];
  for (let p = 0; p < 4; p++) sample.element.w[p] ||= 1e-4;
  return sample;
}

/** Makes it begin the time step with another smallest stretch in the same directions. */
function startFrom({ rest, element }: RandomElement, smallest: number): void {
  const f = new Float64Array(9);
  const [u, v, sigma] = [new Float64Array(9), new Float64Array(9), new Float64Array(3)];
  deformationGradient(element.x, rest, 0, f);
  singularValues(f, 0, 3, u, sigma, v);
  sigma[2] = smallest;
  const began = f.map((_, i) =>
    [0, 1, 2].reduce((sum, k) => sum + u[i - (i % 3) + k] * sigma[k] * v[3 * (i % 3) + k], 0),
  );
  element.start.set(element.x);
  const edges = deformedEdges(rest, began);
  for (let i = 0; i < 9; i++) element.start[3 + i] = element.x[i % 3] + edges[i];
}

function gradientOf({ rest, element }: RandomElement): Float64Array {
  const f = new Float64Array(9);
  deformationGradient(element.x, rest, 0, f);
  return f;
}

function stretches(f: ArrayLike<number>): Float64Array {
  const sigma = new Float64Array(3);
  singularValues(f, 0, 3, new Float64Array(9), sigma, new Float64Array(9));
  return sigma;
}

describe("elements that are inside out", () => {
  it.each([
    ["get the smallest singular value negated where vertices take a mean", true],
    ["get it raised as far as it has to be where they are swept one after another", false],
  ])("%s, the others kept", (_, isMean) => {
    const random = new RandomGeometry(41);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const sizes = [random.between(1, 3), random.between(0.3, 1), random.between(0.05, 0.3)];
      const sample = deformed(random, randomGradient(random, [sizes[0], sizes[1], -sizes[2]]));
      startFrom(sample, 0.5);
      untangle(sample.rest, 0, sample.element, isMean, 1);
      const after = stretches(gradientOf(sample));
      const wanted = [sizes[0], sizes[1], isMean ? sizes[2] : smallestStretch];
      wanted.forEach((size, k) => (worst = Math.max(worst, Math.abs(after[k] - size))));
    }
    expectWithin("principal stretches after the projection", worst, 1e-5);
  });

  it.each([
    ["slowly where nothing guards the body: no speed without end in short time steps", false],
    ["the whole way where a guard does", true],
  ])("come back from where they were inside out before %s", (_, isGuarded) => {
    const random = new RandomGeometry(46);
    const recovery = recoveryIn(DT, isGuarded);
    expect(recovery < 0.1).toBe(!isGuarded);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const [was, is] = [-random.between(0.01, 0.3), -random.between(0.31, 0.6)];
      const sample = deformed(random, randomGradient(random, [random.between(1, 3), 0.8, is]));
      startFrom(sample, was);
      untangle(sample.rest, 0, sample.element, false, recovery);
      const wanted = was + recovery * (smallestStretch - was);
      const after = stretches(gradientOf(sample));
      worst = Math.max(worst, Math.abs(Math.sign(determinant(gradientOf(sample))) * Math.abs(after[2]) - wanted));
    }
    expectWithin("smallest principal stretch after the projection", worst, 1e-5);
  });

  it("keep their centre of mass, and say how far they moved", () => {
    const random = new RandomGeometry(42);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const sample = deformed(random, randomGradient(random, [random.between(0.5, 2), 1, -random.between(0, 1)]));
      const { x, w, projection } = sample.element;
      const before = x.slice();
      untangle(sample.rest, 0, sample.element, true, 1);
      for (let c = 0; c < 3; c++) {
        let [sum, size] = [0, 0];
        for (let p = 0; p < 4; p++) {
          sum += projection[3 * p + c] / w[p];
          size += Math.abs(projection[3 * p + c] / w[p]);
          expect(x[3 * p + c]).toBeCloseTo(before[3 * p + c] + projection[3 * p + c], 14);
        }
        worst = Math.max(worst, Math.abs(sum) / size);
      }
    }
    expectWithin("centre of mass, relative", worst, 1e-9);
  });

  it("leave a pinned vertex where it is, and still turn", () => {
    const random = new RandomGeometry(43);
    for (let i = 0; i < samples; i++) {
      const sample = deformed(random, randomGradient(random, [1.2, 0.8, -0.4]));
      sample.element.w[i % 4] = 0;
      untangle(sample.rest, 0, sample.element, true, 1);
      for (let c = 0; c < 3; c++) expect(Math.abs(sample.element.projection[3 * (i % 4) + c])).toBe(0);
      expect(determinant(gradientOf(sample))).toBeGreaterThan(0);
    }
  });

  it("are given a little of every stretch that they lost: flat, thin and point-like ones", () => {
    const random = new RandomGeometry(44);
    for (const lost of [
      [1, 1, 0],
      [1, 0, 0],
      [0, 0, 0],
      [2, 1e-9, -1e-9],
    ])
      for (let i = 0; i < 100; i++) {
        const sample = deformed(random, randomGradient(random, lost));
        untangle(sample.rest, 0, sample.element, true, 1);
        const after = stretches(gradientOf(sample));
        lost.forEach((size, k) =>
          expect(Math.abs(after[k] - Math.max(smallestStretch, Math.abs(size)))).toBeLessThan(1e-5),
        );
      }
  });
});

it("elements that are sound are left alone, also very long and thin ones", () => {
  const random = new RandomGeometry(45);
  for (let i = 0; i < samples; i++) {
    const sizes = [random.between(0.5, 30), random.between(0.03, 3), random.between(0.021, 1)];
    const sample = deformed(random, randomGradient(random, sizes));
    const before = sample.element.x.slice();
    untangle(sample.rest, 0, sample.element, true, 1);
    expect(sample.element.x).toEqual(before);
  }
});
