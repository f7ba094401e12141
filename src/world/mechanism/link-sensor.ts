/**
 * Sensors on links: a gyroscope, an accelerometer and a load cell in one. All of them follow from states at the ends of
 * frames and from impulses in between, so they count blows and friction exactly as they were.
 */
import { updateKinematics, updateInertias } from "../../articulated/dynamics/kinematics";
import { linkPose } from "../../articulated/link-pose";
import { type ArticulatedModel, WORLD } from "../../articulated/model";
import { ArticulatedScratch } from "../../articulated/scratch";
import { inertiaTimes } from "../../articulated/spatial";
import { conjugate, product, turn } from "../../math/quaternions";
import { optionNames } from "../../option-names";
import type { Quat, Vec3 } from "../../math/types";
import { cross } from "../../math/vectors";

/** Place of a sensor in the axes of its link. */
export interface LinkSensorOptions {
  /** [m], default the origin of the link */
  readonly position?: Vec3;
  /** axes of the sensor, default those of the link */
  readonly rotation?: Quat;
}

export const linkSensorNames = optionNames<LinkSensorOptions>()("position rotation");

/**
 * A sensor on a link of a mechanism, made by `Mechanism.addSensor`. All vectors are in the axes of the sensor. Until the
 * end of the next frame they are zero.
 *
 * @example
 * ```ts
 * const { mechanism } = await loadUrdf(text);
 * const arm = world.addMechanism(mechanismModel(mechanism));
 * const sensor = arm.addSensor("hand", { position: [0, 0, 0.05] });
 * world.step(1 / 60);
 * console.log(sensor.acceleration);
 * ```
 */
export class LinkSensor {
  /** of the sensor [rad/s], as a gyroscope tells it, and [m/s] */
  readonly angularVelocity: Vec3 = [0, 0, 0];
  readonly velocity: Vec3 = [0, 0, 0];
  /** Mean acceleration in the last frame less that of free fall, as an accelerometer tells it [m/s²]: at rest it points up. */
  readonly acceleration: Vec3 = [0, 0, 0];
  /**
   * Mean force [N] and moment about the sensor [N m] by which all joints of the link to its parent, motors included, held
   * the link and those behind it in the last frame. Loops that close behind the joint count as held by it.
   */
  readonly force: Vec3 = [0, 0, 0];
  readonly torque: Vec3 = [0, 0, 0];

  /** @internal */
  constructor(
    readonly link: string,
    readonly _index: number,
    readonly _position: Vec3,
    readonly _rotation: Quat,
    private readonly onDispose: (sensor: LinkSensor) => void,
  ) {}

  /** Takes the sensor off its link. */
  dispose(): void {
    this.onDispose(this);
  }
}

/** The state of a mechanism at the end of a frame. */
interface Instant {
  /** velocity of each sensor [m/s], world axes */
  readonly velocities: ReadonlyMap<LinkSensor, Vec3>;
  /** of each link: angular momentum about the world's origin [N m s] and momentum [N s] */
  readonly momenta: Float64Array;
  /** of each link [m] */
  readonly massCenters: Float64Array;
}

/** All sensors of a mechanism. */
export class LinkSensors {
  readonly list: LinkSensor[] = [];
  private readonly scratch = new ArticulatedScratch(this.model);
  private readonly impulses = new Float64Array(6 * this.model.linkCount);
  private before: Instant | undefined;

  constructor(private readonly model: ArticulatedModel) {}

  /** Adds what acted on a link since the last `measure`: angular impulse about the world's origin [N m s], impulse [N s]. */
  push(link: number, angularImpulse: ArrayLike<number>, impulse: ArrayLike<number>, factor = 1): void {
    for (let c = 0; c < 3; c++) {
      this.impulses[6 * link + c] += factor * angularImpulse[c];
      this.impulses[6 * link + 3 + c] += factor * impulse[c];
    }
  }

  /** Begins anew with a state that has nothing to do with the one before. */
  begin(q: Float64Array, qd: Float64Array): void {
    this.impulses.fill(0);
    this.before = this.look(q, qd);
  }

