import { solveInverseKinematics } from "../src/articulated/inverse-kinematics";
import { ArticulatedModel } from "../src/articulated/model";
import { mechanismPlacedAt } from "../src/articulated/placed-at";
import { apply, identity, inverse } from "../src/articulated/loaders/transform";
import { loadUrdf } from "../src/articulated/loaders/urdf/urdf";
import { type Mechanism, mechanismModel, type Quat, type Vec3, type World } from "../src/index";
import { looksOf, propsOf } from "./articulated";
import { armJoints, fetchArmUrdf, fingerJoints } from "./mechanisms/fetch-arm";
import type { Prop, PropMaterial } from "./scene";

/** Error at which a servo of the arm gives all that its joint can bear [rad], and what its damper is for a spring of 1 [s]. */
const [FULL, DELAY] = [0.05, 0.04];
/** Gain of the servo of the fingers [N/m]. */
const FINGER_STIFF = 2e4;
/** Turns the axes of the robot, x forward and z up, to those of the scene: y up. */
const UPRIGHT: Quat = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** A place of the gripper: of the middle between its fingers, and its axes in those of the robot. */
export interface GripperPose {
  /** in the scene [m] */
  readonly position: Vec3;
  /** from the gripper's axes (x forward, y from finger to finger) to the scene's */
  readonly rotation: Quat;
}

export interface FetchOptions {
  /** of the middle of the base on the ground [m] */
  readonly position: Vec3;
  /** place of the gripper at the start */
  readonly start: GripperPose;
  /** Joints in rad or m near which the arm takes the start, of many ways to do so. Default a lift of 0.2 m and all others 0. */
  readonly posture?: Readonly<Record<string, number>>;
  /** friction of the finger pads */
  readonly friction: number;
  /** distance of each finger from the middle at the start [m] */
  readonly open: number;
  /** most force of a finger [N]; dampers of the fingers let 10 N move them by 0.1 m/s */
  readonly gripForce: number;
  /** of the mechanism [s] */
  readonly maxTimeStep: number;
}

/** The arm of the Fetch robot in a world. Servos turn its joints to those positions that inverse kinematics gives, and close its fingers. */
export class FetchRobot {
  readonly mechanism: Mechanism;
  readonly props: readonly Prop[];
  private readonly model: ArticulatedModel;
  private joints: Float64Array;

  static async create(world: World, options: FetchOptions): Promise<FetchRobot> {
    const { mechanism } = await loadUrdf(fetchArmUrdf);
    return new FetchRobot(world, mechanism, options);
  }

  private constructor(
    world: World,
    loaded: Awaited<ReturnType<typeof loadUrdf>>["mechanism"],
    { position, start, posture, friction, open, gripForce, maxTimeStep }: FetchOptions,
  ) {
    const placed = mechanismPlacedAt(loaded, { position, rotation: UPRIGHT });
    const description = {
      ...placed,
      // A controller of such an arm carries its weight.
      links: placed.links.map((link) => ({
        ...link,
        gravityCompensation: 1,
        ...(link.shapes ? { shapes: link.shapes.map((shape) => ({ ...shape, friction })) } : {}),
      })),
    };
    this.model = new ArticulatedModel(description);
    const servo = (joint: string, k: number, d: number, most: number) => ({
      name: joint,
      joints: [{ joint, coefficient: 1 }],
      gain: k,
      bias: [0, -k, -d] as const,
      forceRange: [-most, most] as const,
    });
    const effort = (joint: string): number => this.model.effortLimit[this.model.jointDof(joint)];
    this.mechanism = world.addMechanism(
      mechanismModel(description, {
        maxTimeStep,
        actuators: [
          ...armJoints.map((joint) => {
            const [most, k] = [effort(joint), effort(joint) / FULL];
            return servo(joint, k, DELAY * k, most);
          }),
          // One drive for both fingers: each presses with a half of its force.
          servo(fingerJoints[0], FINGER_STIFF, 0, 2 * gripForce),
        ],
      }),
    );
    this.joints = this.model.initialPosition.slice();
    for (const [joint, value] of Object.entries({ "torso lift": 0.2, ...posture }))
      this.joints[this.model.jointDof(joint)] = value;
    for (const finger of fingerJoints) this.joints[this.model.jointDof(finger)] = open;
    this.joints = this.solve(start, 20);
    const { simulation } = this.mechanism;
    simulation.q.set(this.joints);
    this.mechanism.place();
    this.moveTo(start, Infinity);
    this.close(open);
    const looks = looksOf(description, (link) => materials[link] ?? "plaster");
    this.props = propsOf(this.mechanism, looks);
  }

  /** Servos bring the gripper to a pose in `dt` [s]. Inputs are ahead by what the dampers hold back on the way. */
  moveTo(pose: GripperPose, dt: number): void {
    const before = this.joints;
    this.joints = this.solve(pose, 0);
    const { actuators } = this.mechanism.simulation;
    armJoints.forEach((joint, k) => {
      const dof = this.model.jointDof(joint);
      const delay = DELAY + (this.model.damping[dof] * FULL) / this.model.effortLimit[dof];
      actuators.input[k] = this.joints[dof] + (delay * (this.joints[dof] - before[dof])) / dt;
    });
  }

  /** A servo brings each finger to a distance from the middle [m]; if that is within what they grip, they press. */
  close(way: number): void {
    this.mechanism.simulation.actuators.input[armJoints.length] = way;
  }

  /** A place in the scene, in the axes of the gripper [m]. */
  within(place: Vec3): Vec3 {
    return apply(inverse({ ...identity, ...this.mechanism.poseOf("gripper") }), place);
  }

  private solve({ position, rotation }: GripperPose, restarts: number): Float64Array {
    return solveInverseKinematics(this.model, [{ link: "gripper", position, rotation }], {
      start: this.joints,
      fixedJoints: ["torso lift", ...fingerJoints],
      restarts,
      iterations: 30,
    }).q;
  }
}

const materials: Readonly<Record<string, PropMaterial>> = {
  base: "stone",
  torso: "plaster",
  shoulder: "plaster",
  "upper arm": "amber",
  forearm: "amber",
  "wrist roll": "steel",
  gripper: "steel",
  "right finger": "rubber",
  "left finger": "rubber",
};
