import { PliantError } from "../../errors";
import { BoxQp } from "./box-qp";
import type { TrajectoryCost } from "./cost/cost";
import type { CostDerivatives } from "./cost/moments";
import { multiplyInto, type DifferentiableStep, type StepDerivatives } from "./differentiable-step";

/**
 * Differential dynamic programming with linearized dynamics (iLQR), limits on the controls and regularization: Tassa,
 * Mansard & Todorov 2014.
 *
 *   x = (q, q̇), nx numbers       u controls, nu numbers, within [lower, upper]
 *   A = ∂x'/∂x, B = ∂x'/∂u       ℓ cost, V value function, Q its argument before minimizing over u
 *   δu = α k + K δx              µ regularization: Q_uu + µ |J₀| diag(1/s²), s the scale of each control
 */
export class Ilqr {
  readonly nx: number = 2 * this.step.nv;
  /** States, (steps + 1) × nx. */
  x: Float64Array = new Float64Array((this.steps + 1) * this.nx);
  /** Controls, steps × nu. */
  u: Float64Array = new Float64Array(this.steps * this.step.nu);
  /** Feedforward k (steps × nu) and feedback K (steps × nu × nx). */
  readonly feedforward = new Float64Array(this.steps * this.step.nu);
  readonly feedback = new Float64Array(this.steps * this.step.nu * this.nx);
  /** Σ kᵀ Q_u and ½ Σ kᵀ Q_uu k of the last backward pass: the model's ΔJ = α ΔV₁ + α² ΔV₂. */
  readonly expected: [number, number] = [0, 0];
  /** Largest slope along a free control, in units of its scale, after the last backward pass. */
  steepest = 0;

  private xTrial: Float64Array = new Float64Array((this.steps + 1) * this.nx);
  private uTrial: Float64Array = new Float64Array(this.steps * this.step.nu);
  private readonly a: Float64Array[] = Array.from({ length: this.steps }, () => new Float64Array(this.nx * this.nx));
  private readonly b: Float64Array[] = Array.from(
    { length: this.steps },
    () => new Float64Array(this.nx * this.step.nu),
  );
  private readonly costs: CostDerivatives[];
  private readonly vx = new Float64Array(this.nx);
  private readonly vxx = new Float64Array(this.nx * this.nx);
  private readonly qx = new Float64Array(this.nx);
  private readonly qu = new Float64Array(this.step.nu);
  private readonly qxx = new Float64Array(this.nx * this.nx);
  private readonly quu = new Float64Array(this.step.nu * this.step.nu);
  private readonly qux = new Float64Array(this.step.nu * this.nx);
  private readonly quuRegular = new Float64Array(this.step.nu * this.step.nu);
  private readonly va = new Float64Array(this.nx * this.nx);
  private readonly vb = new Float64Array(this.step.nu * this.nx);
  private readonly low = new Float64Array(this.step.nu);
  private readonly high = new Float64Array(this.step.nu);
  private readonly box = new BoxQp(this.step.nu);
  private readonly q = new Float64Array(this.step.nv);
  private readonly qd = new Float64Array(this.step.nv);
  private readonly control = new Float64Array(this.step.nu);

  constructor(
    private readonly step: DifferentiableStep,
    private readonly cost: TrajectoryCost,
    /** length of the trajectory; it may be made shorter for a while */
    public steps: number,
    private readonly lower: Float64Array,
    private readonly upper: Float64Array,
    private readonly scale: Float64Array,
  ) {
    const { nx } = this;
    const { nu } = step;
    const floats = (n: number): Float64Array => new Float64Array(n);
    this.costs = Array.from({ length: steps + 1 }, () => ({
      x: floats(nx),
      u: floats(nu),
      xx: floats(nx * nx),
      uu: floats(nu * nu),
      ux: floats(nu * nx),
    }));
  }

  /** Simulates with `u` from the state in the first row of `x`. Returns J; not finite if the simulation was not. */
  rollOut(): number {
    this.clamp(this.u);
    this.xTrial.set(this.x.subarray(0, this.nx));
    this.uTrial.set(this.u);
    const cost = this.simulate(undefined, 0);
    this.accept();
    return cost;
  }

  /** Computes derivatives of the dynamics and the cost at one moment of the trajectory. */
  linearise(k: number): void {
    const { nx, step } = this;
    const { nv, nu } = step;
    this.expandCost(k);
    if (k === this.steps) return;
    this.q.set(this.x.subarray(k * nx, k * nx + nv));
    this.qd.set(this.x.subarray(k * nx + nv, (k + 1) * nx));
    const out: StepDerivatives = { a: this.a[k], b: this.b[k] };
    step.stepWithJacobians(this.q, this.qd, this.u.subarray(k * nu, (k + 1) * nu), this.q, this.qd, out);
  }

  /** Computes derivatives of the cost alone. */
  expandCost(k: number): void {
    const { nx, costs } = this;
    const { nu } = this.step;
    for (const array of Object.values(costs[k]) as Float64Array[]) array.fill(0);
    const u = k === this.steps ? undefined : this.u.subarray(k * nu, (k + 1) * nu);
    this.cost.evaluate(k, this.x.subarray(k * nx, (k + 1) * nx), u, costs[k]);
  }

