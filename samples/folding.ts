import type { DeformableBody } from "../src/index";
import type { Obstacle } from "./obstacles";

type Positions = ArrayLike<number> & { subarray(a: number, b: number): ArrayLike<number> };

/** One fold: half of the stack is carried over onto the other half, as by a folding board. */
interface Fold {
  /** particles in hands; the carried ones come first */
  readonly pinned: readonly number[];
  /** 1 for those that have slipped */
  readonly slipped: Uint8Array;
  readonly carriedCount: number;
  /** m, pinned × 3: places before the fold, and when laid straight */
  readonly from: Float64Array;
  readonly straight: Float64Array;
  /** m, pinned × 3: target places */
  readonly targets: Float64Array;
  /** coordinate across the crease: 0 for x, 2 for z */
  readonly axis: 0 | 2;
  /** coordinates of the line about which they turn: across, and upward [m] */
  readonly line: readonly [number, number];
  /** radius of bends about that line, by the depth below it [m] */
  readonly radius: (depth: number) => number;
  /** lowest and highest position of the press [m] */
  readonly press: [number, number];
  /** time since the fold began, without pauses [s] */
  time: number;
  /** largest distance of a held particle from its target [m] */
  lag: number;
  isHeld: boolean;
}

/** Time in which the layers are laid straight, each at its height, so that none holds its neighbor up when they are carried [s]. */
const LAY = 0.3;
/**
 * Time of each turn [s]. In a stack no layer may move further in a substep than the gap to the next one, as seen from the middle of the
 * cloth: if they turn faster, layers lag behind, and are thrown when they come free. The first fold has only one layer.
 */
const TURN = [0.8, 1.4, 1.2, 1.2];
/** Then the fold is held for this time; the other two are those in which the press comes down, and goes up again at the end [s]. */
const HOLD = 0.1;
const PRESS = 0.2;
const LIFT = 0.3;
/**
 * If a layer lags behind, the hands slow down, to half their speed. Particles this far [m] from their targets slip out of the hands: they
 * are caught on something, and would be thrown when they come free.
 */
const LAG = 0.004;
/** Distance of layers, laid straight or pressed, as a multiple of the distance that they keep. */
const LOOSE = 2;
/** Initial height of the press above the stack [m]. */
const CLEAR = 0.03;
/** Particles this near to a crease stay free in later folds: bent cloth has to get out of its own way [m]. */
const NEAR = 0.05;
/** Length of a bend relative to an arc: a bend of few segments is no arc, and a short one would press on those inside. */
const SLACK = 1.3;

/** Largest number of folds of a cloth. */
export const MOST_FOLDS = TURN.length;

/** Time of that many folds [s]. */
export function foldingTime(folds: number): number {
  return TURN.slice(0, folds).reduce((sum, turn) => sum + LAY + turn + HOLD + PRESS, folds > 0 ? LIFT : 0);
}

/**
 * Folds a flat cloth in half repeatedly, along x and z in turn. First the layers are laid straight, each at its height. Then one half,
 * except near creases, is carried about a line above the stack, and the other half is held. Deeper layers go round the crease in a wider
 * bend: at an angle θ a layer whose bend has the radius r is drawn in by θ r, so that none is stretched. Finally a press comes down on the
 * stack, which would spring open at its creases. After the last fold it rises slowly.
 */
export class Folding {
  private done = 0;
  private fold: Fold | undefined;
  private planning = false;
  /** layer of each particle, from below */
  private readonly layer: Uint8Array;
  /** 1 for particles at the creases of folds */
  private readonly bent: Uint8Array;

  /**
   * @param folds number of folds
   * @param floor height of the surface under the cloth [m]
   * @param thickness distance that layers keep, from one another and from obstacles [m]
   * @param margin width that stays free beside the crease [m]
   * @param press a plate, disabled; its lower side is `half` below its position [m]
   */
  constructor(
    private readonly body: DeformableBody,
    private readonly folds: number,
    private readonly floor: number,
    private readonly thickness: number,
    private readonly margin: number,
    private readonly press: Obstacle,
    private readonly half: number,
  ) {
    this.layer = new Uint8Array(body.particleCount);
    this.bent = new Uint8Array(body.particleCount);
  }

  get isDone(): boolean {
    return this.done === this.folds;
  }

