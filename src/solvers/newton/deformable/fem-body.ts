/**
 * A deformable body in a step: its state, its linearized dynamics, its factors.
 *
 * q⁻, q  positions at the start of the step and at the current iterate, q = q⁻ + h u (50)
 * u, ũ   velocity of the iterate, and the free one (46)
 * M      masses, and h² k of the springs that pull particles to their targets: the springs also enter ũ
 * g      M (u − ũ) + h ∇U(q) + h D u: the momentum balance without contacts (57)
 * A      M + h² ∂²U/∂q² + h D: mass block with the rows of the elements eliminated (64)
 * D      damping τ JᵀN J of the elements at q⁻
 * û      u − A⁻¹ g: velocity of the linearized body if nothing touched it
 */

import { turn } from "../../../math/quaternions";
import { norm } from "../../../math/vectors";
import { rigidMotion } from "../../rigid-motion";
import { addBendingStress, bendingEnergy, bendingSprings, type BendingSprings } from "./bending-set";
import { ElementPoint, FRAME_SIZE, type GeometricStiffness } from "./elements";
import { EnvelopeMatrix, EnvelopePattern } from "./envelope";
import { flatInertias } from "./flat-inertias";
import type { FemModel } from "./fem-model";

const element = new ElementPoint();
const block = new Float64Array(9);
/** Angle of a step from which on iterations may begin with the motion of a body as a whole [rad]. */
const SMALL_TURN = 0.03;
/** Attempts to make a matrix positive by a shift. */
const MOST_SHIFTS = 8;

export class FemBody {
  readonly count: number = this.model.particleCount;
  /** 3 a particle [m] */
  readonly positions: Float64Array = Float64Array.from(this.model.positions);
  /** 3 a particle [m/s] */
  readonly velocities: Float64Array;
  /** 1 for particles that move exactly to their targets */
  readonly fixed = new Uint8Array(this.model.particleCount);
  /** 3 a particle [m]: positions of fixed particles after `timeLeft`, and positions to which springs pull the others */
  readonly targets: Float64Array = Float64Array.from(this.model.positions);
  /** stiffness of the spring from each particle to its target [N/m], 0 without one */
  readonly springs = new Float64Array(this.model.particleCount);
  /** [s] */
  timeLeft = 0;
  /** 3 a particle [N]: forces of bodies that are solved elsewhere */
  readonly outer: Float64Array;
  gravityFactor = 1;
  /** [1/s] */
  damping = 0;
  /** part of the elastic forces that acts, see `StepOptions` */
  elasticShare = 1;
  friction: number = this.model.friction;
  /** distance kept from obstacles [m] */
  thickness = 0;
  /** factor of thresholds, see spacing.ts */
  grain = 1;
  /** whether the body turned non-finite and therefore stands still */
  isFrozen = false;
  /** whether the body rests, and is not stepped */
  isAsleep = false;
  /** counts the states that were written from outside */
  revision = 0;

  /** diagonal of M, one number for each particle [kg] */
  private readonly inertia = new Float64Array(this.model.particleCount);
  readonly start: Float64Array;
  readonly velocity: Float64Array;
  readonly free: Float64Array;
  /** g */
  readonly imbalance: Float64Array;
  /** û */
  readonly linear: Float64Array;
  /** Jᵀ p of contacts */
  readonly push: Float64Array;
  matrix!: EnvelopeMatrix;
  /** receives A before it is factored */
  copy: { take(matrix: EnvelopeMatrix): void } | undefined;
  private bending!: readonly BendingSprings[];
  /** A⁻¹ times a vector, in the order of elimination */
  private readonly ordered: Float64Array;
  private readonly trial: Float64Array;
  private readonly stress: Float64Array;
  /** h D of the step, element by element, as its product with u */
  private dampingBlocks!: Float64Array[];
  /** diagonal of (74) */
  readonly shift: Float64Array;
  /** whether the matrix was not positive, so that elements omit the negative parts of their stiffness */
  private isProjected = false;
  /** principal axes of the elements, and whether they are those of the positions */
  private frames!: readonly Float64Array[];
  private hasFrames = false;
  /** stiffness by the elements' masses against becoming flat, times h² [Pa s²] */
  private inertias!: readonly Float64Array[];
  /** u of the previous iterate */
  private readonly lastVelocity: Float64Array;
  /** whether the last iteration went less than its whole way */
  isShortened = false;

