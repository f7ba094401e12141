import { RigidProxy, type Collider, type LinkShape, type World } from "../../src/index";
import type { LinkPose } from "../../src/articulated/link-pose";

/** The obstacles that cloth meets at one link, and what it pushes the link with. */
export class LinkColliders {
  private readonly proxy = new RigidProxy();
  private readonly colliders: Collider[] = [];
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);

  /** @throws PliantError when the engine refuses a shape; nothing is left in the world then */
  constructor(
    private readonly world: World,
    name: string,
    shapes: readonly LinkShape[],
    pose: LinkPose,
  ) {
    try {
      for (const { shape, position, rotation, friction } of shapes)
        this.colliders.push(
          world.addCollider(
            { type: "container", children: [{ shape, position, rotation }] },
            { name, ...pose, friction, proxy: this.proxy },
          ),
        );
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Where the link is at the end of the next step. */
  move({ position, rotation }: LinkPose): void {
    for (const collider of this.colliders) collider.setPose(position, rotation);
  }

  /** At once, without a velocity. */
  teleport({ position, rotation }: LinkPose): void {
    for (const collider of this.colliders) collider.teleport(position, rotation);
  }

  /**
   * What cloth gave the link since the last call.
   *
   * @param out angular impulse about the world's origin [N m s] and impulse [N s], six numbers from `at`; added to
   * @returns whether there was anything
   */
  take(out: Float64Array, at: number): boolean {
    if (!this.world.takeFromProxy(this.proxy, this.wrench, this.displacement)) return false;
    for (let c = 0; c < 3; c++) {
      out[at + c] += this.wrench[3 + c];
      out[at + 3 + c] += this.wrench[c];
    }
    return true;
  }

  dispose(): void {
    for (const collider of this.colliders) collider.dispose();
    this.colliders.length = 0;
  }
}
