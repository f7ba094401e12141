import fs from "node:fs";
import type { PliantError } from "../../src/errors";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { parseStress, usage, type StressRequest } from "./arguments";
import { families } from "./families/index";
import { play, replayOf, type Backend, type Result, type Task } from "./run";
import type { Family } from "./scene";

/** Plays scenes, one after another. */
export interface Player {
  play(task: Task): Promise<Result>;
  /** Ends it after its last scene. */
  dismiss(): void;
}

/** Plays scenes in this process; a scene that never ends blocks it. */
class Here implements Player {
  async play({ family: name, seed, backend }: Task): Promise<Result> {
    const family = families.find((one) => one.name === name)!;
    return play(family, seed, backend === "webgpu" ? (await loadWebGpu()).gpu : undefined);
  }

  dismiss(): void {
    // nothing to release
  }
}

/**
 * The `stress` command: plays random scenes, and prints a line and a command for each broken one.
 *
 * @param hire makes the players
 * @returns the exit code: 0, 1 if a scene is broken, 2 for invalid arguments
 */
export async function stressCommand(
  args: readonly string[],
  print: (line: string) => void,
  hire: () => Player = () => new Here(),
): Promise<number> {
  let request: StressRequest;
  try {
    request = parseStress(args);
  } catch (error) {
    print(`${(error as PliantError).message}\n${usage}`);
    return 2;
  }
  if (request.help) {
    print(usage);
    return 0;
  }
  const results: Result[] = [];
  const chosen = families.filter(({ name }) => request.families.includes(name));
  const end = performance.now() + 60_000 * request.minutes;
  const tasks = tasksOf(request, chosen, await hasGpuFor(request.backend));
  const work = async (): Promise<void> => {
    const player = hire();
    try {
      // Other players share the iterator: a `for` loop would end it for all of them.
      for (let next = tasks.next(); !next.done && performance.now() < end; next = tasks.next()) {
        const result = await player.play(next.value);
        results.push(result);
        if (result.broken !== undefined) print(`${replayOf(result)}\n    ${result.broken}`);
      }
    } finally {
      player.dismiss();
    }
  };
  await Promise.all(Array.from({ length: request.jobs }, work));
  for (const { name } of chosen)
    print(
      summary(
        name,
        results.filter(({ family }) => family === name),
      ),
    );
  if (request.json !== undefined) fs.writeFileSync(request.json, `${JSON.stringify(results, undefined, 1)}\n`);
  const broken = results.filter((result) => result.broken !== undefined);
  print(`${results.length} scenes, ${broken.length} broken`);
  return broken.length > 0 ? 1 : 0;
}

/**
 * Tasks family by family, then the next seed, so that every family gets its share of any time. Several players may take
 * from it.
 */
function* tasksOf(request: StressRequest, chosen: readonly Family[], hasGpu: boolean): Generator<Task, void> {
  const { first, seeds, backend: wanted } = request;
  for (let seed = first; seed < first + seeds; seed++)
    for (const family of chosen)
      for (const backend of backendsOf(family, wanted, hasGpu)) yield { family: family.name, seed, backend };
}

function backendsOf(family: Family, wanted: StressRequest["backend"], hasGpu: boolean): readonly Backend[] {
  if (!family.hasGpu || !hasGpu) return ["cpu"];
  return wanted === "webgpu" ? ["webgpu"] : ["cpu", "webgpu"];
}

/** Without a request, a software GPU does not count: it takes minutes for the work of seconds on a real one. */
async function hasGpuFor(wanted: StressRequest["backend"]): Promise<boolean> {
  if (wanted === "cpu") return false;
  try {
    const { adapterInfo } = await loadWebGpu();
    return wanted !== undefined || adapterInfo.source === "system";
  } catch (error) {
    if (wanted !== undefined) throw error;
    return false;
  }
}

function summary(name: string, results: readonly Result[]): string {
  const count = (test: (result: Result) => boolean): number => results.filter(test).length;
  const slow = results.reduce((sum, { slowFrames }) => sum + slowFrames, 0);
  const cut = count(({ isCut }) => isCut);
  const broken = count((result) => result.broken !== undefined);
  return (
    `${name}: ${broken} of ${results.length} broken; ${slow} frames of more than 250 ms` +
    (cut > 0 ? `; ${cut} not played to the end` : "")
  );
}