  constructor(public model: FemModel) {
    const size = 3 * model.particleCount;
    const vector = (): Float64Array => new Float64Array(size);
    this.velocities = vector();
    [this.start, this.velocity, this.free, this.imbalance, this.linear] = [
      vector(),
      vector(),
      vector(),
      vector(),
      vector(),
    ];
    this.outer = vector();
    [this.push, this.ordered, this.trial, this.stress, this.shift] = [vector(), vector(), vector(), vector(), vector()];
    this.lastVelocity = vector();
    this.replaceModel(model);
  }

  /** Continues with another material or shape at rest, with the same particles. */
  replaceModel(model: FemModel): void {
    this.model = model;
    const groups = model.elements.map((set) => ({ indices: set.indices, arity: set.arity }));
    this.bending = (model.bending ?? []).map(bendingSprings);
    this.matrix = new EnvelopeMatrix(
      new EnvelopePattern(model.particleCount, [
        ...groups,
        ...this.bending.map(({ indices }) => ({ indices, arity: 2 })),
      ]),
    );
    this.inertias = model.elements.map((set) => flatInertias(set, model.masses));
    this.frames = model.elements.map((set) => new Float64Array(FRAME_SIZE * set.count));
    this.dampingBlocks = model.elements.map((set) => {
      const corners = set.arity;
      return new Float64Array(set.damping > 0 ? set.count * corners * corners * 9 : 0);
    });
    this.hasFrames = false;
    this.shift.fill(0);
  }

  private get isDamped(): boolean {
    return this.dampingBlocks.some((blocks) => blocks.length > 0);
  }

  /** Computes ũ of a step of h [s], and the first iterate: the velocity at the start, or zero (67). */
  predict(gravity: ArrayLike<number>, h: number, warm: boolean): void {
    const { positions, velocities, start, free, velocity, fixed, targets, springs, inertia } = this;
    const { masses } = this.model;
    const drag = 1 / (1 + h * this.damping);
    const reach = Math.max(h, this.timeLeft);
    for (let p = 0; p < this.count; p++) {
      inertia[p] = masses[p] + h * h * springs[p];
      for (let k = 0; k < 3; k++) {
        const i = 3 * p + k;
        start[i] = positions[i];
        if (fixed[p] === 1) free[i] = velocity[i] = (targets[i] - positions[i]) / reach;
        else {
          // Damping reduces the motion, but not the weight of a body that hangs or lies still.
          free[i] = velocities[i] * drag + h * (this.gravityFactor * gravity[k] + this.outer[i] / masses[p]);
          if (springs[p] > 0)
            free[i] = (masses[p] * free[i] + h * springs[p] * (targets[i] - positions[i])) / inertia[p];
          velocity[i] = warm ? velocities[i] : 0;
        }
      }
    }
    this.timeLeft -= h;
    this.shift.fill(0);
    this.writeDamping(h);
    if (warm) this.guessTurn(h);
    this.hasFrames = false;
  }

