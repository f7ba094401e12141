import { pointJacobian } from "../src/articulated/dynamics/jacobian";
import { updatePositions } from "../src/articulated/dynamics/kinematics";
import { solveInverseKinematics } from "../src/articulated/inverse-kinematics";
import { linkPose } from "../src/articulated/link-pose";
import { ArticulatedModel } from "../src/articulated/model";
import { mechanismPlacedAt } from "../src/articulated/placed-at";
import { ArticulatedScratch } from "../src/articulated/scratch";
import { type Mechanism, mechanismModel, type Quat, type Vec3, type World } from "../src/index";
import { looksOf, propsOf } from "./articulated";
import { allegroHand, fingers, jointsOf, tipOf } from "./mechanisms/allegro-hand";
import type { Prop } from "./scene";

/** Error at which a servo of a finger gives all that its joint can bear [rad], and what its damper is for a spring of 1 [s]. */
const [FULL, DELAY] = [0.04, 0.03];
/** Servo of the slide that carries the hand: gain [N/m], and its damper for a spring of 1 [s]. */
const [LIFT_STIFF, LIFT_DELAY] = [5e4, 0.02];

/** Action of the fingers: places of the middles of their tips [m], and forces with which they push [N], both in the scene. */
export interface HandGoal {
  readonly lift: number;
  readonly tips: readonly Vec3[];
  readonly forces: readonly Vec3[];
}

export interface HandOptions {
  /** of the hand's axes (fingers along z, palm toward x), when it is not lifted */
  readonly position: Vec3;
  readonly rotation: Quat;
  readonly start: HandGoal;
  readonly friction: number;
  /** of the mechanism [s] */
  readonly maxTimeStep: number;
}

/** A hand of four fingers in a world. Servos bring the tips to places, and push with forces there. */
export class HandRobot {
  readonly mechanism: Mechanism;
  readonly props: readonly Prop[];
  private readonly model: ArticulatedModel;
  private readonly planned: ArticulatedScratch;
  private readonly jacobian: Float64Array;
  private joints: Float64Array;

  constructor(world: World, { position, rotation, start, friction, maxTimeStep }: HandOptions) {
    const description = mechanismPlacedAt(allegroHand(friction), { position, rotation });
    this.model = new ArticulatedModel(description);
    const { model } = this;
    this.planned = new ArticulatedScratch(model);
    this.jacobian = new Float64Array(3 * model.nv);
    const servo = (name: string, k: number, d: number, most: number) => ({
      name,
      joints: [{ joint: name, coefficient: 1 }],
      gain: k,
      bias: [0, -k, -d] as const,
      forceRange: [-most, most] as const,
    });
    const turning = fingers.flatMap(jointsOf).map((joint) => {
      const most = model.effortLimit[model.jointDof(joint)];
      return servo(joint, most / FULL, (DELAY * most) / FULL, most);
    });
    const actuators = [servo("lift", LIFT_STIFF, LIFT_DELAY * LIFT_STIFF, Infinity), ...turning];
    this.mechanism = world.addMechanism(mechanismModel(description, { maxTimeStep, actuators }));
    this.joints = model.initialPosition.slice();
    this.joints = this.solve(start, 20);
    this.mechanism.simulation.q.set(this.joints);
    this.mechanism.place();
    this.moveTo(start, Infinity);
    this.props = propsOf(this.mechanism, [
      ...looksOf(description, (link) => (/3$/.test(link) ? "clay" : "plaster")),
      {
        link: "palm",
        shape: { type: "capsule", pointA: [0, 0, 0], pointB: [-0.5, 0, 0], radius: 0.026 },
        position: [-0.03, 0, -0.0475],
        material: "steel",
      },
    ]);
  }

  /** Servos bring the hand to a goal in `dt` [s]. Inputs are ahead by what dampers hold back, and by what the forces bend. */
  moveTo(goal: HandGoal, dt: number): void {
    const before = this.joints;
    this.joints = this.solve(goal, 0);
    const { model, planned, jacobian, joints } = this;
    const { nv } = model;
    updatePositions(planned, joints);
    const torque = new Float64Array(nv);
    fingers.forEach((finger, k) => {
      const force = goal.forces[k];
      pointJacobian(planned, model.linkIndex(tipOf(finger)), this.plannedTip(k).position, jacobian);
      for (let j = 0; j < nv; j++) for (let c = 0; c < 3; c++) torque[j] += jacobian[c * nv + j] * force[c];
    });
    const { actuators } = this.mechanism.simulation;
    actuators.names.forEach((name, a) => {
      const dof = model.jointDof(name);
      const { gain, bias } = actuators.compiled[a];
      const damper = model.damping[dof] - bias[2];
      const ahead = (damper * (joints[dof] - before[dof])) / dt + (name === "lift" ? 0 : torque[dof]);
      actuators.input[a] = joints[dof] + ahead / gain;
    });
  }

  /** Pose of the tip of a finger as planned, and as it is. */
  plannedTip(finger: number): { position: Vec3; rotation: Quat } {
    return linkPose(this.planned, this.model.linkIndex(tipOf(fingers[finger])));
  }

  tip(finger: number): { position: Vec3; rotation: Quat } {
    return this.mechanism.poseOf(tipOf(fingers[finger]));
  }

  /** Force that contacts exert on the tip of a finger [N]. */
  forceOn(finger: number): Vec3 {
    return this.mechanism.contactForceOf(jointsOf(fingers[finger])[3]);
  }

  private solve({ lift, tips }: HandGoal, restarts: number): Float64Array {
    const start = this.joints.slice();
    start[this.model.jointDof("lift")] = lift;
    const goals = fingers.map((finger, k) => ({ link: tipOf(finger), position: tips[k] }));
    return solveInverseKinematics(this.model, goals, { start, fixedJoints: ["lift"], restarts, iterations: 30 }).q;
  }
}
