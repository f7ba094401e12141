import type { LinkShape } from "../../articulated/description";
import type { LinkPose } from "../../articulated/link-pose";
import { type ArticulatedModel, WORLD } from "../../articulated/model";
import type { ColliderShape } from "../../collision/shape/shape";
import type { Vec3 } from "../../math/types";
import type { BodySurface, RigidBodyOptions } from "../rigid/body-options";
import type { BodyLeader, Push } from "../rigid/contact/leader";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";

/** The mechanism of a link. */
interface LinkOwner {
  addWrench(link: number, force: Vec3, point: Vec3, torque: Vec3): void;
}

/** A link among the bodies of a world. */
export class MechanismLink implements BodyLeader {
  readonly body: RigidBody;
  /** Nothing moves it. */
  readonly isFixed: boolean;
  /** mean force of the contacts of the last frame [N] */
  force: Vec3 = [0, 0, 0];
  /** what contacts gave it in this frame [N s] */
  private readonly impulse = new Float64Array(3);
  /** what bodies of other solvers gave it since it was told last: impulse [N s], and moment about its origin [N m s] */
  private readonly pushed = new Float64Array(6);
  private dt = 1;
  private readonly wrench = new Float64Array(6);

  /** @throws PliantError when the solver refuses a shape */
  constructor(
    private readonly rigid: RigidWorld,
    readonly group: LinkOwner,
    model: ArticulatedModel,
    readonly link: number,
    pose: LinkPose,
    meets: RigidBodyOptions["meets"],
  ) {
    const shapes = model.shapes[link];
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

  feel({ impulse, angularImpulse, held, angularHeld }: Push): void {
    for (let c = 0; c < 3; c++) {
      this.pushed[c] += impulse[c] + held[c];
      this.pushed[3 + c] += angularImpulse[c] + angularHeld[c];
    }
  }

  /** What others pushed it with acts through the frame of dt [s]. */
  beginFrame(dt: number): void {
    this.dt = dt;
    this.impulse.set(this.pushed.subarray(0, 3));
    const [px, py, pz, tx, ty, tz] = this.pushed.map((value) => value / dt);
    this.group.addWrench(this.link, [px, py, pz], this.body.centerOfMass, [tx, ty, tz]);
    this.pushed.fill(0);
  }

  /** What its contacts gave it in a step. */
  hear(): void {
    this.body.contactWrenchToRef(this.wrench);
    for (let c = 0; c < 3; c++) this.impulse[c] += this.wrench[c];
  }

  endFrame(): void {
    const { impulse, dt } = this;
    this.force = [impulse[0] / dt, impulse[1] / dt, impulse[2] / dt];
  }

  /** Puts it where it is after a step. */
  put({ position, rotation }: LinkPose): void {
    this.rigid.slots.writePose(this.body, position, rotation);
  }

  /** At once, without a velocity. */
  teleport({ position, rotation }: LinkPose): void {
    this.body.teleport(position, rotation);
  }
}

const leafCount = (shape: ColliderShape): number =>
  shape.type === "container" ? shape.children.reduce((sum, child) => sum + leafCount(child.shape), 0) : 1;

/** The engine has defaults for all that a shape does not say. */
function surfaceOf({ friction, restitution }: LinkShape): Partial<BodySurface> {
  return { ...(friction !== undefined && { friction }), ...(restitution !== undefined && { restitution }) };
}
