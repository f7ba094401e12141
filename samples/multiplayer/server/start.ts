/** Starts the server in this process. */

import { defineRoom, defineServer, matchMaker } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import { GuardedServer, GuardedSocket, LARGEST_PACKET } from "./guard";
import { log } from "./log";
import { ArenaRoom } from "./room";

// Colyseus reads a constant of this class when a player comes back. Node has it from version 22 on.
globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;

/** Connections that may be open at a time, of players and of those who only ask. */
const MOST_CONNECTIONS = 100;

export interface RunningServer {
  readonly port: number;
  readonly room: ArenaRoom;
  close(): Promise<void>;
}

/**
 * @param port 0 for any free one
 * @param host address to listen on, default all
 */
export async function startServer(port: number, host?: string): Promise<RunningServer> {
  // Clients join or come back. They make no rooms, so there is one world whatever they send.
  matchMaker.controller.exposedMethods = ["join", "reconnect"];
  const http = new GuardedServer();
  http.maxConnections = MOST_CONNECTIONS;
  http.headersTimeout = http.requestTimeout = 5000;
  const transport = new WebSocketTransport({ server: http, maxPayload: LARGEST_PACKET, WebSocket: GuardedSocket });
  const server = defineServer({
    transport,
    greet: false,
    gracefullyShutdown: false,
    logger: log,
    rooms: { arena: defineRoom(ArenaRoom) },
  });
  await server.listen(port, host);
  const { roomId } = await matchMaker.createRoom("arena", {});
  return {
    port: (http.address() as AddressInfo).port,
    room: matchMaker.getLocalRoomById(roomId) as ArenaRoom,
    close: () => server.gracefullyShutdown(false),
  };
}
