import type { RigidProxy } from "../collision/obstacles/rigid-proxy";
import { checkList } from "../checks";
import { invalid, nonFinite, outOfRange, unsupported } from "../errors";
import { checkNames, optionNames } from "../option-names";
import type { Vec3 } from "../math/types";
import { pinHolds, type PinTable, type RangeTable } from "../solvers/deformable";
import { notNegative } from "./rigid/checks";

/** Options of pins. */
export interface PinOptions {
  /**
   * displacement of each particle from its place under a force of 1 N [m/N]; default 0: the particle is held exactly.
   * Of solvers `local-global` and `newton`
   */
  readonly compliance?: number | undefined;
}

export const pinOptionNames = optionNames<PinOptions>()("compliance");

/** A `MotionRange`. */
interface MovingRange extends RangeTable {
  begin(): number;
  save(): readonly [Float64Array, Float64Array];
  load(memory: readonly [Float64Array, Float64Array]): void;
}

export interface PinMemory {
  readonly pinned: Uint8Array;
  readonly targets: Float64Array;
  /** see `MotionRange.save` */
  readonly range?: readonly [Float64Array, Float64Array] | undefined;
}

/** The particles of a body that are held, and their places at the end of the next step. */
export class BodyPins implements PinTable {
  readonly pinned: Uint8Array;
  readonly targets: Float64Array;
  compliances: Float64Array | undefined;
  limits: Float64Array | undefined;
  proxies: (RigidProxy | undefined)[] | undefined;
  arms: Float64Array | undefined;
  ways: Float64Array | undefined;
  hung: PinTable["hung"];
  range: MovingRange | undefined;
  changed = true;
  /** particles that are held because both ends of their edge are; undefined for a body without middles */
  private readonly led: Uint8Array | undefined;

  /**
   * @param label names the body in errors
   * @param positions particleCount × 3 [m]
   * @param middles see `DeformableModel.middles`
   */
  constructor(
    private readonly label: string,
    positions: Float64Array,
    private readonly middles?: Uint32Array,
  ) {
    this.pinned = new Uint8Array(positions.length / 3);
    this.targets = positions.slice();
    if (middles) this.led = new Uint8Array(this.pinned.length);
  }

