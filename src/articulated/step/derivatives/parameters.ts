import { invalid } from "../../../errors";
import {
  actuatorRates,
  actuatorValue,
  isActuatorParameter,
  shiftActuator,
  type ActuatorParameter,
} from "../../actuators/actuator-parameters";
import type { Actuators } from "../../actuators/actuators";
import { VARIATION } from "../../contact/variation";
import type { InverseDynamicsDerivatives } from "../../derivatives/inverse-dynamics";
import { ParameterDerivatives } from "../../derivatives/parameters";
import { addProduct } from "../../../math/dense-products";
import { WORLD } from "../../model";
import type { ArticulatedScratch } from "../../scratch";
import { shiftParameter, parameterValue, type ElementaryTerm, type MechanismParameter } from "../../parameters";
import { boundSign } from "../../lcp/stabilise";
import { RowPart } from "../constraint-rows";
import type { ContactStep } from "../contact-step";
import { twistAt } from "../contact-motion";
import {
  isJointParameter,
  jointNumbers,
  jointParameterDof,
  shiftJointParameter,
  type JointParameter,
} from "../joint-parameters";
import { addDriving, addDrivingInertia, type DrivingTerm } from "./driving-parameters";
import type { StepLinearisation } from "./linearisation";

/**
 * A number that a step depends on: a parameter of the mechanism, of a joint, of a motor or servo, or the friction coefficient of all
 * shapes of a link (of the world, if `link` is omitted). The smaller coefficient of two touching shapes counts.
 */
export type StepParameter =
  | MechanismParameter
  | JointParameter
  | ActuatorParameter
  | { readonly kind: "friction"; readonly link?: string };

/** Value of a parameter; see `parameterValue` of the mechanism. */
export function stepParameterValue(step: ContactStep, parameter: StepParameter): number {
  if (isJointParameter(parameter)) return jointNumbers(step, parameter.kind)[jointParameterDof(step.model, parameter)];
  if (isActuatorParameter(parameter)) return actuatorValue(actuatorsOf(step, parameter), parameter);
  if (parameter.kind !== "friction") return parameterValue(step.model, parameter);
  return step.detector.parts[frictionParts(step, parameter.link)[0]].friction;
}

function actuatorsOf(step: ContactStep, { actuator }: ActuatorParameter): Actuators {
  if (step.actuators !== undefined) return step.actuators;
  const object = `mechanism "${step.model.name}"`;
  throw invalid(object, actuator, "must have actuators, this one among them");
}

/** Adds to a parameter. @throws PliantError `invalid-argument` or `non-finite`; nothing is changed then */
export function shiftStepParameter(step: ContactStep, parameter: StepParameter, change: number): void {
  if (isJointParameter(parameter)) return shiftJointParameter(step, parameter, change);
  if (isActuatorParameter(parameter)) return shiftActuator(actuatorsOf(step, parameter), parameter, change);
  if (parameter.kind !== "friction") return shiftParameter(step.model, parameter, change);
  const parts = frictionParts(step, parameter.link).map((i) => step.detector.parts[i]);
  for (const part of parts)
    if (!(Number.isFinite(part.friction + change) && part.friction + change >= 0))
      throw invalid("friction", part.friction + change, "must be finite and not negative");
  for (const part of parts) part.friction += change;
}

function isMechanical(parameter: StepParameter): parameter is MechanismParameter {
  return parameter.kind !== "friction" && !isJointParameter(parameter) && !isActuatorParameter(parameter);
}

/** Parts of the shapes of a link. */
function frictionParts(step: ContactStep, link: string | undefined): number[] {
  const index = link === undefined ? WORLD : step.model.linkIndex(link);
  const parts = [...step.detector.parts.keys()].filter((i) => step.detector.parts[i].link === index);
  if (parts.length === 0) throw invalid("parameter.link", link ?? "world", "must be a link that has shapes");
  return parts;
}

/** The effect of a parameter that shifts links. */
interface Offset {
  readonly term: ElementaryTerm;
  /** Shifted links. */
  readonly behind: Uint8Array;
  /** Links with shifted joints. */
  readonly jointBehind: Uint8Array;
  /** Link that the direction is fixed to. */
  readonly frame: number;
}

/**
 * Derivatives of a step's equations by parameters, in the terms of `StepLinearisation`: P_p with M dq̇' = … + P_p dp, and R
 * by p of the clamping rows.
 */
