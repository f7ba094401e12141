import { ArticulatedModel } from "../../src/articulated/model";
import { runTask, type ResultOf } from "../../src/articulated/optimise/task";
import type { TrajectoryTask } from "../../src/articulated/optimise/task";
import { Random } from "../stress/random";
import { describeMachine } from "../machine";
import { placeOf } from "./place";
import { goalOf, taskNames, type Goal, type TaskName } from "./tasks";

/** A goal counts as reached within this distance at the end [m]. */
export const WITHIN = 0.01;

/** A goal and how it ended. */
export interface GoalRow {
  readonly task: TaskName;
  readonly goal: number;
  /** distance from the goal at the end [m] */
  readonly error: number;
  readonly status: ResultOf<TrajectoryTask>["status"];
  readonly iterations: number;
  /** time of the processor [s] */
  readonly seconds: number;
}

export interface GoalsResult {
  readonly suite: "goals";
  readonly machine: string;
  readonly rows: readonly GoalRow[];
}

/** Runs tasks of the arm from zero torque: goals from `first` to before `count` of each. */
export async function goalsSuite(
  count: number,
  advance: (done: number, all: number) => void = () => undefined,
  names: readonly TaskName[] = taskNames,
  first = 0,
): Promise<GoalsResult> {
  const rows: GoalRow[] = [];
  for (const name of names) {
    const random = new Random(name);
    for (let goal = 0; goal < count; goal++) {
      const what = goalOf(name, () => random.next());
      if (goal < first) continue;
      rows.push(await runGoal(name, goal, what));
      advance(rows.length, names.length * count);
    }
  }
  return { suite: "goals", machine: describeMachine(), rows };
}

async function runGoal(name: TaskName, goal: number, { task, link, point, target }: Goal): Promise<GoalRow> {
  const start = process.cpuUsage().user;
  const { positions, status, iterations } = await runTask({
    ...task,
    options: { iterations: 200, tolerance: 1e-5, ...task.options },
  });
  const seconds = (process.cpuUsage().user - start) / 1e6;
  const model = new ArticulatedModel(task.mechanism);
  const end = placeOf(model, positions.slice(-model.nv), link, point);
  const error = Math.hypot(...end.map((value, c) => value - target[c]));
  return { task: name, goal, error, status, iterations, seconds };
}
