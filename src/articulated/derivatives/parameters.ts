/**
 * Derivatives of inverse dynamics by parameters of the mechanism. With ∂F_link the change of the force on a link,
 * ∂τ_k/∂p = S_kᵀ ∂F_link for every degree of freedom k before it; forces are linear in mass, first moment and inertia.
 *
 * A shift of a joint acts like an additional coordinate, a slide that does not move: S = (0, d) just before the joint
 * (or just behind it, for the frame within the link), Ṡ = v × S, Ψ = a × S + v × Ṡ. The formulas of inverse-dynamics.ts
 * hold for it.
 */
import { WORLD, type ArticulatedModel } from "../model";
import { elementaryTerms, type ElementaryTerm, type MechanismParameter } from "../parameters";
import type { ArticulatedScratch } from "../scratch";
import { addCrossForce, addCrossMotion, crossMotion, dot6, inertiaTimes } from "../spatial";
import type { InverseDynamicsDerivatives } from "./inverse-dynamics";

/** A list of parameters, resolved against a model. */
export class ParameterDerivatives {
  /** Terms of each parameter; terms with offsets move links (see `offsetMotion`). */
  readonly terms: readonly (readonly ElementaryTerm[])[];
  private readonly part = new Float64Array(10);
  private readonly force = new Float64Array(6);
  private readonly momentum = new Float64Array(6);
  private readonly motion = new Float64Array(6);
  private readonly rate = new Float64Array(6);
  private readonly psi = new Float64Array(6);
  private readonly twist = new Float64Array(6);
  private readonly acceleration = new Float64Array(6);
  private readonly behind: Uint8Array;

  /** @throws PliantError `invalid-argument` or `non-finite` for a parameter that the model does not have */
  constructor(model: ArticulatedModel, parameters: readonly MechanismParameter[]) {
    this.terms = parameters.map((parameter) => elementaryTerms(model, parameter));
    this.behind = new Uint8Array(model.linkCount);
  }

  get count(): number {
    return this.terms.length;
  }

  /**
   * ∂τ/∂p of τ = M q̈ + c, with q, q̇, q̈ fixed. Call after `inverse.compute` for the same q̈.
   *
   * @param out nv × count, row-major: entry (k, i) is ∂τ_k/∂p_i
   */
  compute(scratch: ArticulatedScratch, inverse: InverseDynamicsDerivatives, out: Float64Array): void {
    out.fill(0);
    for (let i = 0; i < this.terms.length; i++)
      for (const term of this.terms[i])
        if (term.parameter.kind === "parent-offset" || term.parameter.kind === "child-offset")
          this.addOffset(scratch, inverse, term, out, i);
        else this.addInertial(scratch, term, out, i);
  }

  /**
   * Shift of links in the world by an offset: links behind its joint, including `link`, move by `out` for a unit of the
   * parameter.
   *
   * @param out three numbers [m/m], the term's rate included; zero for other parameters
   */
  offsetMotion(scratch: ArticulatedScratch, term: ElementaryTerm, out: Float64Array): void {
    const { model, linkRotation: R } = scratch;
    const { parameter, link, rate } = term;
    out.fill(0);
    if (parameter.kind !== "parent-offset" && parameter.kind !== "child-offset") return;
    const frame = parameter.kind === "parent-offset" ? model.parent[link] : link;
    const sign = parameter.kind === "parent-offset" ? rate : -rate;
    const d = parameter.direction;
    for (let c = 0; c < 3; c++)
      out[c] =
        sign *
        (frame === WORLD
          ? d[c]
          : R[9 * frame + 3 * c] * d[0] + R[9 * frame + 3 * c + 1] * d[1] + R[9 * frame + 3 * c + 2] * d[2]);
  }