export class StepParameterDerivatives {
  readonly count: number;
  /** P_p, nv × count, row-major. */
  readonly byParameter: Float64Array;
  /** R by p, clamping rows × count. */
  residual = new Float64Array(0);
  /** The term of `KernelTerm` by p, clamping rows × count. */
  kernel = new Float64Array(0);
  /** d(J_𝒞ᵀ y) - dM g of `KernelTerm`, nv × count. */
  private readonly kernelForce: Float64Array;
  private readonly mechanism: ParameterDerivatives;
  /** Column of each parameter of the mechanism. */
  private readonly columns: readonly number[];
  private readonly offsets: readonly (readonly Offset[])[];
  private readonly frictions: readonly { column: number; parts: Set<number> }[];
  private readonly mechanismColumns: Float64Array;
  private readonly driving: readonly DrivingTerm[];
  /** Direct effect of parameters on q' and q̇' by free rotations, beside that by the solved q̇': nv × count each. */
  readonly directPosition: Float64Array;
  readonly directVelocity: Float64Array;
  private readonly shift = new Float64Array(3);
  private readonly twist = new Float64Array(6);
  private readonly change = new Float64Array(VARIATION + 6);

  /** @throws PliantError for a parameter that the mechanism does not have */
  constructor(step: ContactStep, parameters: readonly StepParameter[]) {
    const { model } = step;
    this.count = parameters.length;
    this.columns = [...parameters.keys()].filter((i) => isMechanical(parameters[i]));
    const mechanical = parameters.filter(isMechanical);
    this.mechanism = new ParameterDerivatives(model, mechanical);
    this.driving = parameters.flatMap((parameter, column): DrivingTerm[] => {
      if (isJointParameter(parameter))
        return [{ column, dof: jointParameterDof(model, parameter), kind: parameter.kind }];
      if (!isActuatorParameter(parameter)) return [];
      return [{ column, kind: "actuator", rates: actuatorRates(actuatorsOf(step, parameter), parameter) }];
    });
    this.offsets = this.mechanism.terms.map((terms) =>
      terms
        .filter(({ parameter }) => parameter.kind === "parent-offset" || parameter.kind === "child-offset")
        .map((term) => offsetOf(step, term)),
    );
    this.frictions = parameters.flatMap((parameter, column) =>
      parameter.kind === "friction" ? [{ column, parts: new Set(frictionParts(step, parameter.link)) }] : [],
    );
    this.byParameter = new Float64Array(model.nv * this.count);
    this.kernelForce = new Float64Array(model.nv * this.count);
    this.mechanismColumns = new Float64Array(model.nv * mechanical.length);
    this.directPosition = new Float64Array(model.nv * this.count);
    this.directVelocity = new Float64Array(model.nv * this.count);
  }

  /** Call after `linearisation.compute` or `useClasses`. */
  compute(linearisation: StepLinearisation): void {
    const { step, kernel } = linearisation;
    const { byParameter, count } = this;
    byParameter.fill(0);
    this.addMechanism(step.scratch, linearisation.inverse, -step.options.timeStep, byParameter);
    addDriving(step, this.driving, byParameter, count);
    this.directPosition.fill(0);
    this.directVelocity.fill(0);
    this.mechanism.terms.forEach((terms, i) => {
      for (const term of terms) linearisation.rotations.addParameter(term, this, this.columns[i]);
    });
    const size = linearisation.classes.count * count;
    if (this.residual.length < size) {
      this.residual = new Float64Array(2 * size);
      this.kernel = new Float64Array(2 * size);
    }
    this.residual.fill(0, 0, size);
    if (step.rows.count === 0 && !step.hasWrenches) return;
    if (kernel.active) {
      this.kernel.fill(0, 0, size);
      this.kernelForce.fill(0);
      this.addMechanism(kernel.rest, kernel.inverse, -1, this.kernelForce);
      addDrivingInertia(step, this.driving, kernel.g, this.kernelForce, count);
    }
    this.offsets.forEach((list, i) => {
      for (const offset of list) this.addOffset(linearisation, offset, this.columns[i]);
    });
    for (const { column, parts } of this.frictions) this.addFriction(linearisation, parts, column);
    if (kernel.active) {
      const { push, classes } = linearisation;
      addProduct(push, this.kernelForce, this.kernel, classes.count, step.model.nv, count, 1);
    }
  }

