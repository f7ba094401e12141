// Pictures of the examples into site/public/pictures, shown until an example runs:
//
//     node scripts/run-ts.mjs scripts/site-pictures.ts [NAME:FRAMES …]

import path from "node:path";
import { buildExamples, exampleNames } from "./build-site.mjs";
import { withServedPages } from "./environment/served-pages";
import { drawSteadily } from "./environment/steady-clock";

const OUTPUT = path.resolve(import.meta.dirname, "../site/public/pictures");
/** Frames of a tenth of a second before the picture: the sheet has fallen, or the ball is about to strike. */
const FRAMES: Readonly<Record<string, number>> = {
  ...{
    "any-mesh": 8,
    baked: 60,
    balloon: 14,
    "beside-havok": 18,
    cable: 12,
    cape: 26,
    dents: 38,
    dragging: 12,
    energy: 8,
    fabrics: 16,
  },
  ...{
    "first-cloth": 16,
    flag: 30,
    folds: 40,
    gltf: 9,
    hero: 36,
    jelly: 12,
    layers: 20,
    learning: 60,
    maps: 20,
    mechanism: 24,
    ranges: 17,
    rigid: 12,
    rope: 7,
    skirt: 40,
    snapshot: 12,
  },
  tear: 10,
  wind: 30,
};

const wanted = process.argv.slice(2).map((argument) => argument.split(":"));
const pictures = wanted.length > 0 ? wanted : exampleNames().map((name) => [name]);
/** Pictures of an example, with the ends of their names and their sizes. */
const sizesOf = (name: string): [end: string, width: number, height: number][] =>
  name === "hero"
    ? [
        ["", 960, 520],
        ["-narrow", 520, 480],
      ]
    : [["", 640, 400]];
const shots = pictures.flatMap(([name, frames]) => sizesOf(name).map((size) => ({ name, frames, size })));
await withServedPages(buildExamples, async (browser, url) => {
  for (const { name, frames, size } of shots) {
    const [end, width, height] = size;
    const begin = performance.now();
    const page = await browser.newPage({ viewport: { width, height } });
    await page.addInitScript(drawSteadily, 100);
    page.on("console", (message) => {
      if (message.type() === "error") console.error(`${name}: ${message.text()}`);
    });
    page.on("pageerror", (error) => console.error(`${name}: ${error.message}`));
    await page.goto(`${url}${name}.html`);
    await page.waitForFunction(
      (count) => Number(document.documentElement.dataset.frame) >= count,
      Number(frames ?? FRAMES[name] ?? 20),
      { timeout: 120_000 },
    );
    await page.screenshot({ path: path.join(OUTPUT, `${name}${end}.jpg`), type: "jpeg", quality: 80, timeout: 60_000 });
    await page.close();
    console.error(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
});
