// The server, in plain Node: save it as room.mjs.

import { defineRoom, defineServer, Room } from "@colyseus/core";
import { World } from "babylon-pliant/engine";

class BallRoom extends Room {
  maxClients = 10;
  maxMessagesPerSecond = 30;

  async onCreate() {
    const world = await World.create({ backend: "cpu" });
    world.addRigidBody({
      motion: "static",
      shape: { type: "box", halfExtents: [5, 1, 5] },
      position: [0, -1, 0],
    });
    const ball = world.addRigidBody({
      shape: { type: "sphere", radius: 0.5 },
      position: [0, 3, 0],
      linearDamping: 0.5,
    });
    this.onMessage("push", (client, push) => {
      // Anything may come from a client: take one number in range, no more.
      if (typeof push !== "number" || !(Math.abs(push) <= 2)) return;
      ball.applyImpulse([ball.mass * push, 0, 0]);
    });
    this.setFixedTimestep(({ tick }) => {
      world.step(1 / 60);
      if (tick % 3 === 0) this.broadcast("ball", ball.position);
    }, 60);
    this.onDispose = () => world.dispose();
  }
}

const server = defineServer({ rooms: { ball: defineRoom(BallRoom) } });
await server.listen(Number(process.env.PORT ?? 2567));
console.log("The room is open.");
