/**
 * Forward dynamics by articulated bodies (Featherstone), O(n). In world axes about the world's origin the articulated
 * inertias of children are simply added to the parent's; coordinates of one joint are eliminated one after another.
 *
 * Glossary: A articulated inertia (21 numbers: upper triangle by rows), b its bias force, U = A S, D = Sᵀ U + armature,
 * u = τ − Sᵀ b.
 */
import { WORLD, type ArticulatedModel } from "../model";
import { refusePivot } from "./pivot";
import type { ArticulatedScratch } from "../scratch";
import { addCrossForce, addScaled6, dot6, inertiaTimes } from "../spatial";

/** Scratch of `ForwardDynamics`, allocated once for a model. */
export class ForwardDynamics {
  private readonly articulated = new Float64Array(21 * this.model.linkCount);
  private readonly bias = new Float64Array(6 * this.model.linkCount);
  private readonly u = new Float64Array(this.model.nv);
  private readonly projected = new Float64Array(6 * this.model.nv);
  private readonly inverseD = new Float64Array(this.model.nv);
  private readonly acceleration = new Float64Array(6 * this.model.linkCount);
  private readonly momentum = new Float64Array(6);

  constructor(private readonly model: ArticulatedModel) {}

  /**
   * q̈ = M⁻¹ (τ − c + Σ Jᵀ w). Call after `updateKinematics`.
   *
   * @param tau all generalized forces, including those of springs and dampers, nv numbers
   * @param wrenches external forces on the links, 6 a link [N·m, N] about the world's origin; undefined: none
   * @param out q̈, nv numbers
   * @param dt [s]; as in `massMatrix`: uses forces of dampers at the end of a step
   * @throws PliantError `degenerate-geometry` if some joint has no inertia to move
   */
  compute(
    scratch: ArticulatedScratch,
    tau: Float64Array,
    wrenches: Float64Array | undefined,
    out: Float64Array,
    dt = 0,
  ): void {
    this.start(scratch, wrenches);
    for (let i = scratch.model.linkCount - 1; i >= 0; i--) this.eliminate(scratch, i, tau, dt);
    this.accelerate(scratch, out);
  }

  /** Initializes articulated inertias and biases with those of the single links. */
  private start(scratch: ArticulatedScratch, wrenches: Float64Array | undefined): void {
    const { articulated, bias, momentum } = this;
    const { inertia, velocity, model } = scratch;
    for (let i = 0; i < model.linkCount; i++) {
      const at = 21 * i;
      const m = inertia[10 * i];
      const h0 = inertia[10 * i + 1];
      const h1 = inertia[10 * i + 2];
      const h2 = inertia[10 * i + 3];
      // rows of [I, h×; (h×)ᵀ, m 1]
      articulated[at] = inertia[10 * i + 4];
      articulated[at + 1] = inertia[10 * i + 7];
      articulated[at + 2] = inertia[10 * i + 8];
      articulated[at + 3] = 0;
      articulated[at + 4] = -h2;
      articulated[at + 5] = h1;
      articulated[at + 6] = inertia[10 * i + 5];
      articulated[at + 7] = inertia[10 * i + 9];
      articulated[at + 8] = h2;
      articulated[at + 9] = 0;
      articulated[at + 10] = -h0;
      articulated[at + 11] = inertia[10 * i + 6];
      articulated[at + 12] = -h1;
      articulated[at + 13] = h0;
      articulated[at + 14] = 0;
      articulated[at + 15] = m;
      articulated[at + 16] = 0;
      articulated[at + 17] = 0;
      articulated[at + 18] = m;
      articulated[at + 19] = 0;
      articulated[at + 20] = m;
      inertiaTimes(inertia, 10 * i, velocity, 6 * i, momentum, 0);
      for (let c = 0; c < 6; c++) bias[6 * i + c] = wrenches === undefined ? 0 : -wrenches[6 * i + c];
      addCrossForce(velocity, 6 * i, momentum, 0, bias, 6 * i);
    }
  }

