import { describe, expect, it } from "vitest";
import { quadratic } from "../../../../src/materials/quadratic";
import { createElementScratch, solveElement } from "../../../../src/solvers/gpbd/elements/local-solve";
import { solveJoint } from "../../../../src/solvers/gpbd/rods/joint-solve";
import { untwistedFrames } from "../../../../src/solvers/gpbd/rods/rod-set";
import { ROD_ELEMENT, rodStrain } from "../../../../src/solvers/gpbd/strains/rod";
import { RandomGeometry, rotationAround } from "../../../collision/random";
import { expectWithin } from "../../../figures";
import { jacobianByDifferences, relativeError } from "../../../math/differences";

/** A joint whose frames lag behind its edges, as within a step. */
function randomJoint(random: RandomGeometry): { x: Float64Array; rest: Float64Array } {
  const start = [0, 1, 2].flatMap((c) => random.vector(0.3).map((value, axis) => value + (axis === 0 ? c : 0)));
  const frames = untwistedFrames(start, [0, 1, 1, 2], random.between(-2, 2));
  const angle = random.between(-1, 1);
  const rest = new Float64Array(ROD_ELEMENT);
  const stiffness = [0, 1, 2].map(() => random.between(0.5, 2));
  rest.set([random.between(-1, 1), random.between(-1, 1), Math.sin(angle), Math.cos(angle), ...stiffness, ...frames]);
  const x = new Float64Array(15);
  start.forEach((value, i) => (x[i] = value + random.between(-0.3, 0.3)));
  x[9] = random.between(-1, 1);
  x[12] = random.between(-1, 1);
  return { x, rest };
}

describe("the update of a joint of a rod", () => {
  const kind = { strain: rodStrain, density: quadratic(3), measureAt: -1, dampingAt: 0 };

  it.each([0, 0.01])("has the bits of the update of any element, with a damping time of %f s", (damping) => {
    const random = new RandomGeometry(92);
    let moving = 0;
    for (let sample = 0; sample < 1234; sample++) {
      const { x, rest } = randomJoint(random);
      const elements = [createElementScratch(), createElementScratch()];
      const w = Array.from({ length: 5 }, () => (random.between(0, 1) < 0.2 ? 0 : 10 ** random.between(-3, 2)));
      const start = x.map((value, i) => (i < 9 ? value + random.between(-0.05, 0.05) : 0));
      const tracked = x.map((_, i) => (i < 9 || i === 9 || i === 12 ? random.between(-0.01, 0.01) : 0));
      for (const element of elements) {
        element.x.set(x);
        element.start.set(start);
        element.tracked.set(tracked);
        element.w.set(w);
      }
      solveElement(kind, rest, 0, Float64Array.of(damping), 1e-3, 1, elements[0]);
      solveJoint(rest, Float64Array.of(damping / 1e-3), elements[1]);
      // 0 and −0 are the same displacement
      const [general, own] = elements.map(({ displacement }) => [...displacement].map((value) => value + 0));
      expect(own).toEqual(general);
      if (own.some((value) => value !== 0)) moving++;
    }
    expect(moving).toBeGreaterThan(1000);
  });
});

describe("strain of a joint of a rod", () => {
  const [before, after] = [new Float64Array(3), new Float64Array(3)];

  it("has the Jacobian that its values have, to 1e-6", () => {
    const random = new RandomGeometry(91);
    const jacobian = new Float64Array(45);
    let worst = 0;
    for (let sample = 0; sample < 1234; sample++) {
      const { x, rest } = randomJoint(random);
      rodStrain.strain(x, rest, 0, before);
      // a twist of half a turn equals one of half a turn back, so there is no derivative
      if (Math.abs(before[2] / rest[6]) > 3) continue;
      rodStrain.jacobian(x, rest, 0, jacobian);
      const differences = jacobianByDifferences((y, s) => rodStrain.strain(y, rest, 0, s), x, 3, 1e-3);
      worst = Math.max(worst, relativeError(differences, jacobian));
    }
    expectWithin("Jacobian of a joint, relative", worst, 1e-6);
  });

  it("does not change when joint and frames are moved and turned", () => {
    const random = new RandomGeometry(92);
    for (let sample = 0; sample < 123; sample++) {
      const { x, rest } = randomJoint(random);
      rodStrain.strain(x, rest, 0, before);
      const turn = rotationAround(random.direction(), random.between(0, 6));
      const back = [-turn[0], -turn[1], -turn[2], turn[3]];
      const shift = random.vector(2);
      const moved = x.slice();
      for (let p = 0; p < 9; p += 3) {
        const there = product(product(turn, [x[p], x[p + 1], x[p + 2], 0]), back);
        for (let c = 0; c < 3; c++) moved[p + c] = there[c] + shift[c];
      }
      const turned = rest.slice();
      for (const at of [7, 11]) turned.set(product(turn, rest.subarray(at, at + 4)), at);
      rodStrain.strain(moved, turned, 0, after);
      expect(relativeError(after, before, 1)).toBeLessThan(1e-11);
    }
  });

  it("is 2 tan β/2 for edges that enclose β, and the angle of the twist, apart from each other", () => {
    const rest = new Float64Array(ROD_ELEMENT);
    const [beta, twist] = [0.7, 1.1];
    const x = Float64Array.from({ length: 15 }, () => 0);
    x.set([-1, 0, 0, 0, 0, 0, Math.cos(beta), Math.sin(beta), 0]);
    rest.set([0, 0, 0, 1, 1, 1, 1, ...untwistedFrames(x, [0, 1, 1, 2], twist)]);
    rodStrain.strain(x, rest, 0, after);
    expect(Math.hypot(after[0], after[1])).toBeCloseTo(2 * Math.tan(beta / 2), 12);
    expect(after[2]).toBeCloseTo(twist, 12);
  });
});

function product(p: ArrayLike<number>, q: ArrayLike<number>): number[] {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] + p[1] * q[3] + p[2] * q[0] - p[0] * q[2],
    p[3] * q[2] + p[2] * q[3] + p[0] * q[1] - p[1] * q[0],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}
