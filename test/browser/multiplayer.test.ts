/** Two pages of the multiplayer sample at one server: each sees the other's push. */

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Connection } from "../../samples/multiplayer/client/connection";
import type { View } from "../../samples/multiplayer/client/view";
import { buildPage } from "../../samples/multiplayer/page";
import { startServer, type RunningServer } from "../../samples/multiplayer/server/start";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";

declare const arena: { connection: Connection; view: View };

let folder: string;
let files: Awaited<ReturnType<typeof serveFolder>>;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-multiplayer-"));
  await buildPage(folder);
  files = await serveFolder(folder);
  server = await startServer(0, "127.0.0.1");
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await files?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const complaints: string[] = [];

async function open(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  page.setDefaultTimeout(90_000);
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  // The server listens on this address, which "localhost" may not mean.
  await page.goto(`${files.url.replace("localhost", "127.0.0.1")}?port=${server.port}&loss=0.1`);
  await page.waitForFunction(() => "arena" in globalThis && arena.connection.seat !== undefined);
  return page;
}

/** A pixel that shows a body of the page's own player, and the body. */
const ownPixel = (page: Page): Promise<{ x: number; y: number; body: number }> =>
  page
    .waitForFunction(() => {
      const { connection, view } = arena;
      for (let body = 5 * connection.seat!; body < 5 * connection.seat! + 5; body++) {
        const { position } = view.scene.getMeshByName(`${body}`)!;
        const Vector = position.constructor as typeof Vector3;
        const at = Vector.TransformCoordinates(position, view.scene.getTransformMatrix());
        const [x, y] = [Math.round(200 * (1 + at.x)), Math.round(150 * (1 - at.y))];
        if (view.scene.pick(x, y).pickedMesh?.name === `${body}`) return { x, y, body };
      }
      return undefined;
    })
    .then((handle) => handle.jsonValue() as Promise<{ x: number; y: number; body: number }>);

const placeOn = (page: Page, body: number): Promise<number[]> =>
  page.evaluate((name) => arena.view.scene.getMeshByName(name)!.position.asArray(), `${body}`);

it("shows the push of each player to the other, with a tenth of the messages lost", async () => {
  const pages = [await open(), await open()];
  expect(await Promise.all(pages.map((page) => page.evaluate(() => arena.connection.seat)))).toEqual([0, 1]);
  for (const [i, page] of pages.entries()) {
    const other = pages[1 - i];
    const { x, y, body } = await ownPixel(page);
    const before = await placeOn(other, body);
    await page.mouse.click(x, y);
    await other.waitForFunction(
      ({ name, at }) => {
        const { position } = arena.view.scene.getMeshByName(name)!;
        return Math.hypot(position.x - at[0], position.z - at[2]) > 0.3;
      },
      { name: `${body}`, at: before },
    );
  }
  expect(await pages[0].textContent("output")).toContain("Players: 2");
  expect(complaints).toEqual([]);
  if (process.env.PLIANT_PICTURES)
    await pages[0].screenshot({ path: path.join(process.env.PLIANT_PICTURES, "multiplayer.png") });
});
