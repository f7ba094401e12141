/**
 * Derivatives of a step in parts: the chain rule through the stages of `RungeKutta`, whose own derivatives, of h q̈, are those of a step
 * without constraints.
 */
import { addProduct } from "../../../math/dense-products";
import { StepJacobianSolver } from "./jacobians";
import { StepLinearisation } from "./linearisation";
import { StepParameterDerivatives, type StepParameter } from "./parameters";
import { StepPullback, makeStepGradient, type StepGradient } from "./pullback";
import type { RungeKutta } from "../runge-kutta";
import { makeStepJacobians, type StepJacobians } from "./step-jacobians";

export class RungeKuttaDerivatives {
  private readonly linearisation = new StepLinearisation(this.motion.stage);
  private readonly solver = new StepJacobianSolver(this.linearisation);
  private readonly pullback: StepPullback;
  private readonly parameters: StepParameterDerivatives;
  private readonly own: StepJacobians;
  private readonly back: StepGradient;

  constructor(
    private readonly motion: RungeKutta,
    parameters: readonly StepParameter[],
  ) {
    const { stage } = motion;
    const { nv } = stage.model;
    this.pullback = new StepPullback(this.linearisation, parameters.length);
    this.parameters = new StepParameterDerivatives(stage, parameters);
    this.own = makeStepJacobians(nv, parameters.length);
    this.back = makeStepGradient(nv, parameters.length);
  }

  /** Columns are the derivatives by q, q̇, τ and the parameters, side by side: nv rows of q and nv rows of q̇. */
  jacobians(out: StepJacobians): void {
    const { motion } = this;
    const { nv } = motion.stage.model;
    const width = 3 * nv + this.parameters.count;
    const byInput = (): Float64Array => new Float64Array(nv * width);
    let [q, qd] = [byInput(), byInput()];
    for (let k = 0; k < nv; k++) q[k * width + k] = qd[k * width + nv + k] = 1;
    const h = motion.stage.options.timeStep;
    const { place, reach, weight } = motion.rule;
    for (let part = 0; part < motion.count; part++) {
      const [nextQ, nextQd] = [q.slice(), qd.slice()];
      // V and h A of the previous stage
      let [rate, push] = [qd, byInput()];
      for (let i = 0; i < reach.length; i++) {
        const [Q, V] = [q.slice(), qd.slice()];
        for (let at = 0; at < Q.length; at++) {
          Q[at] += h * place[i] * rate[at];
          V[at] += reach[i] * push[at];
        }
        push = this.pushed(part, i, Q, V, width);
        rate = V;
        for (let at = 0; at < Q.length; at++) {
          nextQ[at] += h * weight[i] * rate[at];
          nextQd[at] += weight[i] * push[at];
        }
      }
      motion.changes[part].push(nextQ, nextQd, width);
      [q, qd] = [nextQ, nextQd];
    }
    for (let k = 0; k < nv; k++) {
      const part = (values: Float64Array, first: number, count: number): Float64Array =>
        values.subarray(k * width + first, k * width + first + count);
      out.positionByPosition.set(part(q, 0, nv), k * nv);
      out.positionByVelocity.set(part(q, nv, nv), k * nv);
      out.positionByControl.set(part(q, 2 * nv, nv), k * nv);
      out.velocityByPosition.set(part(qd, 0, nv), k * nv);
      out.velocityByVelocity.set(part(qd, nv, nv), k * nv);
      out.velocityByControl.set(part(qd, 2 * nv, nv), k * nv);
      const { count } = this.parameters;
      out.positionByParameter.set(part(q, 3 * nv, count), k * count);
      out.velocityByParameter.set(part(qd, 3 * nv, count), k * count);
    }
  }

  /** Change of h A of a stage by changes of its Q and V, of τ and of the parameters. */
  private pushed(part: number, i: number, Q: Float64Array, V: Float64Array, width: number): Float64Array {
    const { own, motion, parameters } = this;
    const { nv } = motion.stage.model;
    this.linearise(part, i);
    this.solver.solve(own, parameters);
    for (let k = 0; k < nv; k++) own.velocityByVelocity[k * nv + k] -= 1;
    const out = new Float64Array(nv * width);
    addProduct(own.velocityByPosition, Q, out, nv, nv, width, 1);
    addProduct(own.velocityByVelocity, V, out, nv, nv, width, 1);
    for (let k = 0; k < nv; k++) {
      for (let j = 0; j < nv; j++) out[k * width + 2 * nv + j] += own.velocityByControl[k * nv + j];
      const { count } = parameters;
      for (let j = 0; j < count; j++) out[k * width + 3 * nv + j] += own.velocityByParameter[k * count + j];
    }
    return out;
  }

  /** As `StepPullback.apply`. */
  pull(position: Float64Array, velocity: Float64Array, out: StepGradient): void {
    const { motion, back, parameters } = this;
    const h = motion.stage.options.timeStep;
    const { place, reach, weight } = motion.rule;
    const { nv } = motion.stage.model;
    const [byQ, byQd] = [position.slice(), velocity.slice()];
    out.control.fill(0);
    out.parameter.fill(0);
    const none = new Float64Array(nv);
    const push = new Float64Array(nv);
    for (let part = motion.count - 1; part >= 0; part--) {
      motion.changes[part].pull(byQ, byQd);
      // gradients by q' and q̇' of the part, and by Q and V of the next stage
      const [endQ, endQd] = [byQ.slice(), byQd.slice()];
      const [nextQ, nextV] = [new Float64Array(nv), new Float64Array(nv)];
      for (let i = reach.length - 1; i >= 0; i--) {
        const [afterPlace, afterReach] = i + 1 < reach.length ? [place[i + 1], reach[i + 1]] : [0, 0];
        for (let k = 0; k < nv; k++) push[k] = weight[i] * endQd[k] + afterReach * nextV[k];
        this.linearise(part, i);
        this.pullback.apply(none, push, back, parameters, false);
        for (let k = 0; k < nv; k++) {
          nextV[k] = back.velocity[k] - push[k] + h * (weight[i] * endQ[k] + afterPlace * nextQ[k]);
          nextQ[k] = back.position[k];
          byQ[k] += nextQ[k];
          byQd[k] += nextV[k];
          out.control[k] += back.control[k];
        }
        for (let j = 0; j < parameters.count; j++) out.parameter[j] += back.parameter[j];
      }
      for (let k = 0; k < nv; k++) byQd[k] += h * place[0] * nextQ[k];
    }
    out.position.set(byQ);
    out.velocity.set(byQd);
  }

  private linearise(part: number, i: number): void {
    this.motion.accelerate(part, i);
    this.linearisation.compute();
    this.parameters.compute(this.linearisation);
  }
}
