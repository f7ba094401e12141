/**
 * Measures the server: node scripts/run-ts.mjs samples/multiplayer/measure.ts [seconds]
 *
 * Ten players push as often as they may, from a process of their own, so that the time is that of the server alone.
 */

import { fork } from "node:child_process";
import { Connection } from "./client/connection";
import { startServer } from "./server/start";
import { BODIES, SEATS } from "./shared/arena";
import { LARGEST_KICK } from "./server/rules";

async function playAt(port: number): Promise<void> {
  for (let i = 0; i < SEATS; i++) {
    const connection = await Connection.join(`http://127.0.0.1:${port}`);
    setInterval(() => {
      const own = BODIES.flatMap(({ seat }, body) => (seat === connection.seat ? [body] : []));
      if (own.length === 0) return;
      const angle = 2 * Math.PI * Math.random();
      const speed = 0.8 * LARGEST_KICK;
      const body = own[Math.floor(own.length * Math.random())];
      connection.push(body, [speed * Math.cos(angle), 1, speed * Math.sin(angle)]);
    }, 250);
  }
  process.send!("all are here");
}

async function measure(seconds: number): Promise<void> {
  const { port, room, close } = await startServer(0, "127.0.0.1");
  const players = fork(import.meta.filename, [`${seconds}`, `${port}`]);
  await new Promise((resolve) => players.once("message", resolve));
  // Compilers are done after a while.
  await pause(5);
  const [begin, first] = [process.cpuUsage(), room.steps];
  await pause(seconds);
  const { user, system } = process.cpuUsage(begin);
  const steps = room.steps - first;
  const perStep = (user + system) / 1000 / steps;
  console.log(
    `${BODIES.length} bodies, ${SEATS} players: ${perStep.toFixed(2)} ms of processor time a step, ${steps} steps`,
  );
  players.kill();
  await close();
}

const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

const [seconds = "10", port] = process.argv.slice(2);
if (port === undefined) await measure(Number(seconds));
else await playAt(Number(port));
