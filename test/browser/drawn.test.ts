import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import type { DrawnOptions } from "./drawn-page";

let folder: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-drawn-"));
  const entryPoints = [path.join(import.meta.dirname, "drawn-page.ts")];
  await build({ entryPoints, bundle: true, format: "esm", splitting: true, outdir: folder, logLevel: "error" });
  const html = `<!doctype html><title>page</title><style>body{margin:0}canvas{width:320px;height:240px}</style>
    <canvas width="320" height="240"></canvas><script type="module" src="drawn-page.js"></script>`;
  fs.writeFileSync(path.join(folder, "index.html"), html);
  server = await serveFolder(folder);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What a page shows after some frames. */
async function picture(options: DrawnOptions): Promise<PNG> {
  const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || /uncaptured/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(server.url);
  await page.waitForFunction(() => "drawn" in globalThis);
  await page.evaluate((chosen) => drawn(chosen), options);
  const image = await page.screenshot();
  await page.close();
  expect(complaints).toEqual([]);
  return PNG.sync.read(image);
}

/** For each row that has a colour, where it begins and ends, and how many pixels of it there are. */
function rowsOf(
  { data, width, height }: PNG,
  channel: 0 | 1,
): { y: number; first: number; last: number; count: number }[] {
  const rows = Array.from({ length: height }, (_, y) => ({ y, first: width, last: -1, count: 0 }));
  for (let i = 0; i < width * height; i++) {
    if (data[4 * i + channel] < 128) continue;
    const row = rows[Math.floor(i / width)];
    row.first = Math.min(row.first, i % width);
    row.last = i % width;
    row.count++;
  }
  return rows.filter(({ count }) => count > 0);
}

it("far from the origin the same is drawn, without holes, and a jelly from a box bends", async () => {
  const near = await picture({ engine: "webgl", far: 0, frames: 12 });
  const sheet = rowsOf(near, 0);
  expect(sheet.length).toBeGreaterThan(60);
  for (const engine of ["webgl", "webgpu"] as const) {
    const far = await picture({ engine, far: 1e5, frames: 12 });
    for (const channel of [0, 1] as const)
      for (const { y, first, last, count } of rowsOf(far, channel))
        expect(last - first + 1 - count, `${engine}, colour ${channel}, row ${y}`).toBe(0);
    let differing = 0;
    for (let i = 0; i < near.data.length; i += 4)
      if (Math.abs(near.data[i] - far.data[i]) + Math.abs(near.data[i + 1] - far.data[i + 1]) > 60) differing++;
    // along the edges
    expect(differing, engine).toBeLessThan(0.02 * sheet.reduce((sum, { count }) => sum + count, 0));
    // held by a corner its side is a curve; eight corners would draw a line
    const jelly = rowsOf(far, 1).slice(5, -5);
    const [top, bottom] = [jelly[0], jelly.at(-1)!];
    const bulges = jelly.map(({ y, first }) => {
      const share = (y - top.y) / (bottom.y - top.y);
      return Math.abs(first - (1 - share) * top.first - share * bottom.first);
    });
    expect(Math.max(...bulges), engine).toBeGreaterThan(2);
  }
});
