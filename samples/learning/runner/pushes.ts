import { between } from "../environment";

/** Time that each push lasts, and least and largest time from its end to the next one [s]. */
const [LASTS, BREAKS] = [0.1, [0.5, 2]] as const;

/** Pushes from any side. */
export class Pushes {
  /** ahead and to the left, as parts of a push for each second */
  private readonly direction: [number, number] = [0, 0];
  /** decisions until the next push begins; those since then, below 0 */
  private wait: number;
  /** decisions that a push lasts */
  private readonly lasts: number;

  /**
   * @param random numbers in [0, 1)
   * @param size of each push [N s]
   * @param period time between decisions [s]
   */
  constructor(
    private readonly random: () => number,
    private readonly size: number,
    private readonly period: number,
  ) {
    this.lasts = Math.max(1, Math.round(LASTS / period));
    this.wait = this.pause();
  }

  /** Force until the next decision, ahead and to the left [N]. */
  next(): readonly [number, number] {
    const { direction, random } = this;
    this.wait--;
    if (this.wait === 0) {
      const angle = 2 * Math.PI * random();
      const force = this.size / (this.lasts * this.period);
      direction[0] = force * Math.cos(angle);
      direction[1] = force * Math.sin(angle);
    } else if (this.wait === -this.lasts) {
      direction.fill(0);
      this.wait = this.pause();
    }
    return direction;
  }

  private pause(): number {
    return Math.round(between(...BREAKS, this.random) / this.period);
  }
}
