// Makes the moving previews of the gallery: node scripts/run-ts.mjs scripts/previews.ts [SCENE ...]
//
// Without names it makes those that are missing. They are committed: a software GPU takes an hour for all of them.

import fs from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { catalogue } from "../samples/gallery/catalogue";
import { captureAddress } from "../samples/cli/capture";
import type { SceneDefinition } from "../samples/scene";
import { sceneNamed } from "../samples/scenes/index";
import { showcases } from "../samples/showcases/index";
import { buildGallery } from "./build-gallery.mjs";
import { withServedPages } from "./environment/served-pages";

const SHOTS = 8;
const LONGEST_MS = 4 * 60_000;
const FOLDER = "samples/gallery/previews";
/** Pictures are small, and a software GPU and two cores make them: cloth is coarser, and long runs end early. */
const MOST: Readonly<Record<string, number>> = { resolution: 28, cells: 10 };
const MOST_FRAMES = 150;
const FRAMES: Readonly<Record<string, number>> = {
  "soft-pile": 120,
  "cloth-on-knives": 60,
  "sharp-corner": 60,
  "learned-cartpole": 420,
  "sampled-cartpole": 420,
  hand: 360,
};

/** Frames and settings of a preview. A showcase runs as it is. */
function runOf(name: string): { frames: number; settings: Record<string, string> } {
  if (Object.hasOwn(showcases, name)) return { frames: showcases[name].frames ?? MOST_FRAMES, settings: {} };
  const scene = sceneNamed(name);
  return { frames: FRAMES[name] ?? Math.min(MOST_FRAMES, scene.frames), settings: lowered(scene) };
}

/** Settings of a scene above what a picture needs. */
function lowered(scene: SceneDefinition): Record<string, string> {
  const isSwept = scene.parameters.some(({ name }) => name === "resolution");
  const most: Readonly<Record<string, number>> = isSwept ? { ...MOST, iterations: 2 } : MOST;
  const above = scene.parameters.filter((parameter) => Number(parameter.default) > (most[parameter.name] ?? Infinity));
  return Object.fromEntries(above.map(({ name }) => [name, String(most[name])]));
}

const names = catalogue.flatMap(({ scenes }) => Object.keys(scenes));
const asked = process.argv.slice(2);
const missing = names.filter((name) => !fs.existsSync(path.join(FOLDER, `${name}.webp`)));

/** Draws a scene's pictures; they come as one WebP file, as text in base 64. */
async function previewOf(browser: Browser, url: string, name: string): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
  try {
    const address = captureAddress(url, { scene: name, backend: "cpu", ...runOf(name) });
    await page.goto(`${address}&engine=webgl&shots=${SHOTS}`);
    const state = (): string | undefined => document.documentElement.dataset.state;
    await page.waitForFunction(state, undefined, { timeout: LONGEST_MS, polling: 500 });
    const picture = await page.evaluate(() => document.querySelector<HTMLImageElement>("#strip")?.src);
    if (picture === undefined) throw new Error(await page.locator("#message").innerText());
    return picture.split(",")[1];
  } finally {
    await page.close();
  }
}

await withServedPages(
  (output) => buildGallery({ output }),
  async (browser, url) => {
    for (const name of asked.length > 0 ? asked : missing) {
      const begin = performance.now();
      try {
        fs.writeFileSync(path.join(FOLDER, `${name}.webp`), Buffer.from(await previewOf(browser, url, name), "base64"));
        console.log(`${name}: ${((performance.now() - begin) / 1000).toFixed(0)} s`);
      } catch (error) {
        console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        process.exitCode = 1;
      }
    }
  },
);