  /** Whether the gradient can be computed without Jacobians. */
  get canPullBack(): boolean {
    return this.step.pullBack !== undefined;
  }

  /**
   * Computes one moment of the adjoint by vector-Jacobian products. Call it from the end to the start, after
   * `expandCost`: λ_k = ℓ_x + Aᵀ λ_{k+1}.
   *
   * @param out ∂J/∂u (steps × nu); row k is written
   */
  pullBack(k: number, out: Float64Array, escapeSaddles: boolean): void {
    const { nx, vx, qx, costs } = this;
    const { nv, nu } = this.step;
    if (k === this.steps) {
      vx.set(costs[k].x);
      return;
    }
    this.q.set(this.x.subarray(k * nx, k * nx + nv));
    this.qd.set(this.x.subarray(k * nx + nv, (k + 1) * nx));
    const u = this.u.subarray(k * nu, (k + 1) * nu);
    this.step.pullBack!(this.q, this.qd, u, vx, { x: qx, u: this.qu }, escapeSaddles);
    for (let j = 0; j < nu; j++) out[k * nu + j] = costs[k].u[j] + this.qu[j];
    for (let i = 0; i < nx; i++) vx[i] = costs[k].x[i] + qx[i];
  }

  /** Computes feedforward and feedback from the end to the start; false if some Q_uu is not positive definite. */
  backward(regularization: number): boolean {
    const { vx, vxx, costs, steps, expected } = this;
    vx.set(costs[steps].x);
    vxx.set(costs[steps].xx);
    expected.fill(0);
    this.steepest = 0;
    for (let k = steps - 1; k >= 0; k--) {
      this.expand(k);
      if (!this.minimise(k, regularization)) return false;
      this.updateValue(k);
    }
    return vx.every(Number.isFinite);
  }

  /** Tries the step of length α. Returns J, and keeps the trial trajectory until `accept`. */
  forward(alpha: number): number {
    this.xTrial.set(this.x.subarray(0, this.nx));
    return this.simulate(this.x, alpha);
  }

  /** Makes the last trial the trajectory. */
  accept(): void {
    [this.x, this.xTrial] = [this.xTrial, this.x];
    [this.u, this.uTrial] = [this.uTrial, this.u];
  }

  /** ∂J/∂u along the linearized trajectory (steps × nu), by the same adjoint. */
  gradient(out: Float64Array): void {
    const { nx, vx, qx, costs, steps } = this;
    const { nu } = this.step;
    vx.set(costs[steps].x);
    for (let k = steps - 1; k >= 0; k--) {
      const [a, b] = [this.a[k], this.b[k]];
      for (let j = 0; j < nu; j++) {
        let sum = costs[k].u[j];
        for (let i = 0; i < nx; i++) sum += b[i * nu + j] * vx[i];
        out[k * nu + j] = sum;
      }
      for (let j = 0; j < nx; j++) {
        let sum = costs[k].x[j];
        for (let i = 0; i < nx; i++) sum += a[i * nx + j] * vx[i];
        qx[j] = sum;
      }
      vx.set(qx);
    }
  }

  private clamp(u: Float64Array): void {
    const { nu } = this.step;
    for (let i = 0; i < u.length; i++) u[i] = Math.min(this.upper[i % nu], Math.max(this.lower[i % nu], u[i]));
  }

  /** Simulates into the trial arrays; with a reference, under the policy u + α k + K (x − x_ref). */
  private simulate(reference: Float64Array | undefined, alpha: number): number {
    const { nx, xTrial, uTrial, feedback, q, qd, control } = this;
    const { nv, nu } = this.step;
    let total = 0;
    for (let k = 0; k < this.steps; k++) {
      const at = k * nx;
      for (let j = 0; j < nu; j++) {
        let value =
          reference === undefined ? uTrial[k * nu + j] : this.u[k * nu + j] + alpha * this.feedforward[k * nu + j];
        if (reference !== undefined)
          for (let i = 0; i < nx; i++) value += feedback[(k * nu + j) * nx + i] * (xTrial[at + i] - reference[at + i]);
        control[j] = Math.min(this.upper[j], Math.max(this.lower[j], value));
        uTrial[k * nu + j] = control[j];
      }
      total += this.cost.evaluate(k, xTrial.subarray(at, at + nx), control, undefined);
      for (let i = 0; i < nv; i++) {
        q[i] = xTrial[at + i];
        qd[i] = xTrial[at + nv + i];
      }
      if (!this.takeStep()) return Number.NaN;
      xTrial.set(q, at + nx);
      xTrial.set(qd, at + nx + nv);
      if (!Number.isFinite(total) || !Number.isFinite(q[0] + qd[0])) return Number.NaN;
    }
    const end = this.steps * nx;
    return total + this.cost.evaluate(this.steps, xTrial.subarray(end, end + nx), undefined, undefined);
  }

  /** Takes a step; false if the simulation fails: a diverging trial is just a bad trial. */
  private takeStep(): boolean {
    try {
      this.step.step(this.q, this.qd, this.control, this.q, this.qd);
      return true;
    } catch (error) {
      if (error instanceof PliantError) return false;
      throw error;
    }
  }

