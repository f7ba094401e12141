import { resized } from "../../math/arrays";
import { type BodyModel, Motion, TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../solvers/newton/dynamics";
import type { Vec3 } from "../../math/types";
import type { RigidBody } from "./rigid-body";

/** Speeds below which a body counts as still: [m/s] times its pace, and [rad/s] times its pace over its grain. */
const SLOW = 0.01;
const SLOW_SPIN = 0.02;
/** Part of these speeds for a body without weight: a slow drift goes on if nothing stops it. */
const WEIGHTLESS = 1e-3;
/** Time after which an island of still bodies falls asleep [s]. */
const REST = 0.5;

/**
 * Islands of bodies fall asleep together, when all of their bodies have been still for a while, and wake up together: a
 * stack that rests on a body must not sleep on while that body leaves.
 */
export class Sleep {
  /** number of the group that each body fell asleep with, 0 for bodies that are awake */
  group = new Int32Array(0);
  private lastGroup = 0;
  /** called for each body that wakes */
  onWake: ((slot: number) => void) | undefined;

  constructor(
    private readonly dynamics: RigidDynamics,
    private readonly isOn: boolean,
  ) {}

  reserve(capacity: number): void {
    if (this.group.length < capacity) this.group = resized(this.group, new Int32Array(capacity));
  }

  isAsleep(slot: number): boolean {
    return this.dynamics.bodies.state.asleep[slot] === 1;
  }

  /**
   * Whether a body moves fast enough to wake another one. Links of mechanisms always do, so that a mechanism feels the
   * bodies that it meets.
   */
  isMoving(slot: number): boolean {
    const { model, state } = this.dynamics.bodies;
    if (model.motion[slot] === Motion.static || state.asleep[slot] === 1) return false;
    if (model.motion[slot] === Motion.linked) return true;
    return !isSlow(model, state.velocity, slot);
  }

  wake(slot: number): void {
    const { bodies } = this.dynamics;
    const { state, count } = bodies;
    state.restTime[slot] = 0;
    if (state.asleep[slot] === 0) return;
    bodies.wakes++;
    const group = this.group[slot];
    for (let k = 0; k < count; k++) {
      if (this.group[k] !== group) continue;
      state.asleep[k] = 0;
      state.restTime[k] = 0;
      this.group[k] = 0;
      this.onWake?.(k);
    }
  }

  /** Puts bodies to sleep, with all that fell asleep with one of them before: they will wake together. */
  putTogether(slots: readonly number[]): void {
    if (slots.length > 0) this.sleepTogether(Int32Array.from(slots), 0, slots.length);
  }

  /** Puts one body to sleep by itself. */
  put(slot: number): void {
    if (!this.isOn || this.isAsleep(slot)) return;
    const { state } = this.dynamics.bodies;
    state.asleep[slot] = 1;
    this.group[slot] = ++this.lastGroup;
    state.velocity.fill(0, TWIST_SIZE * slot, TWIST_SIZE * slot + TWIST_SIZE);
  }

  /**
   * Updates rest times after a step of h [s], and puts islands to sleep.
   *
   * @param gravity of the world [m/s²]
   */
  update(h: number, bodies: readonly RigidBody[], gravity: Vec3): void {
    const { islands } = this.dynamics.stepper!;
    if (!this.isOn) return;
    const { model, state } = this.dynamics.bodies;
    const hasGravity = gravity.some((value) => value !== 0);
    for (let island = 0; island < islands.count; island++) {
      let rest = Infinity;
      let isAwake = false;
      const end = islands.start[island + 1];
      for (let k = islands.start[island]; k < end; k++) {
        const slot = islands.bodyList[k];
        // A sleeping body is no hindrance, and stays in its group.
        if (state.asleep[slot] === 1) continue;
        isAwake = true;
        const part = hasGravity && model.gravityFactor[slot] !== 0 ? 1 : WEIGHTLESS;
        const still =
          isSlow(model, state.velocity, slot, part) && bodies[slot].options.canSleep && !this.isForced(slot);
        state.restTime[slot] = still ? state.restTime[slot] + h : 0;
        rest = Math.min(rest, state.restTime[slot]);
      }
      if (isAwake && rest >= REST) this.sleepTogether(islands.bodyList, islands.start[island], end);
    }
  }

  /**
   * Puts the bodies of an island, from one place in a list of slots to another, to sleep, together with the groups of
   * bodies that slept before.
   */
  private sleepTogether(bodyList: Int32Array, start: number, end: number): void {
    const { state, count } = this.dynamics.bodies;
    const group = ++this.lastGroup;
    for (let k = start; k < end; k++) {
      const slot = bodyList[k];
      const old = this.group[slot];
      if (state.asleep[slot] === 1) for (let i = 0; i < count; i++) if (this.group[i] === old) this.group[i] = group;
      state.asleep[slot] = 1;
      this.group[slot] = group;
      state.velocity.fill(0, TWIST_SIZE * slot, TWIST_SIZE * slot + TWIST_SIZE);
    }
  }

  renumber(slotOf: Int32Array): void {
    const old = this.group.slice();
    this.group.fill(0);
    for (let k = 0; k < slotOf.length; k++) if (slotOf[k] >= 0) this.group[slotOf[k]] = old[k];
  }

  save(): Int32Array {
    return Int32Array.of(this.lastGroup, ...this.group.subarray(0, this.dynamics.bodies.count));
  }

  load(saved: Int32Array): void {
    this.lastGroup = saved[0];
    this.group.set(saved.subarray(1));
  }

  private isForced(slot: number): boolean {
    const { force } = this.dynamics.bodies.state;
    for (let i = TWIST_SIZE * slot; i < TWIST_SIZE * slot + TWIST_SIZE; i++) if (force[i] !== 0) return true;
    return false;
  }
}

function isSlow({ grain, pace }: BodyModel, v: Float64Array, slot: number, part = 1): boolean {
  const at = TWIST_SIZE * slot;
  const slow = part * SLOW * pace[slot];
  const slowSpin = (part * SLOW_SPIN * pace[slot]) / grain[slot];
  return (
    v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2] < slow * slow &&
    v[at + 3] * v[at + 3] + v[at + 4] * v[at + 4] + v[at + 5] * v[at + 5] < slowSpin * slowSpin
  );
}
