import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { DeformableAggregate } from "./deformable-aggregate";

/** A hold on some particles of a body, that moves them together. */
export class Grip {
  private readonly added: number[];

  private constructor(
    readonly aggregate: DeformableAggregate,
    /** where the body was taken, world space; moves with the grip */
    readonly point: Vector3,
    private readonly particles: readonly number[],
    /** from `point` to each particle */
    private readonly offsets: readonly Vector3[],
  ) {
    this.added = particles.filter((particle) => !aggregate.body.isPinned(particle));
    // what is pinned already stays so in the way that it is
    aggregate.body.pin(this.added);
    this.place();
  }

  /**
   * Takes hold of the particles within `radius` of a point, of `particle` in any case; undefined when the body went away
   * meanwhile.
   */
  static async take(
    aggregate: DeformableAggregate,
    particle: number,
    point: Vector3,
    radius: number,
  ): Promise<Grip | undefined> {
    const positions = await aggregate.body.readPositions();
    if (aggregate.isDisposed) return undefined;
    const particles: number[] = [];
    const offsets: Vector3[] = [];
    for (let p = 0; p < positions.length / 3; p++) {
      const offset = aggregate.plugin.frame.pointInScene(positions, 3 * p).subtractInPlace(point);
      if (p !== particle && offset.length() > radius) continue;
      particles.push(p);
      offsets.push(offset);
    }
    return new Grip(aggregate, point, particles, offsets);
  }

  moveTo(point: Vector3): void {
    this.point.copyFrom(point);
    this.place();
  }

  /** Lets go of what was not pinned before; that stays where it was dragged to. */
  release(): void {
    if (!this.aggregate.isDisposed) this.aggregate._free(this.added);
  }

  private place(): void {
    if (this.aggregate.isDisposed) return;
    this.particles.forEach((particle, i) => {
      if (!this.aggregate.body.isPinned(particle)) return;
      const place = this.aggregate.plugin.frame.point(this.point.add(this.offsets[i]));
      this.aggregate.body.setPinTarget(particle, ...place);
    });
  }
}
