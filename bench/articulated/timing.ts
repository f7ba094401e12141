import { quantile } from "../../samples/run-scene";

/** Something short that is timed by calling it many times. */
export interface Task {
  readonly name: string;
  run(): void;
}

export interface TaskTiming {
  readonly timedFrames: number;
  readonly msPerFrame: number;
  readonly p95MsPerFrame: number;
  /** of the turn that was disturbed least */
  readonly fastestMsPerFrame: number;
}

/**
 * Times tasks in turns, so that whatever else the machine does meanwhile slows all of them alike. In a turn a task is
 * called as often as takes about `blockMs`.
 *
 * @param rounds turns of each task; with few of them a turn is short too, for a rough look
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

/** Warms a task up until the compilers are done with it, and says how many calls take so long. */
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
