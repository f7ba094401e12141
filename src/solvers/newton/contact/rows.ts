/**
 * Rows of joints: bilateral constraints with compliance, limits, motors and dry friction, all in one form.
 *
 * A row requires of the velocity u and its impulse p, with C a function of the pose [m or rad] and J = ∂C/∂q G,
 *
 *     g(u, p) = s C(q⁺)/h + (1 − s) J u − v̂ + Γ p,     p = clamp(p − g/r, lo, hi)
 *
 * | use                      | s             | Γ               | lo, hi     |
 * |--------------------------|---------------|-----------------|------------|
 * | hard constraint (47)     | 1             | E/h² = 0        | ∓∞         |
 * | spring k and damper d    | h k/(h k + d) | 1/(h (h k + d)) | ∓∞         |
 * | limit                    | 1             | 0               | 0, ∞       |
 * | motor with target v̂      | 0             | 0               | ∓ h × most |
 * | friction                 | 0             | 0               | ∓ h × most |
 *
 * For the spring, λ = −k C(q⁺) − d J u⁺ becomes the row above after division by h k + d. Without a damper, s = 1 and Γ
 * = E/h² as in (53); without a spring, the row is a damper. The last column is the minimum map of the two-sided
 * complementarity.
 */

import { Table } from "../../../math/table";
import { type BodyTable, ROW_SIZE, TWIST_SIZE } from "../motion/bodies";

export { ROW_SIZE } from "../motion/bodies";

/**
 * Γ of a hard row, as a part of its mobility. A load of a thousand times the body's weight then pulls a joint apart by
 * a micrometer, and contradictory rows, as in a taut net, reach finite forces.
 */
const LEAST_COMPLIANCE = 3e-8;
/** Least compliance of a spring, as a part of the mobility: joints have less. */
const SOFT = 1e-5;

export class JointRows extends Table {
  /** length of the step that rows are added for [s] */
  h = 0.5;
  bodyA = new Int32Array(1);
  bodyB = new Int32Array(1);
  /** ROW_SIZE a row: J at the pose at which forces are evaluated */
  jacobian = new Float64Array(ROW_SIZE);
  /** ROW_SIZE a row: M⁻¹ Jᵀ */
  response = new Float64Array(ROW_SIZE);
  /** [J M⁻¹ Jᵀ]ᵢᵢ */
  diagonal = new Float64Array(1);
  /** s */
  share = new Float64Array(1);
  /** Γ */
  compliance = new Float64Array(1);
  /** v̂ */
  target = new Float64Array(1);
  lower = new Float64Array(1);
  upper = new Float64Array(1);
  /** C at the current iterate */
  value = new Float64Array(1);
  /** p */
  impulse = new Float64Array(1);

  /** Adds a hard bilateral row without J or impulse. */
  add(a: number, b: number): number {
    const r = this.append();
    this.bodyA[r] = a;
    this.bodyB[r] = b;
    this.share[r] = 1;
    this.compliance[r] = 0;
    this.target[r] = 0;
    this.lower[r] = -Infinity;
    this.upper[r] = Infinity;
    this.value[r] = 0;
    this.impulse[r] = 0;
    this.jacobian.fill(0, ROW_SIZE * r, ROW_SIZE * r + ROW_SIZE);
    return r;
  }

  /** Computes M⁻¹ Jᵀ and the diagonal, after J was written. */
  respond(bodies: BodyTable, r: number): void {
    const { jacobian: j, response: w } = this;
    const inverse = bodies.scratch.worldInverseInertia;
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const slot = side === 0 ? this.bodyA[r] : this.bodyB[r];
      const at = ROW_SIZE * r + TWIST_SIZE * side;
      const m = bodies.scratch.inverseMass[slot];
      const i = 6 * slot;
      w[at] = m * j[at];
      w[at + 1] = m * j[at + 1];
      w[at + 2] = m * j[at + 2];
      const x = j[at + 3];
      const y = j[at + 4];
      const z = j[at + 5];
      w[at + 3] = inverse[i] * x + inverse[i + 1] * y + inverse[i + 2] * z;
      w[at + 4] = inverse[i + 1] * x + inverse[i + 3] * y + inverse[i + 4] * z;
      w[at + 5] = inverse[i + 2] * x + inverse[i + 4] * y + inverse[i + 5] * z;
      for (let k = at; k < at + TWIST_SIZE; k++) sum += j[k] * w[k];
    }
    this.diagonal[r] = sum;
    if (this.isBilateral(r) && this.compliance[r] < LEAST_COMPLIANCE * sum) this.compliance[r] = LEAST_COMPLIANCE * sum;
  }

  /** Whether the impulse of row r has no bounds. */
  isBilateral(r: number): boolean {
    return this.lower[r] === -Infinity && this.upper[r] === Infinity;
  }

  /** Whether row r pushes one way only. */
  isLimit(r: number): boolean {
    return this.lower[r] === 0 && this.upper[r] === Infinity;
  }

  /** Whether row r is a rigid joint or limit, i.e. no motor, friction, spring or damper. */
  isRigid(r: number): boolean {
    return this.share[r] === 1 && this.target[r] === 0 && this.compliance[r] <= SOFT * this.diagonal[r];
  }
}

/** J u of a row, with this many numbers of each twist. */
export function rowSpeed(rows: JointRows, r: number, velocity: Float64Array, numbers = TWIST_SIZE): number {
  const j = rows.jacobian;
  const at = ROW_SIZE * r;
  const a = TWIST_SIZE * rows.bodyA[r];
  const b = TWIST_SIZE * rows.bodyB[r];
  let sum = 0;
  for (let k = 0; k < numbers; k++) sum += j[at + k] * velocity[a + k] + j[at + 6 + k] * velocity[b + k];
  return sum;
}

/** u += M⁻¹ Jᵀ p */
export function applyRowImpulse(rows: JointRows, r: number, p: number, velocity: Float64Array): void {
  const w = rows.response;
  const at = ROW_SIZE * r;
  const a = TWIST_SIZE * rows.bodyA[r];
  const b = TWIST_SIZE * rows.bodyB[r];
  for (let k = 0; k < TWIST_SIZE; k++) {
    velocity[a + k] += p * w[at + k];
    velocity[b + k] += p * w[at + 6 + k];
  }
}
