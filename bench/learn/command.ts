import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { Progress, type ProgressStream } from "../../samples/cli/progress";
import { prepareLearning } from "../../samples/learning/learner";
import { learningTask, type LearningTask } from "../../samples/learning/tasks";
import { PliantError } from "../../src/errors";
import { drawCharts } from "../plot";
import { parseOrRefuse, wholeNumber } from "../sweep/crew";
import { EPISODES, NEEDED, train, type Training } from "./train";

const usage = "usage: npm run learn -- TASK [--seed FIRST] [--seeds N] [--full] [--out DIR]";

interface Request {
  readonly task: LearningTask;
  readonly seeds: readonly number[];
  readonly full: boolean;
  readonly out: string;
}

/**
 * The `learn` command: trains policies from several seeds, and writes them with their learning curves.
 *
 * @returns the exit code: 0, 1 if a seed did not solve the task, 2 for invalid arguments
 */
export async function learnCommand(
  args: readonly string[],
  output: { print(line: string): void; readonly log: ProgressStream },
): Promise<number> {
  let request: Request | undefined;
  try {
    request = await parse(args);
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    output.log.write(`${error.message}\n${usage}\n`);
    return 2;
  }
  if (request === undefined) {
    output.print(usage);
    return 0;
  }
  const { task, seeds, full, out } = request;
  await prepareLearning();
  await mkdir(out, { recursive: true });
  const trainings: Training[] = [];
  for (const seed of seeds) {
    const progress = new Progress(`${task.name}, seed ${seed}`, output.log, "decision");
    const training = train(task, seed, full, (done, total) => progress.update(done, total));
    trainings.push(training);
    await writeFile(path.join(out, `policy-${seed}.json`), `${JSON.stringify(training.actor.data())}\n`);
    output.print(lineOf(training));
  }
  const solved = trainings.filter(({ solvedAfter }) => solvedAfter !== undefined).length;
  const file = path.join(out, "curves.svg");
  await writeFile(file, curvesOf(task, trainings));
  output.print(`${solved} of ${seeds.length} seeds solved ${task.name} (${task.description}): ${file}`);
  return solved === seeds.length ? 0 : 1;
}

function lineOf({ seed, solvedAfter, decisions, seconds, processorSeconds, successes }: Training): string {
  const when = `${solvedAfter ?? decisions.at(-1)} decisions, ${seconds.toFixed(1)} s (${processorSeconds.toFixed(1)} s of the processor)`;
  const outcome = solvedAfter === undefined ? "not solved" : "solved";
  return `seed ${seed}: ${outcome} after ${when}; ${Math.round(100 * successes)} % of the episodes of the best policy succeed`;
}

function curvesOf(task: LearningTask, trainings: readonly Training[]): string {
  const curves = trainings.map(({ seed, decisions, returns }) => ({
    name: `seed ${seed}`,
    values: returns,
    at: decisions,
  }));
  const title = `solved: ${100 * NEEDED} of ${EPISODES} episodes succeed`;
  return drawCharts(`Learning curves of ${task.name}`, [
    { title, xLabel: "decisions", yLabel: "mean return, with noise", range: [0, undefined], curves },
  ]);
}

async function parse(args: readonly string[]): Promise<Request | undefined> {
  const one = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const options = { seed: one, seeds: one, full: flag, out: one, help: flag };
  const { values, positionals } = parseOrRefuse(
    () => parseArgs({ args: [...args], allowPositionals: true, options }),
    "learn",
  );
  if (values.help) return undefined;
  if (positionals.length !== 1)
    throw new PliantError("invalid-argument", "task", positionals.join(" "), "must be one name");
  const task = await learningTask(positionals[0]);
  const first = wholeNumber("--seed", values.seed ?? "1", 0, 1e9);
  const count = wholeNumber("--seeds", values.seeds ?? "1", 1, 1000);
  return {
    task,
    seeds: Array.from({ length: count }, (_, i) => first + i),
    full: values.full,
    out: values.out ?? path.join("learned", task.name),
  };
}
