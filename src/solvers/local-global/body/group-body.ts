import { PliantError } from "../../../errors";
import type { Vec3 } from "../../../math/types";
import { SurfaceAir } from "../../surface-air";
import type { PinTable, StepOptions } from "../../deformable";
import { Acceleration, isWithoutDuals } from "./acceleration";
import type { BodySystem } from "./body-system";
import type { ContactBody } from "../contact/touched-body";
import type { SurfaceBody } from "../../../collision/soft/surface-detection";
import type { DetectedBody } from "../detect/detect-contacts";
import { Factorization } from "../factor/factorization";
import { flatInertias } from "./flat-inertias";
import { createTermState, projectTerm, rememberRotations, type TermState } from "./local-step";
import { hasSameElements, type LocalGlobalModel } from "../model";
import type { LocalGlobalOptions } from "../options";
import { keepAngularMomentum } from "./momentum";
import { PinSolver } from "./pin-solver";
import { surfaceFeatures, type SurfaceFeatures } from "../detect/surface-features";
import { Turning } from "./turning";
import { lengthOf, norm } from "../../../math/vectors";

const rotation = new Float64Array(9);
let still = new Float64Array(0);

/** Iterations may end where one takes less than this part of the body's kinetic energy, */
const SETTLED = 0.1;
/** or more than this part of what the one before took: those that follow would change nothing, either. */
const SLOW = 0.95;
/** Part of the distance from the origin of the world that is no motion. */
const ROUNDED = 1e-10;

/** A body in the system of all: its state, and its part of each stage of a step. */
export class GroupBody implements ContactBody {
  readonly state: { positions: Float64Array; velocities: Float64Array };
  readonly pinSolver = new PinSolver();
  readonly turning = new Turning(3 * this.model.particleCount);
  readonly factorization = new Factorization(this.model);
  /** q̃ of (1), n × 3 [m] */
  readonly predicted = new Float64Array(3 * this.model.particleCount);
  /** h² g of the step [m] */
  private fall = 0;
  /** S r in the order of elimination, n × 3 */
  readonly y = new Float64Array(3 * this.model.particleCount);
  options!: Readonly<LocalGlobalOptions> & StepOptions;
  frozenAt = 0;
  /** where the step began, n × 3 [m] */
  readonly start: Float64Array = this.model.positions.slice();
  /** forces of bodies that are solved elsewhere, n × 3 [N] */
  readonly outer = new Float64Array(3 * this.model.particleCount);
  /** those of bodies of GPBD among them */
  pressedBy: { readonly isNone: boolean } | undefined;
  private readonly r = new Float64Array(3 * this.model.particleCount);
  private readonly target = new Float64Array(3 * this.model.particleCount);
  private readonly way = new Float64Array(3 * this.model.particleCount);
  /** one for each term of the model */
  terms: readonly TermState[] = this.model.terms.map(createTermState);
  /** of the elements of each term, where they are tetrahedra [kg m²] */
  private inertias: readonly (Float64Array | undefined)[] = inertiasOf(this.model);
  /** vertices of its faces, ascending */
  readonly surface: Uint32Array = Uint32Array.from(new Set(this.model.faces)).sort();
  /** the others */
  readonly inner: Uint32Array;
  readonly features: SurfaceFeatures = surfaceFeatures(this.model.faces, this.model.particleCount);
  /** whether iterations should go on, and twice the energy that the last one took, times h² [kg m²] */
  isOnTheWay = false;
  private taken = Infinity;
  private readonly acceleration = new Acceleration();
  private current: BodySystem | undefined;
  private h = 0;
  private air: SurfaceAir | undefined;
  private pins!: PinTable;
  private preparedFor = 0;
  /** whether the body rests, and is not stepped */
  isAsleep = false;

  /** @param model changes when the factor for another one is there */
  constructor(public model: LocalGlobalModel) {
    const size = 3 * model.particleCount;
    this.state = { positions: model.positions.slice(), velocities: new Float64Array(size) };
    const met = new Set(this.surface);
    this.inner = Uint32Array.from({ length: model.particleCount }, (_, v) => v).filter((v) => !met.has(v));
  }

  get system(): BodySystem {
    return this.current!;
  }

