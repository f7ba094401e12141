import { Adam } from "./adam";
import { findBetterDecisions, type LinearizedDecision } from "./backward-pass";
import { normal, type LinearizedEnvironment } from "./environment";
import { Network, randomNetwork } from "./policy";
import type { Progress } from "./ppo";

export interface CurvatureOptions {
  /** environments side by side, and decisions in each of them between updates */
  readonly environments: number;
  readonly window: number;
  /** γ of the cost, and the price of leaving the policy, see `findBetterDecisions` */
  readonly discount: number;
  readonly price: number;
  /** last decisions that the policy learns from */
  readonly memory: number;
  /** steps of Adam after each window, and decisions that each learns from */
  readonly steps: number;
  readonly batch: number;
  /** length of the steps of Adam at the start, and spread of the noise of controls; both fall to a tenth in proportion to the decisions left */
  readonly rate: number;
  readonly spread: number;
  /** spread of the observations around each decision at which the policy learns its slopes, without simulating them */
  readonly near: number;
  readonly hidden: readonly number[];
  /** decisions after which training ends */
  readonly decisions: number;
}

/** Controls that the policy has to learn for an observation, and for those near it. */
interface Lesson {
  readonly observation: Float64Array;
  readonly control: Float64Array;
  /** ∂control/∂observation, one row for each control */
  readonly gains: Float64Array;
}

/** Decisions at the end of a window that teach nothing: little of what they lead to was played. */
const UNSEEN = 2;
/** Part of the rates at the end; and largest control that is taught, as tanh reaches no larger one. */
const [AT_END, LARGEST] = [0.1, 0.98];
/** Part of the lessons at the observations themselves. */
const EXACT = 0.3;

/**
 * Learns a policy by gradients and curvatures: plays windows of decisions with the derivatives of their steps, finds better decisions along
 * them, and fits the network to these and to their slopes (guided policy search). Each decision is simulated once.
 *
 * Equal seeds give equal policies.
 *
 * @param make makes an environment
 * @param random numbers in [0, 1)
 * @param onProgress is told after each update; training ends when it returns true
 * @returns the network of the actions: controls are tanh of its output
 */
export function trainByCurvature(
  make: () => LinearizedEnvironment,
  options: CurvatureOptions,
  random: () => number,
  onProgress: (progress: Progress) => boolean,
): Network {
  const { environments: count, window, memory, hidden } = options;
  const first = make();
  const actor = randomNetwork([first.observationSize, ...hidden, first.actionSize], 0.01, random);
  const adam = new Adam(actor.layers);
  const players = Array.from({ length: count }, (_, e) => {
    const environment = e === 0 ? first : make();
    environment.reset(random);
    // Episodes begin at different times.
    return { environment, age: Math.floor((e * environment.horizon) / count), earned: 0 };
  });
  let lessons: Lesson[] = [];
  for (let decisions = 0; decisions < options.decisions;) {
    const left = 1 - (1 - AT_END) * (decisions / options.decisions);
    const returns: number[] = [];
    for (const player of players) {
      const { environment } = player;
      const played: LinearizedDecision[] = [];
      let isOver = false;
      while (played.length < window && !isOver) {
        const { decision, reward, ended } = decide(environment, actor, left * options.spread, random);
        played.push(decision);
        player.earned += reward;
        player.age++;
        isOver = ended || player.age === environment.horizon;
      }
      decisions += played.length;
      lessons.push(...lessonsOf(environment, played, options));
      if (!isOver) continue;
      returns.push(player.earned);
      player.age = player.earned = 0;
      environment.reset(random);
    }
    lessons = lessons.slice(-memory);
    learn(actor, adam, lessons, options, left * options.rate, random);
    const meanReturn = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    if (onProgress({ decisions, meanReturn, actor: new Network(actor) })) break;
  }
  return actor;
}

/** Decides with noise, and simulates. */
function decide(
  environment: LinearizedEnvironment,
  actor: Network,
  spread: number,
  random: () => number,
): { decision: LinearizedDecision; reward: number; ended: boolean } {
  const { stateSize: n, actionSize: m } = environment;
  environment.observe(actor.input);
  const mean = actor.run().map(Math.tanh);
  const slopes = new Float64Array(m * n);
  for (let j = 0; j < m; j++) {
    const one = Float64Array.from(mean, (value, i) => (i === j ? 1 - value * value : 0));
    environment.pullObservation(actor.pull(one), slopes.subarray(j * n, (j + 1) * n));
  }
  const state = new Float64Array(n);
  environment.readState(state);
  const control = mean.map((value) => Math.max(-1, Math.min(1, value + spread * normal(random))));
  const [a, b] = [new Float64Array(n * n), new Float64Array(n * m)];
  const outcome = environment.actLinearized(control, a, b);
  return { decision: { state, control, mean, slopes, a, b }, ...outcome };
}

function lessonsOf(
  environment: LinearizedEnvironment,
  played: readonly LinearizedDecision[],
  options: CurvatureOptions,
): Lesson[] {
  const { stateSize: n, observationSize, actionSize } = environment;
  const end = new Float64Array(n);
  environment.readState(end);
  const better = findBetterDecisions(played, end, environment.cost, options);
  return better.slice(0, -UNSEEN).map(({ control, gains: byState }, k) => {
    const observation = new Float64Array(observationSize);
    environment.observationOf(played[k].state, observation);
    const gains = new Float64Array(actionSize * observationSize);
    const [one, change] = [new Float64Array(observationSize), new Float64Array(n)];
    for (let i = 0; i < observationSize; i++) {
      one.fill(0);
      one[i] = 1;
      environment.pushObservation(one, change);
      for (let j = 0; j < actionSize; j++)
        gains[j * observationSize + i] = change.reduce((sum, value, l) => sum + byState[j * n + l] * value, 0);
    }
    return { observation, control, gains };
  });
}

/** Fits the controls of the actor, and their slopes by observations near them. */
function learn(
  actor: Network,
  adam: Adam,
  lessons: readonly Lesson[],
  { steps, batch, near }: CurvatureOptions,
  rate: number,
  random: () => number,
): void {
  const gradient = actor.layers.map(({ length }) => new Float64Array(length));
  const size = actor.input.length;
  const change = new Float64Array(size);
  const error = new Float64Array(actor.sizes.at(-1)!);
  for (let step = 0; step < steps; step++) {
    for (const layer of gradient) layer.fill(0);
    for (let row = 0; row < batch; row++) {
      const { observation, control, gains } = lessons[Math.floor(random() * lessons.length)];
      const spread = random() < EXACT ? 0 : near;
      for (let i = 0; i < size; i++) {
        change[i] = spread * normal(random);
        actor.input[i] = observation[i] + change[i];
      }
      const output = actor.run();
      for (let j = 0; j < error.length; j++) {
        let wanted = control[j];
        for (let i = 0; i < size; i++) wanted += gains[j * size + i] * change[i];
        const given = Math.tanh(output[j]);
        // The slope of tanh, but never quite 0, so that a control at its bound can come back.
        const slope = 1 - 0.9 * given * given;
        error[j] = ((given - Math.max(-LARGEST, Math.min(LARGEST, wanted))) * slope) / batch;
      }
      actor.pull(error, gradient);
    }
    adam.step(gradient, rate);
  }
}
