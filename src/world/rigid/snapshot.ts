import { invalid } from "../../errors";
import type { SavedImpulses } from "../../collision/soft/impulse-memory";
import type { ImpulseSnapshot } from "../../solvers/newton/contact/impulse-cache";
import type { Quat, Vec3 } from "../../math/types";
import { POSE_SIZE, TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../solvers/newton/dynamics";
import type { ContactFinder } from "./contact/contact-finder";
import type { RigidBody } from "./rigid-body";
import type { RigidJoint } from "./rigid-joint";
import type { Sleep } from "./sleep";

/** The parts of a world that a snapshot contains; see `RigidCore`. */
interface RigidState {
  readonly bodies: readonly RigidBody[];
  readonly joints: readonly RigidJoint[];
  readonly poses: Float64Array;
  readonly dynamics: RigidDynamics;
  readonly sleep: Sleep;
  readonly finder: ContactFinder;
}

/** State of all bodies and joints at a moment. Consists of plain arrays, so it can be stored and sent. */
export interface RigidSnapshot {
  /** ids of bodies, in order */
  readonly bodies: Int32Array;
  /** ids of joints, in order */
  readonly joints: Int32Array;
  readonly pose: Float64Array;
  /** poses of the bodies' own frames, POSE_SIZE a body */
  readonly framePose: Float64Array;
  /** targets of kinematic bodies after the next frame, POSE_SIZE a body; NaN for bodies without a target */
  readonly targets: Float64Array;
  readonly velocity: Float64Array;
  readonly force: Float64Array;
  readonly restTime: Float64Array;
  readonly asleep: Uint8Array;
  readonly retry: Uint8Array;
  readonly groups: Int32Array;
  /** only in worlds whose solver is loaded, as the next two */
  readonly impulses?: ImpulseSnapshot | undefined;
  /** data of pairs of bodies near each other */
  readonly pairs?: Float64Array | undefined;
  /** impulses of contacts of deformable bodies */
  readonly softImpulses?: SavedImpulses | undefined;
  readonly jointMemory: readonly Float64Array[];
}

export function takeSnapshot(world: RigidState): RigidSnapshot {
  const { bodies, stepper } = world.dynamics;
  const { state, count } = bodies;
  return {
    bodies: Int32Array.from(world.bodies, (body) => body.id),
    joints: Int32Array.from(world.joints, (joint) => joint.id),
    pose: state.pose.slice(0, POSE_SIZE * count),
    framePose: world.poses.slice(0, POSE_SIZE * count),
    targets: Float64Array.from(world.bodies.flatMap(({ record: { target } }) => (target ? poseOf(target) : nowhere))),
    velocity: state.velocity.slice(0, TWIST_SIZE * count),
    force: state.force.slice(0, TWIST_SIZE * count),
    restTime: state.restTime.slice(0, count),
    asleep: state.asleep.slice(0, count),
    retry: state.retry.slice(0, count),
    groups: world.sleep.save(),
    impulses: stepper?.cache.save(),
    pairs: stepper && world.finder.cache.save(),
    softImpulses: stepper?.deformables.memory.save(),
    jointMemory: world.joints.map((joint) => joint.data.memory.slice()),
  };
}

/** @throws PliantError if the bodies or joints differ from those of the world */
export function restoreState(world: RigidState, snapshot: RigidSnapshot): void {
  const same = (ids: Int32Array, list: readonly { id: number }[]): boolean =>
    ids.length === list.length && list.every((item, k) => item.id === ids[k]);
  if (!same(snapshot.bodies, world.bodies) || !same(snapshot.joints, world.joints))
    throw invalid("RigidState.restore", "snapshot", "must have the same bodies and joints");
  const { state } = world.dynamics.bodies;
  state.pose.set(snapshot.pose);
  world.poses.set(snapshot.framePose);
  world.bodies.forEach((body, k) => {
    const [x, y, z, ...rotation] = snapshot.targets.subarray(POSE_SIZE * k, POSE_SIZE * (k + 1));
    const [qx, qy, qz, qw] = rotation;
    body.record.target = Number.isNaN(x) ? undefined : { position: [x, y, z], rotation: [qx, qy, qz, qw] };
  });
  state.velocity.set(snapshot.velocity);
  state.force.set(snapshot.force);
  state.restTime.set(snapshot.restTime);
  state.asleep.set(snapshot.asleep);
  state.retry.set(snapshot.retry);
  world.sleep.load(snapshot.groups);
  const { impulses, pairs, softImpulses } = snapshot;
  const { stepper } = world.dynamics;
  if (pairs && stepper) world.finder.cache.load(pairs);
  if (impulses) stepper?.cache.load(impulses);
  if (softImpulses) stepper?.deformables.memory.load(softImpulses);
  world.joints.forEach((joint, k) => joint.data.memory.set(snapshot.jointMemory[k]));
}

const nowhere: readonly number[] = Array<number>(POSE_SIZE).fill(NaN);

function poseOf({ position, rotation }: { position: Vec3; rotation: Quat }): number[] {
  return [...position, ...rotation];
}
