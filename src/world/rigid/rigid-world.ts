import { BroadPhase } from "../../collision/broad/broad-phase";
import { collide } from "../../collision/narrow/collide";
import { compileRigidShape } from "../../collision/narrow/compile-shape";
import { ContactBuffer } from "../../collision/narrow/contact-buffer";
import { frameBounds, identityFrame, poseToFrame } from "../../collision/narrow/frame";
import { PliantError } from "../../errors";
import type { Quat, Vec3 } from "../../math/types";
import { Motion, POSE_SIZE, TWIST_SIZE } from "../../solvers/newton/bodies";
import { RigidDynamics } from "../../solvers/newton/dynamics";
import type { Joint } from "../../solvers/newton/joints/joint";
import { type NewtonOptions, resolveNewtonOptions } from "../../solvers/newton/options";
import { PairList } from "../../solvers/newton/pairs";
import { combine, resolveBodyOptions, type RigidBodyOptions } from "./body-options";
import { finiteVector, positive } from "./checks";
import { resolveMass } from "./mass";
import { conjugate, motionCode, product, RigidBody, rotationVector, turn } from "./rigid-body";
import { type JointOptions, RigidJoint } from "./rigid-joint";
import { Sleep } from "./sleep";
import { restoreState, type RigidSnapshot, takeSnapshot } from "./snapshot";

export interface RigidWorldOptions {
  /** [m/s²], default [0, −9.81, 0] */
  gravity?: Vec3 | undefined;
  /** steps in a frame, default 1 */
  substeps?: number | undefined;
  solver?: Partial<NewtonOptions> | undefined;
  /** contacts are looked for up to this distance [m] and how far bodies may come closer in the step; default 0.005 */
  contactDistance?: number | undefined;
  /** bodies may fall asleep, default true */
  sleeping?: boolean | undefined;
}

/**
 * Rigid bodies and joints, stepped on the CPU in f64: poses are there when `step` returns. The same bodies with the same ids
 * and calls give the same bits, in whatever order they were created.
 */
export class RigidWorld {
  readonly dynamics: RigidDynamics;
  /** contacts of the last step, and the pairs of bodies that they belong to */
  readonly contacts = new ContactBuffer(256);
  readonly pairs = new PairList();
  /** POSE_SIZE a body: poses of the bodies' own frames, by place */
  poses = new Float64Array(0);
  substeps: number;
  private gravityVector: Vec3;
  private readonly contactDistance: number;
  /** by place, that is in the order of ids */
  readonly bodies: RigidBody[] = [];
  readonly joints: RigidJoint[] = [];
  private readonly broad = new BroadPhase();
  /** @internal */
  readonly sleep: Sleep;
  private nextId = 0;
  private isBroadStale = false;
  private readonly heldJoints: Joint[] = [];
  private isJointsStale = false;

  /** @throws PliantError for options out of range */
  constructor(options: RigidWorldOptions = {}) {
    this.gravityVector = [...finiteVector("RigidWorld.gravity", options.gravity ?? [0, -9.81, 0])];
    this.substeps = options.substeps ?? 1;
    if (!Number.isInteger(this.substeps) || this.substeps < 1)
      throw new PliantError("invalid-argument", "RigidWorld.substeps", this.substeps, "must be a whole number above 0");
    this.contactDistance = positive("RigidWorld.contactDistance", options.contactDistance ?? 0.005);
    this.dynamics = new RigidDynamics(resolveNewtonOptions(options.solver));
    this.sleep = new Sleep(this.dynamics, options.sleeping ?? true);
  }

  get gravity(): Vec3 {
    return this.gravityVector;
  }

  set gravity(value: Vec3) {
    this.gravityVector = [...finiteVector("RigidWorld.gravity", value)];
    for (let slot = 0; slot < this.bodies.length; slot++) this.wake(slot);
  }

  /**
   * Changes options of the solver.
   *
   * @throws PliantError for values out of range; nothing is changed then
   */
  configure(options: Partial<NewtonOptions>): void {
    Object.assign(this.dynamics.options, resolveNewtonOptions({ ...this.dynamics.options, ...options }));
  }

