import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import type { Skin, SkinPose } from "./skin";

/**
 * A jump of a figure with the bodies that its bones carry. Until the states of these bodies are known (at once on the
 * CPU, after a frame or two on a GPU), they stay with the pose from before. Then every particle moves with the point of
 * the skin that was nearest to it, and is at rest.
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

  /** Call it before each step: returns whether the jump is done, and the bodies are at the bones. */
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

  /** Ends the jump: held vertices move to their carriers, and the other particles stay. */
  cancel(): void {
    if (this.over) return;
    this.over = true;
    for (const garment of this.garments) if (!garment.isDisposed) garment._jump();
  }
}
