import type { LinkDescription, LinkShape, MechanismDescription } from "../../src/articulated/description";
import { solveInverseKinematics } from "../../src/articulated/inverse-kinematics";
import { ArticulatedModel } from "../../src/articulated/model";
import type { CostTerm } from "../../src/articulated/optimise/cost/cost";
import type { TrajectoryTask } from "../../src/articulated/optimise/task";
import type { Quat, Vec3 } from "../../src/math/types";
import { arm, armLinks, FLANGE } from "./arm";
import { placeOf } from "./place";

export const taskNames = ["reach", "push", "grasp"] as const;
export type TaskName = (typeof taskNames)[number];

/** A problem of a study: what is to be where at the end. */
export interface Goal {
  readonly task: TrajectoryTask;
  readonly link: string;
  readonly point: Vec3;
  readonly target: Vec3;
}

const timeStep = 0.01;
const steps = 100;
/** Steps for which controls are held in contact. */
const held = 4;
const ground: readonly LinkShape[] = [
  { shape: { type: "box", halfExtents: [3, 0.5, 3] }, position: [0, -0.5, 0], friction: 0.4 },
];
const free = { timeStep, limits: "ahead", fastMotion: "whole" } as const;
const inContact = { ...free, ground, penetrationCorrection: 0.1 } as const;
/** Small costs of torques and speeds, and rest at the end. */
const calm: readonly CostTerm[] = [
  { of: "velocity", when: "final", weight: 0.1 },
  { of: "velocity", when: "running", indices: [0, 1, 2, 3, 4, 5, 6], weight: 0.05 },
  { of: "control", when: "running", weight: 1e-5 },
];

/**
 * A goal of a task, by random numbers from 0 to 1. The first guess of all is zero torque.
 */
export function goalOf(name: TaskName, random: () => number): Goal {
  return { reach: reachGoal, push: pushGoal, grasp: graspGoal }[name](random);
}

/** The flange comes to rest at a place that random angles of the joints reach. */
function reachGoal(random: () => number): Goal {
  const mechanism = arm();
  const model = new ArticulatedModel(mechanism);
  let target: Vec3;
  do {
    const q = Float64Array.from(model.lower, (lower, k) => 0.8 * (lower + (model.upper[k] - lower) * random()));
    target = placeOf(model, q, "hand", FLANGE);
  } while (target[1] < 0.1);
  const of = { link: "hand", point: FLANGE, target };
  const cost: CostTerm[] = [{ of: "point", ...of, when: "final", weight: 1000 }, ...calm];
  return { ...of, task: { mechanism, simulation: free, steps, cost } };
}

const PUSHED = 0.05;
const BALL = 0.04;

/** A ball at the flange pushes a box of 1 kg by 8 to 20 cm over the table, up to 34° aside. */
function pushGoal(random: () => number): Goal {
  const from: Vec3 = [0.5, PUSHED, 0];
  const angle = 1.2 * (random() - 0.5);
  const way = 0.08 + 0.12 * random();
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const target: Vec3 = [from[0] + way * c, PUSHED, way * s];
  const behind: Vec3 = [-c * (PUSHED + BALL - 0.005), 0.02, -0.8 * s * (PUSHED + BALL)];
  const ball: LinkShape = { shape: { type: "sphere", radius: BALL, center: FLANGE }, friction: 0.5 };
  const links = bentTo(armLinks([ball]), [{ link: "hand", point: FLANGE, position: [0.38, 0.09, 0] }]);
  const cost: CostTerm[] = [
    { of: "point", link: "box", target, when: "final", weight: 3000 },
    { of: "point", link: "hand", point: FLANGE, target: behind, targetLink: "box", when: "running", weight: 50 },
    ...calm,
  ];
  const mechanism: MechanismDescription = { name: "arm and box", links: [...links, boxAt(from, PUSHED, 1)] };
  const options = { horizons: 5, limitsAsCosts: false, goal: 0.2 };
  const task = { mechanism, simulation: inContact, steps, hold: held, cost, options };
  return { link: "box", point: [0, 0, 0], target, task };
}

