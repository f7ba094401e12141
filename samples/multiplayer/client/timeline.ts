/** The motion between frames: it is drawn a little late, so that there are frames on both sides of the present. */

import { STEP_RATE } from "../shared/arena";
import type { Frame } from "../shared/wire";

/** Steps between the newest frame and the drawn moment: with three steps a frame, one or two frames may be lost. */
const DELAY = 8;
const MOST_FRAMES = 16;

export interface Drawn {
  readonly poses: Float32Array;
  readonly curtain: Float32Array;
}

export class Timeline {
  private readonly frames: Frame[] = [];
  /** the step that is drawn now */
  private now: number | undefined;

  add(frame: Frame): void {
    // The game began anew.
    if (this.newest && frame.step < this.newest.step - MOST_FRAMES * DELAY) this.frames.length = 0;
    if (this.newest && frame.step <= this.newest.step) return;
    this.frames.push(frame);
    if (this.frames.length > MOST_FRAMES) this.frames.shift();
  }

  get newest(): Frame | undefined {
    return this.frames.at(-1);
  }

  /**
   * Goes on in time.
   *
   * @param seconds since the last call
   * @returns the state to draw, or undefined before the first frame
   */
  advance(seconds: number): Drawn | undefined {
    const { frames, newest } = this;
    if (!newest) return undefined;
    const wanted = newest.step - DELAY;
    const next = (this.now ?? wanted) + seconds * STEP_RATE;
    // The clocks of two machines drift apart: follow gently, and jump after a pause.
    this.now = Math.abs(next - wanted) > STEP_RATE / 2 ? wanted : next + 0.05 * (wanted - next);
    const { now } = this;
    const after = frames.find(({ step }) => step >= now) ?? newest;
    const before = frames.findLast(({ step }) => step <= now) ?? after;
    const share = after.step > before.step ? (now - before.step) / (after.step - before.step) : 0;
    return {
      poses: blendPoses(before.poses, after.poses, share),
      curtain: blend(before.curtain, after.curtain, share),
    };
  }
}

function blend(a: ArrayLike<number>, b: ArrayLike<number>, share: number): Float32Array {
  return Float32Array.from({ length: a.length }, (_, i) => a[i] + share * (b[i] - a[i]));
}

/** Rotations take the shorter way: a quaternion and its negative are the same rotation. */
function blendPoses(a: ArrayLike<number>, b: ArrayLike<number>, share: number): Float32Array {
  const poses = blend(a, b, share);
  for (let at = 3; at < poses.length; at += 7) {
    let dot = 0;
    for (let k = at; k < at + 4; k++) dot += a[k] * b[k];
    const sign = Math.sign(dot) || 1;
    for (let k = at; k < at + 4; k++) poses[k] = (1 - share) * a[k] + sign * share * b[k];
    const length = Math.hypot(...poses.subarray(at, at + 4)) || 1;
    for (let k = at; k < at + 4; k++) poses[k] /= length;
  }
  return poses;
}
