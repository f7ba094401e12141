import type { ProgressStream } from "../../samples/cli/progress";

/** Outputs of a command, and its end. */
export interface Surroundings {
  /** one line of the result */
  print(line: string): void;
  /** progress and errors */
  readonly log: ProgressStream;
  /** ends it early; the same command continues */
  readonly signal: AbortSignal;
}

/** Waits for a promise, but not beyond the abort: then it gives undefined. It leaves nothing behind at the signal. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
