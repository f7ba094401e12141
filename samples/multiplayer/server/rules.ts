/** The server's check of every push: its owner, its size, its rate, and that it comes once. */

import { BODIES, SEATS, STEP_RATE } from "../shared/arena";
import type { Push } from "../shared/wire";

/** The largest change of velocity of a push [m/s]. */
export const LARGEST_KICK = 5;

/** Pushes of a player: so many at once, and so many a second on average. */
const AT_ONCE = 4;
const PER_SECOND = 4;

export class PushRules {
  /** number of the last push that was taken or refused for good, for each seat */
  readonly taken = new Uint32Array(SEATS);
  private readonly credit = new Float64Array(SEATS).fill(AT_ONCE);

  /** Whether a player may push so, now. A push that only comes too early stays open: the client sends it again. */
  takes(seat: number, { number, body, kick }: Push): boolean {
    if (number !== this.taken[seat] + 1) return false;
    if (this.credit[seat] < 1) return false;
    this.taken[seat] = number;
    this.credit[seat]--;
    // A comparison with NaN is false, so this refuses it, too.
    return BODIES[body]?.seat === seat && Math.hypot(...kick) <= LARGEST_KICK;
  }

  /** Time goes on by a step. */
  step(): void {
    for (let seat = 0; seat < SEATS; seat++)
      this.credit[seat] = Math.min(AT_ONCE, this.credit[seat] + PER_SECOND / STEP_RATE);
  }

  clear(seat: number): void {
    this.taken[seat] = 0;
    this.credit[seat] = AT_ONCE;
  }
}
