import type { DeformableBody } from "../src/index";
import type { Obstacle } from "./obstacles";

type Positions = ArrayLike<number> & { subarray(a: number, b: number): ArrayLike<number> };

/** One fold: half of the stack is carried over onto the other, as by a folding board. */
interface Fold {
  /** particles that are carried */
  readonly carried: readonly number[];
  /** m, n × 3: where the carried ones are before */
  readonly from: Float64Array;
  /** m, n × 3: where they should be */
  readonly targets: Float64Array;
  /** coordinate across the crease: 0 for x, 2 for z */
  readonly axis: 0 | 2;
  /** of the line about which they turn: across, and upward [m] */
  readonly line: readonly [number, number];
  /** lowest and highest place of the press [m] */
  readonly press: [number, number];
  /** since it began, but for pauses [s] */
  time: number;
  /** how long it has paused [s] */
  paused: number;
  /** of what is carried, the furthest from where it should be [m] */
  lag: number;
  isHeld: boolean;
}

/**
 * Time that each fold takes [s]. In a stack no layer may go further in a substep than the gap to the next one, as seen from the middle of
 * the cloth: turned faster its layers lag behind, and are thrown when they come free. The first fold has but one layer.
 */
const TURN = [0.8, 1.4, 0.9, 0.9];
/** For so long it is held then; so long the press takes to come down, and at the end to go up again [s]. */
const HOLD = 0.1;
const PRESS = 0.2;
const LIFT = 0.3;
/**
 * Carrying slows down when a layer lags behind, to a halt at so far [m]: when it came free it would be thrown there. After so long [s]
 * in all the half is let go, and the press does the rest.
 */
const LAG = 0.004;
const PAUSE = 0.7;
/** Height of the pressed stack over that of its layers at the distance that they keep. */
const LOOSE = 1.25;
/** What the press is above the stack at first [m]. */
const CLEAR = 0.03;

/** How often a cloth can be folded. */
export const MOST_FOLDS = TURN.length;

/** Time that it takes to fold a cloth so often [s]. */
export function foldingTime(folds: number): number {
  return TURN.slice(0, folds).reduce((sum, turn) => sum + turn + HOLD + PRESS, folds > 0 ? LIFT : 0);
}

/**
 * Folds a flat cloth in half, again and again, in turn along x and z. All of one half but for what is near the crease is carried about
 * a line above the stack, all of the other is held. What lies deeper goes round the crease in a wider bend: at an angle θ a layer at a
 * depth d below the line is drawn in by θ d, so that no layer is stretched or gathered. Then a press comes down on the stack, which would
 * spring open at its creases. After the last fold it goes up slowly.
 */
export class Folding {
  private done = 0;
  private fold: Fold | undefined;
  private planning = false;

  /**
   * @param folds how often
   * @param floor what the cloth lies on [m]
   * @param thickness distance that layers keep, from one another and from obstacles [m]
   * @param margin what is left free beside the crease [m]
   * @param press a plate, disabled; its lower side is `half` below its place [m]
   */
  constructor(
    private readonly body: DeformableBody,
    private readonly folds: number,
    private readonly floor: number,
    private readonly thickness: number,
    private readonly margin: number,
    private readonly press: Obstacle,
    private readonly half: number,
  ) {}

  get isDone(): boolean {
    return this.done === this.folds;
  }

  /** Looks how a fold goes, and plans the next one once the last is done; to be called between steps. */
  async prepare(): Promise<void> {
    if (this.isDone || this.planning || this.fold?.isHeld === false) return;
    this.planning = true;
    const { positions } = await this.body.readState();
    this.planning = false;
    if (this.fold) this.watch(this.fold, positions);
    else this.fold = this.plan(positions, this.done % 2 === 0 ? 0 : 2);
  }

