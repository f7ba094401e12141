/**
 * Showcases run without errors, whole, outside of their obstacles and inside of the picture, and one is drawn; with `PLIANT_SHOWCASES=all` each is drawn, after
 * five seconds. Hands of an emulated headset take hold of a towel.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAdvanced, labelOf } from "../../samples/gallery/words";
import { showcases } from "../../samples/showcases/index";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { inOneFile } from "../../scripts/one-file.mjs";
import { complaintsOf } from "./readme-picture";
import { colorCount } from "./color-count";

const isThorough = process.env.PLIANT_SHOWCASES === "all";
const FRAMES = isThorough ? 300 : 16;
/** Frames until things that fall into the picture have arrived there. */
const ARRIVED: Readonly<Record<string, number>> = { "silk-reveal": 60 };
const names = Object.keys(showcases);
const drawn = isThorough ? names : names.slice(-1);

let folder: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;
/** One for all: a software GPU and two cores take a while to load Babylon. */
let page: Page;
let complaints: string[];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-showcases-"));
  const entryPoints = [path.join(import.meta.dirname, "showcase-page.ts")];
  await build({ entryPoints, bundle: true, format: "esm", splitting: true, outdir: folder, logLevel: "error" });
  const html = `<!doctype html><title>page</title><link rel="icon" href="data:,"><body></body>
    <script type="module" src="showcase-page.js"></script>`;
  fs.writeFileSync(path.join(folder, "index.html"), html);
  server = await serveFolder(folder);
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 260, height: 170 } });
  complaints = complaintsOf(page);
  await page.goto(server.url);
  await page.waitForFunction(() => "trialInXR" in globalThis);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe.each(names)("%s", (name) => {
  it("runs whole, outside of its obstacles and inside of the picture", { timeout: 120_000 }, async () => {
    const found = await page.evaluate(([key, frames, isDrawn]) => trial(key, frames, isDrawn), [
      name,
      Math.max(FRAMES, ARRIVED[name] ?? 0),
      drawn.includes(name),
    ] as const);
    expect(complaints.splice(0)).toEqual([]);
    expect(found.frozen).toBe(0);
    expect(found.away).toBeLessThan(2);
    expect(found.depth).toBeLessThan(0.004);
    expect(found.stretch).toBeLessThan(4);
    // Later some leave the picture: balloons fly off, and silk is lifted.
    if (!isThorough) for (const reach of found.reach) expect(reach).toBeLessThan(1);
    if (!isThorough) for (const extent of found.extent) expect(extent).toBeGreaterThan(0.3);
    if (found.picture !== undefined) {
      const picture = Buffer.from(found.picture.split(",")[1], "base64");
      expect(colorCount(picture)).toBeGreaterThan(20);
    }
    const controls = found.controls.map((control) => ({ name: control, default: 0, unit: "", description: "" }));
    expect(controls.length).toBeGreaterThan(0);
    for (const control of controls) expect(isAdvanced(control)).toBe(false);
    for (const control of controls) expect(labelOf(control)).toMatch(/^[A-Z][a-z]/);
  });

  it("builds from the one file that a reader copies", async () => {
    const contents: string = inOneFile(path.resolve(`samples/showcases/${name}.ts`));
    expect(contents).not.toMatch(/from "\./);
    expect(contents).toContain("await createScene()");
    const { warnings } = await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      external: ["@babylonjs/*", "babylon-pliant"],
      format: "esm",
      write: false,
      logLevel: "silent",
    });
    expect(warnings).toEqual([]);
  });
});

it("a controller and a hand in XR lift a corner of a towel, and let it fall", { timeout: 120_000 }, async () => {
  const lifts = await page.evaluate(() => trialInXR());
  expect(complaints.splice(0)).toEqual([]);
  expect(lifts.map(({ mode }) => mode)).toEqual(["controller", "hand"]);
  for (const { apart, raised, opposite, fallen } of lifts) {
    expect(apart).toBeLessThan(0.03);
    expect(raised).toBeGreaterThan(0.12);
    expect(raised).toBeLessThan(0.16);
    // The towel bends: it does not float along as a whole.
    expect(opposite).toBeLessThan(0.03);
    expect(fallen).toBeLessThan(0.07);
  }
});
