import { quantile } from "../../samples/run-scene";

/** A short task that is timed by calling it many times. */
export interface Task {
  readonly name: string;
  run(): void;
}

export interface TaskTiming {
  readonly timedFrames: number;
  readonly msPerFrame: number;
  readonly p95MsPerFrame: number;
  /** time of the least disturbed turn */
  readonly fastestMsPerFrame: number;
}

/**
 * Times tasks in turns, so that other load on the machine slows all of them alike. In a turn a task is called as often
 * as fits about `blockMs`.
 *
 * @param rounds turns of each task; with few rounds a turn is short too, for a rough estimate
 * @returns median, 95th percentile and least of the turns, per call, in the order of the tasks
 */
export function timeTasks(tasks: readonly Task[], rounds: number): TaskTiming[] {
  const blockMs = Math.min(4, rounds / 2);
  const calls = tasks.map((task) => callsFor(task, blockMs));
  const times: number[][] = tasks.map(() => []);
  for (let round = 0; round < rounds; round++)
    tasks.forEach((task, i) => times[i].push(timeCalls(task, calls[i]) / calls[i]));
  return times.map((list) => ({
    timedFrames: rounds,
    msPerFrame: quantile(list, 0.5),
    p95MsPerFrame: quantile(list, 0.95),
    fastestMsPerFrame: Math.min(...list),
  }));
}

/** Warms a task up until the compilers are done with it, and returns the number of calls that take about that long. */
function callsFor(task: Task, blockMs: number): number {
  const until = performance.now() + 40 * blockMs;
  let calls = 1;
  for (;;) {
    const took = timeCalls(task, calls);
    if (performance.now() > until) return Math.max(1, Math.round((calls * blockMs) / took));
    if (took < blockMs) calls *= 2;
  }
}

function timeCalls(task: Task, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) task.run();
  return Math.max(performance.now() - start, 1e-6);
}
