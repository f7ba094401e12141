import { aligned, digits } from "../columns";
import { WITHIN, type GoalsResult } from "./suite";
import { taskNames } from "./tasks";

/** The result as a table for people. */
export function goalsText({ machine, rows }: GoalsResult): string {
  const head = ["task", "goals", "within 1 cm", "worst, mm", "iterations", "s a goal"];
  const table = taskNames
    .map((task) => ({ task, own: rows.filter((row) => row.task === task) }))
    .filter(({ own }) => own.length > 0)
    .map(({ task, own }) => [
      task,
      String(own.length),
      `${digits((100 * own.filter(({ error }) => error < WITHIN).length) / own.length)} %`,
      digits(1e3 * Math.max(...own.map(({ error }) => error))),
      digits(mean(own.map(({ iterations }) => iterations))),
      digits(mean(own.map(({ seconds }) => seconds))),
    ]);
  const missed = rows
    .filter(({ error }) => !(error < WITHIN))
    .map(({ task, goal, error, status }) => `missed: ${task} ${goal}, ${digits(1e3 * error)} mm, ${status}`);
  return [`goals from zero torque on ${machine}`, ...aligned([head, ...table]), ...missed].join("\n");
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
