/** The real server and clients, over sockets of this machine. */

import { ClientState } from "@colyseus/core";
import { WebSocket } from "ws";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Connection } from "../../../samples/multiplayer/client/connection";
import { startServer, type RunningServer } from "../../../samples/multiplayer/server/start";
import { SEATS } from "../../../samples/multiplayer/shared/arena";
import { PUSH, type Frame } from "../../../samples/multiplayer/shared/wire";
import { hostilePacket, hostilePushes, randomFrom } from "./hostile";

let server: RunningServer;
let http: string;
beforeAll(async () => {
  server = await startServer(0, "127.0.0.1");
  http = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server?.close());

/** A client that keeps the frames it gets, by their steps. */
class Watcher {
  readonly frames = new Map<number, Frame>();
  last: Frame | undefined;
  private waiting: { check: (frame: Frame) => boolean; done: () => void }[] = [];

  constructor(readonly connection: Connection) {
    connection.onFrame = (frame) => {
      this.frames.set(frame.step, frame);
      this.last = frame;
      for (const { check, done } of this.waiting) if (check(frame)) done();
    };
  }

  /** Resolves with the first frame from now on that a check likes. */
  frame(check: (frame: Frame) => boolean = () => true): Promise<Frame> {
    return new Promise((resolve) => {
      const entry = { check, done: () => resolve(this.last!) };
      this.waiting.push(entry);
    });
  }

  height(body: number): number {
    return this.last!.poses[7 * body + 1];
  }
}

const watchers: Watcher[] = [];
async function join(loss = 0, seed = 1): Promise<Watcher> {
  const watcher = new Watcher(await Connection.join(http, loss, randomFrom(seed)));
  watchers.push(watcher);
  await watcher.frame();
  return watcher;
}
afterEach(async () => {
  await Promise.all(watchers.splice(0).map(({ connection }) => connection.leave()));
});

/** Reserves a seat without the SDK, and opens a socket to it. */
async function bareSocket(): Promise<{ socket: WebSocket; session: string; closed: Promise<void> }> {
  const reply = await fetch(`${http}/matchmake/join/arena`, { method: "POST", body: "{}" });
  const { sessionId, roomId } = (await reply.json()) as { sessionId: string; roomId: string };
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/x/${roomId}?sessionId=${sessionId}`);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("message", resolve));
  return { socket, session: sessionId, closed };
}

const ready = (socket: WebSocket): void => socket.send(Uint8Array.of(10));
const isSeated = (session: string): boolean => server.room.state.players.has(session);

describe("the server", () => {
  it("shows each player the pushes of the others, and all that went before to one who comes late", async () => {
    const [first, second] = [await join(), await join()];
    expect([first.connection.seat, second.connection.seat]).toEqual([0, 1]);
    first.connection.push(0, [0, 3, 0]);
    await second.frame(({ poses }) => poses[1] > 0.4);
    // The owner of another seat pushes it in vain.
    second.connection.push(10, [0, 5, 0]);
    second.connection.push(5, [0, 3, 0]);
    await first.frame(({ poses }) => poses[7 * 5 + 1] > 0.4);
    const late = await join();
    expect(late.connection.seat).toBe(2);
    const { step } = await late.frame();
    await Promise.all([first, second].map((each) => each.frame((frame) => frame.step > step)));
    expect(late.frames.get(step)).toEqual(first.frames.get(step));
    expect(late.frames.get(step)).toEqual(second.frames.get(step));
    expect(Array.from(late.last!.taken).slice(0, 3)).toEqual([1, 2, 0]);
    expect(late.connection.room.state.players.size).toBe(3);
    expect(first.height(10)).toBeCloseTo(0.2, 2);
  });

  it("takes every push once though a tenth of all messages is lost", async () => {
    const witness = await join();
    const player = await join(0.1, 5);
    for (let number = 1; number <= 8; number++) {
      player.connection.push(5 + (number % 5), [0.2, 0, 0]);
      await witness.frame(({ taken }) => taken[1] === number);
    }
    expect(player.frames.size).toBeLessThan(witness.frames.size);
    await witness.frame();
    expect(witness.last!.taken[1]).toBe(8);
  });

  it("keeps the seat of a player whose line breaks", async () => {
    const [player, witness] = [await join(), await join()];
    const { connection } = player;
    connection.room.reconnection.minUptime = 0;
    connection.push(0, [0, 1, 0]);
    await player.frame(({ taken }) => taken[0] === 1);
    const session = connection.room.sessionId;
    const isHere = (): boolean => witness.connection.room.state.players.get(session)!.isHere;
    const back = new Promise<void>((resolve) => connection.room.onReconnect(resolve));
    connection.room.connection.close();
    await witness.frame(() => !isHere());
    await back;
    await witness.frame(isHere);
    expect([connection.room.sessionId, connection.seat]).toEqual([session, 0]);
    connection.push(0, [0, 1, 0]);
    await witness.frame(({ taken }) => taken[0] === 2);
  });

  it("has ten seats, and gives a seat on when its player leaves", async () => {
    const players = await Promise.all(Array.from({ length: SEATS }, () => join()));
    expect(players.map(({ connection }) => connection.seat).sort()).toEqual([...players.keys()]);
    await expect(join()).rejects.toThrow();
    const gone = watchers.splice(3, 1)[0].connection;
    const { seat } = gone;
    await gone.leave();
    expect((await join()).connection.seat).toBe(seat);
  });
});

describe("hostile clients", () => {
  it("send 10,000 messages, and neither stop the server nor move a body of another player", async () => {
    const player = await join();
    const { last: before } = player;
    const random = randomFrom(11);
    const { room } = server;
    let sent = 0;
    // Pushes that break rules, from a player who has a seat; nobody counts them.
    room.maxMessagesPerSecond = Infinity;
    const { socket, session } = await bareSocket();
    ready(socket);
    const head = Uint8Array.of(17, PUSH);
    for (; sent < 9600; sent++) {
      const taken = player.last!.taken[1];
      socket.send(Buffer.concat([head, hostilePushes(1, taken + 1, random)]));
      if (sent % 400 === 0) await player.frame();
    }
    room.maxMessagesPerSecond = 60;
    const end = player.frame(() => !isSeated(session));
    socket.send(Uint8Array.of(12));
    await end;
    // Packets that no client sends end their connection, before or after it says that it is ready.
    for (let line = 0; line < 100; line++) {
      const { socket: bad, closed } = await bareSocket();
      if (line % 2) ready(bad);
      for (let i = 0; i < 4; i++, sent++) bad.send(hostilePacket(random));
      bad.send(Uint8Array.of(12));
      await closed;
    }
    expect(sent).toBe(10_000);
    const after = await player.frame();
    const moves = Array.from(after.poses, (value, i) => Math.abs(value - before!.poses[i]));
    expect(Math.max(...moves)).toBeLessThan(0.003);
    player.connection.push(0, [0, 3, 0]);
    await player.frame(({ poses }) => poses[1] > 0.4);
  });

  it("lose their line when they send too much", async () => {
    const player = await join();
    const { socket, closed } = await bareSocket();
    ready(socket);
    for (let i = 0; i < 200; i++) socket.send(Uint8Array.of(17, PUSH));
    await closed;
    await player.frame();
  });

  it("make no rooms, send no long requests, and get nothing before they are ready", async () => {
    const player = await join();
    const post = (path: string, body: BodyInit, headers?: HeadersInit): Promise<number> =>
      fetch(http + path, { method: "POST", body, headers, duplex: "half" } as RequestInit).then(
        ({ status }) => status,
        () => 413,
      );
    for (const method of ["create", "joinOrCreate", "joinById", "constructor", "__proto__"])
      expect(await post(`/matchmake/${method}/arena`, "{}")).toBeGreaterThanOrEqual(400);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1e5)) });
    expect(await post("/matchmake/join/arena", "x".repeat(1e6))).toBe(413);
    expect(await post("/matchmake/join/arena", endless)).toBe(413);
    for (const body of ["{", "null", "[]", '"x"', '{"__proto__":{"seat":1}}', "\0"])
      await post("/matchmake/join/arena", body, { "Content-Type": "application/json" });
    // One that has a seat and never says that it is ready: no frames wait for it.
    const { socket, session } = await bareSocket();
    await player.frame();
    const silent = server.room.clients.find(({ sessionId }) => sessionId === session)!;
    expect(silent.state).toBe(ClientState.JOINING);
    expect((silent as unknown as { _enqueuedMessages: unknown[] })._enqueuedMessages).toEqual([]);
    socket.terminate();
    await player.frame(() => !isSeated(session));
  });
});