const GRIPPED = 0.025;
const PAD = 0.012;
/** Force with which fingers close [N]. */
const GRIP = 10;
const down: Quat = [0, 0, 1, 0];

/** Two fingers around a cube of 5 cm and 100 g grip it, and lift it by 5 to 15 cm and up to 8 cm aside. */
function graspGoal(random: () => number): Goal {
  const from: Vec3 = [0.5, GRIPPED, 0];
  const target: Vec3 = [from[0] + 0.16 * (random() - 0.5), GRIPPED + 0.05 + 0.1 * random(), 0.16 * (random() - 0.5)];
  const reach = 0.1;
  const links = bentTo(armLinks(), [
    { link: "hand", point: [0, 0.06 + reach, 0], position: [from[0], GRIPPED, 0], rotation: down },
  ]);
  const fingers = [-1, 1].map((side): LinkDescription => finger(side, reach));
  const cost: CostTerm[] = [
    { of: "point", link: "box", target, when: "final", weight: 3000 },
    ...lift(from, target),
    ...[-1, 1].map((side): CostTerm => {
      const at: Vec3 = [0, 0, side * (GRIPPED + PAD)];
      return {
        of: "point",
        link: side < 0 ? "left" : "right",
        target: at,
        targetLink: "box",
        when: "running",
        weight: 300,
      };
    }),
    { of: "control", when: "running", indices: [7, 8], target: -GRIP, weight: 0.01 },
    ...calm,
  ];
  const mechanism: MechanismDescription = {
    name: "hand and box",
    links: [...links, ...fingers, boxAt(from, GRIPPED, 0.1)],
  };
  const options = { horizons: 5, softness: 0.1, limitsAsCosts: false, goal: 0.1 };
  const task = { mechanism, simulation: inContact, steps, hold: held, cost, options };
  return { link: "box", point: [0, 0, 0], target, task };
}

/** The way of the box: it rests while the fingers close, rises at a steady speed, and rests again. */
function lift(from: Vec3, target: Vec3): CostTerm[] {
  return Array.from({ length: steps / held }, (_, i) => {
    const part = Math.min(1, Math.max(0, (i * held) / steps - 0.2) / 0.6);
    const place = from.map((x, c) => x + part * (target[c] - x)) as unknown as Vec3;
    return { of: "point", link: "box", target: place, when: [i * held], weight: 30 };
  });
}

/** A finger that slides across the hand; its pad is at its origin. */
function finger(side: number, reach: number): LinkDescription {
  return {
    name: side < 0 ? "left" : "right",
    parent: "hand",
    mass: 0.1,
    inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0],
    joint: {
      name: side < 0 ? "left" : "right",
      type: "prismatic",
      axis: [0, 0, side],
      parentFrame: { position: [0, 0.06 + reach, 0] },
      damping: 2,
      armature: 0.05,
      effortLimit: 60,
      initialPosition: GRIPPED + PAD + 0.005,
    },
    shapes: [{ shape: { type: "sphere", radius: PAD, center: [0, 0, 0] }, friction: 1 }],
  };
}

function boxAt(position: Vec3, half: number, mass: number): LinkDescription {
  const moment = (2 * mass * (2 * half) ** 2) / 12;
  return {
    name: "box",
    mass,
    inertia: [moment, moment, moment, 0, 0, 0],
    joint: { type: "free", initialPosition: [0, 0, 0, ...position], effortLimit: 0 },
    shapes: [{ shape: { type: "box", halfExtents: [half, half, half] }, friction: 1 }],
  };
}

/** The arm with initial angles at which it is at its goals. */
function bentTo(
  links: readonly LinkDescription[],
  goals: Parameters<typeof solveInverseKinematics>[1],
): LinkDescription[] {
  const model = new ArticulatedModel({ name: "arm", links });
  const { q } = solveInverseKinematics(model, goals, { start: [0, 0.4, 0, 1.9, 0, 0.8, 0] });
  return links.map((link, i) => ({ ...link, joint: { ...link.joint, initialPosition: q[i] } }));
}
