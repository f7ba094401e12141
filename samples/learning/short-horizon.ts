import { Adam } from "./adam";
import { advantagesOf } from "./advantages";
import { normal, type DifferentiableEnvironment } from "./environment";
import { Network, randomNetwork } from "./policy";
import type { Progress } from "./ppo";

export interface ShortHorizonOptions {
  /** environments side by side */
  readonly environments: number;
  /** decisions of a window, over which gradients go back */
  readonly window: number;
  /** lengths of the steps of Adam at the start; they fall in proportion to the decisions left */
  readonly rate: number;
  readonly criticRate: number;
  /** passes of the critic over the decisions of a window, and decisions that each of its steps learns from */
  readonly passes: number;
  readonly batch: number;
  /** γ, and λ of what the critic learns */
  readonly discount: number;
  readonly trace: number;
  /** λ of the returns whose gradient the policy follows: the rest of the gradient after each decision is the critic's */
  readonly reach: number;
  readonly hidden: readonly number[];
  /** spread of the noise of the actions at the start; it falls as the rates do */
  readonly spread: number;
  /** part by which the critic that is asked for worths goes to the one that learns, after each window */
  readonly follow: number;
  /** decisions after which training ends */
  readonly decisions: number;
}

/** The acts of one environment in a window, a row for each decision. */
interface Window {
  readonly observations: Float64Array[];
  readonly rewards: Float64Array;
  readonly values: Float64Array;
  readonly nextValues: Float64Array;
  /** observations after decisions, but those that ended an episode by themselves */
  readonly after: (Float64Array | undefined)[];
  readonly last: Uint8Array;
}

/**
 * Short-horizon actor-critic (Xu et al. 2022): plays windows of a few decisions, and changes the policy along the gradient of what they
 * earned, with the worth of the state after them by a critic. The gradient goes back through the steps of the simulation, so that a
 * decision teaches a direction for each number of its action, and not one number for all.
 *
 * Equal seeds give equal policies.
 *
 * @param make makes an environment
 * @param random numbers in [0, 1)
 * @param onProgress is told after each window; training ends when it returns true
 * @returns the network of the actions
 */
export function trainByGradients(
  make: () => DifferentiableEnvironment,
  options: ShortHorizonOptions,
  random: () => number,
  onProgress: (progress: Progress) => boolean,
): Network {
  const environments = Array.from({ length: options.environments }, make);
  const { observationSize, actionSize } = environments[0];
  const actor = randomNetwork([observationSize, ...options.hidden, actionSize], 0.01, random);
  const critic = randomNetwork([observationSize, ...options.hidden, 1], 1, random);
  // Worths come from a copy that follows slowly, so that they are not of what was learned from them a moment ago.
  const judge = new Network(critic);
  const [actorAdam, criticAdam] = [new Adam(actor.layers), new Adam(critic.layers)];
  const gradient = actor.layers.map(({ length }) => new Float64Array(length));
  const [earned, count] = [new Float64Array(environments.length), new Int32Array(environments.length)];
  for (const environment of environments) environment.reset(random);
  for (let decisions = 0; decisions < options.decisions;) {
    const left = 1 - decisions / options.decisions;
    const returns: number[] = [];
    for (const layer of gradient) layer.fill(0);
    const windows = environments.map((environment, e) => {
      const window = play(
        environment,
        actor,
        judge,
        options,
        left * options.spread,
        random,
        (reward) => {
          earned[e] += reward;
          count[e]++;
          return count[e] === environment.horizon;
        },
        () => {
          returns.push(earned[e]);
          earned[e] = count[e] = 0;
        },
      );
      pullWindow(environment, actor, judge, window, options, gradient);
      return window;
    });
    bound(gradient);
    actorAdam.step(gradient, left * options.rate);
    learnWorths(critic, criticAdam, windows, options, left * options.criticRate, random);
    judge.layers.forEach((layer, k) =>
      layer.forEach((value, i) => (layer[i] += options.follow * (critic.layers[k][i] - value))),
    );
    decisions += environments.length * options.window;
    const meanReturn = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    if (onProgress({ decisions, meanReturn, actor: new Network(actor) })) break;
  }
  return actor;
}

