/**
 * Impulses from soft bodies on rigid bodies that other bodies seemed to hold. The rigid body stopped the soft ones like a wall, and the impulse
 * becomes a force of the next step, in which the holding bodies should take it up. A light rigid body that gives way instead would get the whole
 * impulse of a heavy one. So it is pushed no faster than the soft bodies came: H · (v − v⁻) ≤ Σ J · u, with the impulses J of the soft bodies,
 * their approach velocities u, and the part H of the impulses that is held. Nor is it pushed for longer than it stays: a force that moves it from rest by
 * its size, in a part t of the step, has left it by then, and H is its impulse until t. In a step longer than theirs the force is as much smaller. A step that makes it faster is repeated with a smaller H. A step that
 * cannot be repeated is taken back for that body, as far as it made it faster.
 */
import { driveMeter } from "../../../collision/obstacles/drive";
import { metered, squeezed } from "../../../collision/obstacles/drive-meter";
import { holdSqueezed } from "../../../collision/obstacles/squeeze";
import type { Vec3 } from "../../../math/types";
import { lengthAt, norm } from "../../../math/vectors";
import { type BodyTable, POSE_SIZE, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";
import type { BodySlots } from "../body-slots";

/** So often less is tried, before nothing is left of it. */
const TRIES = 4;
/** Of what is allowed, as gravity and other contacts have their part in what is found. */
const AIM = 0.9;

/** Places in `RigidRecord.held`, after the impulses: Σ J · u [J], and the step in which they were given [s]. */
const AT = { drive: 6, time: 7 } as const;

interface Load {
  /** of the body */
  readonly slot: number;
  /** H: impulse [N s] and angular impulse about the centre of mass [N m s], and Σ J · u [J] */
  readonly held: Float64Array;
  /** v⁻ */
  readonly before: Float64Array;
  /** H · (v − v⁻), at most [J] */
  readonly most: number;
  /** of the body [m] */
  readonly reach: number;
  part: number;
  tries: number;
}

export class HeldLoads {
  private readonly loads: Load[] = [];
  /** v − v⁻ of a body */
  private readonly change = new Float64Array(TWIST_SIZE);
  private dt = 0;

  constructor(
    private readonly bodies: Pick<BodyTable, "state" | "scratch" | "awake" | "awakeCount">,
    private readonly slots: BodySlots,
  ) {
    metered.by = driveMeter;
    squeezed.by = holdSqueezed;
  }

  /** A frame of dt [s] begins. */
  begin(gravity: Vec3, dt: number): void {
    const { loads, slots, bodies } = this;
    loads.length = 0;
    this.dt = dt;
    // It may fall along.
    const fall = norm(gravity) * dt;
    for (let k = 0; k < bodies.awakeCount; k++) {
      const { record } = slots.bodies[bodies.awake[k]];
      const { held, slot, compiled, rests } = record;
      // A body that sleeps with soft ones gets that force when it wakes.
      if (rests || !held || !compiled || held.every((value, i) => value === 0 || i === AT.time)) continue;
      this.spread(slot, held);
      const { reach } = compiled;
      const before = bodies.state.velocity.slice(TWIST_SIZE * slot, TWIST_SIZE * (slot + 1));
      const most = Math.max(0, held[AT.drive]) + fall * (lengthAt(held, 0) + lengthAt(held, 3) / reach);
      loads.push({ slot, held: held.slice(), before, most, reach, part: 1, tries: 0 });
      held.fill(0);
    }
  }

  /** A force of a step lasts for this one: its impulse grows by that in no case. */
  private spread(slot: number, held: Float64Array): void {
    const { dt } = this;
    const { force } = this.bodies.state;
    const time = held[AT.time];
    for (let i = 0; i < TWIST_SIZE; i++) {
      if (time < dt) force[TWIST_SIZE * slot + i] -= held[i] / time - held[i] / dt;
      else if (time > dt) held[i] *= dt / time;
    }
  }

  /**
   * After a part of the frame of h [s]: takes off the forces what bodies should not have had of them.
   *
   * @param isFinal whether the part cannot be taken again: then such a body goes back
   * @returns whether there is such a body, and the part is to be taken again
   */
  lower(h: number, isFinal: boolean): boolean {
    const { force } = this.bodies.state;
    // The state has no more than the greatest speeds of bodies: one that friction led to roll would seem to have got less.
    const { velocity } = this.bodies.scratch;
    let isTooMuch = false;
    for (const load of this.loads) {
      const { slot, held, before, most, reach, part } = load;
      if (part === 0) continue;
      const at = TWIST_SIZE * slot;
      let given = 0;
      for (let i = 0; i < TWIST_SIZE; i++) {
        this.change[i] = velocity[at + i] - before[i];
        given += held[i] * this.change[i];
      }
      const way = 0.5 * this.dt * (lengthAt(this.change, 0) + reach * lengthAt(this.change, 3));
      const share = Math.min(
        given > most ? most / given : 1,
        given > 0 && way > 2 * reach ? Math.sqrt((2 * reach) / way) : 1,
      );
      if (share === 1) continue;
      isTooMuch = true;
      load.part = ++load.tries > TRIES ? 0 : AIM * part * share;
      for (let i = 0; i < TWIST_SIZE; i++) force[at + i] -= ((part - load.part) * held[i]) / this.dt;
      if (isFinal) this.takeBack(load, share, h);
    }
    return isTooMuch && !isFinal;
  }

  /** Leaves a part of what a step of h [s] made of the velocity that a body had before. */
  private takeBack({ slot, before }: Load, part: number, h: number): void {
    const { state, scratch } = this.bodies;
    const [from, at] = [TWIST_SIZE * slot, POSE_SIZE * slot];
    const { pose, velocity } = state;
    for (let i = 0; i < TWIST_SIZE; i++) velocity[from + i] = before[i] + part * (velocity[from + i] - before[i]);
    const start = scratch.startPose;
    let along = 0;
    for (let i = at + 3; i < at + POSE_SIZE; i++) along += pose[i] * start[i];
    const sign = along < 0 ? -1 : 1;
    let squared = 0;
    for (let i = at; i < at + POSE_SIZE; i++) {
      const isTurn = i >= at + 3;
      pose[i] = (1 - part) * start[i] + (isTurn ? sign : 1) * part * pose[i];
      if (isTurn) squared += pose[i] * pose[i];
      else pose[i] += (1 - part) * h * before[i - at];
    }
    for (let i = at + 3; i < at + POSE_SIZE; i++) pose[i] /= Math.sqrt(squared);
  }
}
