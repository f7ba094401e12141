import { describe, expect, it } from "vitest";
import type { ActuatorDescription } from "../../../../src/articulated/actuators/description";
import type { MechanismDescription } from "../../../../src/articulated/description";
import { degreesOfFreedom } from "../../../../src/articulated/joints/degrees-of-freedom";
import { RowClass } from "../../../../src/articulated/lcp/problem";
import type { StepParameter } from "../../../../src/articulated/step/derivatives/parameters";
import { ArticulatedSimulation } from "../../../../src/articulated/step/simulation";
import { RandomGeometry } from "../../../collision/random";
import { expectWithin } from "../../../figures";
import { expectRefused } from "../../../refusal";
import { jointBetween, jointTypes, randomLink, randomState, randomTree } from "../../random-mechanism";
import { blockError, stackJacobians, stepDifferences } from "../differences";

function errorOf(simulation: ArticulatedSimulation, h: number): number {
  const numeric = stepDifferences(simulation, h);
  return blockError(stackJacobians(simulation.jacobians(), simulation.nv), numeric, simulation.nv);
}

/** Vector-Jacobian products have the parameters' derivatives, too. */
function expectSamePullback(simulation: ArticulatedSimulation): void {
  const { nv, parameters } = simulation;
  const jacobians = simulation.jacobians();
  const [byQ, byQd] = [0.7, -1.1].map((scale) => Float64Array.from({ length: nv }, (_, k) => scale * Math.cos(k)));
  const { parameter } = simulation.vjp(byQ, byQd);
  const expected = parameters.map((_, i) => {
    let sum = 0;
    for (let k = 0; k < nv; k++) {
      const at = k * parameters.length + i;
      sum += byQ[k] * jacobians.positionByParameter[at] + byQd[k] * jacobians.velocityByParameter[at];
    }
    return sum;
  });
  const size = Math.max(1e-4, ...expected.map(Math.abs));
  expected.forEach((value, i) => expect(Math.abs(parameter[i] - value)).toBeLessThan(1e-10 * size));
}

const kinds = ["damping", "armature", "stiffness", "rest-position", "friction-loss"] as const;

function parametersOf({ links }: MechanismDescription, of: readonly (typeof kinds)[number][]): StepParameter[] {
  return links.flatMap(({ name, joint }) =>
    Array.from({ length: degreesOfFreedom[joint.type] }, (_, component) =>
      of.map((kind) => ({ kind, joint: joint.name ?? name, component })),
    ).flat(),
  );
}

function withFriction(mechanism: MechanismDescription, loss: number): MechanismDescription {
  return {
    ...mechanism,
    links: mechanism.links.map((link) => ({ ...link, joint: { ...link.joint, frictionLoss: loss } })),
  };
}

function setState(simulation: ArticulatedSimulation, random: RandomGeometry): void {
  const { q, qd, tau } = randomState(random, simulation.model);
  simulation.q.set(q);
  simulation.qd.set(qd);
  simulation.control.set(tau);
}

const servo = (joint: string, k: number, d: number, more: Partial<ActuatorDescription> = {}): ActuatorDescription => ({
  name: joint,
  joints: [{ joint, coefficient: 1.3 }],
  gain: k,
  bias: [0, -k, -d],
  ...more,
});