/** Plays a window, and remembers it for `pullWindow`. */
function play(
  environment: DifferentiableEnvironment,
  actor: Network,
  judge: Network,
  { window: rows, discount }: ShortHorizonOptions,
  spread: number,
  random: () => number,
  isTimeUp: (reward: number) => boolean,
  atEnd: () => void,
): Window {
  const { actionSize, observationSize } = environment;
  const window: Window = {
    observations: [],
    rewards: new Float64Array(rows),
    values: new Float64Array(rows),
    nextValues: new Float64Array(rows),
    after: [],
    last: new Uint8Array(rows),
  };
  const action = new Float64Array(actionSize);
  environment.record();
  for (let row = 0; row < rows; row++) {
    const observation = new Float64Array(observationSize);
    environment.observe(observation);
    window.observations.push(observation);
    window.values[row] = worthOf(judge, observation);
    actor.input.set(observation);
    const mean = actor.run();
    for (let k = 0; k < actionSize; k++) action[k] = mean[k] + spread * normal(random);
    const { reward, ended } = environment.act(action);
    // Rewards are scaled so that worths are of their size.
    window.rewards[row] = (1 - discount) * reward;
    const after = new Float64Array(observationSize);
    environment.observe(after);
    window.nextValues[row] = ended ? 0 : worthOf(judge, after);
    const isLast = isTimeUp(reward) || ended;
    window.last[row] = Number(isLast);
    window.after.push(ended ? undefined : after);
    if (!isLast) continue;
    atEnd();
    environment.reset(random);
  }
  return window;
}

/** Adds the gradient of minus what a window earned, by the weights of the actor, for each decision the mean over the window. */
function pullWindow(
  environment: DifferentiableEnvironment,
  actor: Network,
  judge: Network,
  { observations, after, last }: Window,
  { discount, environments, reach }: ShortHorizonOptions,
  gradient: readonly Float64Array[],
): void {
  const state = new Float64Array(environment.stateSize);
  const action = new Float64Array(environment.actionSize);
  const rows = observations.length;
  const one = -1 / (rows * environments);
  for (let row = rows - 1; row >= 0; row--) {
    // The state holds the gradient of what is earned after this decision, at the worth of that time: by the steps that were taken, and by
    // the critic. Steps in contact have gradients that miss the jumps between one contact and another, more so the longer the way.
    const kept = last[row] === 1 || row === rows - 1 ? 0 : reach;
    for (let i = 0; i < state.length; i++) state[i] *= kept;
    const next = after[row];
    if (next !== undefined) {
      worthOf(judge, next);
      environment.pullObservation(judge.pull([(1 - kept) * one]), state);
    }
    for (let i = 0; i < state.length; i++) state[i] *= discount;
    environment.pull((1 - discount) * one, state, action);
    actor.input.set(observations[row]);
    actor.run();
    environment.pullObservation(actor.pull(action, gradient), state);
  }
}

/** Lets the critic learn the worths that were found, in random order. */
function learnWorths(
  critic: Network,
  adam: Adam,
  windows: readonly Window[],
  { passes, batch, discount, trace }: ShortHorizonOptions,
  rate: number,
  random: () => number,
): void {
  const observations = windows.flatMap((window) => window.observations);
  const worths = windows.flatMap((window) => {
    const advantages = advantagesOf({ ...window, environments: 1 }, discount, trace);
    return Array.from(advantages, (advantage, row) => advantage + window.values[row]);
  });
  const gradient = critic.layers.map(({ length }) => new Float64Array(length));
  const order = observations.map((_, i) => i);
  for (let pass = 0; pass < passes; pass++) {
    for (let i = order.length - 1; i > 0; i--) {
      const other = Math.floor((i + 1) * random());
      [order[i], order[other]] = [order[other], order[i]];
    }
    for (let start = 0; start < order.length; start += batch) {
      const rows = order.slice(start, start + batch);
      for (const layer of gradient) layer.fill(0);
      for (const row of rows) critic.pull([(worthOf(critic, observations[row]) - worths[row]) / rows.length], gradient);
      adam.step(gradient, rate);
    }
  }
}

function worthOf(critic: Network, observation: Float64Array): number {
  critic.input.set(observation);
  return critic.run()[0];
}

/** Shortens a gradient to at most one. */
function bound(gradient: readonly Float64Array[]): void {
  let sum = 0;
  for (const layer of gradient) for (const value of layer) sum += value * value;
  const factor = Math.min(1, 1 / Math.sqrt(sum));
  for (const layer of gradient) for (let i = 0; i < layer.length; i++) layer[i] *= factor;
}
