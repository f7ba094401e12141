import { HeldControlStep } from "../../src/articulated/optimise/differentiable-step";
import { SimulationStep } from "../../src/articulated/optimise/simulation-step";
import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import type { MechanismDescription } from "../../src/articulated/description";
import { halfCheetah, halfCheetahGround } from "../mechanisms/half-cheetah";
import {
  between,
  type DifferentiableEnvironment,
  type LinearizedEnvironment,
  type Outcome,
  type QuadraticCost,
} from "./environment";

/** Length of time steps [s], and steps between decisions. */
const [TIME_STEP, STEPS] = [0.01, 5];
/** Time between decisions [s], and decisions of an episode. */
export const CHEETAH_PERIOD = TIME_STEP * STEPS;
const HORIZON = 200;
/** Largest torques of thigh, shin and foot, of the back leg and of the front leg [N m]. */
const TORQUES = [120, 90, 60, 120, 60, 30] as const;
/** Coordinates: ahead, up, pitch, then those that are driven. */
const [AHEAD, UP, PITCH, FIRST] = [0, 1, 2, 3];
/** Inertia of the drives [kg m²], factor of the dampers of the joints, and friction of the ground. */
const [ARMATURE, DAMPING, FRICTION] = [0.1, 10, 0.4];
/** Part of a contact's depth that a step takes away. */
const CORRECTION = 0.2;
/** Cost of an action of full torque at each joint [m/s]. */
const EFFORT = 0.1;
/** Pitch at which a cheetah counts as turned over. */
const OVER = Math.PI / 2;
/** Units in observations: of height [m], and of velocities of the trunk [m/s] and of angles [rad/s]. */
const [LOW, FAST, QUICK] = [0.2, 4, 10];

/**
 * Cost of a decision that leads to a run: 0.1 (v − 14 m/s)² + 3 height² + pitch² + 0.2 Σ control². Rewards themselves have no curvature, and
 * say nothing of a cheetah that turns over before it has.
 */
const [GOAL_SPEED, SPEED_COST, HEIGHT_COST, PITCH_COST, CONTROL_COST] = [14, 0.1, 3, 1, 0.2];

/** The published half-cheetah with the inertia of drives and dampers of the locomotion benchmark. */
export function drivenCheetah(): MechanismDescription {
  const mechanism = halfCheetah();
  return {
    ...mechanism,
    links: mechanism.links.map((link) => {
      const { joint } = link;
      if (joint.type !== "revolute" || typeof joint.damping !== "number") return link;
      return { ...link, joint: { ...joint, armature: ARMATURE, damping: DAMPING * joint.damping } };
    }),
  };
}

/**
 * The half-cheetah of `samples/mechanisms`, which learns to run. A decision, of 200 in ten seconds, sets the torques: the largest ones
 * times tanh of the numbers of the action. It earns the speed ahead [m/s] less 0.1 times the sum of the squares of these tanh. The
 * episode ends when the trunk has turned over.
 */
export class HalfCheetahEnvironment implements DifferentiableEnvironment, LinearizedEnvironment {
  readonly actionSize = TORQUES.length;
  readonly horizon = HORIZON;
  readonly simulation: ArticulatedSimulation;
  readonly observationSize: number;
  readonly stateSize: number;
  readonly cost: QuadraticCost;
  private readonly held: HeldControlStep;
  /** states before each step (q, q̇), and tanh of the action of each decision; nothing is remembered unless `record` was called */
  private tape: { readonly states: Float64Array[]; readonly actions: Float64Array[] } | undefined;

  constructor() {
    this.simulation = cheetahSimulation(drivenCheetah(), TIME_STEP);
    this.stateSize = 2 * this.simulation.nv;
    this.observationSize = this.stateSize - 1;
    this.held = new HeldControlStep(new SimulationStep(this.simulation), STEPS);
    const [weights, targets] = [new Float64Array(this.stateSize), new Float64Array(this.stateSize)];
    weights[UP] = HEIGHT_COST;
    weights[PITCH] = PITCH_COST;
    weights[this.simulation.nv + AHEAD] = SPEED_COST;
    targets[this.simulation.nv + AHEAD] = GOAL_SPEED;
    this.cost = { weights, targets, effort: CONTROL_COST };
  }

  /** Way since the start of the episode [m]. */
  get way(): number {
    return this.simulation.q[AHEAD];
  }

  reset(random: () => number): void {
    placeCheetah(this.simulation, random);
  }

  observe(out: Float64Array): void {
    observeCheetah(this.simulation, out);
  }

  act(action: ArrayLike<number>): Outcome {
    const { simulation, tape } = this;
    const { q, qd } = simulation;
    const parts = Float64Array.from(action, Math.tanh);
    tape?.actions.push(parts);
    const from = q[AHEAD];
    driveCheetah(simulation, parts);
    for (let k = 0; k < STEPS; k++) {
      tape?.states.push(Float64Array.of(...q, ...qd));
      simulation.step();
    }
    return this.outcome(from, parts);
  }

