import type { DeformableBody } from "../src/index";

/** One fold: a strip of the cloth is carried over to the other side, as hands would. */
interface Fold {
  /** particles that are carried */
  readonly carried: readonly number[];
  /** m, n × 3: where the carried ones are before */
  readonly from: Float64Array;
  /** coordinate across the crease: 0 for x, 2 for z */
  readonly axis: 0 | 2;
  /** of the line about which they turn: across, and upward [m] */
  readonly line: readonly [number, number];
  time: number;
}

/** Frames' time that a fold takes, and that the cloth then has to come to rest [s]. */
const TURN = 1.1;
const REST = 0.3;
/** The carried strip comes a little nearer to the crease, so that nothing is pulled. */
const SLACK = 0.93;

/**
 * Folds a flat cloth in half, again and again, in turn along x and z: the last strip on one side is carried in a half
 * circle onto the opposite strip, which is held.
 */
export class Folding {
  private done = 0;
  private fold: Fold | undefined;

  /**
   * @param folds how often
   * @param grip width of the strips that are held [m]
   * @param gap between the carried strip and what it is laid on [m]
   */
  constructor(
    private readonly body: DeformableBody,
    private readonly folds: number,
    private readonly grip: number,
    private readonly gap: number,
  ) {}

  get isDone(): boolean {
    return this.done === this.folds;
  }

  /** Plans the next fold once the last one is done; to be called between steps. */
  async prepare(): Promise<void> {
    if (this.isDone || this.fold) return;
    const { positions } = await this.body.readState();
    this.fold = this.plan(positions, this.done % 2 === 0 ? 0 : 2);
  }

  /** Carries the strip on by `dt` [s]. */
  advance(dt: number): void {
    const { fold, body } = this;
    if (!fold) return;
    fold.time += dt;
    const share = Math.min(1, fold.time / TURN);
    const angle = Math.PI * share * share * (3 - 2 * share);
    const nearer = 1 - (1 - SLACK) * Math.sin(angle);
    const [cos, sin] = [nearer * Math.cos(angle), nearer * Math.sin(angle)];
    const [across, up] = fold.line;
    fold.carried.forEach((particle, k) => {
      const [x, y, z] = fold.from.subarray(3 * k, 3 * k + 3);
      const [s, r] = [(fold.axis === 0 ? x : z) - across, y - up];
      const [s1, y1] = [across + cos * s - sin * r, up + sin * s + cos * r];
      if (fold.axis === 0) body.setPinTarget(particle, s1, y1, z);
      else body.setPinTarget(particle, x, y1, s1);
    });
    if (fold.time < TURN + REST) return;
    body.unpin();
    this.fold = undefined;
    this.done++;
  }

  private plan(
    positions: ArrayLike<number> & { subarray(a: number, b: number): ArrayLike<number> },
    axis: 0 | 2,
  ): Fold {
    let [low, high, top] = [Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 3) {
      low = Math.min(low, positions[i + axis]);
      high = Math.max(high, positions[i + axis]);
      top = Math.max(top, positions[i + 1]);
    }
    const carried: number[] = [];
    const held: number[] = [];
    for (let p = 0; 3 * p < positions.length; p++) {
      const s = positions[3 * p + axis];
      if (s > high - this.grip) carried.push(p);
      if (s < low + this.grip) held.push(p);
    }
    this.body.pin([...carried, ...held]);
    const from = new Float64Array(3 * carried.length);
    carried.forEach((p, k) => from.set(positions.subarray(3 * p, 3 * p + 3), 3 * k));
    for (const p of held) this.body.setPinTarget(p, positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]);
    return { carried, from, axis, line: [(low + high) / 2, top + this.gap / 2], time: 0 };
  }
}
