import type { TaskPort } from "../../tasks/port";
import { serve } from "../../tasks/server";
import { runTask, type ProgressOf, type ResultOf, type Task } from "./task";

/** Runs the tasks that arrive at a port, and replies there. */
export function serveTasks(port: TaskPort): void {
  serve<Task, ProgressOf<Task>, ResultOf<Task>>(port, runTask);
}
