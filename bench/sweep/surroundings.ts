import type { ProgressStream } from "../../samples/cli/progress";

/** What a command is run in. */
export interface Surroundings {
  /** one line of the result */
  print(line: string): void;
  /** progress and errors */
  readonly log: ProgressStream;
  /** ends it early; the same command continues */
  readonly signal: AbortSignal;
}
