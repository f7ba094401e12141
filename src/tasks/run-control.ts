import type { NamesOf } from "../option-names";

/** How a long computation reports, and is stopped. */
export interface RunControl<Progress> {
  /** Called now and then, by an iteration after every one, on the thread of the caller. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * Stops the run soon. What iterates resolves with the best result so far and the status "canceled"; what has nothing to give
   * before its end rejects with the signal's reason.
   */
  readonly signal?: AbortSignal;
}

export const runControlNames = {
  onProgress: true,
  signal: true,
} satisfies NamesOf<RunControl<unknown>>;

/** Lets the page live while something long is computed: pauses now and then, so that timers, input and drawing go on. */
export class Breather {
  private since = performance.now();

  /** @param stretch longest stretch of computing without a pause [ms] */
  constructor(
    private readonly signal: AbortSignal | undefined,
    private readonly stretch = 12,
  ) {}

  /** Whether the run was canceled. */
  get canceled(): boolean {
    return this.signal?.aborted ?? false;
  }

  /** Pauses if it is time to. */
  async breathe(): Promise<void> {
    if (performance.now() - this.since < this.stretch) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.since = performance.now();
  }
}
