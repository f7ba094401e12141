import { BroadPhase } from "../../../collision/broad/broad-phase";
import { collide } from "../../../collision/narrow/collide";
import { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { FRAME, frameBounds, identityFrame, poseToFrame } from "../../../collision/narrow/frame";
import { PairCache } from "../../../collision/narrow/pair-cache";
import type { Polytope, RigidShape } from "../../../collision/narrow/shapes/rigid-shape";
import { IdList, resized } from "../../../math/arrays";
import type { Vec3 } from "../../../math/types";
import { lengthAt } from "../../../math/vectors";
import { Motion, POSE_SIZE, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../../solvers/newton/dynamics";
import { limitSpeeds } from "../../../solvers/newton/motion/free-motion";
import { approachSpeed, raiseSpeed } from "../../../solvers/newton/motion/relative-speed";
import { PairList } from "../../../solvers/newton/contact/pairs";
import { finer } from "../../../solvers/newton/scale";
import type { BodySlots } from "../body-slots";
import { addPair, writeFriction } from "./pair-surfaces";
import { meets, type Pinched } from "../soft/pinched";
import { Seams } from "./seams";
import type { RigidBody } from "../rigid-body";
import type { RigidJoint } from "../rigid-joint";
import type { Sleep } from "../sleep";

/** Part of the contact distance that bodies may move before their contacts are searched for anew. */
const STALE = 0.2;

/**
 * Highest acceleration of approach by forces in a step of h [m/s²], times the larger of the bodies' grain and g / 9.81.
 */
const SLACK = 20;
/** Distance up to which contacts are searched for by default [m], times the bodies' grain. */
const CONTACT_DISTANCE = 0.005;
/** Factor by which bodies may approach each other faster than at present. */
const FASTER = 1.25;
/** Part of the distance of contacts that is no way in a step: what lies on a seam is not looked at, which costs time. */
const STILL = 1e-4;

const NOTHING = 0;
const SHAPE = 1;
const SOLID = 2;

/** Finds pairs of bodies and their contacts at the start of a step, and wakes sleeping bodies that are hit. */
export class ContactFinder {
  /** contacts of the last step, and the pairs of bodies that they belong to */
  readonly contacts = new ContactBuffer();
  readonly pairs = new PairList();
  /** whether bodies, filters or joints differ from those in the broad phase */
  isStale = false;
  /** data of pairs from the last step */
  readonly cache = new PairCache();
  readonly broad = new BroadPhase();
  pinched: Pinched | undefined;
  private readonly seams: Seams;
  /** shapes of the bodies, and the longest way of each in the step [m] */
  private readonly shapes: (RigidShape | undefined)[] = [];
  /** of the bodies that are one polytope */
  private readonly solids: (Polytope | undefined)[] = [];
  /** NOTHING, SHAPE or SOLID for each body: most pairs need no more of them, and objects lie anywhere in memory */
  private kinds = new Uint8Array(0);
  /** places of the bodies that move in the broad phase */
  private readonly movers = new IdList();
  /** bodies at rest whose places have changed since the last step, or any may have */
  private readonly unmeasured: number[] = [];
  private areSomeUnmeasured = true;
  private travels = new Float64Array(0);
  /** the part of that way by rotation */
  private turns = new Float64Array(0);
  /** 6 a body: box around it at its place when the step begins [m] */
  private rests = new Float64Array(0);
  /** other velocities that bodies may get in the step, see `find` */
  private expected: Float64Array | undefined;
  /** see `PairCache.collide` */
  private readonly asked = new Float64Array(3);
  /** of the pair: distance up to which contacts are searched for, that of `dropFar`, that of contacts [m] */
  private readonly ways = new Float64Array(3);
  /** distance up to which contacts are searched for [m]; negative for that of the bodies */
  private readonly givenDistance: number;

  constructor(
    private readonly slots: BodySlots,
    private readonly dynamics: RigidDynamics,
    private readonly sleep: Sleep,
    distance: number | undefined,
  ) {
    this.givenDistance = distance ?? -1;
    this.seams = new Seams(slots, dynamics.bodies, this.pairs, this.cache, this.solids);
  }

  private finer(a: number, b: number): number {
    return finer(this.dynamics.bodies.model, a, b);
  }

  /** Distance up to which contacts of a body are searched for [m]. */
  private ownDistance(slot: number): number {
    return this.givenDistance >= 0 ? this.givenDistance : CONTACT_DISTANCE * this.dynamics.bodies.model.grain[slot];
  }

  /** Updates the broad phase after bodies or joints came or went. */
  refresh(joints: readonly RigidJoint[]): void {
    if (!this.isStale) return;
    this.isStale = false;
    this.areSomeUnmeasured = true;
    const { broad, movers } = this;
    movers.count = 0;
    for (let slot = 0; broad.has(slot); slot++) broad.remove(slot);
    this.slots.bodies.forEach((body, slot) => {
      broad.add(slot, this.isStill(slot), body.options.membership, body.options.collideWith);
      if (!this.isStill(slot)) movers.push(slot);
      this.writeBox(slot);
    });
    for (const joint of joints)
      if (joint.isEnabled && !joint.collision)
        broad.setPairEnabled(joint.bodyA.record.slot, joint.bodyB.record.slot, false);
  }

  /**
   * Tells the broad phase which bodies are still. The box of a body that falls asleep shrinks to the box at rest, which
   * it would have in a world that was restored from a snapshot.
   */
  noteStill(): void {
    const { movers, broad } = this;
    const { awake, awakeCount } = this.dynamics.bodies;
    for (let k = 0; k < movers.count; k++) {
      const slot = movers.items[k];
      if (!this.isStill(slot)) continue;
      broad.setStill(slot, true);
      this.moved(slot);
    }
    movers.count = 0;
    for (let k = 0; k < awakeCount; k++) {
      if (this.isStill(awake[k])) continue;
      broad.setStill(awake[k], false);
      movers.push(awake[k]);
    }
  }

  /** Updates the box of a body after its pose was set, or it fell asleep. */
  moved(slot: number): void {
    if (!this.broad.has(slot) || this.isStale) return;
    this.writeBox(slot);
    this.unmeasured.push(slot);
  }

  /** Wakes a body and all bodies whose boxes meet its box. */
  wakeAround(slot: number): void {
    this.sleep.wake(slot);
    if (!this.boxOf(slot, around)) return;
    for (let k = 0; k < this.slots.bodies.length; k++)
      if (this.sleep.isAsleep(k) && this.boxOf(k, box) && meets(around, box, 0)) this.sleep.wake(k);
  }

  /** Whether any of these bodies, which belong together, may meet another body on its way in the next dt [s], or pinch cloth. */
  isNear(bodies: readonly RigidBody[], dt: number): boolean {
    const still: Vec3 = [0, 0, 0];
    this.asked[2] = dt;
    const own = bodies.flatMap((body) => {
      const place = new Float64Array(6);
      if (!this.boxOf(body.record.slot, place)) return [];
      this.travel(body.record.slot, still);
      return [{ body, place, way: this.travels[body.record.slot] }];
    });
    if (own.length === 0) return false;
    if (this.pinched?.findPairs(own)) return true;
    const known = new Set(bodies);
    return this.slots.bodies.some((other) => {
      const { slot } = other.record;
      if (known.has(other) || !this.boxOf(slot, box)) return false;
      this.travel(slot, still);
      return own.some(({ place, way }) => meets(place, box, way + this.travels[slot]));
    });
  }

  /** The shape of a body that other rigid bodies meet. */
  shapeOf(slot: number): RigidShape | undefined {
    const { record, options } = this.slots.bodies[slot];
    return options.meets === "deformable" ? undefined : record.compiled;
  }

  private isStill(slot: number): boolean {
    const { model, state } = this.dynamics.bodies;
    return model.motion[slot] === Motion.static || state.asleep[slot] === 1;
  }

  /** Writes the box of a body at rest. */
  private writeBox(slot: number): void {
    if (this.boxOf(slot, box)) this.broad.setBox(slot, box);
  }

  /**
   * Box of a body at its present place, widened by the distance of contacts.
   *
   * @returns false for a body that meets no other body
   */
  boxOf(slot: number, out: Float64Array): boolean {
    const compiled = this.shapeOf(slot);
    if (!compiled || compiled.parts.length === 0) return false;
    poseToFrame(this.slots.poses, POSE_SIZE * slot, frame);
    frameBounds(compiled.bounds, frame, out);
    const margin = this.ownDistance(slot);
    for (let i = 0; i < 3; i++) {
      out[i] -= margin;
      out[3 + i] += margin;
    }
    return true;
  }

  /** Writes the longest way of a point of the body in a step [m], and the part of it by rotation. */
  private travel(slot: number, gravity: Vec3): void {
    const { state, model } = this.dynamics.bodies;
    if (this.travels.length <= slot) {
      this.travels = resized(this.travels, new Float64Array(2 * slot + 16));
      this.turns = resized(this.turns, new Float64Array(2 * slot + 16));
      this.rests = resized(this.rests, new Float64Array(6 * (2 * slot + 16)));
    }
    const { travels, turns, expected } = this;
    const h = this.asked[2];
    const v = state.velocity;
    const { compiled, mass } = this.slots.bodies[slot].record;
    const spinAt = TWIST_SIZE * slot + 3;
    let spin = lengthAt(v, spinAt);
    if (expected) spin = Math.max(spin, lengthAt(expected, spinAt));
    // Bodies turn about their center of mass, and reach that far from their origin.
    const c = mass.centerOfMass;
    const aside = Math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    turns[slot] = compiled ? h * spin * (compiled.reach + aside) : 0;
    travels[slot] = 0;
    if (model.motion[slot] === Motion.static || state.asleep[slot] === 1) return;
    const at = TWIST_SIZE * slot;
    const g = model.motion[slot] === Motion.dynamic ? h * Math.abs(model.gravityFactor[slot]) : 0;
    const x = v[at] + g * gravity[0];
    const y = v[at + 1] + g * gravity[1];
    const z = v[at + 2] + g * gravity[2];
    let speed = Math.sqrt(x * x + y * y + z * z);
    if (expected) speed = Math.max(speed, lengthAt(expected, at));
    travels[slot] = h * speed + turns[slot];
  }

  /**
   * Finds pairs whose boxes meet, and their contacts. Wakes sleeping bodies that are hit.
   *
   * @param expected velocities that the step is known to give bodies, TWIST_SIZE each: contacts on these ways are found
   * as well
   */
  find(h: number, gravity: Vec3, expected?: Float64Array): void {
    const { broad } = this;
    this.expected = expected;
    this.asked[2] = h;
    const { bodies } = this.slots;
    const { model, state } = this.dynamics.bodies;
    const { bodies: table } = this.dynamics;
    // Some bodies may have been woken since the last step.
    table.findAwake();
    this.noteStill();
    this.measureAll(gravity);
    broad.findPairs();
    while (this.wakeHit()) {
      broad.findPairs();
      for (let k = 0; k < table.awakeCount; k++) this.travel(table.awake[k], gravity);
    }
    this.contacts.clear();
    this.pairs.clear();
    this.cache.begin();
    this.pinched?.begin();
    const { approach } = this.cache;
    approach.given[1] = FASTER * h;
    approach.poses = state.pose;
    approach.velocities = state.velocity;
    const { motion } = model;
    for (let k = 0; k < broad.pairCount; k++) {
      const a = broad.pairs[2 * k];
      const b = broad.pairs[2 * k + 1];
      // Two bodies that nothing pushes cannot affect each other, and links of one mechanism meet through cloth alone.
      if (motion[a] < Motion.dynamic && motion[b] < Motion.dynamic) continue;
      if (motion[a] === Motion.linked && bodies[a].options.leader?.group === bodies[b].options.leader?.group) continue;
      this.meetThroughCloth(a, b);
      this.meet(a, b);
    }
    this.meetThroughCloth(Infinity, 0);
    this.cache.end();
    this.settleSeams();
  }

  /** Finds the contacts of links that pinch something, up to a pair: all pairs are in the order of their places. */
  private meetThroughCloth(a: number, b: number): void {
    for (let pair; (pair = this.pinched?.nextBefore(a, b));) this.meet(pair.a, pair.b, true);
  }

  /** Finds the contacts of two bodies whose boxes meet, in a step of `asked[2]` [s]. */
  private meet(a: number, b: number, isThroughCloth = false): void {
    const { cache, asked, expected } = this;
    const h = asked[2];
    const { kinds } = this;
    if (kinds[a] === NOTHING || kinds[b] === NOTHING) return;
    const { model, state } = this.dynamics.bodies;
    const unit = this.finer(a, b);
    const grain = model.grain[unit];
    const pace = model.pace[unit];
    const travel = this.travels[a] + this.travels[b];
    const contactDistance = this.givenDistance >= 0 ? this.givenDistance : CONTACT_DISTANCE * grain;
    asked[0] = contactDistance + travel;
    if (!isThroughCloth && kinds[a] === SOLID && kinds[b] === SOLID && cache.isApart(a, b, asked)) return;
    // longest additional approach by forces, and the longest way of points relative to each other at the velocities [m]
    const slack = SLACK * Math.max(grain, (pace * pace) / grain) * h * h;
    asked[1] = 0;
    raiseSpeed(state.velocity, a, b, asked);
    if (expected) raiseSpeed(expected, a, b, asked);
    const speed = asked[1];
    const way = h * speed + this.turns[a] + this.turns[b];
    // `dropFar` would drop all contacts further apart.
    const margin = contactDistance + Math.min(travel, slack + FASTER * way);
    const near = contactDistance + slack;
    const { given } = cache.approach;
    given[0] = near;
    // Nothing is known about contacts on other ways.
    if (expected) given[0] = Infinity;
    if (!expected && !isThroughCloth && this.arePassing(a, b)) return;
    const { ways } = this;
    ways[0] = margin;
    ways[1] = near;
    ways[2] = contactDistance;
    this.collect(a, b, isThroughCloth);
  }

  /** Appends their contacts. It is a function of its own, since V8 makes objects of numbers in functions that are too long. */
  private collect(a: number, b: number, isThroughCloth: boolean): void {
    const { contacts, cache, asked, ways } = this;
    const first = contacts.count;
    asked[0] = ways[0];
    asked[1] = STALE * ways[2];
    const { kinds, solids } = this;
    const { bodies, poses } = this.slots;
    if (isThroughCloth) this.pinched!.collide(this.shapes, poses, ways[0], contacts);
    else if (kinds[a] === SOLID && kinds[b] === SOLID) cache.collide(a, b, solids, asked, contacts);
    else collide(this.shapes[a]!, poses, POSE_SIZE * a, this.shapes[b]!, poses, POSE_SIZE * b, ways[0], contacts);
    if (contacts.count === first) return;
    asked[0] = ways[1];
    if (ways[0] > ways[1]) this.dropFar(a, b, first);
    if (contacts.count === first) return;
    addPair(this.pairs, contacts, this.dynamics.bodies, bodies, a, b, first);
  }

  /**
   * Whether boxes around two bodies at their places are so far apart along an axis that the bodies do not come within `near` of each other
   * in the step.
   */
  private arePassing(a: number, b: number): boolean {
    const { turns, rests } = this;
    const { given } = this.cache.approach;
    const near = given[0];
    const time = given[1];
    const { velocity: v } = this.dynamics.bodies.state;
    const least = near + FASTER * (turns[a] + turns[b]);
    for (let i = 0; i < 3; i++) {
      const way = time * (v[TWIST_SIZE * a + i] - v[TWIST_SIZE * b + i]);
      const above = rests[6 * b + i] - rests[6 * a + 3 + i];
      const below = rests[6 * a + i] - rests[6 * b + 3 + i];
      if (above > least && above > least + way) return true;
      if (below > least && below > least - way) return true;
    }
    return false;
  }

  /** Measures the bodies that are awake, and others if they have changed. */
  private measureAll(gravity: Vec3): void {
    const { unmeasured, shapes, solids } = this;
    const { awake, awakeCount, count, isWhole } = this.dynamics.bodies;
    if (this.areSomeUnmeasured || isWhole) {
      shapes.length = solids.length = count;
      if (this.kinds.length < count) this.kinds = new Uint8Array(2 * count);
      for (let slot = 0; slot < count; slot++) if (this.isStill(slot)) this.measure(slot, gravity);
    } else for (const slot of unmeasured) if (this.isStill(slot)) this.measure(slot, gravity);
    this.areSomeUnmeasured = false;
    unmeasured.length = 0;
    for (let k = 0; k < awakeCount; k++) if (!this.isStill(awake[k])) this.measure(awake[k], gravity);
  }

  /** Measures shape and place of a body, its longest way in the step, and the box around its way if it moves. */
  private measure(slot: number, gravity: Vec3): void {
    const { poses } = this.slots;
    const { broad, cache, shapes, solids } = this;
    const { model } = this.dynamics.bodies;
    const compiled = this.shapeOf(slot);
    // The way also depends on impulses since the last step.
    if (model.motion[slot] === Motion.dynamic) limitSpeeds(this.dynamics.bodies, slot);
    this.travel(slot, gravity);
    shapes[slot] = compiled;
    solids[slot] = compiled?.polytope;
    this.kinds[slot] = solids[slot] ? SOLID : compiled ? SHAPE : NOTHING;
    cache.place(slot, poses, POSE_SIZE * slot, compiled);
    if (!compiled || compiled.parts.length === 0) return;
    frameBounds(compiled.bounds, cache.frames, box, FRAME * slot);
    for (let i = 0; i < 6; i++) this.rests[6 * slot + i] = box[i];
    if (this.isStill(slot)) return;
    this.sweepBox(slot);
    broad.setBox(slot, box);
  }

  /**
   * Widens `box` to the way of a body in the step. Of two bodies whose boxes do not meet, `arePassing` says that they pass each other: it adds
   * their ways, and each box holds that of its body. That is less than the longest way of a point, taken to all sides, which holds on other ways.
   */
  private sweepBox(slot: number): void {
    const h = this.asked[2];
    const { grain, pace } = this.dynamics.bodies.model;
    const { velocity } = this.dynamics.bodies.state;
    const distance = this.ownDistance(slot);
    const most = distance + this.travels[slot];
    const slack = SLACK * Math.max(grain[slot], (pace[slot] * pace[slot]) / grain[slot]) * h * h;
    const least = this.expected ? most : distance + slack + FASTER * this.turns[slot];
    for (let i = 0; i < 3; i++) {
      const way = FASTER * h * velocity[TWIST_SIZE * slot + i];
      box[i] -= Math.min(most, least - Math.min(0, way));
      box[3 + i] += Math.min(most, least + Math.max(0, way));
    }
  }

  /**
   * Drops contacts beyond `asked[0]` that the bodies will not reach in this step at their present velocities. A contact between surfaces
   * that only pass each other would be a wall that does not exist.
   */
  private dropFar(a: number, b: number, first: number): void {
    const { contacts, expected } = this;
    const near = this.asked[0];
    const h = this.asked[2];
    const { velocity, pose } = this.dynamics.bodies.state;
    let kept = first;
    for (let c = first; c < contacts.count; c++) {
      if (contacts.separation[c] <= near) {
        contacts.move(c, kept++);
        continue;
      }
      approachSpeed(contacts, c, pose, a, b, velocity, this.asked);
      let closing = Math.max(0, this.asked[1]);
      if (expected) {
        approachSpeed(contacts, c, pose, a, b, expected, this.asked);
        closing = Math.max(closing, this.asked[1]);
      }
      if (contacts.separation[c] <= near + FASTER * h * closing) contacts.move(c, kept++);
    }
    contacts.count = kept;
  }

  /** Gives contacts with covered edges that the bodies run into the normals that are felt there. */
  private settleSeams(): void {
    const { contacts, pairs, asked, expected, turns } = this;
    const h = asked[2];
    const { model, state } = this.dynamics.bodies;
    const { velocity, pose } = state;
    this.seams.begin(this.rests);
    for (let k = 0; k < pairs.count; k++) {
      const a = pairs.bodyA[k];
      const b = pairs.bodyB[k];
      asked[1] = 0;
      raiseSpeed(velocity, a, b, asked);
      if (expected) raiseSpeed(expected, a, b, asked);
      const most = h * asked[1] + turns[a] + turns[b];
      const distance = this.givenDistance >= 0 ? this.givenDistance : CONTACT_DISTANCE * model.grain[this.finer(a, b)];
      if (most <= STILL * distance) continue;
      for (let c = pairs.first[k]; c < pairs.end[k]; c++) {
        if (FASTER * most <= contacts.separation[c]) continue;
        approachSpeed(contacts, c, pose, a, b, velocity, asked);
        const way = h * asked[1];
        if (way <= STILL * distance || FASTER * way <= contacts.separation[c]) continue;
        if (this.seams.settle(contacts, c, k, distance) && c === pairs.first[k])
          writeFriction(pairs, contacts, this.dynamics.bodies, this.slots.bodies, k);
      }
    }
  }

  /** Wakes sleeping bodies whose boxes meet the box of a moving body; true if any woke. */
  private wakeHit(): boolean {
    const { broad } = this;
    let isAny = false;
    if (!this.dynamics.bodies.state.asleep.includes(1)) return false;
    for (let k = 0; k < broad.pairCount; k++) {
      const a = broad.pairs[2 * k];
      const b = broad.pairs[2 * k + 1];
      for (let side = 0; side < 2; side++) {
        const sleeper = side === 0 ? a : b;
        const other = side === 0 ? b : a;
        if (!this.sleep.isAsleep(sleeper) || !this.sleep.isMoving(other)) continue;
        this.sleep.wake(sleeper);
        isAny = true;
      }
    }
    if (!isAny) return false;
    this.dynamics.bodies.findAwake();
    this.noteStill();
    return true;
  }
}

const frame = identityFrame();
const box = new Float64Array(6);
const around = new Float64Array(6);
