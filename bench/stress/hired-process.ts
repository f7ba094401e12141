import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { Player } from "./command";
import type { Result, Task } from "./run";

/** Time after which a scene counts as not answering [ms]; an answering scene is cut off before. */
const PATIENCE = 180_000;

/**
 * Plays scenes in a separate process, and starts another one after a scene that ended it or did not answer; such a scene is broken, too.
 */
export class HiredProcess implements Player {
  private child: ChildProcess | undefined;

  /**
   * @param patience time after which a scene is given up [ms]
   * @param file script of the process
   */
  constructor(
    private readonly patience = PATIENCE,
    private readonly file = path.join(import.meta.dirname, "player.ts"),
  ) {}

  async play(task: Task): Promise<Result> {
    const child = (this.child ??= await this.hire());
    return new Promise((resolve) => {
      const end = (result: Result): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(result);
      };
      const giveUp = (broken: string): void => {
        this.dismiss();
        end({ ...task, broken, frames: 0, slowFrames: 0, isCut: true });
      };
      const timer = setTimeout(() => giveUp(`does not answer for ${this.patience / 1000} s`), this.patience);
      child.once("exit", (code, signal) => giveUp(`ends its process: ${signal ?? code}`));
      child.once("message", (result: Result) => end(result));
      child.send(task);
    });
  }

  dismiss(): void {
    this.child?.removeAllListeners();
    this.child?.kill("SIGKILL");
    this.child = undefined;
  }

  /** Resolves when it is ready. */
  private hire(): Promise<ChildProcess> {
    const child = fork(this.file, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    return new Promise((resolve, reject) => {
      child.once("message", () => {
        child.removeAllListeners();
        resolve(child);
      });
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${this.file} ends at once: ${code}`)));
    });
  }
}
