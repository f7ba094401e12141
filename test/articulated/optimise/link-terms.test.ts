import { describe, expect, it } from "vitest";
import { ArticulatedModel } from "../../../src/articulated/model";
import { freeStep } from "./mechanisms";
import { TermCost, type CostTerm } from "../../../src/articulated/optimise/cost/cost";
import type { CostDerivatives } from "../../../src/articulated/optimise/cost/moments";
import { runTask, stepOf, type TrajectoryTask } from "../../../src/articulated/optimise/task";
import { optimizeTrajectory } from "../../../src/articulated/optimise/trajectory";
import type { ActuatorDescription } from "../../../src/articulated/actuators/description";
import { updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { linkPose } from "../../../src/articulated/link-pose";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { RandomGeometry } from "../../collision/random";
import { relativeError } from "../../math/differences";
import { expectRefused, expectRejected } from "../../refusal";
import { randomState, randomTree } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

function derivativesOf(nx: number, nu: number): CostDerivatives {
  const floats = (n: number): Float64Array => new Float64Array(n);
  return { x: floats(nx), u: floats(nu), xx: floats(nx * nx), uu: floats(nu * nu), ux: floats(nu * nx) };
}

/** Every kind and form, of links of different branches, in the world and in the axes of other links. */
function allTerms(random: RandomGeometry, names: readonly string[]): CostTerm[] {
  const pick = (): string => names[Math.floor(random.between(0, names.length))];
  const of = { when: [2, 5], weight: random.between(0.5, 2) } as const;
  return [undefined, pick(), pick()].flatMap((targetLink): CostTerm[] => {
    const to = { ...of, ...(targetLink === undefined ? {} : { targetLink }) };
    const point = { ...to, of: "point", link: pick(), point: random.vector(0.5), target: random.vector(1) } as const;
    return [
      { ...point, weight: [0.5, 2, 0] },
      { ...point, form: "smooth-distance", scale: 0.3 },
      { ...point, form: "signed-square", weight: [-0.4, 0.7, 0.2] },
      { ...to, of: "direction", link: pick(), axis: random.vector(1), target: random.vector(1) },
      { ...to, of: "orientation", link: pick(), target: random.rotation() },
    ];
  });
}

describe("costs of links", () => {
  it.each([1, 2, 3, 4])("have exact gradients, tree %i", (seed) => {
    const random = new RandomGeometry(seed);
    const model = new ArticulatedModel(randomTree(random, 14));
    const { nv } = model;
    const { q, qd } = randomState(random, model);
    const x = Float64Array.of(...q, ...qd);
    for (const term of allTerms(random, model.linkNames)) {
      const cost = new TermCost([term], { nv, nu: 1, timeStep: 0.1, steps: 5, model });
      const out = derivativesOf(2 * nv, 1);
      const value = cost.evaluate(2, x, undefined, out);
      expect(cost.evaluate(5, x, undefined, undefined)).toBe(value);
      expect([0, 1, 3, 4].map((k) => cost.evaluate(k, x, undefined, undefined))).toEqual([0, 0, 0, 0]);
      const expected = riddersJacobian((at, to) => (to[0] = cost.evaluate(2, at, undefined, undefined)), x, 1, 1e-2);
      expect(relativeError(out.x, expected), JSON.stringify(term)).toBeLessThan(1e-8);
      const direction = Float64Array.from({ length: 2 * nv }, () => random.between(-1, 1));
      let curvature = 0;
      for (let i = 0; i < 2 * nv; i++)
        for (let j = 0; j < 2 * nv; j++) curvature += direction[i] * out.xx[i * 2 * nv + j] * direction[j];
      expect(curvature).toBeGreaterThanOrEqual(-1e-12);
    }
  });

  it("lead a hand to a place and a direction, as plain data", async () => {
    const task: TrajectoryTask = {
      mechanism: arm,
      simulation: { timeStep: 0.01 },
      steps: 60,
      hold: 3,
      cost: [
        { of: "point", link: "hand", point: [0.3, 0, 0], target: [0.4, 0.3, 0], when: "final", weight: 100 },
        { of: "point", link: "hand", point: [0.3, 0, 0], target: [0.5, 0.1, 0], when: [30], weight: 100 },
        { of: "direction", link: "hand", axis: [1, 0, 0], target: [0, 1, 0], when: "final", weight: 10 },
        { of: "velocity", when: "final", weight: 0.1 },
        { of: "control", when: "running", weight: 1e-5 },
      ],
      controls: "gravity",
    };
    const result = await runTask(structuredClone(task));
    const model = new ArticulatedModel(arm);
    const tipAt = (k: number): number[] => {
      const scratch = new ArticulatedScratch(model);
      updatePositions(scratch, result.positions.slice(3 * k, 3 * k + 3));
      const { position } = linkPose(scratch, 2);
      return position.map((value, c) => value + 0.3 * scratch.linkRotation[18 + 3 * c]);
    };
    const [middle, end] = [tipAt(10), tipAt(20)];
    expect(Math.hypot(middle[0] - 0.5, middle[1] - 0.1)).toBeLessThan(0.01);
    expect(Math.hypot(end[0] - 0.4, end[1] - 0.3)).toBeLessThan(0.01);
    const angle = result.positions.slice(60).reduce((sum, value) => sum + value, 0);
    expect(Math.abs(angle - Math.PI / 2)).toBeLessThan(0.05);
  });

  it("are refused if they make no sense", async () => {
    const step = freeStep(arm, 0.01);
    const at = (change: object) =>
      new TermCost(
        [{ of: "point", link: "hand", target: [0, 0, 0], when: "final", weight: 1, ...change } as CostTerm],
        {
          nv: 3,
          nu: 3,
          timeStep: 0.01,
          steps: 4,
          hold: 5,
          model: step.model,
        },
      );
    const refuse = (change: object, rule: RegExp): void => expectRefused(() => at(change), "invalid-argument", rule);
    refuse({ link: "nobody" }, /name of a link/);
    refuse({ targetLink: "nobody" }, /name of a link/);
    refuse({ target: [0, 0] }, /target.*3 numbers/);
    refuse({ of: "orientation" }, /target.*4 numbers/);
    refuse({ of: "direction", axis: [0, 0, 0] }, /axis.*direction/);
    refuse({ of: "place" }, /of.*"point"/);
    refuse({ when: [3] }, /when.*multiples of 5 from 0 to 20/);
    refuse({ when: "often" }, /when.*"final"/);
    refuse({ form: "smooth-distance", weight: [1, 1, 1] }, /one number/);
    refuse({ scale: 0 }, /scale.*positive/);
    refuse({ points: [0, 0, 0] }, /points/);
    expectRefused(() => at({ point: [0, Number.NaN, 0] }), "non-finite", /point/);
    const bare = { nv: 1, nu: 1, timeStep: 1, step: () => undefined, stepWithJacobians: () => undefined };
    const problem = { step: bare, position: [0], velocity: [0], steps: 1 };
    const place = { of: "point", link: "hand", target: [0, 0, 0], when: "final", weight: 1 } as const;
    await expectRejected(optimizeTrajectory({ ...problem, cost: [place] }), "unsupported", /has a model/);
    const cost = [{ of: "position", when: "final", weight: 1 }] as const;
    await expectRejected(optimizeTrajectory({ ...problem, cost, controls: "gravity" }), "unsupported", /weights/);
  });
});

const arm = {
  name: "arm",
  links: ["shoulder", "elbow", "hand"].map((name, i) => ({
    name,
    ...(i === 0 ? {} : { parent: ["shoulder", "elbow"][i - 1] }),
    mass: 1,
    centerOfMass: [0.15, 0, 0] as const,
    inertia: [0.01, 0.02, 0.02, 0, 0, 0] as const,
    joint: {
      type: "revolute" as const,
      parentFrame: { position: i === 0 ? ([0, 0, 0] as const) : ([0.3, 0, 0] as const) },
      stiffness: 2,
      restPosition: -0.4,
      initialPosition: 0.3,
      effortLimit: 40,
    },
  })),
};

describe("controls against gravity", () => {
  const servos: ActuatorDescription[] = arm.links.map(({ name }, i) => ({
    name,
    joints: [{ joint: name, coefficient: 2 }],
    gain: i === 2 ? 1 : 50,
    bias: i === 2 ? [0.5, 0, 0] : [0, -50, -3],
  }));
  it.each(["efforts", "inputs"] as const)("hold the first position by %s", (drive) => {
    const step = stepOf({
      mechanism: arm,
      simulation: { timeStep: 0.01, actuators: drive === "inputs" ? servos : [] },
      drive,
    });
    const [q, qd] = [step.model.initialPosition.slice(), new Float64Array(3)];
    const u = new Float64Array(step.nu);
    step.step(q.slice(), qd.slice(), new Float64Array(3).fill(0.2), new Float64Array(3), new Float64Array(3));
    step.holdingControls(q, u);
    for (let k = 0; k < 50; k++) step.step(q, qd, u, q, qd);
    for (let k = 0; k < 3; k++) expect(q[k]).toBeCloseTo(0.3, 9);
  });

  it("are the first guess of an optimization, held or not", async () => {
    for (const hold of [1, 5]) {
      const problem = {
        step: freeStep(arm, 0.01),
        position: [0.3, 0.3, 0.3],
        velocity: [0, 0, 0],
      };
      const cost = [{ of: "position", when: "final", weight: 1, target: 0.3 }] as const;
      const result = await optimizeTrajectory(
        { ...problem, steps: 10, hold, cost, controls: "gravity" },
        { iterations: 0 },
      );
      expect(result.initialCost).toBeLessThan(1e-20);
    }
  });
});
