import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { DeformableBody, Vec3 } from "../../src/index";
import type { RigidObstacles } from "../../src/world/rigid/contact/obstacles";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { CarriedMass } from "../rigid/carried-mass";
import { applyAngularImpulse } from "../rigid/motion";
import type { RigidState } from "../rigid/rigid-state";

/** Particles that a dynamic body carries and feels. */
export class LedPoints {
  /** in the frame of the body, in units of the scene, three numbers each */
  private readonly places = new Float64Array(3 * this.particles.length);
  /** the body in the solver that carries the points */
  private carrier: RigidBody | undefined;

  /**
   * @param positions places in the engine's world, three numbers each [m]
   * @param velocities velocities, if they are known [m/s]
   */
  constructor(
    private readonly body: DeformableBody,
    private readonly particles: readonly number[],
    readonly state: RigidState,
    positions: ArrayLike<number>,
    velocities?: ArrayLike<number>,
  ) {
    const { frame } = state;
    particles.forEach((_, i) => this.places.set(placeIn(state, frame.pointInScene(positions, 3 * i)).asArray(), 3 * i));
    const masses = particles.map((particle) => body.model.masses[particle]);
    const inScene = velocities && Array.from(velocities, (value) => frame.lengthInScene(value));
    setCarried(state, this, { masses, places: this.places }, inScene);
    this.begin();
  }

  /** Before a step: lets the present body in the solver feel the particles that it carries. */
  begin(): void {
    const { state, carrier, obstacles } = this;
    const { solverBody } = state.engine;
    if (solverBody === carrier) return;
    if (carrier) obstacles.release(carrier, this);
    this.carrier = solverBody;
    this.body.carry(this.particles, solverBody && obstacles.keep(solverBody, this));
  }

  private get obstacles(): RigidObstacles {
    return this.state.world.rigidObstacles;
  }

  /** Called between the step of the rigid bodies and that of the particles. @param away as for `aim` */
  follow(away: Float64Array): void {
    const { body, state, carrier, obstacles } = this;
    // The carrier sleeps, too.
    if (body.isAsleep) return;
    const point = new Vector3();
    const rotation = carrier ? Quaternion.FromArray(obstacles.rotationBefore(carrier)) : state.rotation;
    this.particles.forEach((particle, i) => {
      Vector3.FromArrayToRef(this.places, 3 * i, point);
      point.subtractInPlace(state.mass.centerOfMass).applyRotationQuaternionInPlace(rotation);
      body.pins.setArm(particle, state.frame.offset(point));
    });
    this.aim(away);
  }

  /**
   * Sets the targets of the particles to their places on the body.
   *
   * @param away from these places to the targets, three numbers each [m]
   */
  aim(away: Float64Array): void {
    this.particles.forEach((particle, i) => {
      const [x, y, z] = this.place(i);
      this.body.setPinTarget(particle, x + away[3 * i], y + away[3 * i + 1], z + away[3 * i + 2]);
    });
  }

  /** The place of a particle on the body, in the engine's world [m]. */
  place(i: number): Vec3 {
    const { state } = this;
    const point = Vector3.FromArray(this.places, 3 * i);
    return state.frame.point(point.applyRotationQuaternionInPlace(state.rotation).addInPlace(state.position));
  }

  /** Ends the carrying. */
  release(): void {
    const { body, particles, state } = this;
    if (!body.isDisposed)
      body.carry(
        particles.filter((p) => body.isPinned(p)),
        undefined,
      );
    if (this.carrier) this.obstacles.release(this.carrier, this);
    this.carrier = undefined;
    if (!state.isDisposed) setCarried(state, this, undefined);
  }
}

/**
 * Lets a body carry particles, or ends that. The motion of the body continues. Particles with a velocity of their own
 * share it with the body, so that momentum is conserved.
 *
 * @param owner owner of the particles
 * @param velocities velocities of the particles, in the scene, three numbers each; default: that of the body
 */
function setCarried(
  state: RigidState,
  owner: object,
  carried: CarriedMass | undefined,
  velocities?: ArrayLike<number>,
): void {
  const before = state.centre();
  if (carried) state.carried.set(owner, carried);
  else state.carried.delete(owner);
  state.weigh();
  const centre = state.centre();
  state.linearVelocity.addInPlace(Vector3.Cross(state.angularVelocity, centre.subtract(before)));
  if (!carried || !velocities) return;
  const impulse = Vector3.Zero();
  const angular = Vector3.Zero();
  carried.masses.forEach((mass, i) => {
    const arm = Vector3.FromArray(carried.places, 3 * i).applyRotationQuaternionInPlace(state.rotation);
    arm.addInPlace(state.position).subtractInPlace(centre);
    const moving = state.linearVelocity.add(Vector3.Cross(state.angularVelocity, arm));
    const given = Vector3.FromArray(velocities, 3 * i)
      .subtractInPlace(moving)
      .scaleInPlace(mass);
    impulse.addInPlace(given);
    angular.addInPlace(Vector3.Cross(arm, given));
  });
  if (state.mass.mass > 0) state.linearVelocity.addInPlace(impulse.scale(1 / state.mass.mass));
  applyAngularImpulse(state, angular);
}

/** The place of a point in the frame of a body. */
function placeIn(state: RigidState, point: Vector3): Vector3 {
  return point.subtract(state.position).applyRotationQuaternionInPlace(Quaternion.Inverse(state.rotation));
}
