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
  /** numbers of an action; each environment says how it bounds them */
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

/** An environment that knows how rewards and later states change with actions and states. */
export interface DifferentiableEnvironment extends Environment {
  /** numbers of a state */
  readonly stateSize: number;
  /** Forgets all decisions, and remembers those from now on, over the ends of episodes too. */
  record(): void;
  /** Adds the gradient by the state, for a gradient by its observation. Observations are linear. */
  pullObservation(observation: Float64Array, state: Float64Array): void;
  /**
   * Goes back over the last decision that is remembered, and forgets it.
   *
   * @param reward derivative of the worth by the reward of the decision
   * @param state gradient by the state after the decision; receives that by the state before it
   * @param action receives the gradient by the action
   */
  pull(reward: number, state: Float64Array, action: Float64Array): void;
}

/** Cost of a decision: Σ weight (state − target)² + effort Σ control². */
export interface QuadraticCost {
  readonly weights: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly effort: number;
}

/** An environment that knows the Jacobians of its steps, and a cost that leads to where rewards are. Its controls are tanh of the actions. */
export interface LinearizedEnvironment extends Environment {
  /** numbers of a state */
  readonly stateSize: number;
  readonly cost: QuadraticCost;
  readState(out: Float64Array): void;
  /** The observation of a state; linear, but for a constant. */
  observationOf(state: Float64Array, out: Float64Array): void;
  /** Adds the gradient by the state, for a gradient by its observation. */
  pullObservation(observation: Float64Array, state: Float64Array): void;
  /** A change of the state that changes the observation so. */
  pushObservation(observation: Float64Array, state: Float64Array): void;
  /**
   * As `act`, with derivatives.
   *
   * @param controls numbers from −1 to 1
   * @param byState receives ∂(state after)/∂(state before), one row for each number after
   * @param byControl receives ∂(state after)/∂(controls)
   */
  actLinearized(controls: Float64Array, byState: Float64Array, byControl: Float64Array): Outcome;
}

/** A number with mean 0 and variance 1 (Box and Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function between(low: number, high: number, random: () => number): number {
  return low + (high - low) * random();
}
