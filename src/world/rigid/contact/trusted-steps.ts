/**
 * Steps whose end can be trusted. Contacts are found at the start of a step, for the present course of the bodies. A
 * body that is hit changes its course, turns, and may get into a body for which no contacts were searched. Therefore
 * bodies that the step moved off their course are checked at its end. If one of them is deep in another body, the step
 * is repeated with contacts for the new course, and if that does not suffice, in halves.
 */

import { IdList } from "../../../math/arrays";
import { identityFrame, poseToFrame } from "../../../collision/narrow/frame";
import { collide } from "../../../collision/narrow/collide";
import { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import type { Vec3 } from "../../../math/types";
import type { RigidDynamics } from "../../../solvers/newton/dynamics";
import type { Joint } from "../../../solvers/newton/joints/joint";
import { Motion, POSE_SIZE, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";
import { PairList } from "../../../solvers/newton/contact/pairs";
import type { BodySlots } from "../body-slots";
import type { ContactFinder } from "./contact-finder";
import { HeldLoads } from "./held-loads";
import { addPair } from "./pair-surfaces";

/**
 * A step may leave two bodies this much deeper in each other than it found them, as a part of the thickness of the
 * thinner one.
 */
const DEPTH = 0.25;
/** Most parts of a step. */
const MOST_PARTS = 16;

export class TrustedSteps {
  /** steps and parts of steps that were repeated since the start */
  repeated = 0;
  readonly heldLoads = new HeldLoads(this.dynamics.bodies, this.slots);
  private readonly contacts = new ContactBuffer();
  private readonly pairs = new PairList();
  private readonly near = new IdList();
  private readonly suspects: number[] = [];
  private readonly box = new Float64Array(6);
  private poses = new Float64Array(0);
  private velocities = new Float64Array(0);
  private readonly expected: { velocities: Float64Array } = { velocities: new Float64Array(0) };
  private memories: Float64Array[] = [];
  /** distance by which the step has moved each body off its course [m] */
  private ways = new Float64Array(0);

  constructor(
    private readonly slots: BodySlots,
    private readonly dynamics: RigidDynamics,
    private readonly finder: ContactFinder,
  ) {}

  /**
   * Takes a step of h [s].
   *
   * @param joints enabled joints
   * @param isFinal whether the step cannot be repeated
   * @param finish is called after each part of the step, with its length [s]
   */
  take(h: number, gravity: Vec3, joints: readonly Joint[], isFinal: boolean, finish: (part: number) => void): void {
    const { finder, dynamics, slots } = this;
    let part = h;
    let expected: Float64Array | undefined;
    for (let left = h; left > 1e-9 * h;) {
      finder.find(part, gravity, expected);
      if (!isFinal) this.keep(joints);
      dynamics.step(part, gravity, finder.contacts, finder.pairs, joints);
      const isTooHeld = this.heldLoads.lower(part, isFinal);
      slots.updatePoses();
      if (isTooHeld) {
        this.repeated++;
        this.goBack(joints);
        continue;
      }
      const isLeast = part < (2 * h) / MOST_PARTS;
      const isTooLong = !isFinal && !isLeast && this.isTooLong(joints);
      if (isTooLong || !(isFinal || (isLeast && expected) || this.isTrusted(part, gravity, !expected))) {
        this.repeated++;
        this.goBack(joints);
        // If the contacts were already those of the new course, the part was too long.
        if (isTooLong || (expected && !isLeast)) {
          part /= 2;
          scaleMemories(joints, 0.5);
        }
        expected = this.expected.velocities;
        continue;
      }
      expected = undefined;
      finish(part);
      left -= part;
    }
    if (part < h) scaleMemories(joints, h / part);
  }

  /** Keeps the state at the start of a step. */
  private keep(joints: readonly Joint[]): void {
    const { count, awakeCount, awake } = this.dynamics.bodies;
    if (this.poses.length < POSE_SIZE * count) {
      this.poses = new Float64Array(2 * POSE_SIZE * count);
      this.velocities = new Float64Array(2 * TWIST_SIZE * count);
      this.expected.velocities = new Float64Array(2 * TWIST_SIZE * count);
      this.ways = new Float64Array(2 * count);
    }
    for (let k = 0; k < awakeCount; k++) this.keepBody(awake[k]);
    for (let k = 0; k < joints.length; k++) {
      const { memory, slotA, slotB } = joints[k];
      this.keepBody(slotA);
      this.keepBody(slotB);
      if (this.memories[k]?.length !== memory.length) this.memories[k] = new Float64Array(memory.length);
      this.memories[k].set(memory);
    }
  }

  private keepBody(slot: number): void {
    const { pose, velocity } = this.dynamics.bodies.state;
    copy(pose, this.poses, slot, POSE_SIZE);
    copy(velocity, this.velocities, slot, TWIST_SIZE);
  }

  private goBack(joints: readonly Joint[]): void {
    const { awake, awakeCount, state } = this.dynamics.bodies;
    const expected = this.expected.velocities.fill(0);
    for (let k = 0; k < awakeCount; k++) {
      copy(state.velocity, expected, awake[k], TWIST_SIZE);
      copy(this.poses, state.pose, awake[k], POSE_SIZE);
      copy(this.velocities, state.velocity, awake[k], TWIST_SIZE);
    }
    joints.forEach((joint, k) => joint.memory.set(this.memories[k]));
    this.slots.updatePoses();
  }

  /**
   * Whether no body that the step moved off its course is deep in another body, or went through one.
   *
   * @param isFirst whether contacts are those of the course before
   */
  private isTrusted(h: number, gravity: Vec3, isFirst: boolean): boolean {
    const { suspects, finder } = this;
    this.findSuspects(h, gravity);
    if (suspects.length === 0) return true;
    const { broad } = finder;
    for (const slot of suspects) if (finder.boxOf(slot, this.box)) broad.setBox(slot, this.box);
    broad.update();
    return suspects.every((slot) => !this.isDeep(slot) && !(isFirst && this.wentThrough(slot)));
  }

  /** Whether the middle of a body that left its course by more than its thickness went into a part of a body, or through it, that it has no contacts with. */
  private wentThrough(slot: number): boolean {
    const { near, finder, box, poses } = this;
    if (this.ways[slot] <= this.thickness(slot) || !finder.boxOf(slot, box)) return false;
    const { pose } = this.dynamics.bodies.state;
    const at = POSE_SIZE * slot;
    for (let c = 0; c < 3; c++) {
      box[c] = Math.min(box[c], poses[at + c]);
      box[3 + c] = Math.max(box[3 + c], poses[at + c]);
    }
    finder.broad.query(box, near);
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k];
      if (other === slot || !finder.broad.mayMeet(slot, other)) continue;
      const [a, b] = slot < other ? [slot, other] : [other, slot];
      const { pairs } = finder;
      const known = firstOf(pairs, a, b);
      if (known < pairs.count && pairs.bodyA[known] === a && pairs.bodyB[known] === b) continue;
      poseToFrame(this.slots.poses, POSE_SIZE * other, frame);
      for (const { convex, bounds } of finder.shapeOf(other)?.parts ?? [])
        if (convex && crosses(bounds, poses, pose, at)) return true;
    }
    return false;
  }

  /** Whether a step has errors that other contacts would not mend. */
  private isTooLong(joints: readonly Joint[]): boolean {
    const { broken, stepper } = this.dynamics;
    return broken.length > 0 || stepper!.isDoubtful || !this.doJointsHold(joints) || this.isRubbedFromAfar();
  }

  /** Whether two bodies rub each other across a wide gap, which changes their angular momentum. */
  private isRubbedFromAfar(): boolean {
    const { gap, bodyA, bodyB, impulse, count } = this.dynamics.contacts;
    const { motion } = this.dynamics.bodies.model;
    for (let c = 0; c < count; c++) {
      if (!(gap[c] > 0) || (impulse[3 * c + 1] === 0 && impulse[3 * c + 2] === 0)) continue;
      const a = bodyA[c];
      const b = bodyB[c];
      if (motion[a] !== Motion.dynamic || motion[b] !== Motion.dynamic) continue;
      if (this.isThinner(a, gap, c) || this.isThinner(b, gap, c)) return true;
    }
    return false;
  }

  /**
   * Whether all joints that held their bodies at the start still do. A joint that did not hold then has an impossible
   * task: it contradicts other joints.
   */
  private doJointsHold(joints: readonly Joint[]): boolean {
    const { pose } = this.dynamics.bodies.state;
    for (const joint of joints) {
      joint.gap(pose, found);
      const gap = found[0];
      const most = DEPTH * Math.min(this.thickness(joint.slotA), this.thickness(joint.slotB));
      if (gap <= most) continue;
      joint.gap(this.poses, found);
      if (found[0] <= most && gap - found[0] > most) return false;
    }
    return true;
  }

  private findSuspects(h: number, gravity: Vec3): void {
    const { suspects, ways, velocities: v } = this;
    const { bodies } = this.slots;
    const { model, state, awake, awakeCount, count } = this.dynamics.bodies;
    const { velocity: u } = state;
    suspects.length = 0;
    let least = Infinity;
    ways.fill(0, 0, count);
    for (let k = 0; k < awakeCount; k++) {
      const slot = awake[k];
      const { compiled } = bodies[slot].record;
      if (!compiled || model.motion[slot] !== Motion.dynamic || state.asleep[slot] === 1) continue;
      const at = TWIST_SIZE * slot;
      const fall = h * model.gravityFactor[slot];
      const x = u[at] - v[at] - fall * gravity[0];
      const y = u[at + 1] - v[at + 1] - fall * gravity[1];
      const z = u[at + 2] - v[at + 2] - fall * gravity[2];
      const p = u[at + 3] - v[at + 3];
      const q = u[at + 4] - v[at + 4];
      const r = u[at + 5] - v[at + 5];
      const turn = h * h * (u[at + 3] * u[at + 3] + u[at + 4] * u[at + 4] + u[at + 5] * u[at + 5]);
      ways[slot] =
        h * Math.sqrt(x * x + y * y + z * z) +
        compiled.reach * (h * Math.sqrt(p * p + q * q + r * r) + Math.min(1, 0.5 * turn));
      least = Math.min(least, compiled.thickness);
    }
    for (let k = 0; k < awakeCount; k++) if (ways[awake[k]] > DEPTH * least) suspects.push(awake[k]);
  }

  private isDeep(slot: number): boolean {
    const { near, finder, ways } = this;
    if (!finder.boxOf(slot, this.box)) return false;
    finder.broad.query(this.box, near);
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k];
      if (other === slot || !finder.broad.mayMeet(slot, other)) continue;
      const most = DEPTH * Math.min(this.thickness(slot), this.thickness(other));
      if (ways[slot] + ways[other] > most && this.deeper(slot, other) > most) return true;
    }
    return false;
  }

  /** Increase of the depth of two bodies in each other since the start [m]. */
  private deeper(slot: number, other: number): number {
    const { contacts, pairs, slots, finder } = this;
    const { bodies, poses } = slots;
    const [a, b] = slot < other ? [slot, other] : [other, slot];
    const [shapeA, shapeB] = [finder.shapeOf(a), finder.shapeOf(b)];
    if (!shapeA || !shapeB) return 0;
    contacts.clear();
    pairs.clear();
    collide(shapeA, poses, POSE_SIZE * a, shapeB, poses, POSE_SIZE * b, 0, contacts);
    if (contacts.count === 0) return 0;
    addPair(pairs, contacts, this.dynamics.bodies, bodies, a, b, 0);
    return depthOf(pairs, contacts, a, b) - depthOf(finder.pairs, finder.contacts, a, b);
  }

  /** Whether a dynamic body is thinner than the c-th length of a list [m]. */
  private isThinner(slot: number, lengths: Float64Array, c: number): boolean {
    const { compiled } = this.slots.bodies[slot].record;
    return compiled !== undefined && lengths[c] > compiled.thickness;
  }

  /** Least extent of a body [m]; infinite for a body that does not move, which may be thin. */
  private thickness(slot: number): number {
    const { compiled } = this.slots.bodies[slot].record;
    if (!compiled || this.dynamics.bodies.model.motion[slot] !== Motion.dynamic) return Infinity;
    return compiled.thickness;
  }
}

