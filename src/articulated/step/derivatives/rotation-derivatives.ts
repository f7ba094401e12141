import type { Vec3 } from "../../../math/types";
import type { ElementaryTerm } from "../../parameters";
import { WORLD } from "../../model";
import type { ContactStep } from "../contact-step";
import type { RotationJoint, RotationResult } from "../rotation-step";
import type { StepJacobians } from "./step-jacobians";

/** Inputs of a joint: φ, φ̇, and φ̇' and ṡ' as solved for. Outputs: φ', φ̇', s', ṡ'. */
const WIDTH = 12;
const none: Vec3 = [0, 0, 0];

/** Derivatives by parameters, one column each; see `StepParameterDerivatives`. */
export interface ParameterColumns {
  readonly count: number;
  readonly byParameter: Float64Array;
  readonly directPosition: Float64Array;
  readonly directVelocity: Float64Array;
}

/** Derivatives of the rotations of a step; see `RotationJoint`. */
export class RotationDerivatives {
  /** Outputs by inputs, 12 × 12 for each joint, row-major. */
  private readonly maps: readonly Float64Array[] = this.step.rotations.map(() => new Float64Array(WIDTH * WIDTH));
  /** Δφ̇ and Δṡ by φ and φ̇, 6 × 6 for each joint. */
  private readonly shifts: readonly Float64Array[] = this.step.rotations.map(() => new Float64Array(36));
  private readonly input = new Float64Array(WIDTH);
  private readonly output = new Float64Array(WIDTH);

  constructor(private readonly step: ContactStep) {}

  /** Call after a step. */
  compute(): void {
    const dt = this.step.options.timeStep;
    this.step.rotations.forEach((joint, i) => {
      for (let j = 0; j < WIDTH; j++) {
        const part = (p: number): Vec3 => [0, 1, 2].map((c) => (j === 3 * p + c ? 1 : 0)) as unknown as Vec3;
        const change = { phi: part(0), rate: part(1), nextRate: part(2), nextSlide: part(3) };
        const result = joint.differentiate(change, dt);
        outputs(result).forEach((value, row) => (this.maps[i][row * WIDTH + j] = value));
        if (j >= 6) continue;
        for (let c = 0; c < 3; c++) {
          this.shifts[i][c * 6 + j] = result.shiftRate[c];
          this.shifts[i][(3 + c) * 6 + j] = result.shiftSlide[c];
        }
      }
    });
  }

  /** P_q += M ∂Δq̇/∂q, P_q̇ += M ∂Δq̇/∂q̇ */
  addShift(byPosition: Float64Array, byVelocity: Float64Array): void {
    const { rotations, scratch, model } = this.step;
    const { nv } = model;
    rotations.forEach((joint, i) => {
      const shift = this.shifts[i];
      const rows = joint.slide === WORLD ? 3 : 6;
      for (let k = 0; k < nv; k++)
        for (let row = 0; row < rows; row++) {
          const mass = scratch.mass[k * nv + joint.dof + row];
          if (mass === 0) continue;
          for (let c = 0; c < 3; c++) {
            byPosition[k * nv + joint.dof + c] += mass * shift[6 * row + c];
            byVelocity[k * nv + joint.dof + c] += mass * shift[6 * row + 3 + c];
          }
        }
    });
  }

  /** Converts derivatives of q + Δt q̇' and of q̇', as solved for, to those of the state after the step. */
  apply(out: StepJacobians, parameters: ParameterColumns | undefined): void {
    const { rotations, model } = this.step;
    const { nv } = model;
    rotations.forEach((joint, i) => {
      this.applyTo(joint, i, out.positionByPosition, out.velocityByPosition, nv, 0);
      this.applyTo(joint, i, out.positionByVelocity, out.velocityByVelocity, nv, 3);
      this.applyTo(joint, i, out.positionByControl, out.velocityByControl, nv, -1);
      const width = parameters?.count ?? 0;
      if (width > 0) this.applyTo(joint, i, out.positionByParameter, out.velocityByParameter, width, -1);
    });
    if (parameters === undefined) return;
    for (let at = 0; at < nv * parameters.count; at++) {
      out.positionByParameter[at] += parameters.directPosition[at];
      out.velocityByParameter[at] += parameters.directVelocity[at];
    }
  }

