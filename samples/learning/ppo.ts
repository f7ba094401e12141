import { numpy as np } from "@jax-js/jax";
import type { Environment } from "./environment";
import { Learner } from "./learner";
import { Player, type Experience } from "./rollout";
import type { Network } from "./policy";

/** Divergences up to this many times the wanted one, or this part of it, leave the steps as they are; others change them by the factor. */
const [TOLERANCE, FASTER] = [1.5, 1.3];
/** One of so many decisions tells the divergence. */
const EACH = 8;

export interface PpoOptions {
  /** environments side by side */
  readonly environments: number;
  /** decisions in each of them between updates */
  readonly steps: number;
  /** passes over these decisions */
  readonly passes: number;
  /** decisions that a step of Adam learns from */
  readonly batch: number;
  /** length of the steps of Adam at the start; it falls in proportion to the decisions left */
  readonly rate: number;
  /** γ and λ of the advantages */
  readonly discount: number;
  readonly trace: number;
  readonly clip: number;
  readonly hidden: readonly number[];
  /** spread of the actions at the start */
  readonly spread: number;
  /** decisions after which training ends */
  readonly decisions: number;
  /** decisions at the start from which the critic alone learns, so that it does not lead a policy that is good already astray; 0 if omitted */
  readonly watch?: number;
  /**
   * Mean divergence of Kullback and Leibler between the actions before and after an update, 0.01 or so. If given, the length of the steps
   * follows it, from `rate`.
   */
  readonly divergence?: number;
}

export interface Progress {
  /** decisions so far */
  readonly decisions: number;
  /** mean return of the episodes that ended since the last update; NaN if none did */
  readonly meanReturn: number;
  readonly actor: Network;
}

/**
 * Proximal policy optimization (Schulman et al. 2017). Equal seeds give equal policies on one machine.
 *
 * @param make makes an environment
 * @param random numbers in [0, 1)
 * @param onProgress is told after each update; training ends when it returns true
 * @returns the network of the mean actions
 */
export function trainByPpo(
  make: () => Environment,
  options: PpoOptions,
  random: () => number,
  onProgress: (progress: Progress) => boolean,
): Network {
  const environments = Array.from({ length: options.environments }, make);
  const { observationSize, actionSize } = environments[0];
  const { hidden, clip, spread, discount, trace } = options;
  const learner = new Learner({ observationSize, actionSize, hidden, clip, spread }, random);
  try {
    const player = new Player(environments, random);
    let networks = learner.networks();
    let pace = 1;
    const way = { discount, trace, scale: 1 - discount };
    for (let decisions = 0; decisions < options.decisions;) {
      const experience = player.play(networks, options.steps, way);
      const isWatching = decisions < (options.watch ?? 0);
      const rate = options.rate * (options.divergence === undefined ? 1 - decisions / options.decisions : pace);
      // Without advantages, actions have no gradient.
      if (isWatching) experience.advantages.fill(0);
      for (let pass = 0; pass < options.passes; pass++) learnAll(learner, experience, options.batch, rate, random);
      decisions += experience.count;
      const before = networks;
      networks = learner.networks();
      if (options.divergence !== undefined && !isWatching) {
        const share = divergenceOf(experience, before, networks.actor) / options.divergence;
        pace *= share > TOLERANCE ? 1 / FASTER : share < 1 / TOLERANCE ? FASTER : 1;
      }
      const { returns } = experience;
      const meanReturn = returns.reduce((sum, value) => sum + value, 0) / returns.length;
      if (onProgress({ decisions, meanReturn, actor: networks.actor })) break;
    }
    return networks.actor;
  } finally {
    learner.dispose();
  }
}

/** Mean divergence of Kullback and Leibler of actions of two policies with about the same spread. */
function divergenceOf(
  { observations, count }: Experience,
  before: { readonly actor: Network; readonly spread: Float64Array },
  after: Network,
): number {
  const width = observations.length / count;
  let sum = 0;
  for (let row = 0; row < count; row += EACH) {
    const observation = observations.subarray(row * width, (row + 1) * width);
    before.actor.input.set(observation);
    after.input.set(observation);
    const now = after.run();
    before.actor.run().forEach((mean, k) => (sum += 0.5 * ((now[k] - mean) / before.spread[k]) ** 2));
  }
  return sum / Math.ceil(count / EACH);
}

/** Learns from every decision once, in random order. */
function learnAll(learner: Learner, experience: Experience, size: number, rate: number, random: () => number): void {
  const { count } = experience;
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor((i + 1) * random());
    [order[i], order[other]] = [order[other], order[i]];
  }
  const advantages = normalised(experience.advantages);
  // An incomplete batch at the end would have another shape, which is compiled anew.
  for (let start = 0; start + size <= count; start += size) {
    const rows = order.subarray(start, start + size);
    const pick = (values: Float32Array): Float32Array => {
      const width = values.length / count;
      const picked = new Float32Array(size * width);
      rows.forEach((row, i) => picked.set(values.subarray(row * width, (row + 1) * width), i * width));
      return picked;
    };
    const matrix = (values: Float32Array): np.Array => np.array(pick(values)).reshape([size, values.length / count]);
    learner.learn(
      {
        observations: matrix(experience.observations),
        actions: matrix(experience.actions),
        logProbabilities: np.array(pick(experience.logProbabilities)),
        advantages: np.array(pick(advantages)),
        worths: np.array(pick(experience.worths)),
      },
      rate,
    );
  }
}

/** With mean 0 and variance 1. */
function normalised(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value) => (value - mean) / (Math.sqrt(variance) + 1e-8));
}