  /** @throws PliantError for options out of range, a shape that is not valid, or an id that is taken */
  addBody(options: RigidBodyOptions = {}): RigidBody {
    const resolved = resolveBodyOptions(options, this.nextId);
    const place = this.placeOf(resolved.id);
    if (this.bodies[place]?.id === resolved.id)
      throw new PliantError("invalid-argument", `rigid body "${resolved.name}".id`, resolved.id, "is taken");
    const compiled = resolved.shape && compileRigidShape(resolved.shape, `rigid body "${resolved.name}".shape`);
    const isSurface = compiled?.parts.some((part) => part.surface !== undefined) ?? false;
    if (isSurface && resolved.motion === "dynamic" && !options.inertia)
      throw new PliantError("unsupported", `rigid body "${resolved.name}"`, "mesh", "must not be dynamic");
    const mass = resolved.motion === "dynamic" ? resolveMass(resolved) : infiniteMass;
    const body = new RigidBody(this, resolved, { slot: -1, compiled, mass, target: undefined });
    this.nextId = Math.max(this.nextId, resolved.id + 1);
    this.insert(body, place);
    return body;
  }

  /** @throws PliantError for options out of range, or a joint of a body with itself */
  addJoint(options: JointOptions): RigidJoint {
    const joint = new RigidJoint(this, options, this.joints.length === 0 ? 0 : this.joints.at(-1)!.id + 1);
    this.joints.push(joint);
    this.joints.sort((a, b) => a.id - b.id);
    this.isJointsStale = true;
    this.isBroadStale = true;
    this.wake(joint.bodyA.record.slot);
    this.wake(joint.bodyB.record.slot);
    return joint;
  }

  /**
   * One frame.
   *
   * @param dt [s]
   */
  step(dt: number): void {
    positive("RigidWorld.step", dt);
    if (this.bodies.length === 0) return;
    this.refresh();
    const h = dt / this.substeps;
    this.aim(dt);
    for (let k = 0; k < this.substeps; k++) {
      this.findContacts(h);
      this.dynamics.step(h, this.gravityVector, this.contacts, this.pairs, this.heldJoints);
      this.updatePoses();
      this.sleep.update(h, this.bodies);
    }
    this.settleTargets();
    this.dynamics.bodies.state.force.fill(0);
    for (let slot = 0; slot < this.bodies.length; slot++) this.broad.setStill(slot, this.isStill(slot));
  }

  /** Wakes a body, and those that it fell asleep with. */
  wake(slot: number): void {
    this.sleep.wake(slot);
  }

  /** All that a later run needs to go on from here with the same bits. */
  snapshot(): RigidSnapshot {
    return takeSnapshot(this);
  }

  /** @throws PliantError when bodies or joints are not those of the snapshot */
  restore(snapshot: RigidSnapshot): void {
    restoreState(this, snapshot);
    this.updatePoses();
    this.isBroadStale = true;
  }

  /** @internal */
  place(body: RigidBody, position: Vec3, rotation: Quat): void {
    this.wakeAround(body.record.slot);
    this.writePose(body, position, rotation);
    this.wakeAround(body.record.slot);
  }

  /** @internal */
  removeBody(body: RigidBody): void {
    for (const joint of [...this.joints]) if (joint.bodyA === body || joint.bodyB === body) joint.dispose();
    this.wakeAround(body.record.slot);
    const slot = body.record.slot;
    const slotOf = Int32Array.from({ length: this.bodies.length }, (_, k) => (k === slot ? -1 : k < slot ? k : k - 1));
    this.bodies.splice(slot, 1);
    this.renumber(slotOf, this.bodies.length);
  }

  /** @internal */
  removeJoint(joint: RigidJoint): void {
    this.wake(joint.bodyA.record.slot);
    this.wake(joint.bodyB.record.slot);
    this.joints.splice(this.joints.indexOf(joint), 1);
    this.isJointsStale = true;
    this.isBroadStale = true;
  }

  /** @internal Joints were turned on or off. */
  jointsChanged(): void {
    this.isJointsStale = true;
    this.isBroadStale = true;
  }

