import { resized } from "../../math/arrays";
import type { Quat, Vec3 } from "../../math/types";
import { distanceBetween, lengthAt } from "../../math/vectors";
import { Motion, POSE_SIZE, TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../solvers/newton/dynamics";
import { writeScale } from "../../solvers/newton/scale";
import type { MassProperties } from "./body-options";
import { motionCode, type RigidBody } from "./rigid-body";
import { product, turn } from "../../math/quaternions";

/** Highest speed of a body, if the user sets none [m/s]. */
const FASTEST = 1000;
/** Default of `maxAngularSpeed`, in units of pace / grain [rad/s] */
const FASTEST_SPIN = 200;

/** Longest free fall in a step, in reaches of the body. */
const LONGEST_FALL = 0.35;
/** Most steps in a frame that small bodies ask for. */
const MOST_SUBSTEPS = 8;
/** A wall that turns may leave a body that goes round with it this far behind in a step, in reaches of the body. */
const LONGEST_LAG = 0.1;
/** Most steps in a frame that bodies beside a wall that turns ask for. */
const MOST_TURNS = 24;

/**
 * The bodies of a world by place, in the order of their ids, and their rows in the solver's tables. The solver
 * describes a body by its center of mass and principal axes; users describe it by the frame of its shape.
 */
export class BodySlots {
  readonly bodies: RigidBody[] = [];
  /** POSE_SIZE a body: poses of the bodies' own frames, by place */
  poses = new Float64Array(0);

  constructor(private readonly dynamics: RigidDynamics) {}

  /** First place whose id is not below the given one. */
  placeOf(id: number): number {
    let low = 0;
    let high = this.bodies.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.bodies[middle].id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Makes room in the tables and puts a body at a place. Call `fill` afterwards.
   *
   * @returns new places of the other bodies, by their old places; undefined if they stayed
   */
  insert(body: RigidBody, place: number): Int32Array | undefined {
    const { bodies: table } = this.dynamics;
    const last = this.bodies.length;
    table.append();
    if (this.poses.length < POSE_SIZE * table.capacity)
      this.poses = resized(this.poses, new Float64Array(POSE_SIZE * table.capacity));
    this.bodies.splice(place, 0, body);
    body.record.slot = place;
    return place < last
      ? Int32Array.from({ length: last + 1 }, (_, k) => (k === last ? place : k < place ? k : k + 1))
      : undefined;
  }

  /** @returns new places of the other bodies, by their old places; −1 for the body itself */
  remove(body: RigidBody): Int32Array {
    const { slot } = body.record;
    const slotOf = Int32Array.from({ length: this.bodies.length }, (_, k) => (k === slot ? -1 : k < slot ? k : k - 1));
    this.bodies.splice(slot, 1);
    return slotOf;
  }

  /** Moves the tables after bodies came or went. */
  renumber(slotOf: Int32Array): void {
    this.dynamics.bodies.renumber(slotOf, this.bodies.length);
    this.dynamics.stepper?.renumber(slotOf);
    const old = this.poses.slice(0, POSE_SIZE * slotOf.length);
    slotOf.forEach((slot, k) => {
      if (slot >= 0) this.poses.set(old.subarray(POSE_SIZE * k, POSE_SIZE * (k + 1)), POSE_SIZE * slot);
    });
    this.bodies.forEach((body, slot) => (body.record.slot = slot));
  }

  /** Writes the properties, the pose and the motion of a body into the tables. */
  fill(body: RigidBody): void {
    const { position, rotation, linearVelocity, angularVelocity } = body.options;
    this.writeModel(body);
    this.writePose(body, position, rotation);
    const { velocity } = this.dynamics.bodies.state;
    const at = TWIST_SIZE * body.record.slot;
    const moves = body.options.motion !== "static";
    for (let i = 0; i < 3; i++) {
      velocity[at + i] = moves ? linearVelocity[i] : 0;
      velocity[at + 3 + i] = moves ? angularVelocity[i] : 0;
    }
  }

  /** Writes the properties of a body, but not its pose, into the tables. */
  writeModel(body: RigidBody): void {
    const { bodies } = this.dynamics;
    const { model } = bodies;
    const { options, record } = body;
    const { slot, mass } = record;
    bodies.wakes++;
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
  }

  /** Writes the units of a body's thresholds, for the given gravity [m/s²]. */
  measure(body: RigidBody, gravity: Vec3): void {
    const { options, record } = body;
    const { model } = this.dynamics.bodies;
    const { slot, compiled } = record;
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    writeScale(model, slot, options.motion === "dynamic" ? (compiled?.reach ?? 0) : 0, g);
    model.maxLinearSpeed[slot] = options.maxLinearSpeed ?? FASTEST * Math.max(1, model.pace[slot]);
    // small bodies may turn faster: the rims of wheels of any size then get as fast as things of that size do
    model.maxAngularSpeed[slot] =
      options.maxAngularSpeed ?? FASTEST_SPIN * Math.max(1, model.pace[slot] / model.grain[slot]);
  }

  /** Writes the solver's pose, of center of mass and principal axes, from that of the body. */
  writePose(body: RigidBody, position: Vec3, rotation: Quat): void {
    const { slot, mass } = body.record;
    const { pose } = this.dynamics.bodies.state;
    const offset = turn(rotation, mass.centerOfMass);
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
  }

  /**
   * Number of steps in a frame of dt [s] that dynamic bodies ask for which are so small that free fall from rest takes them further than about a
   * third of their size in one step. In such a step they would also hit bodies that are two bodies away.
   */
  stepsOf(dt: number, gravity: Vec3): number {
    const { bodies } = this.dynamics;
    const g = lengthAt(gravity, 0);
    let needed = 0;
    for (let k = 0; k < bodies.awakeCount; k++) {
      const slot = bodies.awake[k];
      const { compiled } = this.bodies[slot].record;
      if (!compiled || bodies.model.motion[slot] !== Motion.dynamic || bodies.state.asleep[slot] === 1) continue;
      const { reach } = compiled;
      if (reach === 0) continue;
      needed = Math.max(needed, (g * Math.abs(bodies.model.gravityFactor[slot]) * dt * dt) / (LONGEST_FALL * reach));
    }
    return Math.min(MOST_SUBSTEPS, Math.ceil(Math.sqrt(needed)));
  }

  /**
   * Number of steps in a frame of dt [s] that dynamic bodies near a kinematic one that turns ask for. A body that goes round with a wall goes
   * straight on in a step, and so ½ (ω h)² r out of it, r from the axis.
   */
  turnsOf(dt: number): number {
    const { state, model, awake, awakeCount } = this.dynamics.bodies;
    let needed = 0;
    for (let k = 0; k < awakeCount; k++) {
      const turning = awake[k];
      const { compiled } = this.bodies[turning].record;
      if (!compiled || model.motion[turning] !== Motion.kinematic) continue;
      const angle = dt * lengthAt(state.velocity, TWIST_SIZE * turning + 3);
      if (!(angle > 0)) continue;
      for (let j = 0; j < awakeCount; j++) {
        const slot = awake[j];
        const reach = this.bodies[slot].record.compiled?.reach ?? 0;
        if (!(reach > 0) || model.motion[slot] !== Motion.dynamic || state.asleep[slot] === 1) continue;
        const apart = distanceBetween(state.pose, POSE_SIZE * slot, POSE_SIZE * turning);
        if (apart > reach + compiled.reach) continue;
        needed = Math.max(needed, (angle * angle * Math.min(apart, compiled.reach)) / (2 * LONGEST_LAG * reach));
      }
    }
    return Math.min(MOST_TURNS, Math.ceil(Math.sqrt(needed)));
  }

  /** Computes poses of the frames of the bodies that are awake from those of the solver. */
  updatePoses(): void {
    const { awake, awakeCount, state } = this.dynamics.bodies;
    const { pose } = state;
    const { poses } = this;
    for (let k = 0; k < awakeCount; k++) {
      const at = POSE_SIZE * awake[k];
      const { mass } = this.bodies[awake[k]].record;
      if (mass.isPlain === true) {
        for (let i = 0; i < POSE_SIZE; i++) poses[at + i] = pose[at + i];
        continue;
      }
      writeFrame(pose, at, mass, poses);
    }
  }
}

/**
 * The frame of a body from the pose of its center of mass and principal axes: q p̄ and x − R c, with p the rotation of
 * the axes in the frame and c the center of mass there. Written out, since it runs for every body in every step.
 */
function writeFrame(pose: Float64Array, at: number, mass: MassProperties, out: Float64Array): void {
  const qx = pose[at + 3];
  const qy = pose[at + 4];
  const qz = pose[at + 5];
  const qw = pose[at + 6];
  const px = -mass.inertiaRotation[0];
  const py = -mass.inertiaRotation[1];
  const pz = -mass.inertiaRotation[2];
  const pw = mass.inertiaRotation[3];
  const x = qw * px + qx * pw + qy * pz - qz * py;
  const y = qw * py + qy * pw + qz * px - qx * pz;
  const z = qw * pz + qz * pw + qx * py - qy * px;
  const w = qw * pw - qx * px - qy * py - qz * pz;
  const cx = mass.centerOfMass[0];
  const cy = mass.centerOfMass[1];
  const cz = mass.centerOfMass[2];
  const tx = 2 * (y * cz - z * cy);
  const ty = 2 * (z * cx - x * cz);
  const tz = 2 * (x * cy - y * cx);
  out[at] = pose[at] - (cx + w * tx + y * tz - z * ty);
  out[at + 1] = pose[at + 1] - (cy + w * ty + z * tx - x * tz);
  out[at + 2] = pose[at + 2] - (cz + w * tz + x * ty - y * tx);
  out[at + 3] = x;
  out[at + 4] = y;
  out[at + 5] = z;
  out[at + 6] = w;
}