  /** Computes Q of step k: Q_x = ℓ_x + Aᵀ V_x, Q_xx = ℓ_xx + Aᵀ V_xx A, … */
  private expand(k: number): void {
    const { nx, vx, vxx, va, vb, qx, qu, qxx, quu, qux } = this;
    const { nu } = this.step;
    const [a, b, l] = [this.a[k], this.b[k], this.costs[k]];
    multiplyInto(vxx, a, va, nx, nx, nx);
    multiplyInto(vxx, b, vb, nx, nx, nu);
    for (let i = 0; i < nx; i++) {
      let sum = l.x[i];
      for (let m = 0; m < nx; m++) sum += a[m * nx + i] * vx[m];
      qx[i] = sum;
      for (let j = 0; j < nx; j++) {
        let entry = l.xx[i * nx + j];
        for (let m = 0; m < nx; m++) entry += a[m * nx + i] * va[m * nx + j];
        qxx[i * nx + j] = entry;
      }
    }
    for (let i = 0; i < nu; i++) {
      let sum = l.u[i];
      for (let m = 0; m < nx; m++) sum += b[m * nu + i] * vx[m];
      qu[i] = sum;
      for (let j = 0; j < nu; j++) {
        let entry = l.uu[i * nu + j];
        for (let m = 0; m < nx; m++) entry += b[m * nu + i] * vb[m * nu + j];
        quu[i * nu + j] = entry;
      }
      for (let j = 0; j < nx; j++) {
        let entry = l.ux[i * nx + j];
        for (let m = 0; m < nx; m++) entry += b[m * nu + i] * va[m * nx + j];
        qux[i * nx + j] = entry;
      }
    }
  }

  /** Computes k by the box QP, and K = −Q_uu⁻¹ Q_ux over the controls not at a bound. */
  private minimise(k: number, regularization: number): boolean {
    const { nx, box, quuRegular, quu, qu, qux, low, high, scale, feedforward, feedback } = this;
    const { nu } = this.step;
    quuRegular.set(quu);
    for (let j = 0; j < nu; j++) {
      quuRegular[j * (nu + 1)] += regularization / (scale[j] * scale[j]);
      low[j] = this.lower[j] - this.u[k * nu + j];
      high[j] = this.upper[j] - this.u[k * nu + j];
      box.x[j] = 0;
    }
    if (!box.solve(quuRegular, qu, low, high)) return false;
    for (let j = 0; j < nu; j++) {
      feedforward[k * nu + j] = box.x[j];
      const blocked = (low[j] >= 0 && qu[j] > 0) || (high[j] <= 0 && qu[j] < 0);
      if (!blocked) this.steepest = Math.max(this.steepest, Math.abs(qu[j]) * scale[j]);
    }
    const base = k * nu * nx;
    for (let i = 0; i < nu * nx; i++) feedback[base + i] = -qux[i];
    for (let i = 0; i < nx; i++) box.solveFree(feedback, base + i, nx);
    return true;
  }

  /** V_x = Q_x + Kᵀ Q_uu k + Kᵀ Q_u + Q_uxᵀ k, V_xx = Q_xx + Kᵀ Q_uu K + Kᵀ Q_ux + Q_uxᵀ K. */
  private updateValue(k: number): void {
    const { nx, vx, vxx, qx, qu, qxx, quu, qux, vb, feedforward, feedback, expected } = this;
    const { nu } = this.step;
    const base = k * nu * nx;
    // Q_uu K + Q_ux, and Q_uu k + Q_u
    for (let j = 0; j < nu; j++) {
      let slope = qu[j];
      for (let m = 0; m < nu; m++) slope += quu[j * nu + m] * feedforward[k * nu + m];
      this.control[j] = slope;
      expected[0] += feedforward[k * nu + j] * qu[j];
      expected[1] += 0.5 * feedforward[k * nu + j] * (slope - qu[j]);
      for (let i = 0; i < nx; i++) {
        let entry = qux[j * nx + i];
        for (let m = 0; m < nu; m++) entry += quu[j * nu + m] * feedback[base + m * nx + i];
        vb[j * nx + i] = entry;
      }
    }
    for (let i = 0; i < nx; i++) {
      let slope = qx[i];
      for (let j = 0; j < nu; j++)
        slope += feedback[base + j * nx + i] * this.control[j] + qux[j * nx + i] * feedforward[k * nu + j];
      vx[i] = slope;
      for (let m = 0; m <= i; m++) {
        let entry = 0.5 * (qxx[i * nx + m] + qxx[m * nx + i]);
        for (let j = 0; j < nu; j++)
          entry +=
            0.5 *
            (feedback[base + j * nx + i] * vb[j * nx + m] +
              qux[j * nx + i] * feedback[base + j * nx + m] +
              feedback[base + j * nx + m] * vb[j * nx + i] +
              qux[j * nx + m] * feedback[base + j * nx + i]);
        vxx[i * nx + m] = entry;
        vxx[m * nx + i] = entry;
      }
    }
  }
}