  /** First place whose id is not below this one. */
  private placeOf(id: number): number {
    let low = 0;
    let high = this.bodies.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.bodies[middle].id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private insert(body: RigidBody, place: number): void {
    const { bodies: table } = this.dynamics;
    const last = this.bodies.length;
    table.append();
    if (this.poses.length < POSE_SIZE * table.capacity) {
      const longer = new Float64Array(POSE_SIZE * table.capacity);
      longer.set(this.poses);
      this.poses = longer;
    }
    this.sleep.reserve(table.capacity);
    this.bodies.push(body);
    if (place < last) {
      const slotOf = Int32Array.from({ length: last + 1 }, (_, k) => (k === last ? place : k < place ? k : k + 1));
      this.bodies.splice(last, 1);
      this.bodies.splice(place, 0, body);
      this.renumber(slotOf, last + 1);
    } else body.record.slot = last;
    this.isBroadStale = true;
    this.fill(body);
    this.wakeAround(body.record.slot);
  }

  private renumber(slotOf: Int32Array, count: number): void {
    this.dynamics.bodies.renumber(slotOf, count);
    this.dynamics.cache.renumber(slotOf);
    this.sleep.renumber(slotOf);
    this.bodies.forEach((body, slot) => (body.record.slot = slot));
    this.isBroadStale = true;
    this.isJointsStale = true;
    this.updatePoses();
  }

  /** Writes what a body is into the tables. */
  private fill(body: RigidBody): void {
    const { model, state } = this.dynamics.bodies;
    const { options, record } = body;
    const { slot, mass } = record;
    model.motion[slot] = motionCode[options.motion];
    const isDynamic = options.motion === "dynamic";
    model.inverseMass[slot] = isDynamic ? 1 / mass.mass : 0;
    for (let i = 0; i < 3; i++) {
      model.inertia[3 * slot + i] = isDynamic ? mass.inertia[i] : 0;
      model.inverseInertia[3 * slot + i] = isDynamic && mass.inertia[i] > 0 ? 1 / mass.inertia[i] : 0;
    }
    model.gravityFactor[slot] = options.gravityFactor;
    model.linearDamping[slot] = options.linearDamping;
    model.angularDamping[slot] = options.angularDamping;
    model.maxLinearSpeed[slot] = options.maxLinearSpeed;
    model.maxAngularSpeed[slot] = options.maxAngularSpeed;
    this.writePose(body, options.position, options.rotation);
    for (let i = 0; i < 3; i++) {
      state.velocity[TWIST_SIZE * slot + i] = options.motion === "static" ? 0 : options.linearVelocity[i];
      state.velocity[TWIST_SIZE * slot + 3 + i] = options.motion === "static" ? 0 : options.angularVelocity[i];
    }
  }

  /** The solver's pose from that of the body: centre of mass and principal axes. */
  private writePose(body: RigidBody, position: Vec3, rotation: Quat): void {
    const { slot, mass } = body.record;
    const { pose } = this.dynamics.bodies.state;
    const offset = turn(rotation, mass.centreOfMass);
    const q = product(rotation, mass.inertiaRotation);
    const at = POSE_SIZE * slot;
    for (let i = 0; i < 3; i++) {
      pose[at + i] = position[i] + offset[i];
      this.poses[at + i] = position[i];
    }
    for (let i = 0; i < 4; i++) {
      pose[at + 3 + i] = q[i];
      this.poses[at + 3 + i] = rotation[i];
    }
    if (this.broad.has(slot) && !this.isBroadStale) this.writeBox(slot, 0);
  }

  /** Poses of the bodies' frames from those of the solver. */
  private updatePoses(): void {
    const { pose } = this.dynamics.bodies.state;
    const { poses } = this;
    for (let slot = 0; slot < this.bodies.length; slot++) {
      const at = POSE_SIZE * slot;
      const { mass } = this.bodies[slot].record;
      if (mass.isPlain === true) {
        for (let i = 0; i < POSE_SIZE; i++) poses[at + i] = pose[at + i];
        continue;
      }
      const q: Quat = [pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6]];
      const rotation = product(q, conjugate(mass.inertiaRotation));
      const offset = turn(rotation, mass.centreOfMass);
      for (let i = 0; i < 3; i++) poses[at + i] = pose[at + i] - offset[i];
      for (let i = 0; i < 4; i++) poses[at + 3 + i] = rotation[i];
    }
  }

