/** The room: it seats players, hands their pushes to the game, and sends frames. */

import { ClientState, CloseCode, Room, type Client } from "@colyseus/core";
import { SEATS, STEP_RATE, STEPS_PER_FRAME } from "../shared/arena";
import { ArenaState, Player } from "../shared/players";
import { decodePushes, FRAME, PUSH } from "../shared/wire";
import { Game } from "./game";
import type { GuardedSocket } from "./guard";
import { log } from "./log";

/** A client that answers within so many seconds after its line broke keeps its seat. */
const SECONDS_TO_RETURN = 20;
/** A client that has a seat has so many seconds to say that it is ready. */
const SECONDS_TO_BEGIN = 5;
/** Bytes that may wait for a slow client. It misses the frames that follow. */
const LARGEST_BACKLOG = 32 * 1024;

export class ArenaRoom extends Room<{ state: InstanceType<typeof ArenaState> }> {
  override maxClients = SEATS;
  override autoDispose = false;
  override maxMessagesPerSecond = 60;
  override seatReservationTimeout = SECONDS_TO_BEGIN;
  override state = new ArenaState();
  private game: Game | undefined;
  /** steps of the simulation since the server began */
  steps = 0;

  override async onCreate(): Promise<void> {
    const game = await Game.create();
    this.game = game;
    this.onMessageBytes(PUSH, (client: Client, message: unknown) => {
      const player = this.state.players.get(client.sessionId);
      if (player) game.push(player.seat, decodePushes(message));
    });
    this.setFixedTimestep(() => this.step(game), STEP_RATE);
  }

  override onJoin(client: Client): void {
    const taken = [...this.state.players.values()].map(({ seat }) => seat);
    const seat = Array.from({ length: SEATS }, (_, i) => i).find((i) => !taken.includes(i));
    if (seat === undefined) throw new Error("all seats are taken");
    this.game?.clear(seat);
    this.state.players.set(client.sessionId, new Player({ seat, isHere: true }));
    this.clock.setTimeout(() => {
      if (client.state === ClientState.JOINING) client.leave();
    }, 1000 * SECONDS_TO_BEGIN);
  }

  /** A line broke. The seat waits for the player, unless the server shut the line itself. */
  override async onDrop(client: Client, code: number): Promise<void> {
    if (code === CloseCode.WITH_ERROR || socketOf(client).wasShut) return;
    this.setHere(client, false);
    // It rejects when nobody returns, and at once for a client that never began: `onLeave` follows.
    await this.allowReconnection(client, SECONDS_TO_RETURN).catch(() => undefined);
  }

  override onReconnect(client: Client): void {
    this.setHere(client, true);
  }

  override onLeave(client: Client): void {
    this.state.players.delete(client.sessionId);
    if (this.state.players.size === 0) this.game?.restart();
  }

  override onDispose(): void {
    this.game?.dispose();
    this.game = undefined;
  }

  /** Errors of the methods above, which would end the process otherwise. */
  override onUncaughtException(error: unknown): void {
    log.error(error instanceof Error ? error.stack : error);
  }

  private step(game: Game): void {
    if (this.clients.length === 0) return;
    try {
      game.step();
    } catch (error) {
      this.onUncaughtException(error);
      game.restart();
    }
    if (++this.steps % STEPS_PER_FRAME > 0) return;
    const send = (frame: Uint8Array): void =>
      this.broadcastBytes(FRAME, frame, { except: this.clients.filter(isBehind) });
    game.frame().then(send, (error) => this.onUncaughtException(error));
  }

  private setHere(client: Client, isHere: boolean): void {
    const player = this.state.players.get(client.sessionId);
    if (player) player.isHere = isHere;
  }
}

/** Frames for such clients would pile up in the server. */
function isBehind(client: Client): boolean {
  return client.state !== ClientState.JOINED || socketOf(client).bufferedAmount > LARGEST_BACKLOG;
}

const socketOf = ({ ref }: Client): GuardedSocket => ref as unknown as GuardedSocket;
