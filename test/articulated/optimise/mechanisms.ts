import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedModel } from "../../../src/articulated/model";
import type {
  DifferentiableStep,
  ParametricStep,
  StepDerivatives,
} from "../../../src/articulated/optimise/differentiable-step";
import { SimulationStep } from "../../../src/articulated/optimise/simulation-step";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";

/**
 * Cart and pole of paper 4's scripts: each has 1 kg and 1 kg m², and the pole's center is half a meter above its hinge.
 */
export function cartpole(limit = 10): ArticulatedModel {
  return new ArticulatedModel({
    name: "cartpole",
    links: [
      {
        name: "cart",
        mass: 1,
        inertia: [1, 1, 1, 0, 0, 0],
        joint: { type: "prismatic", axis: [1, 0, 0], effortLimit: limit },
      },
      {
        name: "pole",
        parent: "cart",
        mass: 1,
        inertia: [1, 1, 1, 0, 0, 0],
        joint: { type: "revolute", effortLimit: 0, childFrame: { position: [0, -0.5, 0] } },
      },
    ],
  });
}

/** Whole steps of a mechanism on which only weights and its joints act. */
export function freeStep(mechanism: MechanismDescription | ArticulatedModel, timeStep: number): SimulationStep {
  return new SimulationStep(new ArticulatedSimulation(mechanism, { timeStep, fastMotion: "whole" }));
}

/** A point on a line, pushed by a force: everything about it is linear. */
export class PushedPoint implements DifferentiableStep {
  readonly nv = 1;
  readonly nu = 1;

  constructor(
    readonly timeStep: number,
    readonly mass: number,
  ) {}

  step(q: Float64Array, qd: Float64Array, u: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    outQd[0] = qd[0] + (this.timeStep * u[0]) / this.mass;
    outQ[0] = q[0] + this.timeStep * outQd[0];
  }

  stepWithJacobians(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives,
  ): void {
    this.step(q, qd, u, outQ, outQd);
    const h = this.timeStep;
    out.a.set([1, h, 0, 1]);
    out.b.set([(h * h) / this.mass, h / this.mass]);
  }
}

/** A damped pendulum on a rod: q̈ = −g/l sin q − d/(m l²) q̇ + u/(m l²), with m = 2 known, and l and d unknown. */
export class Pendulum implements ParametricStep {
  readonly nv = 1;
  readonly nu = 1;
  readonly parameterNames = ["length", "damping"];
  readonly parameters: Float64Array;

  constructor(
    readonly timeStep: number,
    length: number,
    damping: number,
  ) {
    this.parameters = Float64Array.of(length, damping);
  }

  setParameters(values: Float64Array): void {
    this.parameters.set(values);
  }

  step(q: Float64Array, qd: Float64Array, u: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    const [l, d] = this.parameters;
    const acceleration = (-9.81 / l) * Math.sin(q[0]) + (u[0] - d * qd[0]) / (2 * l * l);
    outQd[0] = qd[0] + this.timeStep * acceleration;
    outQ[0] = q[0] + this.timeStep * outQd[0];
  }

  stepWithJacobians(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives,
  ): void {
    this.stepWithSensitivity(q, qd, u, outQ, outQd, { ...out, p: new Float64Array(4) });
  }

  stepWithSensitivity(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives & { readonly p: Float64Array },
  ): void {
    const h = this.timeStep;
    const [l, d] = this.parameters;
    const byQ = (-9.81 / l) * Math.cos(q[0]);
    const byQd = -d / (2 * l * l);
    const byL = (9.81 / (l * l)) * Math.sin(q[0]) - (u[0] - d * qd[0]) / l ** 3;
    const byD = -qd[0] / (2 * l * l);
    this.step(q, qd, u, outQ, outQd);
    out.a.set([1 + h * h * byQ, h * (1 + h * byQd), h * byQ, 1 + h * byQd]);
    out.b.set([(h * h) / (2 * l * l), h / (2 * l * l)]);
    out.p.set([h * h * byL, h * h * byD, h * byL, h * byD]);
  }
}

/** Normal numbers of variance 1 (Box and Muller). */
export function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}
