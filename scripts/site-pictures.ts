// Pictures of the examples into site/public/pictures, shown until an example runs:
//
//     node scripts/run-ts.mjs scripts/site-pictures.ts [NAME:FRAMES …]

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { launchBrowser } from "./environment/browser";
import { buildExamples, exampleNames } from "./build-site.mjs";
import { serveFolder } from "./environment/static-server.mjs";

const OUTPUT = path.resolve(import.meta.dirname, "../site/public/pictures");
/** Frames before the picture: the cloth has fallen, or the balloon is full. */
const FRAMES = 75;

const wanted = process.argv.slice(2).map((argument) => argument.split(":"));
const pictures = wanted.length > 0 ? wanted : exampleNames().map((name) => [name]);
const size = { width: 640, height: 400 };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-pictures-"));
await buildExamples(folder);
const server = await serveFolder(folder);
const browser = await launchBrowser();
try {
  for (const [name, frames] of pictures) {
    const begin = performance.now();
    const page = await browser.newPage({ viewport: size });
    // A software GPU draws and simulates faster with WebGL and the CPU.
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "gpu"));
    page.on("console", (message) => {
      if (message.type() === "error") console.error(`${name}: ${message.text()}`);
    });
    page.on("pageerror", (error) => console.error(`${name}: ${error.message}`));
    await page.goto(`${server.url}${name}.html`);
    await page.waitForFunction(
      (count) => Number(document.documentElement.dataset.frame) >= count,
      Number(frames ?? FRAMES),
      { timeout: 120_000 },
    );
    await page.screenshot({ path: path.join(OUTPUT, `${name}.jpg`), type: "jpeg", quality: 82, timeout: 60_000 });
    await page.close();
    console.error(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
} finally {
  await browser.close();
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
