import { advantagesOf } from "./advantages";
import type { Environment } from "./environment";
import { normal } from "./environment";
import type { Network } from "./policy";

/** Decisions with all that a learner needs to know about them, one in each row. */
export interface Experience {
  readonly count: number;
  readonly observations: Float32Array;
  readonly actions: Float32Array;
  readonly logProbabilities: Float32Array;
  readonly advantages: Float32Array;
  readonly worths: Float32Array;
  /** returns of the episodes that ended meanwhile */
  readonly returns: readonly number[];
}

/** Plays several environments side by side; their episodes go on from one rollout to the next. */
export class Player {
  private readonly earned: Float64Array;
  private readonly decisions: Int32Array;

  constructor(
    private readonly environments: readonly Environment[],
    private readonly random: () => number,
  ) {
    this.earned = new Float64Array(environments.length);
    this.decisions = new Int32Array(environments.length);
    for (const environment of environments) environment.reset(random);
  }

  /**
   * Lets the actor make decisions, with normal noise of the given spread.
   *
   * @param steps decisions in each environment
   * @param scale of rewards, so that the critic learns numbers of the order of one
   */
  play(
    networks: { readonly actor: Network; readonly critic: Network; readonly spread: Float64Array },
    steps: number,
    { discount, trace, scale }: { readonly discount: number; readonly trace: number; readonly scale: number },
  ): Experience {
    const { environments, random } = this;
    const { actor, critic, spread } = networks;
    const { length: width } = environments;
    const count = steps * width;
    const { observationSize, actionSize } = environments[0];
    const observations = new Float32Array(count * observationSize);
    const actions = new Float32Array(count * actionSize);
    const logProbabilities = new Float32Array(count);
    const [rewards, values, nextValues] = [0, 1, 2].map(() => new Float64Array(count));
    const last = new Uint8Array(count);
    const returns: number[] = [];
    const action = new Float64Array(actionSize);
    const worthOf = (environment: Environment): number => {
      environment.observe(critic.input);
      return critic.run()[0];
    };
    for (let row = 0; row < count; row++) {
      const at = row % width;
      const environment = environments[at];
      environment.observe(actor.input);
      observations.set(actor.input, row * observationSize);
      const mean = actor.run();
      let logProbability = 0;
      for (let k = 0; k < actionSize; k++) {
        const noise = normal(random);
        action[k] = mean[k] + spread[k] * noise;
        logProbability -= 0.5 * noise * noise + Math.log(spread[k]) + 0.5 * Math.log(2 * Math.PI);
      }
      actions.set(action, row * actionSize);
      logProbabilities[row] = logProbability;
      values[row] = worthOf(environment);
      const { reward, ended } = environment.act(action);
      rewards[row] = scale * reward;
      nextValues[row] = ended ? 0 : worthOf(environment);
      this.earned[at] += reward;
      this.decisions[at]++;
      if (!ended && this.decisions[at] < environment.horizon) continue;
      last[row] = 1;
      returns.push(this.earned[at]);
      this.earned[at] = this.decisions[at] = 0;
      environment.reset(random);
    }
    const advantages = advantagesOf({ rewards, values, nextValues, last, environments: width }, discount, trace);
    const worths = Float32Array.from(advantages, (advantage, i) => advantage + values[i]);
    return {
      count,
      observations,
      actions,
      logProbabilities,
      advantages: Float32Array.from(advantages),
      worths,
      returns,
    };
  }
}

/** Returns of episodes in which the actor decides without noise. */
export function evaluate(
  environment: Environment,
  actor: Network,
  episodes: number,
  random: () => number,
  atEnd?: (environment: Environment, decisions: number) => void,
): number[] {
  return Array.from({ length: episodes }, () => {
    environment.reset(random);
    let [total, decisions, isOver] = [0, 0, false];
    while (!isOver) {
      environment.observe(actor.input);
      const { reward, ended } = environment.act(actor.run());
      total += reward;
      decisions++;
      isOver = ended || decisions === environment.horizon;
    }
    atEnd?.(environment, decisions);
    return total;
  });
}
