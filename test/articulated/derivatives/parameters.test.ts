import { describe, expect, it } from "vitest";
import { InverseDynamicsDerivatives } from "../../../src/articulated/derivatives/inverse-dynamics";
import { ParameterDerivatives } from "../../../src/articulated/derivatives/parameters";
import { inverseDynamics } from "../../../src/articulated/dynamics/inverse-dynamics";
import { updateKinematics, updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedModel } from "../../../src/articulated/model";
import { parameterValue, shiftParameter, type MechanismParameter } from "../../../src/articulated/parameters";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { expectRefused } from "../../refusal";
import { jointBetween, jointTypes, randomState, randomTree } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

const mechanisms = [
  ...jointTypes.map((type) => [`a ${type} joint`, jointBetween(new RandomGeometry(21), type)] as const),
  ["a random tree", randomTree(new RandomGeometry(22), 15)] as const,
];

/** Every parameter of every link, and a length made of two offsets. */
function allParameters(model: ArticulatedModel, random: RandomGeometry): MechanismParameter[] {
  const list = model.linkNames.flatMap((link): MechanismParameter[] => [
    { kind: "mass", link },
    ...([0, 1, 2] as const).map((component) => ({ kind: "center-of-mass", link, component }) as const),
    ...([0, 1, 2, 3, 4, 5] as const).map((component) => ({ kind: "inertia", link, component }) as const),
    { kind: "parent-offset", link, direction: random.direction() },
    { kind: "child-offset", link, direction: random.direction() },
  ]);
  const [first, second] = model.linkNames;
  const terms = [
    { parameter: { kind: "child-offset", link: first, direction: [0, -1, 0] }, rate: 0.5 },
    { parameter: { kind: "parent-offset", link: second, direction: [0, 1, 0] }, rate: 0.5 },
  ] as const;
  return [...list, { kind: "combination", terms }];
}

describe.each(mechanisms)("derivatives by parameters for %s", (_what, description) => {
  const model = new ArticulatedModel(description);
  const random = new RandomGeometry(23);
  const parameters = allParameters(model, random);
  const { q, qd, qdd } = randomState(random, model);
  const { nv } = model;
  const scratch = new ArticulatedScratch(model);
  updateKinematics(scratch, q, qd);

  it("agree with differences", () => {
    const inverse = new InverseDynamicsDerivatives(model);
    const derivatives = new ParameterDerivatives(model, parameters);
    const unused = new Float64Array(nv * nv);
    inverse.compute(scratch, qdd, unused, unused.slice());
    const result = new Float64Array(nv * parameters.length);
    derivatives.compute(scratch, inverse, result);

    const other = new ArticulatedScratch(model);
    const torque = (change: Float64Array, out: Float64Array) => {
      parameters.forEach((parameter, i) => shiftParameter(model, parameter, change[i]));
      updateKinematics(other, q, qd);
      inverseDynamics(other, qdd, out);
      parameters.forEach((parameter, i) => shiftParameter(model, parameter, -change[i]));
    };
    const expected = riddersJacobian(torque, new Float64Array(parameters.length), nv);
    expectWithin("∂τ/∂p", relativeError(result, expected), 1e-8);
  });

  it("tell how offsets move links", () => {
    const derivatives = new ParameterDerivatives(model, parameters);
    const shift = new Float64Array(3);
    const other = new ArticulatedScratch(model);
    for (const [i, parameter] of parameters.entries()) {
      const [term] = derivatives.terms[i];
      if (parameter.kind === "combination") continue;
      derivatives.offsetMotion(scratch, term, shift);
      const value = parameterValue(model, parameter);
      shiftParameter(model, parameter, 0.1);
      expect(parameterValue(model, parameter)).toBeCloseTo(value + 0.1, 12);
      updatePositions(other, q);
      shiftParameter(model, parameter, -0.1);
      const p = 3 * term.link;
      for (let c = 0; c < 3; c++)
        expect(other.linkPosition[p + c]).toBeCloseTo(scratch.linkPosition[p + c] + 0.1 * shift[c], 12);
    }
  });
});

describe("parameters", () => {
  it("are refused when the model does not have them, and change nothing then", () => {
    const model = new ArticulatedModel(jointBetween(new RandomGeometry(1), "revolute"));
    const of = (parameter: MechanismParameter) => () => new ParameterDerivatives(model, [parameter]);
    expectRefused(of({ kind: "mass", link: "nobody" }), "invalid-argument", /nobody/);
    expectRefused(
      of({ kind: "center-of-mass", link: "link", component: 3 as 2 }),
      "invalid-argument",
      /component: must be from 0 to 2/,
    );
    expectRefused(of({ kind: "parent-offset", link: "link", direction: [0, NaN, 0] }), "non-finite", /direction/);
    const before = model.mass.slice();
    expectRefused(() => shiftParameter(model, { kind: "mass", link: "link" }, -10), "invalid-argument", /negative/);
    expectRefused(() => shiftParameter(model, { kind: "mass", link: "link" }, NaN), "non-finite", /change/);
    expect(model.mass).toEqual(before);
  });
});