  actLinearized(parts: Float64Array, byState: Float64Array, byControl: Float64Array): Outcome {
    const { held, simulation } = this;
    const { q, qd } = simulation;
    const from = q[AHEAD];
    // The mechanism has a drive of the pitch, too, which does nothing here.
    const [count, before] = [parts.length, held.nu - parts.length];
    const torques = new Float64Array(held.nu);
    TORQUES.forEach((torque, j) => (torques[before + j] = torque * parts[j]));
    const byTorque = new Float64Array(this.stateSize * held.nu);
    held.stepWithJacobians(q, qd, torques, q, qd, { a: byState, b: byTorque });
    for (let i = 0; i < byControl.length; i++) {
      const [row, j] = [Math.floor(i / count), i % count];
      byControl[i] = TORQUES[j] * byTorque[row * held.nu + before + j];
    }
    return this.outcome(from, parts);
  }

  readState(out: Float64Array): void {
    out.set(this.simulation.q);
    out.set(this.simulation.qd, this.simulation.nv);
  }

  observationOf(state: Float64Array, out: Float64Array): void {
    for (let i = 1; i < state.length; i++) out[i - 1] = state[i] / unitOf(i, this.simulation.nv);
  }

  pushObservation(observation: Float64Array, state: Float64Array): void {
    state[AHEAD] = 0;
    for (let i = 1; i < state.length; i++) state[i] = observation[i - 1] * unitOf(i, this.simulation.nv);
  }

  record(): void {
    this.tape = { states: [], actions: [] };
  }

  pullObservation(observation: Float64Array, state: Float64Array): void {
    for (let i = 1; i < state.length; i++) state[i] += observation[i - 1] / unitOf(i, this.simulation.nv);
  }

  pull(reward: number, state: Float64Array, action: Float64Array): void {
    const { simulation } = this;
    const { nv } = simulation;
    const { states, actions } = this.tape!;
    const parts = actions.pop()!;
    const gradient = simulation.makeGradient();
    gradient.position.set(state.subarray(0, nv));
    gradient.velocity.set(state.subarray(nv));
    gradient.position[AHEAD] += reward / CHEETAH_PERIOD;
    driveCheetah(simulation, parts);
    action.fill(0);
    const [q, qd] = [new Float64Array(nv), new Float64Array(nv)];
    for (let k = 0; k < STEPS; k++) {
      const before = states.pop()!;
      simulation.advance(before.subarray(0, nv), before.subarray(nv), simulation.control, q, qd);
      simulation.vjp(gradient.position, gradient.velocity, gradient);
      TORQUES.forEach((torque, j) => (action[j] += torque * gradient.control[FIRST + j]));
    }
    gradient.position[AHEAD] -= reward / CHEETAH_PERIOD;
    for (let j = 0; j < parts.length; j++)
      action[j] = (action[j] - 2 * EFFORT * parts[j] * reward) * (1 - parts[j] * parts[j]);
    state.set(gradient.position);
    state.set(gradient.velocity, nv);
  }

  private outcome(from: number, parts: Float64Array): Outcome {
    const { q } = this.simulation;
    let effort = 0;
    for (const part of parts) effort += part * part;
    return { reward: (q[AHEAD] - from) / CHEETAH_PERIOD - EFFORT * effort, ended: Math.abs(q[PITCH]) > OVER };
  }
}

export function cheetahSimulation(mechanism: MechanismDescription, timeStep: number): ArticulatedSimulation {
  return new ArticulatedSimulation(mechanism, {
    timeStep,
    ground: halfCheetahGround(FRICTION),
    limits: "ahead",
    penetrationCorrection: CORRECTION,
    fastMotion: "whole",
  });
}

/** A start near rest, a little above the ground. */
export function placeCheetah({ q, qd }: ArticulatedSimulation, random: () => number): void {
  for (let k = 0; k < q.length; k++) {
    q[k] = between(-0.1, 0.1, random);
    qd[k] = between(-0.2, 0.2, random);
  }
  q[AHEAD] = 0;
}

/** The state without the place ahead, on which nothing depends. */
export function observeCheetah({ q, qd, nv }: ArticulatedSimulation, out: Float64Array): void {
  for (let i = 1; i < 2 * nv; i++) out[i - 1] = (i < nv ? q[i] : qd[i - nv]) / unitOf(i, nv);
}

/** Sets torques, as parts of the largest ones. */
export function driveCheetah({ control }: ArticulatedSimulation, parts: ArrayLike<number>): void {
  TORQUES.forEach((torque, j) => (control[FIRST + j] = torque * parts[j]));
}

/** Unit of a number of the state: coordinates, then velocities. */
function unitOf(i: number, nv: number): number {
  if (i < nv) return i === UP ? LOW : 1;
  return i - nv < PITCH ? FAST : QUICK;
}
