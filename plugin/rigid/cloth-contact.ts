import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { RigidProxy, type Vec3 } from "../../src/index";
import { Support } from "../../src/world/rigid/support";
import { rotationVectorToRef, toVec3 } from "../convert";
import { applyAngularImpulse, inverseInertia, turnBy } from "./motion";
import type { EngineHost, RigidState } from "./rigid-state";

const wrench = new Float64Array(6);
const displacement = new Float64Array(6);
const contacts = new Float64Array(6);

/** How cloth pushes a dynamic body: what its proxy collected is taken over before each step. */
export class ClothContact {
  readonly proxy = new RigidProxy();
  /** where the body was at the start of the step */
  private readonly before = new Vector3();
  readonly rotationBefore = new Quaternion();
  private readonly velocityBefore = new Vector3();
  private readonly support = new Support();
  /** of cloth's impulses since the last step, what the body does not yield to */
  private readonly impulse = new Vector3();
  private readonly angularImpulse = new Vector3();
  /** what cloth presses the body with in the step, kg·units/s² and kg·units²/s² */
  readonly force = new Vector3();
  readonly torque = new Vector3();
  /** those whose particles the body carries */
  private readonly carriers = new Set<object>();

  constructor(
    private readonly host: EngineHost,
    private readonly state: RigidState,
  ) {}

  /** Has the body feel what it carries for somebody, also where it has no shape to be touched. */
  keep(owner: object, carries: boolean): void {
    if (carries) this.carriers.add(owner);
    else this.carriers.delete(owner);
    this.host.world.colliderSet.keep(this.proxy, this.carriers.size > 0);
  }

  /** Before a step of `dt` seconds moves the body. */
  feel(dt: number): void {
    const { state } = this;
    state.colliders.proxy = this.proxy;
    this.take();
    this.before.copyFrom(state.centre());
    this.rotationBefore.copyFrom(state.rotation);
    this.velocityBefore.copyFrom(state.linearVelocity);
    this.impulse.scaleToRef(1 / dt, this.force);
    this.angularImpulse.scaleToRef(1 / dt, this.torque);
    this.impulse.setAll(0);
    this.angularImpulse.setAll(0);
  }

  /**
   * Moves the body by what deformable bodies did to it.
   *
   * @returns whether they did anything that is known by now
   */
  take(): boolean {
    const { state } = this;
    const { world, frame } = this.host;
    const isPushed = world.takeFromProxy(this.proxy, wrench, displacement);
    // a cloth that turned non-finite is frozen in a moment, and takes nobody along
    if (isPushed && wrench.every(Number.isFinite) && displacement.every(Number.isFinite)) {
      state.position.addInPlace(frame.offsetInScene(displacement));
      turnBy(state, new Vector3(displacement[3], displacement[4], displacement[5]), state.angularVelocity);
      const { impulse, angularImpulse } = frame.wrenchInScene(wrench);
      this.give(impulse, angularImpulse.subtract(Vector3.Cross(state.centre(), impulse)));
      this.support.note(wrench);
    }
    return isPushed;
  }

  /**
   * Gives the body an impulse, and an angular impulse about its centre of mass: the part that other contacts take up as a force of the
   * next step. As a velocity it would be an impact on what the body stands on, and the body would bounce.
   */
  private give(impulse: Vector3, angularImpulse: Vector3): void {
    const { state, support } = this;
    const { turning } = support;
    const yielding = Vector3.FromArray(support.yielding(toVec3(impulse)));
    if (state.mass.mass > 0) state.linearVelocity.addInPlace(yielding.scale(1 / state.mass.mass));
    applyAngularImpulse(state, angularImpulse.scale(turning));
    this.impulse.addInPlace(impulse).subtractInPlace(yielding);
    this.angularImpulse.addInPlace(angularImpulse.scale(1 - turning));
  }

  /** After the body was moved by a step of `dt` seconds, and before cloth meets it on that way. */
  prepare(dt: number): void {
    const { state, before, proxy } = this;
    const { frame, world } = this.host;
    if (world.bodies.length === 0) return;
    const spin = rotationVectorToRef(this.rotationBefore, state.rotation, new Vector3()).scaleInPlace(1 / dt);
    const velocity = state
      .centre()
      .subtractInPlace(before)
      .scaleInPlace(1 / dt);
    state.engine.solverBody?.contactWrenchToRef(contacts);
    const steps = world.rigid.stepsTaken;
    const pull = world.gravity.map((g) => g * state.gravityFactor * state.mass.mass * dt) as unknown as Vec3;
    this.support.hear([steps * contacts[0], steps * contacts[1], steps * contacts[2]], pull);
    const inertia = inverseInertia(state).map((value) => value * frame.unitsPerMetre ** 2);
    proxy.setResponse({
      ...this.support.response(state.mass.mass > 0 ? 1 / state.mass.mass : 0, inertia),
      centre: frame.point(before),
      velocity: frame.offset(velocity),
      spin: toVec3(spin),
      ...(this.carriers.size > 0 && this.fall(dt, velocity)),
    });
  }

  /**
   * What gravity made of the step: all of it in free flight, nothing of it for a body that stands. What hangs on a body falls substep by
   * substep, and so does the body in between.
   *
   * @param velocity mean of the step, in the scene
   */
  private fall(dt: number, velocity: Vector3): { acceleration: Vec3; drift: Vec3 } {
    const { state } = this;
    const { world, frame } = this.host;
    const pull = frame.offsetInScene(world.gravity).scaleInPlace(state.gravityFactor);
    const whole = pull.lengthSquared() * dt;
    const share = (to: Vector3): number => {
      const change = Vector3.Dot(to.subtract(this.velocityBefore), pull);
      return whole > 0 ? Math.min(1, Math.max(0, change / whole)) : 0;
    };
    return {
      acceleration: frame.offset(pull.scale(share(state.linearVelocity))),
      drift: frame.offset(pull.scale(-share(velocity) * dt)),
    };
  }
}