  /** Broad phase and joints after bodies or joints came or went. */
  private refresh(): void {
    if (this.isJointsStale) {
      this.heldJoints.length = 0;
      for (const joint of this.joints) {
        joint.refreshSlots();
        if (joint.isEnabled) this.heldJoints.push(joint.solver);
      }
      this.isJointsStale = false;
    }
    if (!this.isBroadStale) return;
    this.isBroadStale = false;
    for (let slot = 0; this.broad.has(slot); slot++) this.broad.remove(slot);
    this.bodies.forEach((body, slot) => {
      this.broad.add(slot, this.isStill(slot), body.options.membership, body.options.collideWith);
      this.writeBox(slot, 0);
    });
    for (const joint of this.joints)
      if (joint.isEnabled && !joint.collision)
        this.broad.setPairEnabled(joint.bodyA.record.slot, joint.bodyB.record.slot, false);
  }

  private isStill(slot: number): boolean {
    const { model, state } = this.dynamics.bodies;
    return model.motion[slot] === Motion.static || state.asleep[slot] === 1;
  }

  /** Box of a body, widened by what it may move in h. */
  private writeBox(slot: number, h: number): void {
    const { compiled } = this.bodies[slot].record;
    if (!compiled || compiled.parts.length === 0) return;
    poseToFrame(this.poses, POSE_SIZE * slot, frame);
    frameBounds(compiled.bounds, frame, box);
    const reach = h > 0 ? this.travel(slot, h) + this.contactDistance : this.contactDistance;
    for (let i = 0; i < 3; i++) {
      box[i] -= reach;
      box[3 + i] += reach;
    }
    this.broad.setBox(slot, box);
  }

  /** How far a point of the body may get in a step [m]. */
  private travel(slot: number, h: number): number {
    const { state, model } = this.dynamics.bodies;
    if (model.motion[slot] === Motion.static || state.asleep[slot] === 1) return 0;
    const at = TWIST_SIZE * slot;
    const v = state.velocity;
    const [gx, gy, gz] = this.gravityVector;
    const g = model.motion[slot] === Motion.dynamic ? h * Math.abs(model.gravityFactor[slot]) : 0;
    const x = v[at] + g * gx;
    const y = v[at + 1] + g * gy;
    const z = v[at + 2] + g * gz;
    const spin = Math.sqrt(v[at + 3] * v[at + 3] + v[at + 4] * v[at + 4] + v[at + 5] * v[at + 5]);
    const { compiled } = this.bodies[slot].record;
    return h * (Math.sqrt(x * x + y * y + z * z) + spin * (compiled?.reach ?? 0));
  }

  /** Pairs whose boxes meet, and their contacts; who is hit wakes up. */
  private findContacts(h: number): void {
    const { broad, bodies } = this;
    const { model } = this.dynamics.bodies;
    for (let slot = 0; slot < bodies.length; slot++) if (!this.isStill(slot)) this.writeBox(slot, h);
    broad.findPairs();
    while (this.wakeHit()) broad.findPairs();
    this.contacts.clear();
    this.pairs.clear();
    for (let k = 0; k < broad.pairCount; k++) {
      const a = broad.pairs[2 * k];
      const b = broad.pairs[2 * k + 1];
      // Two bodies that nothing pushes have nothing to tell each other.
      if (model.motion[a] !== Motion.dynamic && model.motion[b] !== Motion.dynamic) continue;
      const { compiled: shapeA } = bodies[a].record;
      const { compiled: shapeB } = bodies[b].record;
      if (!shapeA || !shapeB) continue;
      const margin = this.contactDistance + this.travel(a, h) + this.travel(b, h);
      const first = this.contacts.count;
      collide(shapeA, this.poses, POSE_SIZE * a, shapeB, this.poses, POSE_SIZE * b, margin, this.contacts);
      if (margin > this.contactDistance + h * h * 20) this.dropFar(a, b, first, h);
      if (this.contacts.count === first) continue;
      const oa = bodies[a].options;
      const ob = bodies[b].options;
      this.pairs.add(
        a,
        b,
        first,
        this.contacts.count,
        combine(oa.friction, ob.friction, oa.frictionCombine, ob.frictionCombine),
        combine(oa.restitution, ob.restitution, oa.restitutionCombine, ob.restitutionCombine),
        oa.isTrigger || ob.isTrigger,
      );
    }
  }

