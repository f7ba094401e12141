/** A player's line to the server. */

import { Client, type Room } from "@colyseus/sdk";
import { ArenaState } from "../shared/players";
import { decodeFrame, encodePushes, FRAME, PUSH, PUSHES_PER_MESSAGE, type Frame, type Push } from "../shared/wire";

/** The SDK comes back by itself after a line broke, unless it broke sooner than this [ms]. */
const LEAST_TIME_ONLINE = 500;

export class Connection {
  /** called for every frame that arrives */
  onFrame: (frame: Frame) => void = () => undefined;
  /** pushes that no frame has confirmed yet */
  private open: Push[] = [];
  private made = 0;

  private constructor(
    readonly room: Room<unknown, InstanceType<typeof ArenaState>>,
    private readonly isLost: () => boolean,
  ) {
    room.reconnection.minUptime = LEAST_TIME_ONLINE;
    room.onMessage(FRAME, (bytes: Uint8Array) => this.take(bytes));
  }

  /**
   * @param endpoint such as `http://localhost:2567`
   * @param loss share of the messages that get lost, in both directions, to try it
   * @throws Error if the server cannot be reached or has no free seat
   */
  static async join(endpoint: string, loss = 0, random = Math.random): Promise<Connection> {
    const room = await new Client(endpoint).join("arena", {}, ArenaState);
    return new Connection(room, () => random() < loss);
  }

  /** Place at the arena; undefined until the list of players has arrived. */
  get seat(): number | undefined {
    return this.room.state.players?.get(this.room.sessionId)?.seat;
  }

  /** Pushes a body of this player. Nothing happens while too many pushes wait for the server. */
  push(body: number, kick: readonly [number, number, number]): void {
    if (this.open.length === PUSHES_PER_MESSAGE) return;
    this.open.push({ number: ++this.made, body, kick });
    this.send();
  }

  leave(): Promise<number> {
    return this.room.leave();
  }

  private take(bytes: Uint8Array): void {
    if (this.isLost()) return;
    const frame = decodeFrame(bytes);
    const { seat } = this;
    if (seat !== undefined) this.open = this.open.filter(({ number }) => number > frame.taken[seat]);
    if (this.open.length > 0) this.send();
    this.onFrame(frame);
  }

  /** All that is open goes again with every frame, until one confirms it. */
  private send(): void {
    if (!this.isLost()) this.room.sendBytes(PUSH, encodePushes(this.open));
  }
}
