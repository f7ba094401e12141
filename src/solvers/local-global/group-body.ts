import type { Vec3 } from "../../math/types";
import type { PinTable } from "../deformable";
import { BodySystem } from "./body-system";
import type { ContactBody } from "./delassus";
import type { DetectedBody } from "./detect-contacts";
import { createTermState, projectTerm, rememberRotations, type TermState } from "./local-step";
import type { LocalGlobalModel } from "./model";
import type { LocalGlobalOptions } from "./options";
import { PinSolver } from "./pin-solver";

/** A body in the system of all: its state, and its part of each stage of a step. */
export class GroupBody implements ContactBody {
  readonly state: { positions: Float64Array; velocities: Float64Array };
  readonly pinSolver = new PinSolver();
  /** q̃ of (1), n × 3 [m] */
  readonly predicted: Float64Array;
  /** S b in the order of elimination, n × 3 */
  readonly y: Float64Array;
  options!: Readonly<LocalGlobalOptions>;
  frozenAt = 0;
  private readonly start: Float64Array;
  private readonly b: Float64Array;
  private readonly target: Float64Array;
  private readonly terms: TermState[];
  private readonly surface: Uint32Array;
  private current: BodySystem | undefined;
  private pins!: PinTable;
  private preparedFor = 0;

  constructor(readonly model: LocalGlobalModel) {
    const size = 3 * model.particleCount;
    this.state = { positions: model.positions.slice(), velocities: new Float64Array(size) };
    this.start = model.positions.slice();
    this.predicted = new Float64Array(size);
    this.target = new Float64Array(size);
    this.b = new Float64Array(size);
    this.y = new Float64Array(size);
    this.terms = model.terms.map(createTermState);
    this.surface = Uint32Array.from(new Set(model.faces)).sort();
  }

  get system(): BodySystem {
    return this.current!;
  }

  prepare(frame: number, options: Readonly<LocalGlobalOptions>, pins: PinTable): void {
    this.preparedFor = frame;
    this.options = options;
    this.pins = pins;
    pins.changed = false;
  }

  isReady(frame: number): boolean {
    return this.preparedFor === frame && this.frozenAt === 0;
  }

  /**
   * Predicts q̃ = q + h v + h² M⁻¹ f, with damping c implicit as all else, (1 + h c) v = v⁻ + h f/m.
   *
   * @param pinShare of the way of held vertices to their targets that is made in this step
   */
  begin(h: number, gravity: Vec3, pinShare: number): void {
    const { positions, velocities } = this.state;
    const { options, pins, start, predicted, target } = this;
    if (this.current?.h !== h) this.current = new BodySystem(this.model, h);
    this.pinSolver.update(this.current, pins.pinned);
    start.set(positions);
    const decay = 1 / (1 + h * options.damping);
    for (let i = 0; i < positions.length; i++) {
      const v = decay * (velocities[i]! + h * options.gravityFactor * gravity[i % 3]!);
      predicted[i] = positions[i]! + h * v;
      target[i] = positions[i]! + pinShare * (pins.targets[i]! - positions[i]!);
      positions[i] = pins.pinned[Math.floor(i / 3)] === 1 ? target[i]! : predicted[i]!;
    }
  }

  /** b = M q̃ + h² Σ wᵢ Gᵢᵀ pᵢ */
  localStep(isFirst: boolean): void {
    const { model, b, predicted, state } = this;
    for (let i = 0; i < b.length; i++) b[i] = model.masses[Math.floor(i / 3)]! * predicted[i]!;
    model.terms.forEach((term, k) => projectTerm(term, this.terms[k]!, state.positions, this.system.h, isFirst, b));
  }

  /** y = S b, with the forces that hold what is held. */
  forward(): void {
    this.y.fill(0);
    this.system.inverse.forward(this.b, this.y);
    this.holdPins();
  }

  holdPins(): void {
    this.pinSolver.apply(this.y, this.target);
  }

  /** q = Sᵀ y */
  backward(): void {
    this.system.inverse.backward(this.y, this.state.positions);
  }

  detected(): DetectedBody {
    const { options, surface, start, predicted, pins } = this;
    const { thickness, contactMargin: margin, friction } = options;
    return { surface, pinned: pins.pinned, start, predicted, thickness, margin, friction };
  }

  /** v = (q − q⁻)/h. A body that is no longer finite goes back to q⁻ and stays there. */
  finish(frame: number): void {
    const { positions, velocities } = this.state;
    const { start } = this;
    const { h } = this.system;
    for (let i = 0; i < positions.length; i++) {
      velocities[i] = (positions[i]! - start[i]!) / h;
      if (Number.isFinite(positions[i]!)) continue;
      positions.set(start);
      velocities.fill(0);
      this.frozenAt = frame;
      return;
    }
    this.model.terms.forEach((term, k) => rememberRotations(term, this.terms[k]!, positions));
  }

  writeState(positions: ArrayLike<number>, velocities: ArrayLike<number>): void {
    this.state.positions.set(positions);
    this.state.velocities.set(velocities);
    this.frozenAt = 0;
    for (const { dual } of this.terms) dual.fill(0);
  }
}