  /** Adds the derivatives by mass, center of mass or inertia: the force of the changed inertia at the link's motion. */
  private addInertial(scratch: ArticulatedScratch, term: ElementaryTerm, out: Float64Array, column: number): void {
    const { model, velocity, acceleration, motion } = scratch;
    const { part, force, momentum } = this;
    const { link, rate } = term;
    inertiaChange(scratch, term, part);
    inertiaTimes(part, 0, acceleration, 6 * link, force, 0);
    inertiaTimes(part, 0, velocity, 6 * link, momentum, 0);
    addCrossForce(velocity, 6 * link, momentum, 0, force, 0);
    for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k])
      out[k * this.count + column] += rate * dot6(motion, 6 * k, force, 0);
  }

  private addOffset(
    scratch: ArticulatedScratch,
    inverse: InverseDynamicsDerivatives,
    term: ElementaryTerm,
    out: Float64Array,
    column: number,
  ): void {
    const { model, velocity, acceleration, composite, gravity } = scratch;
    const { motion, rate, psi, force, twist, behind } = this;
    const { link } = term;
    const before = term.parameter.kind === "parent-offset";
    const frame = before ? model.parent[link] : link;
    for (let c = 0; c < 6; c++) {
      twist[c] = frame === WORLD ? 0 : velocity[6 * frame + c];
      this.acceleration[c] = frame === WORLD ? (c < 3 ? 0 : -gravity[c - 3]) : acceleration[6 * frame + c];
    }
    this.offsetMotion(scratch, term, force);
    for (let c = 0; c < 3; c++) {
      motion[c] = 0;
      motion[3 + c] = force[c];
    }
    crossMotion(twist, 0, motion, 0, rate, 0);
    crossMotion(this.acceleration, 0, motion, 0, psi, 0);
    addCrossMotion(twist, 0, rate, 0, psi, 0);

    // degrees of freedom before the offset feel ∂F; a slide and its rate have no angular part, so Bᶜ drops out
    inertiaTimes(composite, 10 * link, psi, 0, force, 0);
    addCrossForce(motion, 0, scratch.force, 6 * link, force, 0);
    const last = before ? (frame === WORLD ? WORLD : model.linkLastDof[frame]) : model.linkLastDof[link];
    for (let k = last; k !== WORLD; k = model.dofParent[k])
      out[k * this.count + column] += dot6(scratch.motion, 6 * k, force, 0);
    // degrees of freedom behind it feel Iᶜ Ψ
    behind.fill(0);
    for (let i = link; i < model.linkCount; i++) {
      const above = model.parent[i];
      behind[i] = i === link || (above !== WORLD && behind[above] !== 0) ? 1 : 0;
      if (behind[i] === 0 || (i === link && !before)) continue;
      for (let k = model.linkDof[i]; k < model.linkDof[i] + model.linkDofCount[i]; k++)
        out[k * this.count + column] += dot6(inverse.compositeMotion, 6 * k, psi, 0);
    }
  }
}

/** Change of a link's ten inertia numbers (see spatial.ts) for a unit change of an inertial parameter. */
function inertiaChange(scratch: ArticulatedScratch, { parameter, link }: ElementaryTerm, out: Float64Array): void {
  const { linkRotation: R, massCentre, model } = scratch;
  const c0 = massCentre[3 * link];
  const c1 = massCentre[3 * link + 1];
  const c2 = massCentre[3 * link + 2];
  const at = 9 * link;
  out.fill(0);
  if (parameter.kind === "mass") {
    setMoments(out, c0, c1, c2, c0, c1, c2, 0.5);
    out[0] = 1;
    out[1] = c0;
    out[2] = c1;
    out[3] = c2;
  } else if (parameter.kind === "center-of-mass") {
    const m = model.mass[link];
    const e0 = R[at + parameter.component];
    const e1 = R[at + 3 + parameter.component];
    const e2 = R[at + 6 + parameter.component];
    out[1] = m * e0;
    out[2] = m * e1;
    out[3] = m * e2;
    setMoments(out, c0, c1, c2, e0, e1, e2, m);
  } else if (parameter.kind === "inertia") {
    // R E Rᵀ with E = e_i e_jᵀ, symmetric
    const [i, j] = inertiaEntries[parameter.component];
    const half = i === j ? 0.5 : 1;
    const symmetric = (a: number, b: number) =>
      half * (R[at + 3 * a + i] * R[at + 3 * b + j] + R[at + 3 * b + i] * R[at + 3 * a + j]);
    out[4] = symmetric(0, 0);
    out[5] = symmetric(1, 1);
    out[6] = symmetric(2, 2);
    out[7] = symmetric(0, 1);
    out[8] = symmetric(0, 2);
    out[9] = symmetric(1, 2);
  }
}

const inertiaEntries = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** Sets moments s (2 (c·e) 1 − c eᵀ − e cᵀ), which for s = m is the change of m (|c|² 1 − c cᵀ) if c moves along e. */
function setMoments(
  out: Float64Array,
  c0: number,
  c1: number,
  c2: number,
  e0: number,
  e1: number,
  e2: number,
  s: number,
): void {
  out[4] = 2 * s * (c1 * e1 + c2 * e2);
  out[5] = 2 * s * (c0 * e0 + c2 * e2);
  out[6] = 2 * s * (c0 * e0 + c1 * e1);
  out[7] = -s * (c0 * e1 + e0 * c1);
  out[8] = -s * (c0 * e2 + e0 * c2);
  out[9] = -s * (c1 * e2 + e1 * c2);
}