  /** Eliminates the coordinates of a link's joint, last first, and adds the remainder to the parent. */
  private eliminate(scratch: ArticulatedScratch, i: number, tau: Float64Array, dt: number): void {
    const { articulated, bias, projected, inverseD, u } = this;
    const { model, motion, motionRate, qd } = scratch;
    const at = 21 * i;
    const b = 6 * i;
    for (let k = model.linkDof[i] + model.linkDofCount[i] - 1; k >= model.linkDof[i]; k--) {
      const U = 6 * k;
      symmetricTimes(articulated, at, motion, 6 * k, projected, U);
      const pivot = dot6(motion, 6 * k, projected, U) + model.armature[k] + dt * model.damping[k];
      if (!(pivot > 0)) refusePivot(model, k, pivot);
      const inverse = 1 / pivot;
      inverseD[k] = inverse;
      u[k] = tau[k] - dot6(motion, 6 * k, bias, b);
      subtractOuter(articulated, at, projected, U, inverse);
      // b ← b + (A − U Uᵀ / D) c + U u / D with c = Ṡ q̇
      addSymmetricTimes(articulated, at, motionRate, 6 * k, qd[k], bias, b);
      addScaled6(projected, U, u[k] * inverse, bias, b);
    }
    const above = model.parent[i];
    if (above === WORLD) return;
    for (let c = 0; c < 21; c++) articulated[21 * above + c] += articulated[at + c];
    for (let c = 0; c < 6; c++) bias[6 * above + c] += bias[b + c];
  }

  private accelerate(scratch: ArticulatedScratch, out: Float64Array): void {
    const { acceleration, projected, inverseD, u } = this;
    const { model, motion, motionRate, qd, gravity } = scratch;
    for (let i = 0; i < model.linkCount; i++) {
      const above = model.parent[i];
      for (let c = 0; c < 6; c++)
        acceleration[6 * i + c] = above === WORLD ? (c < 3 ? 0 : -gravity[c - 3]) : acceleration[6 * above + c];
      const end = model.linkDof[i] + model.linkDofCount[i];
      for (let k = model.linkDof[i]; k < end; k++) {
        addScaled6(motionRate, 6 * k, qd[k], acceleration, 6 * i);
        out[k] = (u[k] - dot6(projected, 6 * k, acceleration, 6 * i)) * inverseD[k];
        addScaled6(motion, 6 * k, out[k], acceleration, 6 * i);
      }
    }
  }
}

/** out = A x for a symmetric 6 × 6 matrix of 21 numbers. */
function symmetricTimes(A: Float64Array, a: number, x: Float64Array, i: number, out: Float64Array, k: number): void {
  out[k] = out[k + 1] = out[k + 2] = out[k + 3] = out[k + 4] = out[k + 5] = 0;
  addSymmetricTimes(A, a, x, i, 1, out, k);
}

/** out += s · A x */
function addSymmetricTimes(
  A: Float64Array,
  a: number,
  x: Float64Array,
  i: number,
  s: number,
  out: Float64Array,
  k: number,
): void {
  const x0 = s * x[i];
  const x1 = s * x[i + 1];
  const x2 = s * x[i + 2];
  const x3 = s * x[i + 3];
  const x4 = s * x[i + 4];
  const x5 = s * x[i + 5];
  const a01 = A[a + 1];
  const a02 = A[a + 2];
  const a03 = A[a + 3];
  const a04 = A[a + 4];
  const a05 = A[a + 5];
  const a12 = A[a + 7];
  const a13 = A[a + 8];
  const a14 = A[a + 9];
  const a15 = A[a + 10];
  const a23 = A[a + 12];
  const a24 = A[a + 13];
  const a25 = A[a + 14];
  const a34 = A[a + 16];
  const a35 = A[a + 17];
  const a45 = A[a + 19];
  out[k] += A[a] * x0 + a01 * x1 + a02 * x2 + a03 * x3 + a04 * x4 + a05 * x5;
  out[k + 1] += a01 * x0 + A[a + 6] * x1 + a12 * x2 + a13 * x3 + a14 * x4 + a15 * x5;
  out[k + 2] += a02 * x0 + a12 * x1 + A[a + 11] * x2 + a23 * x3 + a24 * x4 + a25 * x5;
  out[k + 3] += a03 * x0 + a13 * x1 + a23 * x2 + A[a + 15] * x3 + a34 * x4 + a35 * x5;
  out[k + 4] += a04 * x0 + a14 * x1 + a24 * x2 + a34 * x3 + A[a + 18] * x4 + a45 * x5;
  out[k + 5] += a05 * x0 + a15 * x1 + a25 * x2 + a35 * x3 + a45 * x4 + A[a + 20] * x5;
}

/** A -= s · U Uᵀ */
function subtractOuter(A: Float64Array, a: number, U: Float64Array, k: number, s: number): void {
  for (let row = 0; row < 6; row++) {
    const scaled = s * U[k + row];
    for (let column = row; column < 6; column++) A[a++] -= scaled * U[k + column];
  }
}
