/** Outcome of one decision of an agent. */
export interface Outcome {
  readonly reward: number;
  /** whether the episode has ended here by itself, so that nothing more can be earned; the time limit is not such an end */
  readonly ended: boolean;
}

/**
 * A task for an agent, as reinforcement learning sees it: from an observation the agent decides on an action, and gets a reward. All
 * chance comes from the numbers that `reset` is given, so that equal seeds give equal episodes.
 */
export interface Environment {
  /** numbers of an observation, each of the order of one */
  readonly observationSize: number;
  /** numbers of an action; those outside of −1 to 1 count as the nearest bound */
  readonly actionSize: number;
  /** most decisions of an episode */
  readonly horizon: number;
  /**
   * Begins an episode.
   *
   * @param random numbers in [0, 1), also of chance in the episode
   */
  reset(random: () => number): void;
  /** @param out `observationSize` numbers */
  observe(out: Float64Array): void;
  /** Simulates up to the next decision. */
  act(action: ArrayLike<number>): Outcome;
}

/** A number with mean 0 and variance 1 (Box and Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function between(low: number, high: number, random: () => number): number {
  return low + (high - low) * random();
}