  /** out += scale · ∂τ/∂p of inverse dynamics. */
  private addMechanism(
    scratch: ArticulatedScratch,
    inverse: InverseDynamicsDerivatives,
    scale: number,
    out: Float64Array,
  ): void {
    const { mechanismColumns, columns, count } = this;
    this.mechanism.compute(scratch, inverse, mechanismColumns);
    for (let k = 0; k < scratch.model.nv; k++)
      for (let i = 0; i < columns.length; i++)
        out[k * count + columns[i]] += scale * mechanismColumns[k * columns.length + i];
  }

  private addOffset(linearisation: StepLinearisation, offset: Offset, column: number): void {
    const { step, classes, after, kernel } = linearisation;
    const { scratch, rows, lcp } = step;
    const { contacts } = step.detector;
    const { shift, twist, change, byParameter, count } = this;
    this.mechanism.offsetMotion(scratch, offset.term, shift);
    this.addCarriedJoints(scratch, offset, byParameter, column);
    if (kernel.active) this.addCarriedJoints(kernel.rest, offset, this.kernelForce, column);
    twist.fill(0);
    for (let c = 0; c < 3; c++) twist[3 + c] = shift[c];
    for (let r = 0; r < rows.count; r++) {
      const c = rows.contact[r];
      if (c < 0) continue;
      const a = contacts.linkA[c];
      const b = contacts.linkB[c];
      const carries = (a !== WORLD && offset.behind[a] !== 0 ? 1 : 0) + (b !== WORLD && offset.behind[b] !== 0 ? 2 : 0);
      if (carries === 0) continue;
      linearisation.motion.changeOf(contacts, c, carries, twist, change);
      this.addForce(step, r, lcp.f[r], byParameter, column);
      if (kernel.active) {
        this.addForce(step, r, kernel.forces[r], this.kernelForce, column);
        const place = linearisation.kernelPlace(r);
        const weight = linearisation.kernelWeight(r);
        if (place >= 0)
          this.kernel[place * count + column] += weight * this.rowChange(step, kernel.moving, offset, r, carries);
      }
      const p = classes.places[r];
      if (p < 0) continue;
      this.residual[p * count + column] += this.rowChange(step, after, offset, r, carries);
      const e = rows.restitution[r];
      if (e > 0) this.residual[p * count + column] += e * this.rowChange(step, scratch, offset, r, carries);
      if (rows.normalRow[r] === r && step.depthOf(r) > 0)
        this.residual[p * count + column] -= step.correctionOf(r) * change[VARIATION - 1];
    }
  }

  /** Joints behind the shift move with it: ∂S/∂p = (0, d × ω), times the forces `wrenchSum` on links behind them. */
  private addCarriedJoints(scratch: ArticulatedScratch, offset: Offset, out: Float64Array, column: number): void {
    const { model, motion, wrenchSum } = scratch;
    const { shift, count } = this;
    for (let k = 0; k < model.nv; k++) {
      const link = model.dofLink[k];
      if (offset.jointBehind[link] === 0) continue;
      const W = 6 * link + 3;
      out[k * count + column] +=
        (shift[1] * motion[6 * k + 2] - shift[2] * motion[6 * k + 1]) * wrenchSum[W] +
        (shift[2] * motion[6 * k] - shift[0] * motion[6 * k + 2]) * wrenchSum[W + 1] +
        (shift[0] * motion[6 * k + 1] - shift[1] * motion[6 * k]) * wrenchSum[W + 2];
    }
  }