  prepare(frame: number, options: Readonly<LocalGlobalOptions> & StepOptions, pins: PinTable): void {
    this.preparedFor = frame;
    this.isAsleep = false;
    this.options = options;
    this.pins = pins;
    pins.changed = false;
  }

  /** Whether the body takes part in a frame. */
  isPrepared(frame: number): boolean {
    return this.preparedFor === frame && this.frozenAt === 0;
  }

  /**
   * Asks for the factor for steps of h [s], where the worker makes it.
   *
   * @returns whether there is a factor to step with; where it failed the body is frozen
   */
  request(h: number): boolean {
    const { factorization, options } = this;
    if (options.factorization !== "worker") return true;
    factorization.isKept = options.factorCache;
    factorization.request(h);
    if (!factorization.system && factorization.error instanceof PliantError) this.frozenAt = this.preparedFor;
    return factorization.system !== undefined;
  }

  /** Steps must not be longer than this [s]: with the factor of a longer step iterations converge, with that of a shorter one not. */
  get longestStep(): number {
    return this.options.factorization === "worker" ? this.factorization.system!.h : Infinity;
  }

  /**
   * Another material or shape at rest, from when its factor is there.
   *
   * @throws PliantError `device-limit` for a factor that there is no room for
   */
  replaceModel(model: LocalGlobalModel): void {
    this.factorization.replace(model);
  }

  /** Longest way of a pin in the frame that begins [m]. */
  get pinWay(): number {
    const { pinned, targets } = this.pins;
    const { positions: x } = this.state;
    let most = 0;
    for (let p = 0, i = 0; p < pinned.length; p++, i += 3)
      if (pinned[p] === 1)
        most = Math.max(most, lengthOf(targets[i] - x[i], targets[i + 1] - x[i + 1], targets[i + 2] - x[i + 2]));
    return most;
  }

  /**
   * Brings the factor and what holds vertices up to date.
   *
   * @param isPart whether it is a part of a step: the factor of the whole one does for it
   */
  refresh(h: number, isPart = false): void {
    const [system, held] = [this.current, this.pinSolver.vertices];
    const isInWorker = this.options.factorization === "worker" && this.factorization.system !== undefined;
    if (!isPart) this.current = isInWorker ? this.factorization.system : this.factorization.require(h);
    if (this.model !== this.system.model) this.goOnWith(this.system.model);
    this.h = h;
    this.pinSolver.update(this.system, this.pins, h);
    if (this.current !== system || this.pinSolver.vertices !== held) this.acceleration.forget();
  }

  /** Duals stay where there are the same elements: as strains they are of any material. */
  private goOnWith(model: LocalGlobalModel): void {
    const { model: old, terms } = this;
    this.terms = model.terms.map((term, k) => (hasSameElements(term, old.terms[k]) ? terms[k] : createTermState(term)));
    this.inertias = inertiasOf(model);
    this.air = undefined;
    this.model = model;
  }

  /**
   * Predicts q̃ = q + h v + h² M⁻¹ f, with gravity and air among the forces, and damping c of what velocity there was,
   * v = v⁻/(1 + h c) + h f/m, so that forces at rest stay what they are.
   *
   * @param pinShare of the way of held vertices to their targets that is made in this step; what gives is pulled to them at once
   * @param isPart as of `refresh`
   */
  begin(h: number, gravity: Vec3, pinShare: number, isPart = false): void {
    const { positions, velocities } = this.state;
    const { options, pins, pinSolver, start, predicted, target } = this;
    this.refresh(h, isPart);
    this.fall = h * h * norm(gravity);
    this.acceleration.begin();
    this.taken = Infinity;
    start.set(positions);
    const hasAir = options.airDensity > 0;
    if (hasAir) (this.air ??= new SurfaceAir(this.model)).evaluate(positions, velocities, options, h);
    const wind = hasAir ? this.air!.acceleration : undefined;
    const decay = 1 / (1 + h * options.damping);
    for (let i = 0; i < positions.length; i++) {
      const outer = this.outer[i] / this.model.masses[Math.floor(i / 3)];
      const v = decay * velocities[i] + h * (options.gravityFactor * gravity[i % 3] + (wind ? wind[i] : 0) + outer);
      predicted[i] = positions[i] + h * v;
      const isExact = pinSolver.exact[Math.floor(i / 3)] === 1;
      target[i] = isExact ? positions[i] + pinShare * (pins.targets[i] - positions[i]) : pins.targets[i];
      positions[i] = isExact ? target[i] : positions[i] + h * decay * velocities[i];
    }
  }

