import { describe, expect, it } from "vitest";
import { solveElement } from "../../../../src/solvers/gpbd/elements/local-solve";
import { NEIGHBOURS, neighbourPlace } from "../../../../src/solvers/gpbd/elements/hylc-neighbours";
import { isSolid, type TermKind } from "../../../../src/solvers/gpbd/model";
import { RandomGeometry } from "../../../collision/random";
import { expectWithin } from "../../../figures";
import { derivative } from "../../../math/differences";
import { allKinds, randomElement, type RandomElement } from "../elements";
import { kindOf, objective, subspace } from "../local-objective";

function solve(random: RandomElement, newtonIterations: number): Float64Array {
  const { rest, material, dt, element } = random;
  solveElement(kindOf(random), rest, 0, material, dt, newtonIterations, element);
  return element.displacement;
}

const samples = 400;

describe.each(allKinds)("update of one %s element", (kind) => {
  it("minimises equation (19) over the column space of W Sᵀ", () => {
    const random = new RandomGeometry(31);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      // The minimum of a solid without a barrier that starts half crushed may be inside out, which the update must
      // avoid.
      const sample = randomElement(kind, random, 0.05, isSolid(kind) ? 0.12 : 0.25);
      // around a corner of three triangles the minimum may be at a fold of one of them, where (19) has a kink
      if (kind === "hylc" && hasCornerOfThree(sample)) continue;
      const found = solve(sample, 60).slice();
      const before = slopes(sample, new Float64Array(36));
      const after = slopes(sample, found);
      // A slope of φ along a direction in strain, relative to the initial slope of the update.
      for (let j = 0; j < before.length; j++)
        worst = Math.max(worst, Math.abs(after[j]) / Math.max(...before.map(Math.abs), floorOf(sample)));
    }
    expectWithin(`slope of (19) at the minimiser of ${kind}, relative`, worst, 1e-6);
  });

  it.each([1, 2, 5, 20])("never makes (19) larger, with %i Newton iterations", (newtonIterations) => {
    const random = new RandomGeometry(32);
    let worst = -Infinity;
    for (let i = 0; i < samples; i++) {
      const sample = randomElement(kind, random);
      const before = objective(sample, kindOf(sample), new Float64Array(36));
      const after = objective(sample, kindOf(sample), solve(sample, newtonIterations));
      worst = Math.max(worst, (after - before) / Math.abs(before));
    }
    expectWithin(`growth of (19) for ${kind}, relative`, worst, 1e-12);
  });

  it("leaves pinned corners where they are, to the bit", () => {
    const random = new RandomGeometry(33);
    let pinned = 0;
    for (let i = 0; i < samples; i++) {
      const sample = randomElement(kind, random);
      const found = solve(sample, 3);
      for (let c = 0; c < 36; c++)
        if (sample.element.w[Math.floor(c / 3)] === 0) {
          pinned++;
          expect(Math.abs(found[c])).toBe(0);
        }
    }
    expect(pinned).toBeGreaterThan(100);
  });

  it("keeps linear momentum", () => {
    const random = new RandomGeometry(34);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const sample = randomElement(kind, random);
      const { w } = sample.element;
      const { arity } = kindOf(sample).strain;
      for (let p = 0; p < arity; p++) w[p] ||= 1e-4;
      const found = solve(sample, 3);
      for (let c = 0; c < 3; c++) {
        let [sum, size] = [0, 0];
        for (let p = 0; p < arity; p++) {
          sum += found[3 * p + c] / w[p];
          size += Math.abs(found[3 * p + c] / w[p]);
        }
        if (size > 0) worst = Math.max(worst, Math.abs(sum) / size);
      }
    }
    expectWithin(`momentum of a ${kind} update, relative`, worst, 1e-8);
  });

  it("does nothing to an element that is wholly pinned", () => {
    const sample = randomElement(kind, new RandomGeometry(35));
    sample.element.w.fill(0);
    expect(Math.max(...solve(sample, 3).map(Math.abs))).toBe(0);
  });

  it("stays finite for elements that collapsed to a line or a point, or are huge", () => {
    const random = new RandomGeometry(36);
    for (const [scaleX, scaleY, scaleZ] of [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 1],
      [1e-9, 1e-9, 1e-9],
      [1e6, 1e6, 1e6],
    ])
      for (let i = 0; i < 60; i++) {
        const sample = randomElement(kind, random);
        const scale = [scaleX, scaleY, scaleZ];
        for (const values of [sample.element.x, sample.element.start])
          for (let c = 0; c < 36; c++) values[c] *= scale[c % 3];
        const found = solve(sample, 5);
        expect(found.every(Number.isFinite), `scaled by ${scale}: ${found}`).toBe(true);
      }
  });
});

function hasCornerOfThree({ rest }: RandomElement): boolean {
  const places = [0, 1, 2].map((side) => neighbourPlace(rest[NEIGHBOURS], side)).filter((place) => place > 0);
  return new Set(places).size < places.length;
}

/** φ changes by this much along the columns of W Sᵀ. */
function slopes(sample: RandomElement, at: Float64Array): number[] {
  const kind = kindOf(sample);
  return subspace(sample, kind).map((column) => {
    const size = Math.max(...column.map(Math.abs));
    if (size === 0) return 0;
    const moved = at.slice();
    const step = 1e-6;
    // per meter of the corner that moves most
    return derivative((t) => {
      for (let c = 0; c < column.length; c++) moved[c] = at[c] + (t * column[c]) / size;
      return objective(sample, kind, moved);
    }, step);
  });
}

/** Differences of φ know a slope no better than rounding of φ over their step allows. */
function floorOf(sample: RandomElement): number {
  return 1e-4 * Math.abs(objective(sample, kindOf(sample), new Float64Array(36)));
}

describe("the search along a line", () => {
  const neoHookean: TermKind = "neo-hookean-membrane";

  it("brings an inverted start of a neo-Hookean triangle back to a finite, lower energy", () => {
    const random = new RandomGeometry(37);
    for (let i = 0; i < 200; i++) {
      const sample = randomElement(neoHookean, random, 0.05, 0.02);
      const { x, w, tracked } = sample.element;
      tracked.fill(0);
      for (let p = 0; p < 3; p++) w[p] ||= 1e-3;
      // squeezed to a thousandth along one axis
      for (let c = 2; c < 9; c += 3) x[c] = x[2] + 1e-3 * (x[c] - x[2]);
      const before = objective(sample, kindOf(sample), new Float64Array(36));
      const after = objective(sample, kindOf(sample), solve(sample, 30));
      expect(after).toBeLessThan(before);
    }
  });
});