  /** Goes on by `dt` [s]. */
  advance(dt: number): void {
    const { fold } = this;
    if (!fold) return;
    const { press } = this;
    const isLast = this.done === this.folds - 1;
    const turn = TURN[this.done];
    const held = turn + HOLD;
    const before = fold.time;
    const pause = before < turn ? dt * Math.min(1, fold.lag / LAG) : 0;
    fold.paused += pause;
    const letsGo = before < turn && fold.paused > PAUSE;
    fold.time = letsGo ? held : fold.time + dt - pause;
    const [low, high] = fold.press;
    if (before < held) {
      press.collider.enabled = false;
      press.moveTo([0, high, 0]);
      if (!letsGo) aim(fold, Math.min(1, fold.time / turn));
      fold.carried.forEach((particle, k) => {
        const [x, y, z] = fold.targets.subarray(3 * k, 3 * k + 3);
        this.body.setPinTarget(particle, x, y, z);
      });
    } else {
      if (fold.isHeld) this.body.unpin();
      fold.isHeld = false;
      press.collider.enabled = true;
      const down = Math.min(1, (fold.time - held) / PRESS);
      const up = Math.max(0, Math.min(1, (fold.time - held - PRESS) / LIFT));
      press.moveTo([0, high + (low - high) * (smooth(down) - up * up), 0]);
    }
    if (fold.time < held + PRESS + (isLast ? LIFT : 0)) return;
    this.fold = undefined;
    this.done++;
    if (isLast) press.collider.enabled = false;
  }

  private watch(fold: Fold, positions: ArrayLike<number>): void {
    fold.lag = lagOf(fold, positions);
    let top = -Infinity;
    for (let i = 1; i < positions.length; i += 3) top = Math.max(top, positions[i]);
    fold.press[1] = top + CLEAR + this.half;
  }

  private plan(positions: Positions, axis: 0 | 2): Fold {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    const across = (low + high) / 2;
    let [topCarried, topHeld] = [-Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 3)
      if (positions[i + axis] > across) topCarried = Math.max(topCarried, positions[i + 1]);
      else topHeld = Math.max(topHeld, positions[i + 1]);
    const { floor, thickness, margin, half } = this;
    const up = (topCarried + topHeld + thickness) / 2;
    const carried: number[] = [];
    const held: number[] = [];
    for (let p = 0; 3 * p < positions.length; p++) {
      const s = positions[3 * p + axis] - across;
      if (s < -margin) held.push(p);
      if (s > margin + Math.PI * (up - positions[3 * p + 1])) carried.push(p);
    }
    this.body.pin([...carried, ...held]);
    const from = new Float64Array(3 * carried.length);
    carried.forEach((p, k) => from.set(positions.subarray(3 * p, 3 * p + 3), 3 * k));
    for (const p of held) this.body.setPinTarget(p, positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]);
    const layers = 2 ** (this.done + 1);
    const flat = floor + LOOSE * (layers + 1) * thickness + half;
    return {
      carried,
      from,
      targets: from.slice(),
      axis,
      line: [across, up],
      press: [flat, 2 * up - floor + CLEAR + half],
      time: 0,
      paused: 0,
      lag: 0,
      isHeld: true,
    };
  }
}

function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}

/** Where the carried particles should be when a part of the turn is done. */
function aim({ axis, line, from, targets }: Fold, share: number): void {
  const angle = Math.PI * smooth(share);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [across, up] = line;
  for (let i = 0; i < from.length; i += 3) {
    const depth = up - from[i + 1];
    const s = from[i + axis] - across - angle * depth;
    targets[i + axis] = across + cos * s + sin * depth;
    targets[i + 1] = up + sin * s - cos * depth;
  }
}

function lagOf({ carried, targets }: Fold, positions: ArrayLike<number>): number {
  let most = 0;
  carried.forEach((p, k) => {
    const [x, y, z] = [0, 1, 2].map((c) => positions[3 * p + c] - targets[3 * k + c]);
    most = Math.max(most, Math.hypot(x, y, z));
  });
  return most;
}
