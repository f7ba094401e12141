/** The page of a player. `?port=2567` names the server's port, `?loss=0.1` loses every tenth message. */

import { Engine } from "@babylonjs/core/Engines/engine";
import { BODIES } from "../shared/arena";
import { Connection } from "./connection";
import { Timeline } from "./timeline";
import { View } from "./view";

const query = new URLSearchParams(location.search);
const note = document.querySelector("output")!;

async function play(): Promise<void> {
  const endpoint = `${location.protocol}//${location.hostname}:${query.get("port") ?? 2567}`;
  const connection = await Connection.join(endpoint, Number(query.get("loss") ?? 0));
  const { room } = connection;
  const engine = new Engine(document.querySelector("canvas"), true);
  addEventListener("resize", () => engine.resize());
  const view = new View(engine);
  const timeline = new Timeline();

  connection.onFrame = (frame) => timeline.add(frame);
  view.onPick((body, kick) => {
    if (BODIES[body].seat === connection.seat) connection.push(body, kick);
  });
  room.onStateChange(() => {
    view.mark(connection.seat ?? -1);
    note.textContent = `Click the outlined bodies. Players: ${room.state.players.size}`;
  });
  room.onDrop(() => (note.textContent = "The line broke. Coming back …"));
  room.onReconnect(() => (note.textContent = "Back again."));
  room.onLeave(() => (note.textContent = "The game is over. Reload to play again."));

  engine.runRenderLoop(() => {
    const drawn = timeline.advance(engine.getDeltaTime() / 1000);
    if (drawn) view.draw(drawn);
    view.scene.render();
  });
  // For the console, and for tests.
  Object.assign(globalThis, { arena: { connection, timeline, view } });
}

play().catch((error) => {
  console.error(error);
  note.textContent = `No game: ${error.message}`;
});
