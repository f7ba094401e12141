/**
 * Elements of a deformable body as rows of generalized compliance (9.1, 9.2), in their principal axes.
 *
 * The strain of an element is its right stretch S = V Σ Vᵀ, d (d + 1)/2 numbers, for both materials: with c = ∂U/∂S the force is
 * −Jᵀ c (75), J = ∂S/∂q, and ∂c/∂q = N J (76) with N = ∂²U/∂S² = E⁻¹ (84). In the principal axes
 *
 *     dF̂ = Uᵀ dF V          dŜᵢᵢ = dF̂ᵢᵢ          dŜᵢⱼ = (sᵢ dF̂ᵢⱼ + sⱼ dF̂ⱼᵢ)/(sᵢ + sⱼ)
 *
 * and N is H of the stretches, and 2 f_ij for each pair of axes. The rest of the force's derivative is the geometric
 * stiffness −∂(Jᵀλ)/∂q (70), due to stresses that turn with the element. The total of a pair of axes, with a = dF̂ᵢⱼ
 * and b = dF̂ⱼᵢ, is
 *
 *     f_ij (a + b)²/2 + t_ij (a − b)²/2,   t_ij = (ψᵢ + ψⱼ)/(sᵢ + sⱼ)
 *
 * and an axis k across a triangle or segment has ψᵢ/sᵢ dF̂ₖᵢ². Without negative parts, elements always give a positive
 * matrix. With negative parts, Newton's iteration converges quadratically in the end, provided that the matrix is still
 * positive.
 */

import { EnergyPoint, evaluateEnergy, type StretchEnergy } from "./stretch-energy";
import { PrincipalFrame, symmetricAxes } from "./stretch";

/** Elements of one dimension and material law: tetrahedra (3), triangles (2) or segments (1). */
export interface ElementSet {
  readonly dimension: 1 | 2 | 3;
  readonly energy: StretchEnergy;
  readonly count: number;
  /** number of particles of an element: dimension + 1, or ten for a point of a quadratic tetrahedron */
  readonly arity: number;
  /** `arity` particles an element */
  readonly indices: Uint32Array;
  /** `arity` × dimension an element: gradients of the shape functions at rest [1/m] */
  readonly gradients: Float64Array;
  /** rest volume an element [m³] */
  readonly volumes: Float64Array;
  /** one for each element [Pa] */
  readonly mu: Float64Array;
  /** one for each element [Pa] */
  readonly lambda: Float64Array;
  /** Kelvin-Voigt damping time [s] */
  readonly damping: number;
  /** internal stress of each element that swells it, for inflation [Pa]; may be changed between steps */
  readonly activation: Float64Array;
}

/**
 * The form in which geometric stiffness enters the Newton matrix: that of the elements, the diagonal of (71)-(74), or
 * none.
 */
export type GeometricStiffness = "elements" | "diagonal" | "none";

/** Least sum of two stretches by which a rotation is divided, for nearly flat elements. */
const LEAST = 0.05;

/** Numbers of an element's principal axes: U, V, s. */
export const FRAME_SIZE = 21;

/** Deformation, stress and stiffness of one element at a time. */
export class ElementPoint {
  readonly frame = new PrincipalFrame();
  readonly point = new EnergyPoint();
  /** ĝ: gradients in the principal axes of the material */
  readonly gradients = new Float64Array(30);
  /** coefficients of dF̂ₖᵢ² and of dF̂ₖₗ dF̂ₗₖ, 3 × 3 each */
  private readonly squares = new Float64Array(9);
  private readonly crosses = new Float64Array(9);
  private readonly f = new Float64Array(9);
  private readonly local = new Float64Array(9);
  private readonly axes = new Float64Array(9);
  private readonly values = new Float64Array(9);
  /** positive part of H */
  readonly hessian = new Float64Array(9);

  /**
   * Computes deformation and stress of element e for positions x.
   *
   * @param inertia stiffness by the element's mass against becoming flat [Pa], see `evaluateEnergy`
   * @param kept receives the principal axes for `recall`, FRAME_SIZE numbers an element
   */
  evaluate(set: ElementSet, e: number, x: Float64Array, inertia = 0, kept?: Float64Array): void {
    this.deform(set, e, x);
    this.turnGradients(set, e);
    const { frame, point } = this;
    evaluateEnergy(set.energy, set.mu[e], set.lambda[e], set.activation[e], frame.s, set.dimension, point, inertia);
    if (!kept) return;
    const { u, v, s } = frame;
    const at = FRAME_SIZE * e;
    for (let k = 0; k < 9; k++) {
      kept[at + k] = u[k];
      kept[at + 9 + k] = v[k];
    }
    for (let k = 0; k < 3; k++) kept[at + 18 + k] = s[k];
  }

  /** Does the same as `evaluate` for the positions of its last call. */
  recall(set: ElementSet, e: number, kept: Float64Array, inertia = 0): void {
    const { frame, point } = this;
    const { u, v, s } = frame;
    const at = FRAME_SIZE * e;
    for (let k = 0; k < 9; k++) {
      u[k] = kept[at + k];
      v[k] = kept[at + 9 + k];
    }
    for (let k = 0; k < 3; k++) s[k] = kept[at + 18 + k];
    this.turnGradients(set, e);
    evaluateEnergy(set.energy, set.mu[e], set.lambda[e], set.activation[e], s, set.dimension, point, inertia);
  }

