import { turn } from "../../math/quaternions";
import { cross } from "../../math/vectors";
import { invalid, PliantError } from "../../errors";
import { checkNames } from "../../option-names";
import type { RigidShape } from "../../collision/narrow/shapes/rigid-shape";
import type { ColliderShape } from "../../collision/shape/shape";
import type { Quat, Vec3 } from "../../math/types";
import { Motion, POSE_SIZE, TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import { bodyChangeNames, type MassProperties, type ResolvedBodyOptions, type RigidBodyChanges } from "./body-options";
import { finiteNumber, finiteQuat, finiteVector, notNegative } from "./checks";
import type { RigidDynamics } from "../../solvers/newton/dynamics";

/** The data of a body that its world uses; not for users. */
export interface BodyRecord {
  /** place in the solver's tables; changes as bodies come and go */
  slot: number;
  compiled: RigidShape | undefined;
  mass: MassProperties;
  /** the pose that a kinematic body is to have after the next frame */
  target: { position: Vec3; rotation: Quat } | undefined;
  /** what of the forces of the next frame comes from deformable bodies, as others seemed to hold the body; see `HeldLoads` */
  held?: Float64Array | undefined;
  /** whether it sleeps with deformable bodies: their push is that of the step before */
  rests?: boolean | undefined;
}

/** The world of a body; see `RigidCore`. */
interface BodyHost {
  readonly poses: Float64Array;
  readonly dynamics: RigidDynamics;
  readonly sleep: { put(slot: number): void };
  wake(slot: number): void;
  place(body: RigidBody, position: Vec3, rotation: Quat): void;
  change(body: RigidBody, changes: RigidBodyChanges): void;
  removeBody(body: RigidBody): void;
}

/**
 * A rigid body. Made by `RigidWorld.addBody`. Getters give the state at the end of the last step. After disposal every
 * call throws `disposed`.
 *
 * @example
 * ```ts
 * const box = world.addRigidBody({ shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] }, mass: 1, position: [0, 1, 0] });
 * world.step(1 / 60);
 * console.log(box.position);
 * ```
 */
export class RigidBody {
  readonly id: number = this.options.id;
  readonly name: string = this.options.name;
  /** @internal */
  readonly record: BodyRecord;
  /** @internal counts changes by `change` */
  revision = 0;
  private disposed = false;

  /** @internal */
  constructor(
    private readonly world: BodyHost,
    readonly options: ResolvedBodyOptions,
    record: BodyRecord,
  ) {
    this.record = record;
  }

  get shape(): ColliderShape | undefined {
    return this.options.shape;
  }

  get motion(): "static" | "kinematic" | "dynamic" {
    return this.options.motion;
  }

  /** origin of the body's frame [m] */
  get position(): Vec3 {
    const at = this.at() * POSE_SIZE;
    const { poses } = this.world;
    return [poses[at], poses[at + 1], poses[at + 2]];
  }

  get rotation(): Quat {
    const at = this.at() * POSE_SIZE + 3;
    const { poses } = this.world;
    return [poses[at], poses[at + 1], poses[at + 2], poses[at + 3]];
  }

  /** velocity of the center of mass [m/s] */
  get linearVelocity(): Vec3 {
    const at = this.at() * TWIST_SIZE;
    const v = this.world.dynamics.bodies.state.velocity;
    return [v[at], v[at + 1], v[at + 2]];
  }

  set linearVelocity(value: Vec3) {
    this.check();
    this.setVelocity(0, finiteVector(this.label("linearVelocity"), value));
  }

  /** [rad/s], world axes */
  get angularVelocity(): Vec3 {
    const at = this.at() * TWIST_SIZE + 3;
    const v = this.world.dynamics.bodies.state.velocity;
    return [v[at], v[at + 1], v[at + 2]];
  }

  set angularVelocity(value: Vec3) {
    this.check();
    this.setVelocity(3, finiteVector(this.label("angularVelocity"), value));
  }

  /** center of mass in world axes [m] */
  get centerOfMass(): Vec3 {
    const at = this.at() * POSE_SIZE;
    const { pose } = this.world.dynamics.bodies.state;
    return [pose[at], pose[at + 1], pose[at + 2]];
  }

  /** @param out position, rotation, linear and angular velocity, 13 numbers: changed */
  stateToRef(out: Float64Array): void {
    const slot = this.at();
    const { poses } = this.world;
    const { velocity } = this.world.dynamics.bodies.state;
    for (let i = 0; i < POSE_SIZE; i++) out[i] = poses[POSE_SIZE * slot + i];
    for (let i = 0; i < TWIST_SIZE; i++) out[POSE_SIZE + i] = velocity[TWIST_SIZE * slot + i];
  }

  get mass(): number {
    this.check();
    return this.record.mass.mass;
  }

  get massProperties(): MassProperties {
    this.check();
    return this.record.mass;
  }

  get friction(): number {
    return this.options.friction;
  }

  set friction(value: number) {
    this.check();
    this.options.friction = notNegative(this.label("friction"), value);
    this.revision++;
    this.wake();
  }

  get restitution(): number {
    return this.options.restitution;
  }

  set restitution(value: number) {
    this.check();
    this.options.restitution = notNegative(this.label("restitution"), value);
    this.wake();
  }

  /** [1/s] */
  set linearDamping(value: number) {
    this.check();
    this.options.linearDamping = notNegative(this.label("linearDamping"), value);
    this.world.dynamics.bodies.model.linearDamping[this.at()] = value;
  }

  get linearDamping(): number {
    return this.options.linearDamping;
  }

  /** [1/s] */
  set angularDamping(value: number) {
    this.check();
    this.options.angularDamping = notNegative(this.label("angularDamping"), value);
    this.world.dynamics.bodies.model.angularDamping[this.at()] = value;
  }

  get angularDamping(): number {
    return this.options.angularDamping;
  }

  set gravityFactor(value: number) {
    this.check();
    this.options.gravityFactor = finiteNumber(this.label("gravityFactor"), value);
    this.world.dynamics.bodies.model.gravityFactor[this.at()] = value;
    this.wake();
  }

  get gravityFactor(): number {
    return this.options.gravityFactor;
  }

  get isAsleep(): boolean {
    return this.world.dynamics.bodies.state.asleep[this.at()] === 1;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Wakes the body, and the bodies that fell asleep with it. */
  wake(): void {
    this.world.wake(this.at());
  }

  /** Puts a dynamic body to sleep at its present place, until a moving body touches it or a call wakes it. */
  sleep(): void {
    this.check();
    if (this.motion === "dynamic") this.world.sleep.put(this.record.slot);
  }

  /** Moves the body to another pose at once. */
  teleport(position: Vec3, rotation: Quat = this.rotation): void {
    this.check();
    finiteVector(this.label("teleport"), position);
    this.world.place(this, position, finiteQuat(this.label("teleport"), rotation));
  }

  /**
   * Sets the pose of a kinematic body at the end of the next frame; the body gets the velocity that takes it there.
   *
   * @throws PliantError `invalid-argument` for a body that is not kinematic
   */
  moveTo(position: Vec3, rotation: Quat = this.rotation): void {
    this.check();
    if (this.motion !== "kinematic") throw invalid(this.label("moveTo"), this.motion, "is for kinematic bodies");
    finiteVector(this.label("moveTo"), position);
    this.record.target = { position: [...position], rotation: finiteQuat(this.label("moveTo"), rotation) };
  }

  /** @param force [N] for the next frame, at `point` [m] in the world, default the center of mass */
  applyForce(force: Vec3, point?: Vec3): void {
    this.check();
    finiteVector(this.label("applyForce"), force);
    if (point) finiteVector(this.label("applyForce point"), point);
    if (this.motion !== "dynamic") return;
    this.wake();
    const { bodies } = this.world.dynamics;
    this.add(bodies.state.force, force, 1, point);
  }

  /** @param torque [N m] for the next frame */
  applyTorque(torque: Vec3): void {
    this.check();
    finiteVector(this.label("applyTorque"), torque);
    if (this.motion !== "dynamic") return;
    this.wake();
    const { force } = this.world.dynamics.bodies.state;
    for (let i = 0; i < 3; i++) force[TWIST_SIZE * this.at() + 3 + i] += torque[i];
  }

  /** @param impulse [N s], at `point` [m] in the world, default the center of mass */
  applyImpulse(impulse: Vec3, point?: Vec3): void {
    this.check();
    finiteVector(this.label("applyImpulse"), impulse);
    if (point) finiteVector(this.label("applyImpulse point"), point);
    if (this.motion !== "dynamic") return;
    const arm = this.arm(point);
    this.push(impulse, cross(arm, impulse));
  }

  /** @param impulse [N m s] */
  applyAngularImpulse(impulse: Vec3): void {
    this.check();
    finiteVector(this.label("applyAngularImpulse"), impulse);
    if (this.motion === "dynamic") this.push([0, 0, 0], impulse);
  }

  /**
   * The impulse of contacts on the body in the last step (with substeps: in the last of them).
   *
   * @param out impulse [N s] and angular impulse about the world's origin [N m s], six numbers: changed
   */
  contactWrenchToRef(out: Float64Array): void {
    const { stepper } = this.world.dynamics;
    if (stepper) stepper.contactWrench(this.at(), out);
    else out.fill(0);
  }

  /**
   * Changes properties of the body. The body keeps its place and the velocity of its center of mass, joints keep their
   * places on it, and bodies that touch it wake up. An option that is given as undefined gets its default.
   *
   * @throws PliantError for options out of range, or a shape that is not valid; nothing is changed then
   */
  change(changes: RigidBodyChanges): void {
    this.check();
    checkNames(`rigid body "${this.name}"`, changes, bodyChangeNames);
    this.world.change(this, changes);
    this.revision++;
  }

  dispose(): void {
    if (this.disposed) return;
    this.world.removeBody(this);
    this.disposed = true;
  }

  /** u += M⁻¹ (impulse, angular impulse about the center of mass) */
  private push(impulse: Vec3, angular: Vec3): void {
    this.wake();
    const { bodies } = this.world.dynamics;
    const slot = this.at();
    const at = TWIST_SIZE * slot;
    const { velocity, pose } = bodies.state;
    for (let i = 0; i < 3; i++) velocity[at + i] += impulse[i] * bodies.model.inverseMass[slot];
    const q: Quat = [
      -pose[POSE_SIZE * slot + 3],
      -pose[POSE_SIZE * slot + 4],
      -pose[POSE_SIZE * slot + 5],
      pose[POSE_SIZE * slot + 6],
    ];
    const local = turn(q, angular);
    for (let i = 0; i < 3; i++) local[i] *= bodies.model.inverseInertia[3 * slot + i];
    const world = turn([-q[0], -q[1], -q[2], q[3]], local);
    for (let i = 0; i < 3; i++) velocity[at + 3 + i] += world[i];
  }

  private add(out: Float64Array, force: Vec3, scale: number, point: Vec3 | undefined): void {
    const at = TWIST_SIZE * this.at();
    const moment = cross(this.arm(point), force);
    for (let i = 0; i < 3; i++) {
      out[at + i] += scale * force[i];
      out[at + 3 + i] += scale * moment[i];
    }
  }

  private arm(point: Vec3 | undefined): Vec3 {
    if (!point) return [0, 0, 0];
    const c = this.centerOfMass;
    return [point[0] - c[0], point[1] - c[1], point[2] - c[2]];
  }

  private setVelocity(offset: number, value: Vec3): void {
    if (this.motion === "static") return;
    this.wake();
    const at = TWIST_SIZE * this.at() + offset;
    for (let i = 0; i < 3; i++) this.world.dynamics.bodies.state.velocity[at + i] = value[i];
  }

  private at(): number {
    this.check();
    return this.record.slot;
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", `rigid body "${this.name}"`, "a call", "was disposed");
  }

  private label(what: string): string {
    return `rigid body "${this.name}".${what}`;
  }
}

/** The solver's codes for kinds of motion. */
export const motionCode: Readonly<Record<"static" | "kinematic" | "dynamic", Motion>> = Motion;
