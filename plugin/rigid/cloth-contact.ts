import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { RigidProxy, type Vec3 } from "../../src/index";
import { rotationVectorToRef, toVec3 } from "../convert";
import { applyWrench, inverseInertia, turnBy } from "./motion";
import type { EngineHost, RigidState } from "./rigid-state";

const wrench = new Float64Array(6);
const displacement = new Float64Array(6);

/** How cloth pushes a dynamic body: what its proxy collected is taken over before each step. */
export class ClothContact {
  readonly proxy = new RigidProxy();
  /** where the body was at the start of the step */
  private readonly before = new Vector3();
  readonly rotationBefore = new Quaternion();
  private readonly velocityBefore = new Vector3();
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

  /** Before a step moves the body. */
  feel(): void {
    const { state } = this;
    state.colliders.proxy = this.proxy;
    this.take();
    this.before.copyFrom(state.centre());
    this.rotationBefore.copyFrom(state.rotation);
    this.velocityBefore.copyFrom(state.linearVelocity);
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
      applyWrench(state, frame.wrenchInScene(wrench));
    }
    return isPushed;
  }

  /** After the body was moved by a step of `dt` seconds, and before cloth meets it on that way. */
  prepare(dt: number): void {
    const { state, before, proxy } = this;
    const { frame } = this.host;
    const spin = rotationVectorToRef(this.rotationBefore, state.rotation, new Vector3()).scaleInPlace(1 / dt);
    const velocity = state
      .centre()
      .subtractInPlace(before)
      .scaleInPlace(1 / dt);
    proxy.setResponse({
      inverseMass: state.mass.mass > 0 ? 1 / state.mass.mass : 0,
      inverseInertia: inverseInertia(state).map((value) => value * frame.unitsPerMetre ** 2),
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
