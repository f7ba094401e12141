import { describe, expect, it } from "vitest";
import type { JointType, MechanismDescription } from "../../src/articulated/description";
import { updatePositions } from "../../src/articulated/dynamics/kinematics";
import { solveInverseKinematics, type LinkGoal } from "../../src/articulated/inverse-kinematics";
import { linkPose } from "../../src/articulated/link-pose";
import { ArticulatedModel } from "../../src/articulated/model";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { turn } from "../../src/math/quaternions";
import type { Vec3 } from "../../src/math/types";
import { PliantError } from "../../src/errors";
import { robotArmUrdf } from "../../samples/mechanisms/robot-arm";
import { loadUrdf } from "../../src/articulated/loaders/urdf/urdf";
import { RandomGeometry } from "../collision/random";
import { randomLink, randomTree } from "./random-mechanism";

/** A chain of random joints, each with random limits around zero. */
function randomChain(random: RandomGeometry, types: readonly JointType[], count: number): ArticulatedModel {
  const links = Array.from({ length: count }, (_, k) => {
    const type = types[Math.floor(random.between(0, types.length))];
    const link = randomLink(random, type, `link ${k}`, k > 0 ? `link ${k - 1}` : undefined, false);
    const reach = type === "prismatic" ? 0.3 : 2.5;
    const lower = -random.between(0.2, 1) * reach;
    return { ...link, joint: { ...link.joint, lower, upper: random.between(0.2, 1) * reach } };
  });
  return new ArticulatedModel({ name: "chain", links });
}

const within = (random: RandomGeometry, { lower, upper }: ArticulatedModel): Float64Array =>
  Float64Array.from(lower, (low, k) => random.between(Math.max(low, -2), Math.min(upper[k], 2)));

/** Pose of a link, and place of its point, at some coordinates. */
function goalAt(
  model: ArticulatedModel,
  q: Float64Array,
  link: number,
  point: Vec3,
): Required<Omit<LinkGoal, "weight">> {
  const scratch = new ArticulatedScratch(model);
  updatePositions(scratch, q);
  const { position, rotation } = linkPose(scratch, link);
  const offset = turn(rotation, point);
  const place: Vec3 = [position[0] + offset[0], position[1] + offset[1], position[2] + offset[2]];
  return { link: model.linkNames[link], point, position: place, rotation };
}

function expectThere(model: ArticulatedModel, q: Float64Array, goal: LinkGoal, tolerance: number): void {
  const found = goalAt(model, q, model.linkNames.indexOf(goal.link), goal.point ?? [0, 0, 0]);
  if (goal.position) expect(Math.hypot(...found.position.map((x, c) => x - goal.position![c]))).toBeLessThan(tolerance);
  if (goal.rotation) {
    const cosine = Math.abs(found.rotation.reduce((sum, x, c) => sum + x * goal.rotation![c], 0));
    expect(2 * Math.acos(Math.min(1, cosine))).toBeLessThan(1e-5);
  }
  for (let k = 0; k < q.length; k++) {
    expect(q[k]).toBeGreaterThanOrEqual(model.lower[k]);
    expect(q[k]).toBeLessThanOrEqual(model.upper[k]);
  }
}

