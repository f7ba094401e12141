import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { ClothAggregate } from "./cloth-aggregate";

/** A hold on some particles of a cloth, that moves them together. */
export class Grip {
  private readonly added: number[];

  private constructor(
    readonly cloth: ClothAggregate,
    /** where the cloth was taken, world space; moves with the grip */
    readonly point: Vector3,
    private readonly particles: readonly number[],
    /** from `point` to each particle */
    private readonly offsets: readonly Vector3[],
  ) {
    this.added = particles.filter((particle) => !cloth.body.isPinned(particle));
    cloth.body.pin(particles as number[]);
    this.place();
  }

  /**
   * Takes hold of the particles within `radius` of a point, of `particle` in any case; undefined when the cloth went away
   * meanwhile.
   */
  static async take(
    cloth: ClothAggregate,
    particle: number,
    point: Vector3,
    radius: number,
  ): Promise<Grip | undefined> {
    const positions = await cloth.body.readPositions();
    if (cloth.isDisposed) return undefined;
    const particles: number[] = [];
    const offsets: Vector3[] = [];
    for (let p = 0; p < positions.length / 3; p++) {
      const offset = point.clone().scaleInPlace(-1);
      offset.addInPlaceFromFloats(positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]);
      if (p !== particle && offset.length() > radius) continue;
      particles.push(p);
      offsets.push(offset);
    }
    return new Grip(cloth, point, particles, offsets);
  }

  moveTo(point: Vector3): void {
    this.point.copyFrom(point);
    this.place();
  }

  /** Lets go of what was not pinned before; that stays where it was dragged to. */
  release(): void {
    if (!this.cloth.isDisposed) this.cloth._free(this.added);
  }

  private place(): void {
    if (this.cloth.isDisposed) return;
    this.particles.forEach((particle, i) => {
      if (!this.cloth.body.isPinned(particle)) return;
      const { x, y, z } = this.point.add(this.offsets[i]);
      this.cloth.body.setPinTarget(particle, x, y, z);
    });
  }
}