  /**
   * The present velocities of a body that turns far in a step would draw it out, and iterations from there may not end. It turns by less than that
   * instead, as an implicit step does, tan φ = ω h, and iterations begin with its motion as a whole alone, if the potential is lower there: a step ends
   * with no higher one than it begins with.
   */
  private guessTurn(h: number): void {
    const { positions, start, velocities, velocity } = this;
    if (this.fixed.includes(1)) return;
    const { middle, mean, spin } = rigidMotion([[this.model.masses, start, velocities]]);
    const rate = norm(spin);
    if (!(rate * h > SMALL_TURN && rate < Infinity)) return;
    this.push.fill(0);
    this.hasFrames = false;
    const before = this.potential(h);
    this.lastVelocity.set(velocity);
    // half of φ, from its cosine
    const cosine = 1 / Math.sqrt(1 + rate * h * (rate * h));
    const part = Math.sqrt((1 - cosine) / 2) / rate;
    const rotation = [part * spin[0], part * spin[1], part * spin[2], Math.sqrt((1 + cosine) / 2)] as const;
    for (let i = 0; i < velocity.length; i += 3) {
      const arm = [0, 1, 2].map((c) => start[i + c] - middle[c]);
      turn(rotation, arm).forEach((to, c) => (velocity[i + c] = mean[c] + (to - arm[c]) / h));
    }
    this.hasFrames = false;
    if (!(this.potential(h) < before)) velocity.set(this.lastVelocity);
    positions.set(start);
  }

  /** Computes the deformation of an element at the iterate. */
  private deform(index: number, e: number, h: number): void {
    const set = this.model.elements[index];
    const inertia = this.inertias[index][e] / (h * h);
    if (this.hasFrames) element.recall(set, e, this.frames[index], inertia);
    else element.evaluate(set, e, this.positions, inertia, this.frames[index]);
  }

  /** Fills h D, 9 numbers for each two corners. */
  private writeDamping(h: number): void {
    this.model.elements.forEach((set, index) => {
      const blocks = this.dampingBlocks[index];
      if (blocks.length === 0) return;
      const corners = set.arity;
      for (let e = 0, at = 0; e < set.count; e++) {
        element.evaluate(set, e, this.start);
        element.prepareStiffness(set, false);
        const scale = h * this.elasticShare * set.damping * set.volumes[e];
        for (let a = 0; a < corners; a++)
          for (let b = 0; b < corners; b++, at += 9) {
            element.stiffness(set, a, b, block);
            for (let k = 0; k < 9; k++) blocks[at + k] = scale * block[k];
          }
      }
    });
  }

