import type { Network } from "../../samples/learning/policy";
import { evaluate } from "../../samples/learning/rollout";
import type { LearningTask } from "../../samples/learning/tasks";
import { mulberry } from "../../samples/random";

/** Episodes that judge a policy, and the share of them that must be successes. */
export const EPISODES = 100;
export const NEEDED = 0.95;
/** Episodes that say whether it is worth to judge, and the updates between two such checks. */
const [FEW, PERIOD] = [20, 4];
/** Seed of the episodes that judge, none of those that train. */
const JUDGE = 1_000_003;

/** One training, and its curve: a point for each update. */
export interface Training {
  readonly seed: number;
  readonly decisions: number[];
  /** mean return of the episodes of each update, played with noise */
  readonly returns: number[];
  /** decisions after which the task was solved */
  solvedAfter: number | undefined;
  /** s until then, on the clock and of the processor; of the whole training if it was not solved */
  seconds: number;
  processorSeconds: number;
  /** the policy with most successes of those that were judged, and their share */
  actor: Network;
  successes: number;
}

/**
 * Trains a policy until it solves the task: until 95 of 100 episodes with new starts, and without noise, are successes. Policies get worse
 * at times, so the best one is kept.
 *
 * @param full whether to use up all decisions, though the task is solved
 */
export function train(
  task: LearningTask,
  seed: number,
  full: boolean,
  onProgress: (done: number, total: number) => void,
): Training {
  const [begin, processor] = [performance.now(), process.cpuUsage()];
  const training: Omit<Training, "actor" | "successes"> = {
    seed,
    decisions: [],
    returns: [],
    solvedAfter: undefined,
    seconds: 0,
    processorSeconds: 0,
  };
  const note = (): void => {
    const { user, system } = process.cpuUsage(processor);
    training.seconds = (performance.now() - begin) / 1000;
    training.processorSeconds = (user + system) / 1e6;
  };
  const total = task.decisions;
  let best: { actor: Network; successes: number } | undefined;
  const last = task.train(mulberry(seed), (progress) => {
    training.decisions.push(progress.decisions);
    training.returns.push(progress.meanReturn);
    onProgress(Math.min(progress.decisions, total), total);
    if (training.decisions.length % PERIOD > 0 || shareOf(task, progress.actor, FEW) < NEEDED) return false;
    const successes = shareOf(task, progress.actor, EPISODES);
    if (best === undefined || successes > best.successes) best = { actor: progress.actor, successes };
    if (training.solvedAfter !== undefined || successes < NEEDED) return false;
    training.solvedAfter = progress.decisions;
    note();
    return !full;
  });
  if (training.solvedAfter === undefined) note();
  return { ...training, ...(best ?? { actor: last, successes: shareOf(task, last, EPISODES) }) };
}

/** Share of successes among episodes without noise. */
function shareOf(task: LearningTask, actor: Network, episodes: number): number {
  let successes = 0;
  evaluate(task.make(true), actor, episodes, mulberry(JUDGE), (environment, decisions) => {
    if (task.isSuccess(environment, decisions)) successes++;
  });
  return successes / episodes;
}
