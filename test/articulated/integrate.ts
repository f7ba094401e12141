import { ForwardDynamics } from "../../src/articulated/dynamics/forward-dynamics";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { addPassiveForces } from "../../src/articulated/dynamics/passive-forces";
import type { ArticulatedModel } from "../../src/articulated/model";
import { ArticulatedScratch } from "../../src/articulated/scratch";

/** Unactuated motion of a mechanism without contact. */
export class FreeMotion {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly scratch: ArticulatedScratch;
  private readonly dynamics: ForwardDynamics;
  private readonly passive: Float64Array;
  private readonly qdd: Float64Array;

  constructor(
    readonly model: ArticulatedModel,
    q: Float64Array,
    qd: Float64Array,
  ) {
    this.q = q.slice();
    this.qd = qd.slice();
    this.scratch = new ArticulatedScratch(model);
    this.dynamics = new ForwardDynamics(model);
    this.passive = new Float64Array(model.nv);
    this.qdd = new Float64Array(model.nv);
  }

  /** Equation (1) of paper 4. */
  eulerStep(dt: number): void {
    this.accelerate(this.q, this.qd, this.qdd);
    for (let k = 0; k < this.q.length; k++) {
      this.qd[k] += dt * this.qdd[k];
      this.q[k] += dt * this.qd[k];
    }
  }

  /** The classical method of fourth order. */
  rungeKuttaStep(dt: number): void {
    const { q, qd } = this;
    const slopes: [Float64Array, Float64Array][] = [];
    for (const part of [0, 0.5, 0.5, 1]) {
      const last = slopes[slopes.length - 1];
      const position = last === undefined ? q : q.map((value, k) => value + part * dt * last[0][k]);
      const velocity = last === undefined ? qd.slice() : qd.map((value, k) => value + part * dt * last[1][k]);
      const acceleration = new Float64Array(q.length);
      this.accelerate(position, velocity, acceleration);
      slopes.push([velocity, acceleration]);
    }
    const [a, b, c, d] = slopes;
    for (let k = 0; k < q.length; k++) {
      q[k] += (dt / 6) * (a[0][k] + 2 * b[0][k] + 2 * c[0][k] + d[0][k]);
      qd[k] += (dt / 6) * (a[1][k] + 2 * b[1][k] + 2 * c[1][k] + d[1][k]);
    }
  }

  /** Updates `scratch` to the state. */
  update(): ArticulatedScratch {
    updateKinematics(this.scratch, this.q, this.qd);
    return this.scratch;
  }

  private accelerate(q: Float64Array, qd: Float64Array, out: Float64Array): void {
    updateKinematics(this.scratch, q, qd);
    this.passive.fill(0);
    addPassiveForces(this.model, q, qd, this.passive);
    this.dynamics.compute(this.scratch, this.passive, undefined, out);
  }
}