  /** @throws PliantError `index-out-of-range` */
  check(indices: ArrayLike<number>, what: string): void {
    checkList(indices, `${this.label} ${what}`);
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i];
      if (!Number.isInteger(index) || index < 0 || index >= this.pinned.length)
        throw outOfRange(`${this.label} ${what}`, index, `must be a particle index below ${this.pinned.length}`);
    }
  }

  /**
   * Holds particles at the places where they were last seen, or else at their first places.
   *
   * @param compliance [m/N]
   * @throws PliantError `index-out-of-range`
   */
  hold(indices: ArrayLike<number>, seen: ArrayLike<number> | undefined, compliance: number): void {
    this.check(indices, "pin");
    if (compliance > 0) this.compliances ??= new Float64Array(this.pinned.length);
    for (let i = 0; i < indices.length; i++) {
      const p = indices[i];
      if (seen && this.pinned[p] === 0) this.copyTarget(p, seen);
      this.pinned[p] = 1;
      this.drop(p);
      if (this.compliances) this.compliances[p] = compliance;
      if (this.led) this.led[p] = 0;
    }
    this.changed = true;
  }

  /**
   * Before a step: holds the middle of an edge halfway between its ends if both of them are held exactly. The middle is free if a rigid
   * body carries an end, so that the body feels its pull.
   */
  leadMiddles(): void {
    const { middles, led, pinned, targets, compliances, proxies } = this;
    if (!middles || !led || !this.changed) return;
    const first = pinned.length - middles.length / 2;
    for (let k = 0; k < middles.length / 2; k++) {
      const [p, a, b] = [first + k, middles[2 * k], middles[2 * k + 1]];
      if (pinned[p] === 1 && led[p] === 0) continue;
      const isFree = proxies?.[a] ?? proxies?.[b];
      led[p] = pinned[p] = Number(!isFree && pinHolds(this, a) && pinHolds(this, b));
      if (led[p] === 0) continue;
      for (let c = 0; c < 3; c++) targets[3 * p + c] = (targets[3 * a + c] + targets[3 * b + c]) / 2;
      if (compliances) compliances[p] = 0;
    }
  }

  /**
   * The compliance that the options of a pin ask for [m/N].
   *
   * @param hasCompliance whether the body's solver knows compliances
   * @throws PliantError `non-finite`; `invalid-argument` for a compliance below zero; `unsupported` if the solver can
   * only hold exactly
   */
  compliance(options: PinOptions, hasCompliance: boolean): number {
    checkNames(`${this.label} pin`, options, pinOptionNames);
    const { compliance = 0 } = options;
    notNegative(`${this.label} pin compliance`, compliance);
    if (compliance > 0 && !hasCompliance)
      throw unsupported(`${this.label} pin compliance`, compliance, 'needs solver "local-global" or "newton"');
    return compliance;
  }

  /** Lets particles go; without indices, all of them. @throws PliantError `index-out-of-range` */
  release(indices?: ArrayLike<number>): void {
    if (indices) {
      this.check(indices, "unpin");
      for (let i = 0; i < indices.length; i++) this.letGo(indices[i]);
    } else this.pinned.forEach((_, p) => this.letGo(p));
    this.changed = true;
  }

  /** Lets a rigid body carry a pinned particle and feel it. Without a proxy the pin alone holds the particle. */
  carry(p: number, proxy: RigidProxy | undefined): void {
    this.drop(p);
    if (!proxy) return;
    this.proxies ??= [];
    this.arms ??= new Float64Array(this.targets.length);
    this.ways ??= new Float64Array(this.targets.length);
    this.proxies[p] = proxy;
    proxy.carried++;
    this.changed = true;
  }

  /** Whether a rigid body carries any particle. */
  get isCarried(): boolean {
    return this.proxies?.some((proxy) => proxy !== undefined) === true;
  }

  private letGo(p: number): void {
    this.pinned[p] = 0;
    this.drop(p);
  }

  /** Limits the total force of all these pins together [N]. */
  limit(indices: ArrayLike<number>, force: number): void {
    this.limits ??= new Float64Array(this.pinned.length);
    for (let i = 0; i < indices.length; i++) this.limits[indices[i]] = force / indices.length;
    this.changed = true;
  }

  private drop(p: number): void {
    if (this.limits) this.limits[p] = 0;
    const proxy = this.proxies?.[p];
    if (!proxy) return;
    proxy.carried--;
    this.proxies![p] = undefined;
    this.changed = true;
  }

  /** @throws PliantError `index-out-of-range`, `non-finite`, or `invalid-argument` for a particle that is not pinned */
  setTarget(index: number, x: number, y: number, z: number): void {
    this.check([index], "pin");
    if (this.pinned[index] !== 1) throw invalid(`${this.label} particle`, index, "must be pinned to have a target");
    if (!Number.isFinite(x + y + z)) throw nonFinite(`${this.label} pin target`, [x, y, z], "must be finite");
    this.targets[3 * index] = x;
    this.targets[3 * index + 1] = y;
    this.targets[3 * index + 2] = z;
    if (this.led) this.led[index] = 0;
    this.changed = true;
  }

  /**
   * Before a step: sets the vector from the center of mass of a particle's carrier to the particle's place on it at the start of the
   * step, and that from there to the particle, world axes [m].
   */
  setArm(index: number, arm: Vec3, away: ArrayLike<number> = [0, 0, 0]): void {
    this.arms?.set(arm, 3 * index);
    this.ways?.set(away, 3 * index);
  }

  target(index: number): Vec3 {
    const { targets } = this;
    return [targets[3 * index], targets[3 * index + 1], targets[3 * index + 2]];
  }

  /** Gives pins that hold exactly the places of a state as targets. Compliant pins keep their targets. */
  follow(positions: ArrayLike<number>): void {
    for (let p = 0; p < this.pinned.length; p++) if (pinHolds(this, p)) this.copyTarget(p, positions);
    this.changed = true;
  }

  /** The pinned particles and their targets. */
  save(): PinMemory {
    return { pinned: this.pinned.slice(), targets: this.targets.slice(), range: this.range?.save() };
  }

  /** Restores the targets of particles that are pinned now and were pinned then. */
  load({ pinned, targets, range }: PinMemory): void {
    if (range) this.range?.load(range);
    for (let p = 0; p < this.pinned.length; p++)
      if (this.pinned[p] === 1 && pinned[p] === 1) this.copyTarget(p, targets);
    this.changed = true;
  }

  private copyTarget(p: number, positions: ArrayLike<number>): void {
    for (let c = 0; c < 3; c++) this.targets[3 * p + c] = positions[3 * p + c]!;
  }
}
