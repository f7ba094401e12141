import type { LinkPose } from "../../src/articulated/link-pose";
import type { BodyLeader, LinkShape, Push } from "../../src/index";
import type { BodySurface, RigidBodyOptions } from "../../src/world/rigid/body-options";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";
import { partCount } from "../shape/leaves";

/**
 * A link among the bodies of the scene: they meet it as a body that goes where the mechanism takes it, and what they push it with comes to
 * the mechanism in the next step.
 */
export class LinkObstacle implements BodyLeader {
  private readonly body: RigidBody;
  /** since it was taken last: angular impulse about the world's origin [N m s] and impulse [N s] */
  private readonly wrench = new Float64Array(6);

  /** @throws PliantError when the solver refuses a shape */
  constructor(
    rigid: RigidWorld,
    readonly link: number,
    name: string,
    shapes: readonly LinkShape[],
    pose: LinkPose,
    meets: RigidBodyOptions["meets"],
  ) {
    this.body = rigid.addBody({
      ...pose,
      name,
      meets,
      motion: "kinematic",
      shape: {
        type: "container",
        children: shapes.map(({ shape, position, rotation }) => ({ shape, position, rotation })),
      },
      surfaces: shapes.flatMap((shape) => Array<Partial<BodySurface>>(partCount(shape.shape)).fill(surfaceOf(shape))),
      leader: this,
    });
  }

  /** Sends the link to its pose at the end of the next step. */
  move({ position, rotation }: LinkPose): void {
    this.body.moveTo(position, rotation);
  }

  /** At once, without a velocity. */
  teleport({ position, rotation }: LinkPose): void {
    this.body.teleport(position, rotation);
  }

  feel({ impulse, angularImpulse }: Push): void {
    const [x, y, z] = this.body.centerOfMass;
    const [px, py, pz] = impulse;
    const about = [y * pz - z * py, z * px - x * pz, x * py - y * px];
    for (let c = 0; c < 3; c++) {
      this.wrench[c] += angularImpulse[c] + about[c];
      this.wrench[3 + c] += impulse[c];
    }
  }

  /**
   * Hands over the impulses that others gave the link since the last call.
   *
   * @param out angular impulse about the world's origin [N m s] and impulse [N s], six numbers from `at`; changed
   * @returns whether there was anything
   */
  take(out: Float64Array, at: number): boolean {
    out.set(this.wrench, at);
    const isAny = this.wrench.some((value) => value !== 0);
    this.wrench.fill(0);
    return isAny;
  }

  dispose(): void {
    this.body.dispose();
  }
}

/** The engine has defaults for all that a shape does not say. */
function surfaceOf({ friction, restitution }: LinkShape): Partial<BodySurface> {
  return { ...(friction !== undefined && { friction }), ...(restitution !== undefined && { restitution }) };
}
