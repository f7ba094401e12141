/**
 * The doors of the server. They let in only such messages as the game has, so nothing else of a stranger's bytes is
 * decoded or kept.
 */

import { Server, type IncomingMessage, type ServerResponse } from "node:http";
import { Protocol } from "@colyseus/core";
import { WebSocket } from "ws";
import { LARGEST_MESSAGE, PUSH } from "../shared/wire";

/** The longest message: a code of Colyseus, a type, pushes. */
export const LARGEST_PACKET = 2 + LARGEST_MESSAGE;

/** The longest body of a request to join [bytes]. */
const LARGEST_BODY = 1024;

/** Messages of Colyseus without content. */
const BARE: readonly number[] = [Protocol.JOIN_ROOM, Protocol.LEAVE_ROOM, Protocol.PING];

function isExpected(packet: unknown): boolean {
  if (!(packet instanceof Uint8Array)) return false;
  if (packet.length === 1) return BARE.includes(packet[0]);
  return packet[0] === Protocol.ROOM_DATA_BYTES && packet[1] === PUSH;
}

/** A connection that ends with the first message that no client of this game sends. */
export class GuardedSocket extends WebSocket {
  wasShut = false;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    // An error means a packet that is too long or broken.
    const isUnfit = event === "error" || (event === "message" && !isExpected(values[0]));
    if (isUnfit) {
      this.wasShut = true;
      this.terminate();
      return true;
    }
    return super.emit(event, ...values);
  }
}

/** Answers requests with short bodies of known length only. */
export class GuardedServer extends Server {
  override emit(event: string, ...values: unknown[]): boolean {
    if (event === "request") {
      const [request, response] = values as [IncomingMessage, ServerResponse];
      const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
      if (encoding !== undefined || !(Number(length) <= LARGEST_BODY)) {
        response.writeHead(413, { Connection: "close" }).end();
        return true;
      }
    }
    return super.emit(event, ...values);
  }
}
