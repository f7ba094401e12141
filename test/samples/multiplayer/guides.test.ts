/** Runs the servers of the guides, and the page of their client. */

import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Scene } from "@babylonjs/core/scene";
import * as sdk from "@colyseus/sdk";
import { afterEach, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const examples = path.join(root, "site/examples");

let server: ChildProcess | undefined;
afterEach(() => {
  server?.kill("SIGKILL");
});

/** Runs an example in Node, and waits for a line that it prints. */
async function start(example: string, line: RegExp, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const args = ["--import", "tsx", path.join(examples, example)];
  server = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", 2] });
  for await (const printed of createInterface({ input: server.stdout! })) if (line.test(printed)) return printed;
  throw new Error(`${example} ended without such a line`);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

it("a headless server in five lines lets a ball fall", async () => {
  const printed = await start("server.ts", /^\[/);
  const [x, height] = JSON.parse(printed) as number[];
  expect(x).toBe(0);
  expect(height).toBeLessThan(-0.5);
});

it("the page of the guide shows the ball of its room, takes pushes, and stands what is none", async () => {
  const port = await freePort();
  await start("room.mjs", /The room is open/, { PORT: `${port}` });
  const text = fs.readFileSync(path.join(examples, "room-page.ts"), "utf8");
  expect(text).toContain("localhost:2567");
  const modules: Record<string, object> = {
    "@babylonjs/core": { ArcRotateCamera, Engine: NullEngine, HemisphericLight, MeshBuilder, Scene, Vector3 },
    "@colyseus/sdk": sdk,
  };
  const body = text
    .replace("localhost:2567", `localhost:${port}`)
    .replace(
      /import \{([^}]*)\} from "([^"]+)";/g,
      (_whole, names, module) => `const {${names}} = modules["${module}"];`,
    );
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const page = AsyncFunction("modules", "document", `${body}\nreturn { room, ball, scene, engine };`);
  const { room, ball, scene, engine } = await page(modules, { querySelector: () => undefined });
  engine.stopRenderLoop();
  const until = (check: () => boolean): Promise<void> =>
    new Promise((resolve) => room.onMessage("ball", () => check() && resolve()));
  await until(() => ball.position.y < 2.5);
  for (const wrong of [NaN, Infinity, 1e9, "1", null, {}, [1]]) room.send("push", wrong);
  await until(() => Math.abs(ball.position.y - 0.5) < 0.01);
  expect(ball.position.x).toBe(0);
  scene.onPointerPick();
  await until(() => ball.position.x > 0.2);
  await room.leave();
  scene.dispose();
});
