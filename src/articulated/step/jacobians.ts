import { inverseMass } from "../dynamics/mass-matrix";
import { changeMap, changeMapDerivative } from "../joints/reparametrise";
import type { StepLinearisation } from "./linearisation";
import type { StepParameterDerivatives } from "./parameters";

/** Jacobians of a step (q, q̇, τ, p) ↦ (q', q̇'), row-major: entry (k, j) is the change of output k by input j. */
export interface StepJacobians {
  /** nv × nv each */
  readonly positionByPosition: Float64Array;
  readonly positionByVelocity: Float64Array;
  readonly positionByControl: Float64Array;
  readonly velocityByPosition: Float64Array;
  readonly velocityByVelocity: Float64Array;
  readonly velocityByControl: Float64Array;
  /** nv × number of parameters */
  readonly positionByParameter: Float64Array;
  readonly velocityByParameter: Float64Array;
}

/** Arrays for the Jacobians of a mechanism with nv coordinates and so many parameters. */
export function makeStepJacobians(nv: number, parameters = 0): StepJacobians {
  const square = (): Float64Array => new Float64Array(nv * nv);
  return {
    positionByPosition: square(),
    positionByVelocity: square(),
    positionByControl: square(),
    velocityByPosition: square(),
    velocityByVelocity: square(),
    velocityByControl: square(),
    positionByParameter: new Float64Array(nv * parameters),
    velocityByParameter: new Float64Array(nv * parameters),
  };
}

/**
 * Full Jacobians from a linearisation. Eliminating df_𝒞 leaves, with D = M⁻¹ (J_𝒞 + Eᵀ J_𝒰)ᵀ A⁺,
 *
 *   N = (1 - D J_𝒞) M⁻¹
 *   ∂q̇'/∂q = N P_q - D R_q,   ∂q̇'/∂q̇ = (1 - D J_𝒞) + N P_q̇ - D R_q̇,   ∂q̇'/∂τ = Δt N
 *   ∂q'/∂q = X + Δt ∂q̇'/∂q with X = 1, or 1 - D G through bounces;   ∂q'/∂(q̇, τ) = Δt ∂q̇'/∂(q̇, τ)
 */
export class StepJacobianSolver {
  private readonly inverse: Float64Array;
  /** N */
  private readonly mobility: Float64Array;
  /** D, nv × clamping rows */
  private gain = new Float64Array(0);
  private readonly map = new Float64Array(9);
  private readonly rate = new Float64Array(9);

  constructor(private readonly linearisation: StepLinearisation) {
    const { nv } = linearisation.step.model;
    this.inverse = new Float64Array(nv * nv);
    this.mobility = new Float64Array(nv * nv);
  }

  /** After `linearisation.compute`. */
  solve(out: StepJacobians, parameters: StepParameterDerivatives | undefined): void {
    const { linearisation, inverse, mobility } = this;
    const { step, classes, byPosition, byVelocity } = linearisation;
    const { scratch, rows, response } = step;
    const { nv } = step.model;
    const dt = step.options.timeStep;
    const { count } = classes;
    inverseMass(scratch, inverse);
    this.fillGain();
    const { gain } = this;
    for (let i = 0; i < nv * nv; i++) mobility[i] = inverse[i];
    const { velocityByPosition, velocityByVelocity, velocityByControl } = out;
    velocityByVelocity.fill(0);
    for (let k = 0; k < nv; k++) velocityByVelocity[k * nv + k] = 1;
    const m = rows.count;
    for (let k = 0; k < nv; k++) {
      for (let p = 0; p < count; p++) {
        const d = gain[k * count + p];
        if (d === 0) continue;
        const r = classes.rows[p];
        for (let j = 0; j < nv; j++) mobility[k * nv + j] -= d * response[j * m + r];
        for (let j = 0, at = r * nv; j < nv; j++) velocityByVelocity[k * nv + j] -= d * rows.jacobian[at + j];
      }
    }
    velocityByPosition.fill(0);
    addProduct(mobility, byPosition, velocityByPosition, nv, nv, nv, 1);
    addProduct(mobility, byVelocity, velocityByVelocity, nv, nv, nv, 1);
    for (let i = 0; i < nv * nv; i++) velocityByControl[i] = dt * mobility[i];
    if (count > 0) {
      addProduct(gain, linearisation.residualByPosition, velocityByPosition, nv, count, nv, -1);
      if (linearisation.bounces)
        addProduct(gain, linearisation.residualByVelocity, velocityByVelocity, nv, count, nv, -1);
    }
    if (parameters !== undefined && parameters.count > 0) {
      out.velocityByParameter.fill(0);
      addProduct(mobility, parameters.byParameter, out.velocityByParameter, nv, nv, parameters.count, 1);
      addProduct(gain, parameters.residual, out.velocityByParameter, nv, count, parameters.count, -1);
    }
    this.fillPositions(out);
    this.changeRotationVectors(out, parameters === undefined ? 0 : parameters.count);
  }

