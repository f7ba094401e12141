/** How a long computation reports, and is stopped. */
export interface RunControl<Progress> {
  /** Called after every iteration, on the thread of the caller. */
  readonly onProgress?: (progress: Progress) => void;
  /** Stops the run: it resolves soon with the best result so far and the status "cancelled". */
  readonly signal?: AbortSignal;
}

/** Longest stretch of computing without a pause [ms]. */
const STRETCH = 12;

/** Lets the page live while something long is computed: pauses now and then, so that timers, input and drawing go on. */
export class Breather {
  private since = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** Whether the run was cancelled. */
  get cancelled(): boolean {
    return this.signal?.aborted ?? false;
  }

  /** Pauses if it is time to. */
  async breathe(): Promise<void> {
    if (performance.now() - this.since < STRETCH) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.since = performance.now();
  }
}