  private deform(set: ElementSet, e: number, x: Float64Array): void {
    const d = set.dimension;
    const { f, frame } = this;
    f.fill(0);
    const { arity } = set;
    const at = e * arity * d;
    for (let a = 0; a < arity; a++) {
      const p = 3 * set.indices[e * arity + a];
      for (let i = 0; i < d; i++) {
        const g = set.gradients[at + a * d + i];
        for (let k = 0; k < 3; k++) f[k * d + i] += x[p + k] * g;
      }
    }
    frame.decompose(f, d);
  }

  /** Computes ĝ. */
  private turnGradients(set: ElementSet, e: number): void {
    const { dimension: d, arity } = set;
    const at = e * arity * d;
    const { gradients } = this;
    const { v } = this.frame;
    for (let a = 0; a < arity; a++)
      for (let i = 0; i < d; i++) {
        let sum = 0;
        for (let j = 0; j < d; j++) sum += set.gradients[at + a * d + j] * v[j * d + i];
        gradients[3 * a + i] = sum;
      }
  }

  /** Adds V Jᵀ c of the element to `out`, 3 numbers a particle [N]: minus its force. */
  addStress(set: ElementSet, e: number, out: Float64Array): void {
    const { dimension: d, arity } = set;
    const { u } = this.frame;
    const { stress } = this.point;
    for (let a = 0; a < arity; a++) {
      const p = 3 * set.indices[e * arity + a];
      for (let i = 0; i < d; i++) {
        const value = set.volumes[e] * stress[i] * this.gradients[3 * a + i];
        for (let k = 0; k < 3; k++) out[p + k] += value * u[3 * k + i];
      }
    }
  }

  /**
   * Prepares `stiffness`.
   *
   * @param geometric whether the geometric part is included
   * @param projected whether negative parts are removed
   */
  prepareStiffness(set: ElementSet, geometric: boolean, projected = true): void {
    const d = set.dimension;
    const { squares, crosses, point } = this;
    const { s } = this.frame;
    const least = projected ? 0 : -Infinity;
    this.projectHessian(d, projected);
    squares.fill(0);
    crosses.fill(0);
    for (let i = 0; i < d; i++)
      for (let j = i + 1; j < d; j++) {
        const shear = Math.max(least, point.shear[3 - i - j]);
        const sum = Math.max(LEAST, s[i] + s[j]);
        if (geometric) {
          const twist = Math.max(least, (point.stress[i] + point.stress[j]) / sum);
          squares[3 * i + j] = squares[3 * j + i] = 0.5 * (shear + twist);
          crosses[3 * i + j] = crosses[3 * j + i] = 0.5 * (shear - twist);
        } else {
          const [a, b] = [s[i] / sum, s[j] / sum];
          squares[3 * i + j] = 2 * shear * a * a;
          squares[3 * j + i] = 2 * shear * b * b;
          crosses[3 * i + j] = crosses[3 * j + i] = 2 * shear * a * b;
        }
      }
    if (!geometric) return;
    for (let k = d; k < 3; k++)
      for (let i = 0; i < d; i++) squares[3 * k + i] = Math.max(least, point.stress[i] / Math.max(LEAST, s[i]));
  }

  /** Block of corners a and b of the stiffness divided by the volume, 3 × 3, row-major. */
  stiffness(set: ElementSet, a: number, b: number, out: Float64Array): void {
    const d = set.dimension;
    const { squares, crosses, hessian, local, gradients: g } = this;
    const { u } = this.frame;
    for (let k = 0; k < 3; k++)
      for (let l = 0; l < 3; l++) {
        let sum = 0;
        if (k === l) for (let i = 0; i < d; i++) sum += squares[3 * k + i] * g[3 * a + i] * g[3 * b + i];
        else if (k < d && l < d) sum += crosses[3 * k + l] * g[3 * a + l] * g[3 * b + k];
        if (k < d && l < d) sum += hessian[3 * k + l] * g[3 * a + k] * g[3 * b + l];
        local[3 * k + l] = sum;
      }
    for (let k = 0; k < 3; k++) {
      const x = u[3 * k] * local[0] + u[3 * k + 1] * local[3] + u[3 * k + 2] * local[6];
      const y = u[3 * k] * local[1] + u[3 * k + 1] * local[4] + u[3 * k + 2] * local[7];
      const z = u[3 * k] * local[2] + u[3 * k + 1] * local[5] + u[3 * k + 2] * local[8];
      for (let l = 0; l < 3; l++) out[3 * k + l] = x * u[3 * l] + y * u[3 * l + 1] + z * u[3 * l + 2];
    }
  }

  /** Removes the negative part of H, as E may be indefinite (9.2.2). */
  private projectHessian(d: number, projected: boolean): void {
    const { hessian: h, axes, values } = this;
    h.set(this.point.hessian);
    if (!projected || d < 3 || isPositive(h)) return;
    values.set(h);
    symmetricAxes(values, axes, 3);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += Math.max(0, values[4 * k]) * axes[3 * i + k] * axes[3 * j + k];
        h[3 * i + j] = sum;
      }
  }
}

/** Whether a symmetric 3 × 3 matrix is positive definite, by its leading minors. */
function isPositive(h: Float64Array): boolean {
  const minor = h[0] * h[4] - h[1] * h[1];
  if (!(h[0] > 0 && minor > 0)) return false;
  const last = h[8] * minor - h[0] * h[5] * h[5] + 2 * h[1] * h[2] * h[5] - h[4] * h[2] * h[2];
  return last > 0;
}
