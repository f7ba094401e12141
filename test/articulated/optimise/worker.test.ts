import path from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { cartpole } from "../../../samples/mechanisms/cartpole";
import { runTask, type TrajectoryTask } from "../../../src/articulated/optimise/task";
import { runInWorker } from "../../../src/articulated/optimise/worker-client";
import { serveTasks } from "../../../src/articulated/optimise/worker-server";
import { expectRejected } from "../../refusal";

const task: TrajectoryTask = {
  mechanism: cartpole("actuated-cart"),
  simulation: { timeStep: 0.01 },
  position: [0, 1],
  velocity: [0, 0],
  steps: 60,
  hold: 5,
  cost: [{ of: "position", when: "final", weight: 1 }],
  options: { iterations: 5 },
};

/** The worker's module as one script: Node loads no TypeScript by itself. */
function bundled(): string {
  const entry = path.resolve(import.meta.dirname, "../../../src/articulated/optimise/worker.ts");
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "neutral",
    mainFields: ["browser", "main"],
  });
  return outputFiles[0].text;
}

describe("tasks in a worker", () => {
  const worker = new Worker(bundled(), { eval: true });
  afterAll(() => worker.terminate());

  it("give what they give here, with progress", async () => {
    const costs: number[] = [];
    const result = await runInWorker(worker, task, { onProgress: ({ cost }) => costs.push(cost) });
    expect(result).toEqual(await runTask(task));
    expect(costs).toEqual(result.costs);
  });

  it("identify as well", async () => {
    const identification = {
      mechanism: task.mechanism,
      simulation: { timeStep: 0.01 },
      identified: [{ kind: "mass", link: "pole" }],
      parameters: [1.5],
      trajectories: [{ position: [0, 1], velocity: [0, 0], positions: (await runTask(task)).positions.subarray(2) }],
    } as const;
    const { parameters } = await runInWorker(worker, identification, {
      onProgress: (progress) => expect(progress.parameters).toHaveLength(1),
    });
    expect(parameters).toEqual((await runTask(identification)).parameters);
  });

  it("are refused with a typed error", async () => {
    await expectRejected(runInWorker(worker, { ...task, hold: 7 }), "invalid-argument", /hold.*divisor of the 60/);
  });

  it("can be canceled on the way, and before", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const endless = { ...task, options: { iterations: 100_000, tolerance: -1 } };
    const stopping = runInWorker(worker, endless, { signal, onProgress: () => controller.abort() });
    expect((await stopping).status).toBe("canceled");
    expect((await runInWorker(worker, endless, { signal })).status).toBe("canceled");
  });
});

describe("a port as in a page", () => {
  it("carries messages as events", async () => {
    const { port1, port2 } = new MessageChannel();
    const asInPage = (port: typeof port1) => ({
      postMessage: (message: unknown) => port.postMessage(message),
      addEventListener: (_: "message", listener: (event: { data: unknown }) => void) => {
        port.on("message", (data: unknown) => listener({ data }));
      },
    });
    serveTasks(asInPage(port1));
    expect(await runInWorker(asInPage(port2), task)).toEqual(await runTask(task));
    await expectRejected(runInWorker(asInPage(port2), { ...task, steps: 0 }), "invalid-argument", /steps/);
    port1.close();
  });
});
