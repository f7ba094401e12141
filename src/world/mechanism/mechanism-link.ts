import type { LinkShape } from "../../articulated/description";
import type { LinkPose } from "../../articulated/link-pose";
import { type ArticulatedModel, WORLD } from "../../articulated/model";
import type { ProxyResponse } from "../../collision/obstacles/rigid-proxy";
import type { ColliderShape } from "../../collision/shape/shape";
import type { Vec3 } from "../../math/types";
import { cross, dot, subtract } from "../../math/vectors";
import type { BodySurface, RigidBodyOptions } from "../rigid/body-options";
import type { BodyLeader, LedFreedom, Push } from "../rigid/contact/leader";
import { scaled } from "../rigid/contact/push";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";

/** The mechanism of a link. */
interface LinkOwner {
  freedomOf(link: MechanismLink): LedFreedom | undefined;
  unsettle(): void;
}

/** The pushes of bodies of other solvers on a link. */
export interface LinkPush {
  /** impulse [N s] and angular impulse about the world's origin [N m s] */
  readonly wrench: Float64Array;
  /**
   * displacement that the link has already made under these pushes: offset of a point [m], turn [rad, rotation vector]
   */
  readonly offset: Float64Array;
  /** the point of the offset [m] */
  readonly point: Float64Array;
}

/** A link among the bodies of a world. */
export class MechanismLink implements BodyLeader {
  readonly body: RigidBody;
  /** Whether the link is fixed to the world. */
  readonly isFixed: boolean;
  /** mean force of the contacts of the last frame [N] */
  force: Vec3 = [0, 0, 0];
  /** impulse of its contacts in this frame [N s], and angular impulse about the world's origin [N m s] */
  readonly impulse = new Float64Array(6);
  /** pushes since the last `take` */
  private readonly pushed: LinkPush = {
    wrench: new Float64Array(6),
    offset: new Float64Array(6),
    point: new Float64Array(3),
  };
  /** expected pushes in a frame: impulse [N s] and angular impulse about the world's origin [N m s] */
  readonly expected = new Float64Array(6);
  private readonly wrench = new Float64Array(6);
  private readonly parent: number;

  /** @throws PliantError if the solver refuses a shape */
  constructor(
    private readonly rigid: RigidWorld,
    readonly group: LinkOwner,
    model: ArticulatedModel,
    readonly link: number,
    pose: LinkPose,
    meets: RigidBodyOptions["meets"],
    /** part of the unexpected pushes of a frame that is expected from then on */
    private readonly trust: number,
  ) {
    const shapes = model.shapes[link];
    this.parent = model.parent[link];
    this.isFixed = model.linkLastDof[link] === WORLD;
    this.body = rigid.addBody({
      ...pose,
      name: `${model.name} link "${model.linkNames[link]}"`,
      meets,
      motion: "kinematic",
      canSleep: false,
      shape: {
        type: "container",
        children: shapes.map(({ shape, position, rotation }) => ({ shape, position, rotation })),
      },
      surfaces: shapes.flatMap((shape) => Array<Partial<BodySurface>>(leafCount(shape.shape)).fill(surfaceOf(shape))),
      leader: this,
    });
  }

  isJoined(other: BodyLeader): boolean {
    return other instanceof MechanismLink && (other.parent === this.link || this.parent === other.link);
  }

  freedom(): LedFreedom | undefined {
    return this.isFixed ? undefined : this.group.freedomOf(this);
  }

  /**
   * The course of the link through the frame. Drives and joints act throughout the frame. A link that moved at its mean
   * velocity would run into a body that it holds.
   */
  course(
    { centre, velocity, spin }: Parameters<NonNullable<BodyLeader["course"]>>[0],
    dt: number,
  ): Partial<ProxyResponse> {
    if (this.isFixed) return {};
    const { linearVelocity: endVelocity, angularVelocity: endSpin } = this.body;
    let change = subtract(endVelocity, velocity);
    // Two links that meet within the frame stop at once: on parabolas they would go through what is between them, and come back.
    const normal = this.rigid.finder.pinched?.normalAt(this.body.record.slot);
    if (normal) change = subtract(change, scaled(normal, dot(change, normal)));
    const spinChange = subtract(endSpin, spin);
    const [px, py, pz, tx, ty, tz] = this.expected;
    const moment = subtract([tx, ty, tz], cross(centre, [px, py, pz]));
    return {
      ...{ endVelocity, endSpin, isSmooth: true },
      acceleration: scaled(change, 1 / dt),
      drift: scaled(change, -0.5),
      spinAcceleration: scaled(spinChange, 1 / dt),
      spinDrift: scaled(spinChange, -0.5),
      expected: [px, py, pz, ...moment].map((value) => value / dt),
    };
  }

  feel({ impulse, angularImpulse, held, angularHeld, offset, turn }: Push): undefined {
    const { wrench, offset: moved, point } = this.pushed;
    const center = this.body.centerOfMass;
    const whole: Vec3 = [impulse[0] + held[0], impulse[1] + held[1], impulse[2] + held[2]];
    const about = cross(center, whole);
    for (let c = 0; c < 3; c++) {
      const moment = angularImpulse[c] + angularHeld[c] + about[c];
      wrench[c] += whole[c];
      wrench[3 + c] += moment;
      moved[c] += offset[c];
      moved[3 + c] += turn[c];
      point[c] = center[c];
      this.impulse[c] += whole[c];
      this.impulse[3 + c] += moment;
    }
    this.group.unsettle();
  }

  /**
   * Hands over the pushes beyond the expected ones. A part of them is expected in the next frame as well. Therefore a
   * mechanism at rest does not move, and links that bear a load together move by the pushes on all of them.
   *
   * @returns whether there are any
   */
  take(into: LinkPush): boolean {
    const { pushed, expected } = this;
    into.point.set(pushed.point);
    into.offset.set(pushed.offset);
    for (let i = 0; i < 6; i++) {
      into.wrench[i] = pushed.wrench[i] - expected[i];
      expected[i] += this.trust * into.wrench[i];
    }
    pushed.wrench.fill(0);
    pushed.offset.fill(0);
    return [into.wrench, into.offset].some((values) => values.some((value) => value !== 0));
  }

  /** Restores expected pushes, and forgets pushes since the last `take`. */
  restore(expected: Float64Array): void {
    this.expected.set(expected);
    this.pushed.wrench.fill(0);
    this.pushed.offset.fill(0);
  }

  /** Adds the impulse of the link's contacts in a step. */
  hear(): void {
    this.body.contactWrenchToRef(this.wrench);
    for (let c = 0; c < 6; c++) this.impulse[c] += this.wrench[c];
  }

  endFrame(dt: number): void {
    const { impulse } = this;
    this.force = [impulse[0] / dt, impulse[1] / dt, impulse[2] / dt];
    impulse.fill(0);
  }

  /** Writes the pose of the link after a step. */
  put({ position, rotation }: LinkPose): void {
    this.rigid.slots.writePose(this.body, position, rotation);
  }

  /** Writes the pose of the link at once, without a velocity. */
  teleport({ position, rotation }: LinkPose): void {
    this.body.teleport(position, rotation);
  }
}

const leafCount = (shape: ColliderShape): number =>
  shape.type === "container" ? shape.children.reduce((sum, child) => sum + leafCount(child.shape), 0) : 1;

/** The surface of a shape. The engine has defaults for the properties that the shape leaves out. */
function surfaceOf({ friction, restitution }: LinkShape): Partial<BodySurface> {
  return { ...(friction !== undefined && { friction }), ...(restitution !== undefined && { restitution }) };
}