  /**
   * Right-hand side for the change of q, r = M (q̃ − q) + h² Σ wᵢ Gᵢᵀ (pᵢ − Gᵢq): of (6), with A q on the other side, so that
   * no digits go to where in space the body is.
   *
   * @param isAlone whether no contact or cable takes part, so that iterations may learn from those before
   */
  localStep(isFirst: boolean, isAlone = false): void {
    const { acceleration } = this;
    const q = this.state.positions;
    const isLearning = isAlone && this.isAccelerated;
    const energy = this.project(isFirst, isLearning);
    if (isLearning) acceleration.improve(q, this.r, energy, false);
    else acceleration.begin();
    if (isFirst) this.turning.build(this.system, this.pinSolver, q);
  }

  /** Whether the step that begins is the first from which iterations learn. */
  takeNewness(): boolean {
    const isNew = this.isAccelerated && this.acceleration.isNew;
    if (isNew) this.acceleration.isNew = false;
    return isNew;
  }

  /** After the last iteration. */
  settle(): void {
    if (!this.acceleration.isUnderWay) return;
    const energy = this.project(false, true);
    this.acceleration.improve(this.state.positions, this.r, energy, true);
  }

  /**
   * @param isLearning whether q alone is to decide; what is flat has multipliers otherwise
   * @returns energy ε of (1), times h², where there are no duals [kg m²]
   */
  private project(isFirst: boolean, isLearning: boolean): number {
    const { model, r, predicted, turning, h } = this;
    const q = this.state.positions;
    let energy = 0;
    for (let i = 0; i < r.length; i++) {
      const way = predicted[i] - q[i];
      r[i] = model.masses[Math.floor(i / 3)] * way;
      energy += r[i] * way;
    }
    if (!isFirst) turning.takeRotation(rotation);
    const turned = isFirst ? undefined : rotation;
    const scale = h * h * (this.options.elasticShare ?? 1);
    model.terms.forEach((term, k) => {
      const inertias = isLearning ? undefined : this.inertias[k];
      energy += projectTerm(term, this.terms[k], inertias, q, scale, turned, r);
    });
    return energy / 2;
  }

  /** r of the last local step: −h² times the gradient of (1), where the material is ARAP [kg m] */
  get rightHandSide(): Float64Array {
    return this.r;
  }

  /** x = A⁻¹ b with held vertices held; for methods that use A as a preconditioner. */
  solveHeld(b: Float64Array, x: Float64Array): void {
    const { y, system, pinSolver, way } = this;
    y.fill(0);
    system.inverse.forward(b, y);
    way.fill(0);
    pinSolver.apply(y, way);
    system.inverse.backward(y, x);
  }

  /** out = A⁻¹ j of impulses, as one step would answer: held vertices are held, and the whole may turn. */
  answer(j: Float64Array, out: Float64Array): void {
    const { y, system, pinSolver, turning } = this;
    y.fill(0);
    system.inverse.forward(j, y);
    if (still.length !== out.length) still = new Float64Array(out.length);
    pinSolver.apply(y, still);
    system.inverse.backward(y, out);
    turning.addAnswer(j, out);
  }

  /** y = S r, with the forces that hold what is held, and the rotation of the whole. */
  forward(): void {
    const { y, r, system, pinSolver, way, target } = this;
    const q = this.state.positions;
    y.fill(0);
    system.inverse.forward(r, y);
    for (const vertex of pinSolver.vertices)
      for (let i = 3 * vertex; i < 3 * vertex + 3; i++) way[i] = target[i] - q[i];
    pinSolver.apply(y, way);
    this.turning.apply(y, pinSolver, this.model.masses, this.predicted, q);
  }

  /** After forces have moved what is held. */
  holdPins(): void {
    this.turning.close(this.y);
    this.turning.addHeld(this.pinSolver);
    this.pinSolver.apply(this.y, this.way, true);
  }

  /** q ← q + Sᵀ y */
  backward(): void {
    const { r, y, system } = this;
    const q = this.state.positions;
    this.turning.close(y);
    system.inverse.backward(y, r);
    for (let i = 0; i < r.length; i++) q[i] += r[i];
  }