  /** Row k of D is A⁺ᵀ of the push on coordinate k. */
  private fillGain(): void {
    const { linearisation } = this;
    const { classes, push, step } = linearisation;
    const { nv } = step.model;
    const { count } = classes;
    if (this.gain.length < nv * count) this.gain = new Float64Array(2 * nv * count);
    const { gain } = this;
    if (count === 0) return;
    for (let k = 0; k < nv; k++) {
      let any = false;
      for (let p = 0; p < count; p++) {
        gain[k * count + p] = push[p * nv + k];
        any ||= push[p * nv + k] !== 0;
      }
      if (any) classes.factor.solveTransposed(gain, k * count);
    }
  }

  private fillPositions(out: StepJacobians): void {
    const { linearisation, gain } = this;
    const { step, classes } = linearisation;
    const { nv } = step.model;
    const dt = step.options.timeStep;
    const { positionByPosition } = out;
    for (let i = 0; i < nv * nv; i++) {
      positionByPosition[i] = dt * out.velocityByPosition[i];
      out.positionByVelocity[i] = dt * out.velocityByVelocity[i];
      out.positionByControl[i] = dt * out.velocityByControl[i];
    }
    for (let i = 0; i < out.velocityByParameter.length; i++) {
      out.positionByParameter[i] = dt * out.velocityByParameter[i];
    }
    for (let k = 0; k < nv; k++) positionByPosition[k * nv + k] += 1;
    if (linearisation.bounces && step.options.bounceGradients === "time-of-collision") {
      addProduct(gain, linearisation.bounceRows, positionByPosition, nv, classes.count, nv, -1);
    }
  }

  /** Rotation vectors that the step changed: q'_new = g(q'), q̇'_new = E(q') q̇'. */
  private changeRotationVectors(out: StepJacobians, parameters: number): void {
    const { step } = this.linearisation;
    const { nv } = step.model;
    for (let i = 0; i < step.changedCount; i++) {
      const first = step.changed[i];
      changeMap(step.beforeChange, 6 * i, this.map);
      changeMapDerivative(step.beforeChange, 6 * i, step.beforeChange, 6 * i + 3, this.rate);
      this.changeRows(out.positionByPosition, out.velocityByPosition, first, nv);
      this.changeRows(out.positionByVelocity, out.velocityByVelocity, first, nv);
      this.changeRows(out.positionByControl, out.velocityByControl, first, nv);
      if (parameters > 0) this.changeRows(out.positionByParameter, out.velocityByParameter, first, parameters);
    }
  }

  private changeRows(position: Float64Array, velocity: Float64Array, first: number, width: number): void {
    const { map: E, rate: F } = this;
    for (let j = 0; j < width; j++) {
      const at = first * width + j;
      const [x, y, z] = [position[at], position[at + width], position[at + 2 * width]];
      const [u, v, w] = [velocity[at], velocity[at + width], velocity[at + 2 * width]];
      for (let r = 0; r < 3; r++) {
        position[at + r * width] = E[3 * r] * x + E[3 * r + 1] * y + E[3 * r + 2] * z;
        velocity[at + r * width] =
          E[3 * r] * u + E[3 * r + 1] * v + E[3 * r + 2] * w + F[3 * r] * x + F[3 * r + 1] * y + F[3 * r + 2] * z;
      }
    }
  }
}

/** out += s · X Y for X rows × inner, Y inner × columns, row-major. */
function addProduct(
  x: Float64Array,
  y: Float64Array,
  out: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  s: number,
): void {
  for (let i = 0; i < rows; i++) {
    const to = i * columns;
    for (let k = 0; k < inner; k++) {
      const factor = s * x[i * inner + k];
      if (factor === 0) continue;
      for (let j = 0, from = k * columns; j < columns; j++) out[to + j] += factor * y[from + j];
    }
  }
}
