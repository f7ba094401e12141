/** Rewards and estimates of several environments, in rows of one number for each environment. */
export interface Estimates {
  /** steps × environments */
  readonly rewards: Float64Array;
  /** worth of the states in which the decisions were made, steps × environments */
  readonly values: Float64Array;
  /** worth of the states after them: 0 at the end of an episode, but not at its time limit; steps × environments */
  readonly nextValues: Float64Array;
  /** 1 where an episode ended after the decision, by itself or by its time limit; steps × environments */
  readonly last: Uint8Array;
  readonly environments: number;
}

/**
 * Generalized advantage estimation (Schulman et al. 2016, equation 16): Â_t = δ_t + γ λ Â_{t+1}, where
 * δ_t = r_t + γ V(s_{t+1}) − V(s_t).
 *
 * @param discount γ
 * @param trace λ
 * @returns advantages, steps × environments; the worth that was aimed at is the advantage plus the value
 */
export function advantagesOf(estimates: Estimates, discount: number, trace: number): Float64Array {
  const { rewards, values, nextValues, last, environments } = estimates;
  const advantages = new Float64Array(rewards.length);
  for (let i = rewards.length - 1; i >= 0; i--) {
    const delta = rewards[i] + discount * nextValues[i] - values[i];
    const isLast = last[i] === 1 || i + environments >= rewards.length;
    advantages[i] = delta + (isLast ? 0 : discount * trace * advantages[i + environments]);
  }
  return advantages;
}
