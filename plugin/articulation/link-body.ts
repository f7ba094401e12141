import type { LinkShape } from "../../src/index";
import type { LinkPose } from "../../src/articulated/link-pose";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";

/**
 * A link among the rigid bodies of the scene: they meet it as a body that goes where the mechanism takes it, and what they
 * push it with comes to the mechanism in the next step.
 */
export class LinkBody {
  private readonly body: RigidBody;
  private readonly wrench = new Float64Array(6);

  /** @throws PliantError when the solver refuses a shape */
  constructor(rigid: RigidWorld, name: string, shapes: readonly LinkShape[], { position, rotation }: LinkPose) {
    const children = shapes.map((shape) => ({
      shape: shape.shape,
      position: shape.position,
      rotation: shape.rotation,
    }));
    this.body = rigid.addBody({
      name,
      motion: "kinematic",
      shape: { type: "container", children },
      position,
      rotation,
      friction: shapes[0]?.friction,
      restitution: shapes[0]?.restitution,
      // cloth meets the link's own colliders
      isObstacle: false,
    });
  }

  /** Where the link is at the end of the next step. */
  move({ position, rotation }: LinkPose): void {
    this.body.moveTo(position, rotation);
  }

  teleport({ position, rotation }: LinkPose): void {
    this.body.teleport(position, rotation);
  }

  /**
   * What bodies gave the link in the last step.
   *
   * @param out angular impulse about the world's origin [N m s] and impulse [N s], six numbers from `at`; added to
   * @returns whether there was anything
   */
  take(out: Float64Array, at: number): boolean {
    this.body.contactWrenchToRef(this.wrench);
    for (let c = 0; c < 3; c++) {
      out[at + c] += this.wrench[3 + c];
      out[at + 3 + c] += this.wrench[c];
    }
    return this.wrench.some((value) => value !== 0);
  }

  dispose(): void {
    this.body.dispose();
  }
}