  /** Adds the change of Jᵀ f by the changes of point and direction of row r, which carries the force f. */
  private addForce(step: ContactStep, r: number, f: number, out: Float64Array, column: number): void {
    if (f === 0) return;
    const { rows, scratch, model } = step;
    const { contacts } = step.detector;
    const { change, count } = this;
    const c = rows.contact[r];
    const d = directionPlace(rows.part[r]);
    const u = 3 * r;
    const u0 = rows.direction[u];
    const u1 = rows.direction[u + 1];
    const u2 = rows.direction[u + 2];
    for (let side = 0; side < 2; side++) {
      const link = side === 0 ? contacts.linkA[c] : contacts.linkB[c];
      if (link === WORLD) continue;
      const scale = side === 0 ? f : -f;
      for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k]) {
        twistAt(scratch.motion, 6 * k, contacts.point, 3 * c, at);
        // S · (dp × u + p × du, du) = du · (velocity at p) + dp · (u × ω)
        out[k * count + column] +=
          scale *
          (change[d] * at[3] +
            change[d + 1] * at[4] +
            change[d + 2] * at[5] +
            change[0] * (u1 * at[2] - u2 * at[1]) +
            change[1] * (u2 * at[0] - u0 * at[2]) +
            change[2] * (u0 * at[1] - u1 * at[0]));
      }
    }
  }

  /** ∂(J_r x)/∂p with the velocities x of `velocities`. */
  private rowChange(
    step: ContactStep,
    velocities: ArticulatedScratch,
    offset: Offset,
    r: number,
    carries: number,
  ): number {
    const { rows } = step;
    const { contacts } = step.detector;
    const { change, shift } = this;
    const c = rows.contact[r];
    const { velocity } = velocities;
    const relative = (i: number): number =>
      (contacts.linkA[c] === WORLD ? 0 : velocity[6 * contacts.linkA[c] + i]) -
      (contacts.linkB[c] === WORLD ? 0 : velocity[6 * contacts.linkB[c] + i]);
    const [w0, w1, w2] = [relative(0), relative(1), relative(2)];
    const [p0, p1, p2] = [contacts.point[3 * c], contacts.point[3 * c + 1], contacts.point[3 * c + 2]];
    // Twists of the shifted bodies change by v_frame × S + S × V: (ω_frame - ω_body) × d, without rotation.
    let [g0, g1, g2] = [0, 0, 0];
    for (let side = 0; side < 2; side++) {
      if ((carries & (side + 1)) === 0) continue;
      const link = side === 0 ? contacts.linkA[c] : contacts.linkB[c];
      const sign = side === 0 ? 1 : -1;
      const turn = (i: number): number =>
        sign * ((offset.frame === WORLD ? 0 : velocity[6 * offset.frame + i]) - velocity[6 * link + i]);
      g0 += turn(1) * shift[2] - turn(2) * shift[1];
      g1 += turn(2) * shift[0] - turn(0) * shift[2];
      g2 += turn(0) * shift[1] - turn(1) * shift[0];
    }
    g0 += w1 * change[2] - w2 * change[1];
    g1 += w2 * change[0] - w0 * change[2];
    g2 += w0 * change[1] - w1 * change[0];
    const d = directionPlace(rows.part[r]);
    const u = 3 * r;
    return (
      change[d] * (relative(3) + w1 * p2 - w2 * p1) +
      change[d + 1] * (relative(4) + w2 * p0 - w0 * p2) +
      change[d + 2] * (relative(5) + w0 * p1 - w1 * p0) +
      rows.direction[u] * g0 +
      rows.direction[u + 1] * g1 +
      rows.direction[u + 2] * g2
    );
  }

  /** Adds derivatives of sliding contacts with this coefficient: friction changes by ± f_n, and so does E. */
  private addFriction(linearisation: StepLinearisation, parts: Set<number>, column: number): void {
    const { step, kernel } = linearisation;
    const { rows, lcp, model } = step;
    const { contacts, parts: all } = step.detector;
    for (let r = 0; r < rows.count; r++) {
      const sign = boundSign(lcp.classes[r]);
      const c = rows.contact[r];
      if (sign === 0 || c < 0 || rows.normalRow[r] === r) continue;
      const [a, b] = [contacts.partA[c], contacts.partB[c]];
      const mu = contacts.friction[c];
      const decides = (parts.has(a) && all[a].friction === mu) || (parts.has(b) && all[b].friction === mu);
      if (!decides) continue;
      const force = sign * lcp.f[rows.normalRow[r]];
      for (let k = 0; k < model.nv; k++)
        this.byParameter[k * this.count + column] += force * rows.jacobian[r * model.nv + k];
      const place = kernel.active ? linearisation.kernelPlace(r) : -1;
      if (place >= 0) this.kernel[place * this.count + column] += sign * step.along(r, kernel.g);
    }
  }
}

const at = new Float64Array(6);

/** Place of the change of a row's direction in the output of `ContactMotion.changeOf`. */
function directionPlace(part: number): number {
  return part === RowPart.Normal ? 3 : part === RowPart.FirstTangent ? VARIATION : VARIATION + 3;
}

function offsetOf(step: ContactStep, term: ElementaryTerm): Offset {
  const { model } = step;
  const behind = new Uint8Array(model.linkCount);
  for (let i = term.link; i < model.linkCount; i++) {
    const above = model.parent[i];
    behind[i] = i === term.link || (above !== WORLD && behind[above] !== 0) ? 1 : 0;
  }
  const jointBehind = behind.slice();
  const before = term.parameter.kind === "parent-offset";
  if (!before) jointBehind[term.link] = 0;
  return { term, behind, jointBehind, frame: before ? model.parent[term.link] : term.link };
}
