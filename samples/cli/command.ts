import { PliantError } from "../../src/errors";
import { NonFiniteStateError, runScene, type SceneResult } from "../run-scene";
import type { SceneDefinition } from "../scene";
import { parseArguments, usage, type Request } from "./arguments";
import { listingJson, listingText } from "./listing";
import { Progress, type ProgressStream } from "./progress";
import { reportText } from "./report";

/** Exit codes of the `scene` command. */
export const exitCodes = { success: 0, failed: 1, usage: 2, nonFinite: 3 } as const;

/** The outputs of the command. */
export interface Output {
  /** one line of the result */
  print(line: string): void;
  /** progress and errors */
  readonly log: ProgressStream;
}

type Run = Extract<Request, { kind: "run" }>;

/**
 * The `scene` command.
 *
 * @param scenes that can be named
 * @returns the exit code
 */
export async function sceneCommand(
  args: readonly string[],
  scenes: readonly SceneDefinition[],
  output: Output,
): Promise<number> {
  let request: Request;
  try {
    request = parseArguments(args, scenes);
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    return fail(output, error.message, exitCodes.usage);
  }
  switch (request.kind) {
    case "help":
      output.print(usage);
      return exitCodes.success;
    case "list":
      output.print(request.json ? JSON.stringify(listingJson(scenes)) : listingText(scenes));
      return exitCodes.success;
    case "run":
      return run(request, output);
  }
}

async function run(request: Run, output: Output): Promise<number> {
  try {
    const result = await simulate(request, output);
    if (request.png !== undefined) await capture(request, request.png, result, output);
    if (!request.json) output.print(reportText(request.scene, result));
    output.print(JSON.stringify(result));
    return exitCodes.success;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail(output, message, error instanceof NonFiniteStateError ? exitCodes.nonFinite : exitCodes.failed);
  }
}

async function simulate(request: Run, output: Output): Promise<SceneResult> {
  const progress = new Progress(request.scene.name, output.log);
  return runScene(request.scene, {
    parameters: request.parameters,
    frames: request.frames,
    backend: request.backend,
    gpu:
      request.backend === "cpu" || request.backend === "reference" ? undefined : await webGpu(request.backend, output),
    onFrame: (frame, frames) => progress.update(frame, frames),
  });
}

/** Dawn's WebGPU; without any adapter `auto` falls back to the CPU. */
async function webGpu(backend: "webgpu" | "auto", output: Output): Promise<GPU | undefined> {
  const { loadWebGpu } = await import("../../scripts/environment/node-webgpu");
  try {
    return (await loadWebGpu()).gpu;
  } catch (error) {
    if (backend === "webgpu") throw error;
    output.log.write(`no WebGPU here, the CPU takes over: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

async function capture(request: Run, file: string, result: SceneResult, output: Output): Promise<void> {
  const { captureScene } = await import("./capture");
  output.log.write(`${request.scene.name}: drawing frame ${result.frames} in the browser\n`);
  const { backend, frames } = result;
  await captureScene({ scene: request.scene.name, frames, backend, settings: request.settings, file });
}

function fail(output: Output, message: string, code: number): number {
  output.log.write(`${message.replaceAll("\n", " ")}\n`);
  return code;
}
