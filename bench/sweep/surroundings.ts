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
