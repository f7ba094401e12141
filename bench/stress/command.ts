import type { PliantError } from "../../src/errors";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { parseStress, usage, type StressRequest } from "./arguments";
import { families } from "./families/index";
import { play, replayOf, type Backend, type Result } from "./run";
import type { Family } from "./scene";

/**
 * The `stress` command: plays random scenes, and prints a line and a command for each that is broken.
 *
 * @returns the exit code: 0, 1 where a scene is broken, 2 for arguments that are not valid
 */
export async function stressCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
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
  for await (const result of playAll(request, chosen)) {
    results.push(result);
    if (result.broken !== undefined) print(`${replayOf(result)}\n    ${result.broken}`);
  }
  for (const { name } of chosen)
    print(
      summary(
        name,
        results.filter(({ family }) => family === name),
      ),
    );
  const broken = results.filter((result) => result.broken !== undefined);
  print(`${results.length} scenes, ${broken.length} broken`);
  return broken.length > 0 ? 1 : 0;
}

/** Family by family, then the next seed, so that whatever time there is all get their share. */
async function* playAll(request: StressRequest, chosen: readonly Family[]): AsyncGenerator<Result> {
  const end = performance.now() + 60_000 * request.minutes;
  const gpu = await gpuFor(request.backend);
  const { seed: only, seeds } = request;
  const [first, last] = only === undefined ? [1, seeds] : [only, only];
  for (let seed = first; seed <= last; seed++)
    for (const family of chosen)
      for (const backend of backendsOf(family, request.backend, gpu)) {
        if (performance.now() > end) return;
        yield play(family, seed, backend === "webgpu" ? gpu : undefined);
      }
}

function backendsOf(family: Family, wanted: StressRequest["backend"], gpu: GPU | undefined): readonly Backend[] {
  if (!family.hasGpu || !gpu) return ["cpu"];
  return wanted === "webgpu" ? ["webgpu"] : ["cpu", "webgpu"];
}

/** Without being asked for, one in software is none: it takes minutes for what a real one does in seconds. */
async function gpuFor(wanted: StressRequest["backend"]): Promise<GPU | undefined> {
  if (wanted === "cpu") return undefined;
  try {
    const { gpu, adapterInfo } = await loadWebGpu();
    return wanted !== undefined || adapterInfo.source === "system" ? gpu : undefined;
  } catch (error) {
    if (wanted !== undefined) throw error;
    return undefined;
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
