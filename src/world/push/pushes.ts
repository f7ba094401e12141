import { Part } from "../../part";
import type { PushedBody } from "./apply-push";
import type { Push } from "./push";

export const pushPart = new Part(() => import("./apply-push"));

/** The pushes of a body. They may wait for their code, and for the state of the body from a GPU; the next step waits, too. */
export class Pushes {
  /** resolves when none waits any more */
  done: Promise<void> | undefined;
  private waiting: Push[] = [];

  constructor(private readonly body: PushedBody) {}

  get areWaiting(): boolean {
    return this.waiting.length > 0;
  }

  give(push: Push): void {
    const { body, waiting } = this;
    if (waiting.push(push) > 1) return;
    if (pushPart.loaded?.pushNow(body, waiting)) this.forget();
    else this.done = this.wait(waiting);
  }

  /** The body is put elsewhere. */
  forget(): void {
    this.waiting = [];
  }

  private async wait(mine: Push[]): Promise<void> {
    const { body } = this;
    const isStale = (): boolean => this.waiting !== mine;
    const code = await pushPart.load().catch(() => undefined);
    if (!isStale() && !code?.pushNow(body, mine)) await code?.pushLater(body, mine, isStale).catch(() => undefined);
    if (!isStale()) this.forget();
  }
}
