import { PliantError } from "../errors";
import type { Vec3 } from "../math/types";
import type { PinTable } from "../solvers/deformable";

/** Which particles of a body are held, and where they are to be at the end of the next step. */
export class BodyPins implements PinTable {
  readonly pinned: Uint8Array;
  readonly targets: Float64Array;
  changed = true;

  /**
   * @param label names the body in errors
   * @param positions particleCount × 3 [m]
   */
  constructor(
    private readonly label: string,
    positions: Float64Array,
  ) {
    this.pinned = new Uint8Array(positions.length / 3);
    this.targets = positions.slice();
  }

  /** @throws PliantError `index-out-of-range` */
  check(indices: ArrayLike<number>, what: string): void {
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i]!;
      if (!Number.isInteger(index) || index < 0 || index >= this.pinned.length)
        throw new PliantError(
          "index-out-of-range",
          `${this.label} ${what}`,
          index,
          `must be a particle index below ${this.pinned.length}`,
        );
    }
  }

  /**
   * Holds particles where they were last seen, or else where they began.
   *
   * @throws PliantError `index-out-of-range`
   */
  hold(indices: ArrayLike<number>, seen: ArrayLike<number> | undefined): void {
    this.check(indices, "pin");
    for (let i = 0; i < indices.length; i++) {
      const p = indices[i]!;
      if (seen && this.pinned[p] === 0) this.copyTarget(p, seen);
      this.pinned[p] = 1;
    }
    this.changed = true;
  }

  /**
   * Lets particles go; without indices, all of them.
   *
   * @throws PliantError `index-out-of-range`
   */
  release(indices?: ArrayLike<number>): void {
    if (indices) {
      this.check(indices, "unpin");
      for (let i = 0; i < indices.length; i++) this.pinned[indices[i]!] = 0;
    } else this.pinned.fill(0);
    this.changed = true;
  }

  /** @throws PliantError `index-out-of-range`, `non-finite`, or `invalid-argument` when it is not pinned */
  setTarget(index: number, x: number, y: number, z: number): void {
    this.check([index], "pin");
    if (this.pinned[index] !== 1)
      throw new PliantError("invalid-argument", `${this.label} particle`, index, "must be pinned to have a target");
    if (!Number.isFinite(x + y + z))
      throw new PliantError("non-finite", `${this.label} pin target`, [x, y, z], "must be finite");
    this.targets[3 * index] = x;
    this.targets[3 * index + 1] = y;
    this.targets[3 * index + 2] = z;
    this.changed = true;
  }

  target(index: number): Vec3 {
    const { targets } = this;
    return [targets[3 * index]!, targets[3 * index + 1]!, targets[3 * index + 2]!];
  }

  /** Holds what is pinned where a state puts it. */
  follow(positions: ArrayLike<number>): void {
    for (let p = 0; p < this.pinned.length; p++) if (this.pinned[p] === 1) this.copyTarget(p, positions);
    this.changed = true;
  }

  private copyTarget(p: number, positions: ArrayLike<number>): void {
    for (let c = 0; c < 3; c++) this.targets[3 * p + c] = positions[3 * p + c]!;
  }
}