  /** Adds h D u to `out`. */
  private addDamping(u: Float64Array, out: Float64Array): void {
    const { elements } = this.model;
    for (let index = 0; index < elements.length; index++) {
      const blocks = this.dampingBlocks[index];
      if (blocks.length === 0) continue;
      const set = elements[index];
      const corners = set.arity;
      for (let e = 0, at = 0; e < set.count; e++)
        for (let a = 0; a < corners; a++)
          for (let b = 0; b < corners; b++, at += 9) {
            const p = 3 * set.indices[e * corners + a];
            const q = 3 * set.indices[e * corners + b];
            for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) out[p + k] += blocks[at + 3 * k + l] * u[q + l];
          }
    }
  }

  /** Computes positions of the iterate. */
  place(h: number): void {
    for (let i = 0; i < 3 * this.count; i++) this.positions[i] = this.start[i] + h * this.velocity[i];
  }

  /** Computes g at the iterate. */
  balance(h: number): void {
    const { imbalance, velocity, free, stress, inertia } = this;
    this.place(h);
    stress.fill(0);
    const { elements } = this.model;
    for (let index = 0; index < elements.length; index++)
      for (let e = 0; e < elements[index].count; e++) {
        this.deform(index, e, h);
        element.addStress(elements[index], e, stress);
      }
    this.hasFrames = true;
    for (const springs of this.bending) addBendingStress(springs, this.positions, stress);
    for (let i = 0; i < 3 * this.count; i++) stress[i] *= h * this.elasticShare;
    this.addDamping(velocity, stress);
    for (let p = 0, i = 0; p < this.count; p++)
      for (let k = 0; k < 3; k++, i++)
        imbalance[i] = this.fixed[p] === 1 ? 0 : inertia[p] * (velocity[i] - free[i]) + stress[i];
  }

  /** Computes A at the iterate, and its factors; g must be known. */
  factor(h: number, geometric: GeometricStiffness): void {
    const { matrix, count, fixed, shift, inertia } = this;
    let extra = 0;
    this.isProjected = false;
    for (let attempt = 0; attempt < MOST_SHIFTS; attempt++) {
      matrix.clear();
      for (let index = 0; index < this.model.elements.length; index++) this.addStiffness(index, h, geometric);
      for (const springs of this.bending) this.addBendingStiffness(springs, h);
      for (let p = 0; p < count; p++)
        for (let k = 0; k < 3; k++) matrix.addDiagonal(p, k, inertia[p] * (1 + extra) + shift[3 * p + k]);
      for (let p = 0; p < count; p++) if (fixed[p] === 1) matrix.fix(p);
      this.copy?.take(matrix);
      if (matrix.factor()) return;
      // Negative parts are removed first; a shift follows only if the matrix without them still fails by rounding.
      if (this.isProjected) extra = extra === 0 ? 1e-6 : 100 * extra;
      this.isProjected = true;
    }
  }

  private addStiffness(index: number, h: number, geometric: GeometricStiffness): void {
    const set = this.model.elements[index];
    const damping = this.dampingBlocks[index];
    const corners = set.arity;
    const isDamped = damping.length > 0;
    for (let e = 0; e < set.count; e++) {
      element.recall(set, e, this.frames[index], this.inertias[index][e] / (h * h));
      element.prepareStiffness(set, geometric === "elements", this.isProjected);
      for (let a = 0; a < corners; a++)
        for (let b = 0; b <= a; b++) {
          element.stiffness(set, a, b, block);
          const scale = h * h * this.elasticShare * set.volumes[e];
          const at = 9 * (corners * (corners * e + a) + b);
          for (let k = 0; k < 9; k++) block[k] = scale * block[k] + (isDamped ? damping[at + k] : 0);
          this.matrix.addBlock(set.indices[e * corners + a], set.indices[e * corners + b], block, 1);
        }
    }
  }

  private addBendingStiffness({ count, indices, stiffness }: BendingSprings, h: number): void {
    for (let e = 0; e < count; e++)
      this.matrix.addSpring(indices[2 * e], indices[2 * e + 1], h * h * this.elasticShare * stiffness[e]);
  }

  /** Computes û at the iterate, after `balance` and `factor`. */
  linearise(): void {
    this.solve(this.imbalance, this.linear);
    for (let i = 0; i < 3 * this.count; i++) this.linear[i] = this.velocity[i] - this.linear[i];
  }

  /** out = A⁻¹ b, with b zero at fixed particles. */
  solve(b: Float64Array, out: Float64Array): void {
    const { ordered, count, matrix } = this;
    const { place } = matrix.pattern;
    for (let p = 0; p < count; p++) for (let k = 0; k < 3; k++) ordered[3 * place[p] + k] = b[3 * p + k];
    matrix.forward(ordered, 0, 0);
    matrix.backward(ordered);
    for (let p = 0; p < count; p++) for (let k = 0; k < 3; k++) out[3 * p + k] = ordered[3 * place[p] + k];
  }

  /**
   * Moves u to û + A⁻¹ Jᵀ p, or along that way as far as the potential with the impulses falls, ½ ‖u − ũ‖²_M + U(q) + ½
   * uᵀ h D u − uᵀ Jᵀ p.
   *
   * @param push Jᵀ p, in `this.push`
   * @returns the largest change of u as a root mean square by mass [m/s]
   */
  advance(h: number, search: boolean): number {
    const { push, velocity, linear, trial, count, fixed } = this;
    const { masses } = this.model;
    for (let p = 0; p < count; p++) if (fixed[p] === 1) push.fill(0, 3 * p, 3 * p + 3);
    this.solve(push, trial);
    let squared = 0;
    let mass = 0;
    let slope = 0;
    for (let p = 0, i = 0; p < count; p++) {
      mass += masses[p];
      for (let k = 0; k < 3; k++, i++) {
        trial[i] += linear[i] - velocity[i];
        squared += masses[p] * trial[i] * trial[i];
        slope += trial[i] * (this.imbalance[i] - push[i]);
      }
    }
    this.lastVelocity.set(velocity);
    const size = Math.sqrt(squared / mass);
    this.isShortened = false;
    if (!search || size < SMALL * this.grain) {
      for (let i = 0; i < 3 * count; i++) velocity[i] += trial[i];
      this.hasFrames = false;
      return size;
    }
    const before = this.potential(h);
    let t = 1;
    for (let halving = 0; ; halving++) {
      for (let i = 0; i < 3 * count; i++) velocity[i] = this.lastVelocity[i] + t * trial[i];
      this.hasFrames = false;
      if (halving === MOST_HALVINGS || this.potential(h) <= before + ARMIJO * t * slope + 1e-14 * Math.abs(before))
        break;
      t *= 0.5;
      this.isShortened = true;
    }
    return size;
  }

  /**
   * (71)-(74): a diagonal that replaces the missing part of A. If A were the derivative of g, a step of full length
   * would have made g − Jᵀp zero. So the remainder, divided by Δu, is the missing part of each diagonal entry; negative
   * values are clamped. Call this after `balance`, with the push of the step.
   */
  updateShift(): void {
    const { imbalance, push, shift, lastVelocity, velocity } = this;
    for (let i = 0; i < 3 * this.count; i++) {
      const change = velocity[i] - lastVelocity[i];
      if (Math.abs(change) > 1e-12 * this.grain) shift[i] = Math.max(0, shift[i] + (imbalance[i] - push[i]) / change);
    }
  }

  /** Forgets the axes of elements: somebody else moved the iterate. */
  moved(): void {
    this.hasFrames = false;
  }

  /** ½ ‖u − ũ‖²_M + U(q) + ½ uᵀ h D u − uᵀ Jᵀ p at the iterate [J] */
  potential(h: number): number {
    const { velocity, free, push, count, ordered, inertia } = this;
    this.place(h);
    let sum = 0;
    const { elements } = this.model;
    for (let index = 0; index < elements.length; index++)
      for (let e = 0; e < elements[index].count; e++) {
        this.deform(index, e, h);
        sum += elements[index].volumes[e] * element.point.energy;
      }
    this.hasFrames = true;
    for (const set of this.model.bending ?? []) sum += bendingEnergy(set, this.positions);
    sum *= this.elasticShare;
    if (this.isDamped) {
      ordered.fill(0);
      this.addDamping(velocity, ordered);
      for (let i = 0; i < 3 * count; i++) sum += 0.5 * ordered[i] * velocity[i];
    }
    for (let p = 0, i = 0; p < count; p++)
      for (let k = 0; k < 3; k++, i++) {
        const away = velocity[i] - free[i];
        if (this.fixed[p] === 0) sum += 0.5 * inertia[p] * away * away - velocity[i] * push[i];
      }
    return sum;
  }

  /** Elastic energy [J]. */
  elasticEnergy(): number {
    const { elements, bending = [] } = this.model;
    let sum = 0;
    for (const set of elements)
      for (let e = 0; e < set.count; e++) {
        element.evaluate(set, e, this.positions);
        sum += set.volumes[e] * element.point.energy;
      }
    for (const set of bending) sum += bendingEnergy(set, this.positions);
    return this.elasticShare * sum;
  }

  /** The iterate becomes the state. */
  finish(h: number): void {
    this.place(h);
    this.velocities.set(this.velocity);
    let sum = 0;
    for (let i = 0; i < 3 * this.count; i++) sum += this.positions[i] + this.velocities[i];
    if (Number.isFinite(sum)) return;
    this.positions.set(this.start);
    this.velocities.fill(0);
    this.isFrozen = true;
  }
}

/** Steps below this [m/s], times the grain, skip the line search: the potential cannot resolve them. */
const SMALL = 1e-4;
const ARMIJO = 1e-4;
/** After so many the step is none: an uphill step would go on without end. */
const MOST_HALVINGS = 60;