  /** At the end of a frame of dt [s]: fills all sensors. */
  measure(q: Float64Array, qd: Float64Array, gravity: Vec3, dt: number): void {
    const { before, list } = this;
    const now = this.look(q, qd);
    if (before) {
      const loads = this.loads(before, now, gravity, dt);
      for (const sensor of list) this.fill(sensor, before, now, loads, gravity, dt);
    }
    this.impulses.fill(0);
    this.before = now;
  }

  private look(q: Float64Array, qd: Float64Array): Instant {
    const { scratch, model, list } = this;
    updateKinematics(scratch, q, qd);
    updateInertias(scratch);
    const momenta = new Float64Array(6 * model.linkCount);
    for (let i = 0; i < model.linkCount; i++)
      inertiaTimes(scratch.inertia, 10 * i, scratch.velocity, 6 * i, momenta, 6 * i);
    const velocities = new Map(list.map((sensor) => [sensor, this.motionOf(sensor).velocity]));
    return { velocities, momenta, massCenters: scratch.massCentre.slice() };
  }

  private motionOf({ _index, _position, _rotation }: LinkSensor): {
    position: Vec3;
    rotation: Quat;
    velocity: Vec3;
    spin: Vec3;
  } {
    const { velocity: twists } = this.scratch;
    const pose = linkPose(this.scratch, _index);
    const [x, y, z] = turn(pose.rotation, _position);
    const position: Vec3 = [pose.position[0] + x, pose.position[1] + y, pose.position[2] + z];
    const at = 6 * _index;
    const spin: Vec3 = [twists[at], twists[at + 1], twists[at + 2]];
    const way = cross(spin, position);
    const velocity: Vec3 = [twists[at + 3] + way[0], twists[at + 4] + way[1], twists[at + 5] + way[2]];
    return { position, rotation: product(pose.rotation, _rotation), velocity, spin };
  }

  /** Mean wrench of the joint of each link about the world's origin: the change of momentum that nothing else explains. */
  private loads(before: Instant, now: Instant, gravity: Vec3, dt: number): Float64Array {
    const { model, impulses } = this;
    const loads = new Float64Array(6 * model.linkCount);
    for (let i = model.linkCount - 1; i >= 0; i--) {
      const weight = (1 - model.gravityCompensation[i]) * model.mass[i];
      const fall: Vec3 = [weight * gravity[0], weight * gravity[1], weight * gravity[2]];
      const middle = [0, 1, 2].map((c) => 0.5 * (before.massCenters[3 * i + c] + now.massCenters[3 * i + c]));
      const moment = cross(middle as unknown as Vec3, fall);
      for (let c = 0; c < 6; c++) {
        const at = 6 * i + c;
        loads[at] += (now.momenta[at] - before.momenta[at] - impulses[at]) / dt - (c < 3 ? moment[c] : fall[c - 3]);
        if (model.parent[i] !== WORLD) loads[6 * model.parent[i] + c] += loads[at];
      }
    }
    return loads;
  }

  private fill(
    sensor: LinkSensor,
    before: Instant,
    now: Instant,
    loads: Float64Array,
    gravity: Vec3,
    dt: number,
  ): void {
    const { position, rotation, velocity, spin } = this.motionOf(sensor);
    const inverse = conjugate(rotation);
    const put = (out: Vec3, value: Vec3): void => void Object.assign(out, turn(inverse, value));
    const last = before.velocities.get(sensor) ?? now.velocities.get(sensor)!;
    put(sensor.angularVelocity, spin);
    put(sensor.velocity, velocity);
    put(sensor.acceleration, [0, 1, 2].map((c) => (velocity[c] - last[c]) / dt - gravity[c]) as unknown as Vec3);
    const at = 6 * sensor._index;
    const force: Vec3 = [loads[at + 3], loads[at + 4], loads[at + 5]];
    const moment = cross(position, force);
    put(sensor.force, force);
    put(sensor.torque, [loads[at] - moment[0], loads[at + 1] - moment[1], loads[at + 2] - moment[2]]);
  }
}
