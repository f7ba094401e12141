import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import type { Skin, SkinPose } from "./skin";

/**
 * A jump of a figure with what its bones carry: until the state of all of that is known (at once on the CPU, after a frame or two on
 * a GPU) it stays with the pose from before; then every particle goes with the skin that it was nearest to, and is at rest.
 */
export class GarmentJump {
  private readonly states = new Map<
    DeformableAggregate,
    { positions: ArrayLike<number>; frames?: ArrayLike<number> | undefined }
  >();
  private readonly garments: readonly DeformableAggregate[];
  private over = false;

  constructor(
    all: readonly DeformableAggregate[],
    skeleton: Skeleton,
    private readonly skin: Skin,
    private readonly before: SkinPose,
  ) {
    this.garments = all.filter((aggregate) => aggregate._isCarriedBy(skeleton));
    for (const garment of this.garments) garment._awaitJump();
  }

  /** To be called before each step: whether it is done, and all is where the bones are. */
  finish(): boolean {
    const left = this.garments.filter((garment) => !garment.isDisposed);
    for (const garment of left)
      if (!this.states.has(garment))
        garment.body.requestState((state) => {
          if (!this.over) this.states.set(garment, state);
        });
    if (left.some((garment) => !this.states.has(garment))) return false;
    this.over = true;
    const now = this.skin.pose();
    for (const garment of left) {
      const { positions, ...rest } = this.states.get(garment)!;
      garment.body.writeState({
        ...rest,
        velocities: undefined,
        positions: this.skin.bind(positions, this.before).place(now),
      });
      garment._jump();
    }
    return true;
  }

  /** What is held goes on from where it is. */
  cancel(): void {
    if (this.over) return;
    this.over = true;
    for (const garment of this.garments) if (!garment.isDisposed) garment._jump();
  }
}