  /** @param first input that corresponds to the columns of this joint's rotation vector; -1 for none */
  private applyTo(
    joint: RotationJoint,
    index: number,
    position: Float64Array,
    velocity: Float64Array,
    width: number,
    first: number,
  ): void {
    const { input, output, maps } = this;
    const map = maps[index];
    const dt = this.step.options.timeStep;
    const rows = joint.slide === WORLD ? 3 : 6;
    const { dof } = joint;
    for (let j = 0; j < width; j++) {
      const column = j - dof;
      const own = first >= 0 && column >= 0 && column < 3;
      // Bounces move positions as if by an additional velocity.
      for (const [values, at] of [
        [position, 0],
        [velocity, 1],
      ] as const) {
        input.fill(0);
        if (own) input[first + column] = 1;
        for (let c = 0; c < rows; c++) {
          const value = values[(dof + c) * width + j];
          const same = at === 0 && first === 0 && column === c ? 1 : 0;
          input[6 + c] = at === 0 ? (value - same) / dt : value;
        }
        for (let row = 0; row < rows; row++) {
          const from = WIDTH * (row < 3 ? 3 * at + row : 3 + 3 * at + row);
          let sum = at === 0 && first === 0 && row >= 3 && column === row ? 1 : 0;
          for (let c = 0; c < WIDTH; c++) sum += map[from + c] * input[c];
          output[6 * at + row] = sum;
        }
      }
      for (let row = 0; row < rows; row++) {
        position[(dof + row) * width + j] = output[row];
        velocity[(dof + row) * width + j] = output[6 + row];
      }
    }
  }

  /**
   * The transpose of `apply`.
   *
   * @param outer gradient by (q', q̇'), 2 nv numbers
   * @param byPosition gradient by q' on input, by q on output
   * @param byVelocity gradient by q̇' as solved for
   * @param byBounce gradient by positions for the map through bounces
   * @param direct receives the direct gradient by q̇
   */
  pullBack(
    outer: Float64Array,
    byPosition: Float64Array,
    byVelocity: Float64Array,
    byBounce: Float64Array,
    direct: Float64Array,
  ): void {
    const { rotations, model, options } = this.step;
    const { nv } = model;
    rotations.forEach((joint, i) => {
      const { dof } = joint;
      const map = this.maps[i];
      const rows = joint.slide === WORLD ? 3 : 6;
      for (let c = 0; c < WIDTH; c++) {
        if (c >= 6 + rows) break;
        let [place, speed] = [0, 0];
        for (let row = 0; row < rows; row++) {
          const at = row < 3 ? row : 3 + row;
          place += map[WIDTH * at + c] * outer[dof + row];
          speed += map[WIDTH * (at + 3) + c] * outer[nv + dof + row];
        }
        if (c < 3) byPosition[dof + c] = place + speed;
        else if (c < 6) direct[dof + c - 3] = place + speed;
        else {
          byVelocity[dof + c - 6] = place + speed;
          byBounce[dof + c - 6] = place / options.timeStep;
        }
      }
    });
  }

  /** Adds the effect of a parameter on Δq̇ and on the state after the step through the inertia of a free rotation. */
  addParameter({ parameter, link, rate }: ElementaryTerm, out: ParameterColumns, column: number): void {
    const { step } = this;
    const { nv } = step.model;
    for (const joint of step.rotations) {
      if (joint.link !== link || !joint.free || parameter.kind === "parent-offset") continue;
      const arm: [number, number, number] = [0, 0, 0];
      if (parameter.kind === "center-of-mass") arm[parameter.component] = rate;
      if (parameter.kind === "child-offset") for (let c = 0; c < 3; c++) arm[c] = -rate * parameter.direction[c];
      const body = joint.bodyChange(
        parameter.kind === "mass" ? rate : 0,
        parameter.kind === "inertia" ? parameter.component : -1,
        rate,
        arm,
      );
      const change = { phi: none, rate: none, nextRate: none, nextSlide: none, ...body };
      const result = joint.differentiate(change, step.options.timeStep);
      const rows = joint.slide === WORLD ? 3 : 6;
      const shift = [...result.shiftRate, ...result.shiftSlide];
      const [phi, speed, slide, slideRate] = [result.phi, result.rate, result.slide, result.slideRate];
      for (let row = 0; row < rows; row++) {
        const at = (joint.dof + row) * out.count + column;
        out.directPosition[at] += row < 3 ? phi[row] : slide[row - 3];
        out.directVelocity[at] += row < 3 ? speed[row] : slideRate[row - 3];
        for (let k = 0; k < nv; k++)
          out.byParameter[k * out.count + column] += step.scratch.mass[k * nv + joint.dof + row] * shift[row];
      }
    }
  }
}

function outputs({ phi, rate, slide, slideRate }: RotationResult): number[] {
  return [...phi, ...rate, ...slide, ...slideRate];
}
