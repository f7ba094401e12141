import { describe, expect, it } from "vitest";
import {
  mergeMechanisms,
  type JointDescription,
  type LinkDescription,
  type MechanismDescription,
} from "../../src/articulated/description";
import { ForwardDynamics } from "../../src/articulated/dynamics/forward-dynamics";
import { factorMassMatrix, massMatrix } from "../../src/articulated/dynamics/mass-matrix";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { ArticulatedModel, WORLD } from "../../src/articulated/model";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { expectRefused } from "../refusal";

function link(name: string, parent?: string, more: Partial<LinkDescription> = {}): LinkDescription {
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    joint: { type: "revolute" },
    mass: 1,
    inertia: [1, 1, 1, 0, 0, 0],
    ...more,
  };
}

function mechanism(...links: LinkDescription[]): MechanismDescription {
  return { name: "rig", links };
}

function withJoint(joint: Partial<JointDescription>): MechanismDescription {
  return mechanism(link("arm", undefined, { joint: { type: "revolute", ...joint } }));
}

describe("a mechanism's model", () => {
  it("orders links parents first, and else as given", () => {
    const model = new ArticulatedModel(mechanism(link("c", "b"), link("d"), link("a"), link("b", "a")));
    expect(model.linkNames).toEqual(["a", "b", "c", "d"]);
    expect(Array.from(model.parent)).toEqual([WORLD, 0, 1, WORLD]);
    expect(Array.from(model.dofParent)).toEqual([WORLD, 0, 1, WORLD]);
    expect(Array.from(model.support.subarray(model.supportStart[2], model.supportStart[3]))).toEqual([1, 0]);
    expect(model.linkIndex("b")).toBe(1);
    expect(model.jointDof("d")).toBe(3);
  });

  it("spreads one number over all coordinates of a joint", () => {
    const joint = { type: "free", damping: 2, lower: [-1, -2, -3, -4, -5, -6], initialPosition: 0.5 } as const;
    const model = new ArticulatedModel(mechanism(link("body", undefined, { joint })));
    expect(Array.from(model.damping)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(Array.from(model.lower)).toEqual([-1, -2, -3, -4, -5, -6]);
    expect(Array.from(model.upper)).toEqual(new Array(6).fill(Infinity));
    expect(Array.from(model.initialPosition)).toEqual(new Array(6).fill(0.5));
  });

  it("merges mechanisms to one forest", () => {
    const one = mechanism(link("a"), link("b", "a"));
    const two = { name: "other", links: [link("a")] };
    const model = new ArticulatedModel(mergeMechanisms([one, two]));
    expect(model.name).toBe("rig+other");
    expect(model.linkNames).toEqual(["rig/a", "rig/b", "other/a"]);
    expect(Array.from(model.parent)).toEqual([WORLD, 0, WORLD]);
    expect(mergeMechanisms([one]).links).toBe(one.links);
  });

  it("may have links without mass before heavy ones", () => {
    const light = { mass: 0, joint: { type: "prismatic" } } as const;
    const { inertia: _none, ...weightless } = link("x", undefined, light);
    expect(() => new ArticulatedModel(mechanism(weightless, link("y", "x")))).not.toThrow();
  });
});

describe("bad mechanisms are refused", () => {
  const cases: [string, MechanismDescription, "invalid-argument" | "non-finite", RegExp][] = [
    ["no links", mechanism(), "invalid-argument", /"rig".links: must hold at least one/],
    ["a cycle", mechanism(link("a", "c"), link("b", "a"), link("c", "b")), "invalid-argument", /own ancestor/],
    ["a link that is its own parent", mechanism(link("a", "a")), "invalid-argument", /own ancestor/],
    ["an unknown parent", mechanism(link("a", "nobody")), "invalid-argument", /"a".parent: .*"nobody"/],
    ["a name used twice", mechanism(link("a"), link("a")), "invalid-argument", /name of its own, got "a"/],
    ["negative mass", mechanism(link("a", undefined, { mass: -1 })), "invalid-argument", /mass: must not be negative/],
    ["mass that is no number", mechanism(link("a", undefined, { mass: NaN })), "non-finite", /"a".mass/],
    [
      "an indefinite inertia",
      mechanism(link("a", undefined, { inertia: [1, 1, -1, 0, 0, 0] })),
      "invalid-argument",
      /inertia: must be positive semidefinite/,
    ],
    [
      "an inertia of zero",
      mechanism(link("a", undefined, { inertia: [0, 0, 0, 0, 0, 0] })),
      "invalid-argument",
      /positive semidefinite/,
    ],
    [
      "an inertia that is no number",
      mechanism(link("a", undefined, { inertia: [1, 1, 1, 0, Infinity, 0] })),
      "non-finite",
      /inertia\[4\]/,
    ],
    [
      "a massless chain",
      mechanism(link("a"), { name: "b", parent: "a", joint: { type: "revolute" }, mass: 0 }),
      "invalid-argument",
      /"b".mass: .*massless chain/,
    ],
    ["an unknown joint", withJoint({ type: "hinge" as "revolute" }), "invalid-argument", /known type of joint/],
    ["an axis of zero", withJoint({ axis: [0, 0, 0] }), "invalid-argument", /axis: must be a direction/],
    ["an axis that is no number", withJoint({ axis: [0, NaN, 0] }), "non-finite", /axis/],
    ["parallel axes", withJoint({ type: "universal", secondAxis: [2, 0, 0] }), "invalid-argument", /not be parallel/],
    ["slanted axes of a plane", withJoint({ type: "planar", axis: [1, 1, 0] }), "invalid-argument", /right angle/],
    ["a bad order", withJoint({ type: "euler", order: "xxy" as "xyz" }), "invalid-argument", /two neighbours/],
    ["a wrong length", withJoint({ damping: [1, 2] }), "invalid-argument", /damping: must be one number or 1/],
    ["negative damping", withJoint({ damping: -1 }), "invalid-argument", /damping: must not be negative/],
    ["stiffness without bound", withJoint({ stiffness: Infinity }), "non-finite", /stiffness/],
    ["limits that cross", withJoint({ lower: 1, upper: -1 }), "invalid-argument", /lower: must not be above/],
    ["a start that is no number", withJoint({ initialPosition: [NaN] }), "non-finite", /initialPosition/],
    [
      "a frame that is no number",
      withJoint({ parentFrame: { position: [0, NaN, 0] } }),
      "non-finite",
      /parentFrame.position/,
    ],
    [
      "a bad shape",
      mechanism(link("a", undefined, { shapes: [{ shape: { type: "sphere", radius: -1 } }] })),
      "invalid-argument",
      /shapes\[0\] \(sphere\).radius/,
    ],
    [
      "restitution above one",
      mechanism(link("a", undefined, { shapes: [{ shape: { type: "sphere", radius: 1 }, restitution: 2 }] })),
      "invalid-argument",
      /restitution: must be from 0 to 1/,
    ],
  ];
  it.each(cases)("%s", (_what, description, code, message) => {
    expectRefused(() => new ArticulatedModel(description), code, message);
  });

  it("a joint that turns a point mass about itself, when its mass matrix is factored", () => {
    const model = new ArticulatedModel(mechanism({ name: "bead", joint: { type: "revolute" }, mass: 1 }));
    const scratch = new ArticulatedScratch(model);
    updateKinematics(scratch, model.initialPosition, model.initialVelocity);
    massMatrix(scratch);
    const rule = /"bead": its joint must have inertia/;
    expectRefused(() => factorMassMatrix(scratch), "degenerate-geometry", rule);
    const one = new Float64Array(1);
    expectRefused(
      () => new ForwardDynamics(model).compute(scratch, one, undefined, one.slice()),
      "degenerate-geometry",
      rule,
    );
  });

  it("unknown names, and vectors of a wrong length or with NaN", () => {
    const model = new ArticulatedModel(mechanism(link("a"), link("b", "a")));
    expectRefused(() => model.linkIndex("z"), "invalid-argument", /name of a link/);
    expectRefused(() => model.jointDof("z"), "invalid-argument", /name of a joint/);
    expectRefused(() => model.checkVector([1], "control"), "invalid-argument", /control: length must be 2/);
    expectRefused(() => model.checkVector([1, NaN], "control"), "non-finite", /control\[1\]/);
    expectRefused(() => model.setMass(0, -1), "invalid-argument", /mass/);
    expectRefused(() => model.setMass(0, NaN), "non-finite", /mass/);
    expectRefused(() => model.setInertia(0, [1, 1, 1, 2, 0, 0]), "invalid-argument", /inertia/);
    expect(Array.from(model.mass)).toEqual([1, 1]);
  });
});