  /** Checks the progress of a fold, and plans the next one once the last is done; call it between steps. */
  async prepare(): Promise<void> {
    if (this.isDone || this.planning || this.fold?.isHeld === false) return;
    this.planning = true;
    const { positions } = await this.body.readState();
    this.planning = false;
    if (this.fold) this.watch(this.fold, positions);
    else this.fold = this.plan(positions, this.done % 2 === 0 ? 0 : 2);
  }

  /** Advances by `dt` [s]. */
  advance(dt: number): void {
    const { fold } = this;
    if (!fold) return;
    const { press } = this;
    const isLast = this.done === this.folds - 1;
    const turned = LAY + TURN[this.done];
    const held = turned + HOLD;
    fold.time += fold.time < turned ? dt * (1 - (0.5 * fold.lag) / LAG) : dt;
    const [low, high] = fold.press;
    if (fold.time < held) {
      press.collider.enabled = false;
      press.moveTo([0, high, 0]);
      if (fold.time < LAY) lay(fold, fold.time / LAY);
      else turn(fold, Math.min(1, (fold.time - LAY) / TURN[this.done]));
      fold.pinned.forEach((particle, k) => {
        if (fold.slipped[k] === 1) return;
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
    const { pinned, targets, slipped } = fold;
    fold.lag = 0;
    pinned.forEach((p, k) => {
      if (slipped[k] === 1) return;
      const lag = Math.hypot(...[0, 1, 2].map((c) => positions[3 * p + c] - targets[3 * k + c]));
      if (lag > LAG) {
        slipped[k] = 1;
        this.body.unpin([p]);
      } else fold.lag = Math.max(fold.lag, lag);
    });
    let top = -Infinity;
    for (let i = 1; i < positions.length; i += 3) top = Math.max(top, positions[i]);
    fold.press[1] = top + CLEAR + this.half;
  }

  private plan(positions: Positions, axis: 0 | 2): Fold {
    const { floor, thickness, margin, half, layer, bent, body } = this;
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    const across = (low + high) / 2;
    const layers = 2 ** this.done;
    const heightOf = (p: number): number => floor + thickness * (1 + LOOSE * layer[p]);
    const up = floor + thickness * (1 + LOOSE * (layers - 0.5));
    const radius = (depth: number): number => SLACK * depth + thickness;
    const carried: number[] = [];
    const held: number[] = [];
    for (let p = 0; p < layer.length; p++) {
      const arc = Math.PI * radius(up - heightOf(p));
      const s = positions[3 * p + axis] - across;
      if (s < -margin && bent[p] === 0) held.push(p);
      if (s > margin + arc && bent[p] === 0) carried.push(p);
      if (s >= -NEAR && s <= NEAR + arc) bent[p] = 1;
      if (s > arc / 2) layer[p] = 2 * layers - 1 - layer[p];
    }
    const pinned = [...carried, ...held];
    const from = new Float64Array(3 * pinned.length);
    pinned.forEach((p, k) => from.set(positions.subarray(3 * p, 3 * p + 3), 3 * k));
    const straight = from.slice();
    // By now their heights are those after the fold.
    carried.forEach((p, k) => (straight[3 * k + 1] = 2 * up - heightOf(p)));
    held.forEach((p, k) => (straight[3 * (carried.length + k) + 1] = heightOf(p)));
    body.pin(pinned);
    return {
      pinned,
      slipped: new Uint8Array(pinned.length),
      carriedCount: carried.length,
      from,
      straight,
      targets: from.slice(),
      axis,
      line: [across, up],
      radius,
      press: [floor + LOOSE * (2 * layers + 1) * thickness + half, 2 * up - floor + CLEAR + half],
      time: 0,
      lag: 0,
      isHeld: true,
    };
  }
}

function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}

/** Targets of particles after a part of the way to their heights. */
function lay({ from, straight, targets }: Fold, share: number): void {
  const part = smooth(share);
  for (let i = 0; i < from.length; i++) targets[i] = from[i] + part * (straight[i] - from[i]);
}

/** Targets of particles after a part of the turn. */
function turn({ axis, line, radius, carriedCount, straight, targets }: Fold, share: number): void {
  const angle = Math.PI * smooth(share);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [across, up] = line;
  targets.set(straight);
  for (let i = 0; i < 3 * carriedCount; i += 3) {
    const depth = up - straight[i + 1];
    const s = straight[i + axis] - across - angle * radius(depth);
    targets[i + axis] = across + cos * s + sin * depth;
    targets[i + 1] = up + sin * s - cos * depth;
  }
}
