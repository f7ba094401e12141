// Pictures of the examples into site/public/pictures, shown until an example runs; moving ones of the silk, for the README and
// for browsers that cannot run the home page:
//
//     node scripts/run-ts.mjs scripts/site-pictures.ts [NAME:FRAMES …] [film]

import fs from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { buildExamples, exampleNames } from "./build-site.mjs";
import { animatedWebp } from "./environment/animated-webp";
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
    character: 24,
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
  xr: 12,
};

declare global {
  /** pictures of a page so far */
  var film: string[];
}

/** Frames of the moving pictures: from the first one, before a gust, until the silk hangs still again. */
const [FIRST, FILMED, FRAME_MS] = [66, 44, 100];
interface Film {
  readonly file: string;
  readonly page: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly height: number;
}
/** A wide page has words at the left of the silk. */
const FILMS: readonly Film[] = [
  { file: path.join(OUTPUT, "hero.webp"), page: { width: 832, height: 450 }, width: 640, height: 346 },
  {
    file: path.resolve(OUTPUT, "../../../docs/images/silk.webp"),
    page: { width: 640, height: 360 },
    width: 640,
    height: 360,
  },
];

const wanted = process.argv.slice(2).map((argument) => argument.split(":"));
const isFilmed = wanted.length === 0 || wanted.some(([name]) => name === "film");
const pictures = wanted.length > 0 ? wanted.filter(([name]) => name !== "film") : exampleNames().map((name) => [name]);
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
    page.setDefaultTimeout(240_000);
    await page.addInitScript(drawSteadily, 100);
    page.on("console", (message) => {
      if (message.type() === "error") console.error(`${name}: ${message.text()}`);
    });
    page.on("pageerror", (error) => console.error(`${name}: ${error.message}`));
    await page.goto(`${url}${name}.html`);
    await page.waitForFunction(
      (count) => Number(document.documentElement.dataset.frame) >= count,
      Number(frames ?? FRAMES[name] ?? 20),
    );
    await page.screenshot({
      path: path.join(OUTPUT, `${name}${end}.jpg`),
      type: "jpeg",
      quality: 80,
    });
    await page.close();
    console.error(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
  if (isFilmed) for (const film of FILMS.toReversed()) await filmSilk(browser, url, film);
});

/** The silk of the home page while a gust comes and goes, as one moving picture that repeats. */
async function filmSilk(browser: Browser, url: string, { file, page: viewport, width, height }: Film): Promise<void> {
  // Small until the gust: a software GPU draws few pixels fast.
  const page = await browser.newPage({ viewport: { width: 160, height: 90 } });
  page.setDefaultTimeout(600_000);
  await page.addInitScript(drawSteadily, FRAME_MS);
  await page.addInitScript(keepPictures(width, height));
  await page.goto(`${url}hero.html`);
  await page.waitForFunction((first) => Number(document.documentElement.dataset.frame) >= first, FIRST - 4);
  await page.setViewportSize(viewport);
  await page.waitForFunction((most) => film.length >= most, FILMED, { polling: 500 });
  const stills = (await page.evaluate(() => film)).map((still) => Buffer.from(still.split(",")[1], "base64"));
  await page.close();
  fs.writeFileSync(file, animatedWebp(stills, width, height, FRAME_MS));
}

/**
 * Runs in a page before its own code: keeps pictures of its frames, as addresses. It is text, since the names that a compiler adds to
 * functions are unknown there.
 */
function keepPictures(width: number, height: number): string {
  return `
    globalThis.film = [];
    // Otherwise a canvas is empty outside of the task that draws it.
    const open = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, options) {
      return open.call(this, kind, kind === "2d" ? options : { ...options, preserveDrawingBuffer: true });
    };
    let last = ${FIRST - 1};
    const look = () => {
      const frame = Number(document.documentElement.dataset.frame ?? 0);
      if (frame > last && film.length < ${FILMED}) {
        last = frame;
        const small = Object.assign(document.createElement("canvas"), { width: ${width}, height: ${height} });
        small.getContext("2d").drawImage(document.querySelector("canvas"), 0, 0, ${width}, ${height});
        film.push(small.toDataURL("image/webp", 0.5));
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);`;
}