  /**
   * After an iteration: whether it was not the last one that is worth while. It took ½ ‖S⁻ᵀ Δq‖² = ½ yᵀy from the energy (1), and that should be little
   * of ½ ‖q − q⁻‖²_M, by which the body moves. A stiff body that turns far has much more than that in its elements.
   */
  review(): void {
    const { y, start, fall } = this;
    const { masses } = this.model;
    const q = this.state.positions;
    let taken = 0;
    let moved = 0;
    for (let i = 0, p = 0; i < y.length; i += 3, p++) {
      for (let k = i; k < i + 3; k++) {
        taken += y[k] * y[k];
        moved += masses[p] * ((q[k] - start[k]) ** 2 + (ROUNDED * q[k]) ** 2);
      }
      moved += masses[p] * fall * fall;
    }
    this.isOnTheWay = taken > SETTLED * moved && taken < SLOW * this.taken;
    this.taken = taken;
  }

  /** Whether iterations learn from those before, as long as nothing is touched. */
  private get isAccelerated(): boolean {
    return this.options.accelerate && !this.pinSolver.isSoft && isWithoutDuals(this.model);
  }

  /** Its faces, if these are of a solid. */
  get rims(): SurfaceFeatures | undefined {
    return this.model.tetrahedra && this.features;
  }

  /** @param predicted where its vertices are expected at the end of the step, n × 3 [m] */
  detected(predicted: Float64Array): DetectedBody & SurfaceBody {
    const { options, surface, inner, start, pinSolver, model } = this;
    const { thickness, contactMargin: margin, friction, selfCollision, bodyCollision } = options;
    const { restPositions, faces } = model;
    const shape = { surface, inner, restPositions, faces, pinned: pinSolver.exact, start, predicted };
    return {
      ...shape,
      isSolid: model.tetrahedra !== undefined,
      rims: this.rims,
      thickness,
      margin,
      fall: this.fall,
      friction,
      selfCollision,
      bodyCollision,
    };
  }

  /** v = (q − q⁻)/h, of which a change counts for the pace's share (see `FrameInput.pace`), with the angular momentum of what nothing touches. A body that is no longer finite goes back to q⁻ and stays there. */
  finish(frame: number, isTouched = false, pace = 1): void {
    const { positions, velocities } = this.state;
    const { start, predicted, pinSolver, h } = this;
    for (let i = 0; i < positions.length; i++) {
      velocities[i] = (positions[i] - start[i]) / h;
      if (pace < 1 && pinSolver.exact[Math.floor(i / 3)] !== 1)
        velocities[i] += (1 - pace) * ((predicted[i] - start[i]) / h - velocities[i]);
      if (Number.isFinite(positions[i])) continue;
      positions.set(start);
      velocities.fill(0);
      this.frozenAt = frame;
      return;
    }
    if (!isTouched && pinSolver.vertices.length === 0) keepAngularMomentum([this], h);
    this.model.terms.forEach((term, k) => rememberRotations(term, this.terms[k], positions));
  }

  /** Forces of others, duals and what they are turned from, and what iterations are accelerated by. */
  saveMemory(): readonly Float64Array[] {
    const duals = this.terms.flatMap(({ dual, rotation }) => [dual.slice(), rotation.slice()]);
    return [this.outer.slice(), ...duals, ...this.acceleration.save()];
  }

  loadMemory([outer, ...memory]: readonly Float64Array[]): void {
    this.outer.set(outer);
    this.terms.forEach(({ dual, rotation }, k) => {
      dual.set(memory[2 * k]);
      rotation.set(memory[2 * k + 1]);
    });
    this.acceleration.load(memory.slice(2 * this.terms.length));
  }

  writeState(positions: ArrayLike<number>, velocities: ArrayLike<number>): void {
    this.state.positions.set(positions);
    this.state.velocities.set(velocities);
    this.frozenAt = 0;
    this.outer.fill(0);
    this.acceleration.forget();
    for (const { dual } of this.terms) dual.fill(0);
  }
}

function inertiasOf({ terms, masses }: LocalGlobalModel): (Float64Array | undefined)[] {
  return terms.map((term) => flatInertias(term, masses));
}