describe("inverse kinematics", () => {
  it("turns hinges by at most half a turn from the start, also toward places that are out of reach", () => {
    const links = [0, 1, 2].map((k): MechanismDescription["links"][number] => ({
      name: `link ${k}`,
      ...(k > 0 ? { parent: `link ${k - 1}` } : {}),
      mass: 1,
      inertia: [1, 1, 1, 0, 0, 0],
      joint: { type: "revolute", axis: k === 0 ? [0, 0, 1] : [0, 1, 0], parentFrame: { position: [0, 0, k / 4] } },
    }));
    const model = new ArticulatedModel({ name: "arm", links });
    for (const size of [0, 7])
      for (const position of [
        [10, 0, 0.25],
        [0, 0, 2],
        [-0.3, 0.4, 0.6],
        [0.6, 0.1, -1e3],
      ] as const) {
        const start = [size, -size, size];
        const goal = { link: "link 2", point: [0, 0, 0.3], position } as const;
        const { q, converged, positionError } = solveInverseKinematics(model, [goal], { start });
        q.forEach((value, k) => expect(Math.abs(value - start[k])).toBeLessThan(Math.PI + 1e-9));
        const far = Math.hypot(position[0], position[1], position[2] - 0.25) - 0.8;
        expect(converged).toBe(far < 0);
        if (far > 0) expect(positionError).toBeCloseTo(far, 4);
        else expectThere(model, q, goal, 1e-5);
      }
  });

  it("brings the last link of random chains within their limits to random poses that they can have", () => {
    const random = new RandomGeometry(1);
    let missed = 0;
    for (let n = 0; n < 100; n++) {
      const model = randomChain(random, ["revolute", "prismatic", "universal", "screw"], 6 + (n % 4));
      const goal = goalAt(model, within(random, model), model.linkCount - 1, random.vector(0.2));
      const { q, converged, positionError } = solveInverseKinematics(model, [goal], { restarts: 60 });
      if (converged) expectThere(model, q, goal, 1e-4);
      else missed++;
      expect(converged).toBe(positionError < 1e-4);
    }
    expect(missed).toBeLessThan(3);
  });

  it("brings any link of random trees of all joints to places, several at once", () => {
    const random = new RandomGeometry(2);
    for (let n = 0; n < 30; n++) {
      const model = new ArticulatedModel(randomTree(random, 8, undefined, false));
      const q = Float64Array.from({ length: model.nq }, () => random.between(-1, 1));
      const goals = [0.5, 0.99].map((part) => {
        const { rotation, ...goal } = goalAt(model, q, Math.floor(part * model.linkCount), random.vector(0.2));
        return n % 2 === 0 ? goal : { ...goal, rotation };
      });
      const { converged, q: found } = solveInverseKinematics(model, goals);
      expect(converged).toBe(true);
      for (const goal of goals) expectThere(model, found, goal, 1e-4);
    }
  });

  it("reaches 50 random places of the arm of six hinges", async () => {
    const { mechanism } = await loadUrdf(robotArmUrdf);
    const model = new ArticulatedModel(mechanism);
    const random = new RandomGeometry(3);
    for (let n = 0; n < 50; n++) {
      const goal = goalAt(model, within(random, model), model.linkCount - 1, [0, 0.05, 0]);
      const { q, converged } = solveInverseKinematics(model, [goal]);
      expect(converged).toBe(true);
      expectThere(model, q, goal, 1e-5);
    }
  });

  it("comes as near as it can to what is out of reach", () => {
    const model = new ArticulatedModel(planarArm());
    const { q, converged, positionError } = solveInverseKinematics(model, [
      { link: "lower", point: [0.4, 0, 0], position: [1.2, 0.9, 0] },
    ]);
    expect(converged).toBe(false);
    // 1.5 m away, of which the arm takes 1.0
    expect(positionError).toBeCloseTo(0.5, 6);
    const angle = Math.atan2(0.9, 1.2);
    expect(Math.atan2(Math.sin(q[0]), Math.cos(q[0]))).toBeCloseTo(angle, 4);
  });

  it("stops at limits, and keeps joints that are fixed", () => {
    const model = new ArticulatedModel(planarArm(0.5));
    const far = { link: "lower", point: [0.4, 0, 0], position: [-0.2, 0.95, 0] } as const;
    expect(solveInverseKinematics(model, [far]).q[0]).toBe(0.5);
    const near = { ...far, position: [0.7, 0.5, 0] } as const;
    const { q } = solveInverseKinematics(model, [near], { start: [0.2, 0.3], fixedJoints: ["upper"] });
    expect(q[0]).toBe(0.2);
    expect(q[1]).not.toBe(0.3);
  });

  it("closes loops, and moves coupled joints together", () => {
    const arm = planarArm();
    const coupled = new ArticulatedModel({
      ...arm,
      couplings: [{ joint: "lower", driver: "upper", coefficients: [0.1, -0.5] }],
    });
    const driven = Float64Array.of(0.8, 0.1 - 0.5 * 0.8);
    const goal = goalAt(coupled, driven, 1, [0.4, 0, 0]);
    const found = solveInverseKinematics(coupled, [{ link: goal.link, point: goal.point, position: goal.position }]);
    expect(found.converged).toBe(true);
    expect(found.q[1]).toBeCloseTo(0.1 - 0.5 * found.q[0], 5);
    // a parallelogram: the coupler stays level
    const bar = { mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } as const;
    const loop = new ArticulatedModel({
      name: "parallelogram",
      links: [
        { ...bar, name: "crank", joint: { type: "revolute" } },
        {
          ...bar,
          name: "coupler",
          parent: "crank",
          joint: { type: "revolute", parentFrame: { position: [0, 0.3, 0] } },
        },
        { ...bar, name: "rocker", joint: { type: "revolute", parentFrame: { position: [0.5, 0, 0] } } },
      ],
      closures: [{ linkA: "coupler", linkB: "rocker", pointA: [0.5, 0, 0], pointB: [0, 0.3, 0] }],
    });
    const place: Vec3 = [0.25 - 0.3 * Math.sin(0.6), 0.3 * Math.cos(0.6), 0];
    const { q, converged } = solveInverseKinematics(loop, [{ link: "coupler", point: [0.25, 0, 0], position: place }]);
    expect(converged).toBe(true);
    expect(q[0]).toBeCloseTo(0.6, 4);
    expect(q[2]).toBeCloseTo(0.6, 4);
    expect(q[1]).toBeCloseTo(-0.6, 4);
  });

  it("weighs goals that contradict each other", () => {
    const model = new ArticulatedModel(planarArm());
    const goals = (weight: number): LinkGoal[] => [
      { link: "lower", point: [0.4, 0, 0], position: [0.5, 0, 0] },
      { link: "lower", point: [0.4, 0, 0], position: [0, 0.5, 0], weight },
    ];
    const x = (weight: number): number => {
      const { q } = solveInverseKinematics(model, goals(weight), { start: [0.5, -1] });
      return goalAt(model, q, 1, [0.4, 0, 0]).position[0];
    };
    expect(x(1)).toBeCloseTo(0.25, 4);
    expect(x(3)).toBeCloseTo(0.05, 4);
  });

  it("refuses what it cannot read, by name", () => {
    const model = new ArticulatedModel(planarArm());
    const goal: LinkGoal = { link: "lower", position: [1, 0, 0] };
    const refused = (goals: LinkGoal[], options = {}): string => {
      try {
        solveInverseKinematics(model, goals, options);
      } catch (error) {
        expect(error).toBeInstanceOf(PliantError);
        return (error as PliantError).message;
      }
      return "";
    };
    expect(refused([])).toContain("goals");
    expect(refused([{ link: "tail", position: [1, 0, 0] }])).toContain("tail");
    expect(refused([{ link: "lower" }])).toContain("goals[0]");
    expect(refused([{ ...goal, position: [NaN, 0, 0] }])).toContain("goals[0].position");
    expect(refused([{ ...goal, rotation: [0, 0, 0, 0] }])).toContain("goals[0].rotation");
    expect(refused([{ ...goal, weight: -1 }])).toContain("goals[0].weight");
    expect(refused([goal], { start: [0] })).toContain("start");
    expect(refused([goal], { fixedJoints: ["knee"] })).toContain("knee");
    expect(refused([goal], { restarts: -1 })).toContain("restarts");
    expect(refused([goal], { positionTolerance: 0 })).toContain("positionTolerance");
  });
});

/** Two bars of 0.6 m and 0.4 m on hinges about z. */
function planarArm(upper = Infinity): MechanismDescription {
  const bar = { mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } as const;
  return {
    name: "planar arm",
    links: [
      { ...bar, name: "upper", joint: { type: "revolute", lower: -upper, upper } },
      { ...bar, name: "lower", parent: "upper", joint: { type: "revolute", parentFrame: { position: [0.6, 0, 0] } } },
    ],
  };
}
