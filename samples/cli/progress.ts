const WIDTH = 30;

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Progress on standard error: a bar on a terminal, a line every tenth of the way elsewhere. */
export class Progress {
  private lastShown = 0;

  constructor(
    private readonly title: string,
    private readonly stream: ProgressStream,
    /** what is counted */
    private readonly unit = "frame",
  ) {}

  /** @param done of `total` frames, or whatever is counted */
  update(done: number, total: number): void {
    const onTerminal = this.stream.isTTY === true;
    const shown = Math.floor(((onTerminal ? 200 : 10) * done) / total);
    if (shown === this.lastShown) return;
    this.lastShown = shown;
    if (!onTerminal) {
      this.stream.write(`${this.title}: ${this.unit} ${done} of ${total}\n`);
      return;
    }
    const filled = Math.round((WIDTH * done) / total);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    this.stream.write(`\r${this.title} ${bar} ${done}/${total}${done === total ? "\n" : ""}`);
  }
}
