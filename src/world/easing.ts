import { PliantError } from "../errors";

/** Of a new material that takes over from the one before it by and by. */
export interface MaterialEase {
  /** time until the new one acts in full [s], above 0 */
  readonly over: number;
  /** stiffnesses over density [m²/s²] of the old material, one for each way in which it may be strained */
  readonly from: readonly number[];
  /** of the new one */
  readonly to: readonly number[];
}

/** @throws PliantError `invalid-argument` for a time or stiffnesses that are not above 0, or not as many of both */
export function checkEase(object: string, { over, from, to }: MaterialEase): void {
  const isPositive = (value: number): boolean => value > 0 && value < Infinity;
  if (!isPositive(over)) throw new PliantError("invalid-argument", `${object} ease.over`, over, "must be above 0");
  if (from.length === 0 || from.length !== to.length || ![...from, ...to].every(isPositive))
    throw new PliantError(
      "invalid-argument",
      `${object} ease`,
      { from, to },
      "must have as many stiffnesses of both materials, all above 0",
    );
}

/**
 * A new material that is stiffer than the old one pulls a body to another shape at once, which is seen as a jump. So it begins with as
 * much of its elastic forces as the old one had in this shape, and the rest comes in equal ratios.
 */
export class Easing {
  private left: number;

  /** @param share of the elastic forces to begin with, in (0, 1] */
  constructor(
    private readonly over: number,
    private readonly share: number,
  ) {
    this.left = share < 1 ? over : 0;
  }

  /** Goes on by a frame of dt [s]. @returns the share of the elastic forces that act in it */
  next(dt: number): number {
    const share = this.share ** (this.left / this.over);
    this.left = Math.max(0, this.left - dt);
    return share;
  }

  get isDone(): boolean {
    return this.left < 1e-6 * this.over;
  }
}
