/** The examples of the site run without errors. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildExamples, exampleNames } from "../../scripts/build-site.mjs";
import { inOneFile } from "../../scripts/one-file.mjs";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { drawSteadily } from "../../scripts/environment/steady-clock";
import { complaintsOf } from "./readme-picture";
import { colorCount } from "./color-count";

/** Frames, each of three steps: a software GPU takes longer to draw than the CPU to simulate. */
const FRAMES = 10;
const names: string[] = exampleNames();

/** A full run has just built the site, and the examples with it. */
const isBuilt = process.env.PLIANT_ALL_TESTS !== undefined;
const folder = isBuilt ? path.resolve("dist/site/examples") : fs.mkdtempSync(path.join(os.tmpdir(), "pliant-site-"));
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;

beforeAll(async () => {
  if (!isBuilt) await buildExamples(folder);
  server = await serveFolder(folder);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (!isBuilt) fs.rmSync(folder, { recursive: true, force: true });
});

it.each(names)("%s draws its first frames without a complaint", async (name) => {
  const page = await browser.newPage({ viewport: { width: 240, height: 150 } });
  page.setDefaultTimeout(100_000);
  // By its own clock a slow page would have to catch up by six steps a frame.
  await page.addInitScript(drawSteadily, 3000 / 60);
  const complaints = complaintsOf(page);
  await page.goto(`${server.url}${name}.html`);
  await page.waitForFunction(
    (least) =>
      Number(document.documentElement.dataset.frame) >= least || document.documentElement.dataset.state === "failed",
    FRAMES,
  );
  const picture = await page.screenshot();
  const state = await page.evaluate(() => document.documentElement.dataset.state);
  await page.close();
  expect(complaints).toEqual([]);
  expect(state).toBe("drawn");
  expect(colorCount(picture)).toBeGreaterThan(12);
});

it("every example builds from the one file that a reader copies", async () => {
  for (const name of names) {
    const contents: string = inOneFile(path.resolve(`site/examples/${name}.ts`));
    expect(contents, name).not.toMatch(/from "\./);
    const { warnings } = await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      external: ["@babylonjs/*", "babylon-pliant", "babylon-pliant/*"],
      format: "esm",
      write: false,
      logLevel: "silent",
    });
    expect(warnings, name).toEqual([]);
  }
});
