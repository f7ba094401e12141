import { optionNames } from "../option-names";

/** Progress reports and cancellation of a long computation. */
export interface RunControl<Progress> {
  /** Called from time to time, or after every iteration of an iterative method, on the caller's thread. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * Stops the run soon. An iterative method resolves with the best result so far and the status "canceled". A
   * computation without intermediate results rejects with the signal's reason.
   */
  readonly signal?: AbortSignal;
}

export const runControlNames = optionNames<RunControl<unknown>>()("onProgress signal");

/**
 * Keeps the page responsive during a long computation: pauses from time to time, so that timers, input and drawing
 * continue.
 */
export class Breather {
  private since = performance.now();

  /** @param stretch longest time of computing without a pause [ms] */
  constructor(
    private readonly signal: AbortSignal | undefined,
    private readonly stretch = 12,
  ) {}

  /** Whether the run was canceled. */
  get canceled(): boolean {
    return this.signal?.aborted ?? false;
  }

  /** Pauses if the last pause was long enough ago. */
  async breathe(): Promise<void> {
    if (performance.now() - this.since < this.stretch) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.since = performance.now();
  }
}