  /**
   * Forgets contacts that the bodies will not reach in this step as they move now: one between surfaces that only pass each
   * other would be a wall that is not there.
   */
  private dropFar(a: number, b: number, first: number, h: number): void {
    const { contacts } = this;
    const { pose, velocity: v } = this.dynamics.bodies.state;
    const [u, w] = [TWIST_SIZE * a, TWIST_SIZE * b];
    const [x, y] = [POSE_SIZE * a, POSE_SIZE * b];
    const { pointA, pointB, normal } = contacts;
    let kept = first;
    for (let c = first; c < contacts.count; c++) {
      const i = 3 * c;
      const [px, py, pz] = [pointA[i] - pose[x], pointA[i + 1] - pose[x + 1], pointA[i + 2] - pose[x + 2]];
      const [qx, qy, qz] = [pointB[i] - pose[y], pointB[i + 1] - pose[y + 1], pointB[i + 2] - pose[y + 2]];
      const closing =
        normal[i] * (v[u] + v[u + 4] * pz - v[u + 5] * py - v[w] - v[w + 4] * qz + v[w + 5] * qy) +
        normal[i + 1] * (v[u + 1] + v[u + 5] * px - v[u + 3] * pz - v[w + 1] - v[w + 5] * qx + v[w + 3] * qz) +
        normal[i + 2] * (v[u + 2] + v[u + 3] * py - v[u + 4] * px - v[w + 2] - v[w + 3] * qy + v[w + 4] * qx);
      const reach = this.contactDistance + h * h * 20 + 1.25 * h * Math.max(0, closing);
      if (contacts.separation[c] <= reach) contacts.move(c, kept++);
    }
    contacts.count = kept;
  }

  /** Wakes bodies whose box one meets that moves; true if any woke. */
  private wakeHit(): boolean {
    const { broad } = this;
    let isAny = false;
    for (let k = 0; k < broad.pairCount; k++) {
      const a = broad.pairs[2 * k];
      const b = broad.pairs[2 * k + 1];
      for (let side = 0; side < 2; side++) {
        const sleeper = side === 0 ? a : b;
        const other = side === 0 ? b : a;
        if (!this.sleep.isAsleep(sleeper) || !this.sleep.isMoving(other)) continue;
        this.wake(sleeper);
        isAny = true;
      }
    }
    if (isAny) for (let slot = 0; slot < this.bodies.length; slot++) broad.setStill(slot, this.isStill(slot));
    return isAny;
  }

  private wakeAround(slot: number): void {
    this.wake(slot);
    if (!this.broad.has(slot) || this.isBroadStale) {
      for (let k = 0; k < this.bodies.length; k++) this.wake(k);
      return;
    }
    const o = 6 * slot;
    for (let k = 0; k < this.bodies.length; k++) {
      const p = 6 * k;
      let isApart = false;
      for (let i = 0; i < 3; i++)
        if (
          this.broad.boxes[o + i] > this.broad.boxes[p + 3 + i] ||
          this.broad.boxes[p + i] > this.broad.boxes[o + 3 + i]
        )
          isApart = true;
      if (!isApart) this.wake(k);
    }
  }

  /** Velocities of kinematic bodies that have a target. */
  private aim(dt: number): void {
    for (const body of this.bodies) {
      const { target } = body.record;
      if (!target) continue;
      const at = TWIST_SIZE * body.record.slot;
      const v = this.dynamics.bodies.state.velocity;
      const from = body.position;
      for (let i = 0; i < 3; i++) v[at + i] = (target.position[i] - from[i]) / dt;
      const spin = rotationVector(product(target.rotation, conjugate(body.rotation)));
      for (let i = 0; i < 3; i++) v[at + 3 + i] = spin[i] / dt;
    }
  }

  /** Kinematic bodies that went for a target are there, and stand until they get another. */
  private settleTargets(): void {
    for (const body of this.bodies) {
      const { target } = body.record;
      if (!target) continue;
      this.writePose(body, target.position, target.rotation);
      body.record.target = undefined;
      const at = TWIST_SIZE * body.record.slot;
      this.dynamics.bodies.state.velocity.fill(0, at, at + TWIST_SIZE);
    }
  }
}

const frame = identityFrame();
const box = new Float64Array(6);
const infiniteMass = {
  mass: 0,
  centreOfMass: [0, 0, 0],
  inertia: [0, 0, 0],
  inertiaRotation: [0, 0, 0, 1],
  isPlain: true,
} as const;