describe("derivatives by numbers of joints agree with differences", () => {
  const random = new RandomGeometry(31);
  it.each(jointTypes)("behind a %s joint, whole and in parts", (type) => {
    for (const fastMotion of ["whole", "parts"] as const) {
      const mechanism = jointBetween(random, type);
      const simulation = new ArticulatedSimulation(mechanism, { timeStep: 0.02, fastMotion });
      simulation.setParameters(parametersOf(mechanism, ["damping", "armature", "stiffness", "rest-position"]));
      setState(simulation, random);
      expectWithin(`${type}, ${fastMotion}`, errorOf(simulation, 0.002), 1e-7);
      expect(simulation.partCount > 0).toBe(fastMotion === "parts");
      expectSamePullback(simulation);
    }
  });

  it("if the joints slip in dry friction, or stick", () => {
    for (const loss of [0.3, 3e3]) {
      const mechanism = withFriction(randomTree(random, 10), loss);
      const simulation = new ArticulatedSimulation(mechanism, { timeStep: 0.01 });
      simulation.setParameters(parametersOf(mechanism, kinds));
      setState(simulation, random);
      expectWithin(`dry friction of ${loss} N m`, errorOf(simulation, 1e-3), 1e-6);
      expectSamePullback(simulation);
      const { classes } = simulation.contactStep.lcp;
      const sticks = [...classes.subarray(0, simulation.nv)].every((c) => c === RowClass.Clamping);
      expect(sticks).toBe(loss > 1);
    }
  });

  it("of motors and servos, beside springs of the joints", () => {
    const mechanism = randomTree(random, 6, ["revolute", "prismatic"]);
    const names = mechanism.links.map(({ name }) => name);
    const both = [0, 1].map((i) => ({ joint: names[i], coefficient: i === 0 ? 0.8 : -1.7 }));
    const actuators: ActuatorDescription[] = [
      servo(names[0], 300, 20),
      { ...servo(names[1], 0, 0), gain: 25, bias: [0, 0, -25] },
      { ...servo(names[2], 0, 0), gain: 2, bias: [0.4, -3, -0.2] },
      servo(names[3], 500, 5, { forceRange: [-1, 1] }),
      { ...servo("pair", 40, 3), joints: both },
    ];
    const simulation = new ArticulatedSimulation(mechanism, { timeStep: 0.01, actuators });
    const of = (kind: "actuator-gain" | "servo-stiffness" | "servo-damping", actuator: string) => ({ kind, actuator });
    simulation.setParameters([
      ...parametersOf(mechanism, ["damping", "armature", "stiffness", "rest-position"]),
      of("servo-stiffness", names[0]),
      of("servo-damping", names[0]),
      of("servo-damping", names[1]),
      of("actuator-gain", names[2]),
      ...([0, 1, 2] as const).map((component) => ({ kind: "actuator-bias", actuator: names[2], component }) as const),
      of("servo-stiffness", names[3]),
      of("servo-stiffness", "pair"),
      of("servo-damping", "pair"),
      { kind: "mass", link: names[4] },
    ]);
    setState(simulation, random);
    simulation.actuators.input.set([0.5, 1, -0.7, 3, 0.2]);
    expectWithin("actuators", errorOf(simulation, 1e-3), 1e-7);
    expectSamePullback(simulation);
    expect(simulation.parameterValue(of("servo-damping", names[1]))).toBeCloseTo(25, 9);
  });

  it("where redundant contacts slide", () => {
    const links = [0, 1].map((i) => ({
      ...randomLink(
        random,
        i === 0 ? ("translational" as const) : ("revolute" as const),
        `l${i}`,
        i === 0 ? undefined : "l0",
      ),
      ...(i === 0 ? { shapes: [{ shape: { type: "box", halfExtents: [0.2, 0.1, 0.2] } as const }] } : {}),
    }));
    const root = { ...links[0], joint: { ...links[0].joint, parentFrame: {}, childFrame: {}, stiffness: 0 } };
    const mechanism = { name: "sled", links: [root, links[1]] };
    const ground = [{ shape: { type: "box", halfExtents: [5, 0.5, 5] } as const, position: [0, -0.5, 0] as const }];
    const simulation = new ArticulatedSimulation(mechanism, { timeStep: 0.01, ground, friction: 0.3 });
    simulation.setParameters([...parametersOf(mechanism, ["damping", "armature"]), { kind: "mass", link: "l1" }]);
    simulation.q.set([0, 0.0999, 0, 0.4]);
    simulation.qd.set([2, -0.5, 1, 0.6]);
    expectWithin("sled", errorOf(simulation, 1e-4), 1e-6);
    expectSamePullback(simulation);
    expect(simulation.contacts.count).toBeGreaterThan(2);
  });
});

describe("numbers of joints and actuators", () => {
  it("are refused when the mechanism does not have them, and change nothing then", () => {
    const mechanism = jointBetween(new RandomGeometry(1), "revolute");
    const simulation = new ArticulatedSimulation(mechanism, { actuators: [servo("link", 10, 1)] });
    const refuse = (parameter: StepParameter, rule: RegExp): void =>
      expectRefused(() => simulation.setParameters([parameter]), "invalid-argument", rule);
    refuse({ kind: "damping", joint: "nobody" }, /name of a joint.*nobody/);
    refuse({ kind: "damping", joint: "link", component: 1 }, /component: must be below 1/);
    refuse({ kind: "servo-stiffness", actuator: "behind" }, /name of an actuator.*behind/);
    refuse({ kind: "actuator-bias", actuator: "link", component: 3 as 2 }, /component: must be from 0 to 2/);
    const bare = new ArticulatedSimulation(mechanism);
    expectRefused(
      () => bare.setParameters([{ kind: "servo-damping", actuator: "link" }]),
      "invalid-argument",
      /actuators/,
    );
    const shift = (parameter: StepParameter) => () => simulation.shiftParameter(parameter, -1e3);
    expectRefused(shift({ kind: "armature", joint: "link" }), "invalid-argument", /armature.*negative/);
    expectRefused(shift({ kind: "servo-damping", actuator: "link" }), "invalid-argument", /push away/);
    expect(simulation.parameterValue({ kind: "servo-damping", actuator: "link" })).toBe(1);
    expect(simulation.parameterValue({ kind: "armature", joint: "link" })).toBe(simulation.model.armature[3]);
  });
});
