import { conjugate, product, rotationVector, turn } from "../../../math/quaternions";
import type { Quat, Vec3 } from "../../../math/types";
import { cross, dot, subtract } from "../../../math/vectors";
import { type LedResponse, Motion, POSE_SIZE, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../../solvers/newton/dynamics";
import type { BodySlots } from "../body-slots";
import type { BodyLeader, LedFreedom } from "./leader";
import { pushOf, scaled } from "./push";
import type { RigidBody } from "../rigid-body";
import { Support, type SupportedResponse } from "./support";

interface Led {
  readonly leader: BodyLeader;
  readonly support: Support;
  /** response of the body in this step, if it gives way */
  response: (LedResponse & SupportedResponse) | undefined;
  freedom: LedFreedom | undefined;
  /** whether a deformable body of the Newton solver has touched the body in this step */
  isTouched: boolean;
  /** effect of contacts in this step: impulse [N s] and angular impulse about the body's center of mass [N m s] */
  readonly wrench: Float64Array;
  /** target at the end of the step: center of mass and rotation */
  centre: Vec3;
  rotation: Quat;
}

/** Bodies that are led by an object outside of the solver. */
export class LedBodies {
  private readonly all = new Map<RigidBody, Led>();
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);
  private isBegun = false;

  constructor(
    private readonly slots: BodySlots,
    private readonly dynamics: RigidDynamics,
  ) {}

  get count(): number {
    return this.all.size;
  }

  /** Records the leader of a body, or that it has none. */
  note(body: RigidBody, leader: BodyLeader | undefined): void {
    const known = this.all.get(body);
    if (known?.leader === leader) return;
    this.all.delete(body);
    if (leader) this.all.set(body, newLed(leader));
  }

  /** The support of a body; undefined for a body without a leader. */
  supportOf(body: RigidBody): Support | undefined {
    return this.all.get(body)?.support;
  }

  /** The response of a body in this step; undefined for a body that does not give way. */
  responseOf(body: RigidBody): SupportedResponse | undefined {
    return this.all.get(body)?.response;
  }

  /** Velocities of a body after the step, if they differ from those of its motion. */
  endOf(body: RigidBody): Pick<LedFreedom, "endVelocity" | "endSpin"> {
    return this.all.get(body)?.freedom ?? {};
  }

  /** Begins a step of dt [s], when all leaders have set targets; `ensureBegun` begins it if nobody has done so yet. */
  begin(dt: number): void {
    this.isBegun = true;
    if (this.all.size > 0) this.beginAll(dt);
  }

  private beginAll(dt: number): void {
    for (const [body, led] of this.all) {
      const freedom = led.leader.freedom?.(dt);
      led.freedom = freedom;
      led.response = freedom && this.free(body, led.support, freedom);
      led.isTouched = false;
      led.wrench.fill(0);
      const { position, rotation } = body.record.target ?? body;
      const arm = turn(rotation, body.massProperties.centerOfMass);
      led.centre = [position[0] + arm[0], position[1] + arm[1], position[2] + arm[2]];
      led.rotation = rotation;
    }
  }

  ensureBegun(dt: number): void {
    if (!this.isBegun) this.begin(dt);
  }

  /** Before a part of the step: records whether deformable bodies of the Newton solver touch a body in it. */
  touch(body: RigidBody, isTouched: boolean): void {
    const led = this.all.get(body);
    const { bodies } = this.dynamics;
    const { slot } = body.record;
    if (!led?.response || bodies.model.motion[slot] === Motion.linked) return;
    bodies.model.motion[slot] = isTouched ? Motion.led : Motion.kinematic;
    bodies.led.set(slot, led.response);
    if (isTouched) led.isTouched = true;
  }

  /**
   * After a part of the step: adds the impulses of contacts, about the center of mass at the start of the part, since
   * contacts move along with the body.
   */
  hear(): void {
    if (this.all.size === 0) return;
    const { scratch, model } = this.dynamics.bodies;
    const { startPose } = scratch;
    for (const [body, { wrench }] of this.all) {
      // A mechanism feels its contacts by itself.
      if (model.motion[body.record.slot] === Motion.linked) continue;
      body.contactWrenchToRef(this.wrench);
      const [px, py, pz, tx, ty, tz] = this.wrench;
      const at = POSE_SIZE * body.record.slot;
      const about = cross([startPose[at], startPose[at + 1], startPose[at + 2]], [px, py, pz]);
      [px, py, pz, tx - about[0], ty - about[1], tz - about[2]].forEach((value, i) => (wrench[i] += value));
    }
  }

  /** Ends the step. */
  finish(): void {
    const { dynamics, displacement } = this;
    this.isBegun = false;
    if (this.all.size === 0) return;
    dynamics.bodies.led.clear();
    for (const [body, led] of this.all) {
      const { slot } = body.record;
      displacement.fill(0);
      if (led.isTouched) {
        dynamics.bodies.model.motion[slot] = Motion.kinematic;
        displacement.set(subtract(body.centerOfMass, led.centre));
        displacement.set(rotationVector(product(body.rotation, conjugate(led.rotation))), 3);
        // The body stays where contacts have moved it.
        body.record.target = undefined;
        dynamics.bodies.state.velocity.fill(0, TWIST_SIZE * slot, TWIST_SIZE * slot + TWIST_SIZE);
      }
      if (led.wrench.every(Number.isFinite) && led.wrench.some((value) => value !== 0))
        this.feel(body, led.wrench, displacement);
    }
  }

  /**
   * Tells the leader of a body about the effect of other bodies.
   *
   * @param wrench impulse [N s] and angular impulse about the center of mass [N m s]
   * @param displacement displacement that the body has made
   */
  feel(body: RigidBody, wrench: Float64Array, displacement: Float64Array): void {
    const { leader, support } = this.all.get(body)!;
    support.note(leader.feel(pushOf(support, support.turning, wrench, displacement)) ?? wrench);
  }

  private free(body: RigidBody, support: Support, freedom: LedFreedom): Led["response"] {
    const { centerOfMass, contacts, weight, mass, inverseInertia, blocked } = freedom;
    this.center(body, centerOfMass);
    support.hear(contacts, weight);
    const response = support.response(1 / mass, inverseInertia);
    if (!(response.inverseMass > 0)) return undefined;
    const { direction } = support;
    const length = Math.sqrt(dot(direction, direction));
    const kept = length > MOST ? scaled(direction, MOST / length) : direction;
    return { ...response, support: kept, ...(blocked && { blocked }) };
  }

  /** Moves the center of mass in the frame of the body; the motion of the body stays the same. */
  private center(body: RigidBody, centerOfMass: Vec3): void {
    const known = body.massProperties;
    if (centerOfMass.every((value, c) => value === known.centerOfMass[c])) return;
    const { position, rotation, centerOfMass: before } = body;
    body.record.mass = { ...known, centerOfMass, isPlain: false };
    this.slots.writePose(body, position, rotation);
    const { velocity } = this.dynamics.bodies.state;
    const swing = cross(body.angularVelocity, subtract(body.centerOfMass, before));
    for (let c = 0; c < 3; c++) velocity[TWIST_SIZE * body.record.slot + c] += swing[c];
  }
}

/** The longest support, so that the mass of the body along it is finite. */
const MOST = 1 - 1e-6;

const newLed = (leader: BodyLeader): Led => ({
  leader,
  support: new Support(),
  response: undefined,
  freedom: undefined,
  isTouched: false,
  wrench: new Float64Array(6),
  centre: [0, 0, 0],
  rotation: [0, 0, 0, 1],
});