const frame = identityFrame();

/** Whether the way from a place of one array to that of another goes through a box in `frame`. */
function crosses(box: Float64Array, from: Float64Array, to: Float64Array, at: number): boolean {
  let [enter, leave] = [0, 1];
  for (let i = 0; i < 3; i++) {
    let [x, way] = [0, 0];
    for (let c = 0; c < 3; c++) {
      x += frame[3 * c + i] * (from[at + c] - frame[9 + c]);
      way += frame[3 * c + i] * (to[at + c] - from[at + c]);
    }
    if (way === 0 && (x < box[i] || x > box[3 + i])) return false;
    if (way === 0) continue;
    const [s, t] = [(box[i] - x) / way, (box[3 + i] - x) / way];
    enter = Math.max(enter, Math.min(s, t));
    leave = Math.min(leave, Math.max(s, t));
  }
  return enter < leave;
}

/** The first place of a sorted list whose pair is not before that of a and b. */
function firstOf(pairs: PairList, a: number, b: number): number {
  let low = 0;
  let high = pairs.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isBefore = pairs.bodyA[middle] < a || (pairs.bodyA[middle] === a && pairs.bodyB[middle] < b);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Depth of two bodies in each other, by their pushing contacts [m]. */
function depthOf(pairs: PairList, contacts: ContactBuffer, a: number, b: number): number {
  let depth = 0;
  for (let k = firstOf(pairs, a, b); k < pairs.count && pairs.bodyA[k] === a && pairs.bodyB[k] === b; k++)
    for (let c = pairs.first[k]; c < pairs.end[k] && pairs.isSensor[k] === 0; c++)
      depth = Math.max(depth, -contacts.separation[c]);
  return depth;
}

/** Scales the impulses that joints remember, which are smaller in a shorter step. */
function scaleMemories(joints: readonly Joint[], factor: number): void {
  for (const { memory } of joints) for (let i = 0; i < memory.length; i++) memory[i] *= factor;
}

/** Copies the numbers of a body, of which each has `size`. */
function copy(from: Float64Array, to: Float64Array, slot: number, size: number): void {
  for (let i = size * slot; i < size * (slot + 1); i++) to[i] = from[i];
}

const found = new Float64Array(1);
