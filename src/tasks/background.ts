import { runAt } from "./client";
import { nodeModule, type TaskPort } from "./port";
import type { RunControl } from "./run-control";

/** The used part of Node's `worker_threads`; the engine is compiled without Node's types. */
interface WorkerThreads {
  readonly Worker: new (
    source: string,
    options: { eval: boolean; execArgv: readonly string[] },
  ) => TaskPort & { on(event: string, listener: (value: unknown) => void): unknown; terminate(): Promise<unknown> };
}

interface Started {
  readonly port: TaskPort;
  /** rejects if the worker breaks */
  readonly broken: Promise<never>;
  readonly stop: () => void;
}

/**
 * Runs tasks of one kind off this thread. The worker is made from its source text, so that no build and no page has to
 * provide a file; it runs as long as there are tasks. If no worker can start (on a page whose policy forbids `blob:`),
 * tasks run on this thread, in pieces.
 */
export class BackgroundTasks<Task, Progress, Result> {
  private started: Started | undefined;
  private running = 0;

  /**
   * @param source a script that serves such tasks at `parentPort`
   * @param runHere runs one task on this thread
   */
  constructor(
    private readonly source: string,
    private readonly runHere: (task: Task, control: RunControl<Progress>) => Promise<Result>,
  ) {}

  /** @throws PliantError as the task; the signal's reason if the run was canceled; Error if the worker broke */
  async run(task: Task, control: RunControl<Progress> = {}): Promise<Result> {
    this.started ??= startWorker(this.source);
    const { started } = this;
    if (!started) return this.runHere(task, control);
    this.running++;
    let hasBegun = false;
    const onProgress = (progress: Progress): void => {
      hasBegun = true;
      control.onProgress?.(progress);
    };
    try {
      const work = runAt<Task, Progress, Result>(started.port, task, { ...control, onProgress });
      return await Promise.race([work, started.broken]);
    } catch (error) {
      if (control.signal?.aborted) throw control.signal.reason;
      if (hasBegun || !(error instanceof WorkerBroken)) throw error;
      // the worker never started
      return await this.runHere(task, control);
    } finally {
      this.running--;
      if (this.running === 0) {
        this.started?.stop();
        this.started = undefined;
      }
    }
  }
}

class WorkerBroken extends Error {
  override readonly name = "WorkerBroken";
}

/** A worker with this source, in a page or in Node; undefined if none can start. */
function startWorker(source: string): Started | undefined {
  const threads = nodeModule<WorkerThreads>("worker_threads");
  try {
    return threads ? startThread(threads, source) : startPageWorker(source);
  } catch {
    return undefined;
  }
}

function startThread(threads: WorkerThreads, source: string): Started {
  // Without options of this process, such as a compiler of TypeScript.
  const worker = new threads.Worker(source, { eval: true, execArgv: [] });
  const broken = new Promise<never>((_, reject) => {
    worker.on("error", (error: unknown) => reject(new WorkerBroken(String(error))));
    worker.on("exit", () => reject(new WorkerBroken("the worker ended")));
  });
  broken.catch(() => undefined);
  return { port: worker, broken, stop: () => void worker.terminate() };
}

function startPageWorker(source: string): Started | undefined {
  if (typeof Worker === "undefined") return undefined;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener("error", (event) => reject(new WorkerBroken(event.message)));
  });
  broken.catch(() => undefined);
  const stop = (): void => {
    worker.terminate();
    URL.revokeObjectURL(url);
  };
  return { port: worker, broken, stop };
}
