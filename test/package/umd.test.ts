import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { ROOT, temporaryFolder } from "./blank-project";

const SCRIPTS = ["pliant.umd", "pliant.umd.min", "cdn/pliant.min"];
const KB = 1000;
const PLUGIN = path.join(ROOT, "plugin");

/** The globals of a page. */
interface Page {
  BABYLON: typeof import("@babylonjs/core");
  PLIANT: typeof import("../../plugin/index");
}

/** Names that the plugin imports from Babylon as values, with the importing file. */
function importedNames(): [name: string, file: string][] {
  const found: [string, string][] = [];
  const files = fs.readdirSync(PLUGIN, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  for (const file of files) {
    const text = fs.readFileSync(path.join(PLUGIN, file), "utf8");
    for (const [, names] of text.matchAll(/^import \{([^}]*)\} from "@babylonjs\/core\/[^"]*";/gm))
      for (const name of names.split(",").map((part) => part.trim()))
        if (name !== "" && !name.startsWith("type ")) found.push([name, file]);
  }
  return found;
}

let folder: string;
let browser: Browser;
let server: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  folder = temporaryFolder();
  // A substitute for Babylon's script from a CDN: everything it exports, as one global.
  await build({
    stdin: { contents: 'export * from "@babylonjs/core";', resolveDir: ROOT },
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "BABYLON",
    outfile: path.join(folder, "babylon.js"),
    logLevel: "error",
  });
  fs.cpSync(path.join(ROOT, "dist/cdn"), path.join(folder, "cdn"), { recursive: true });
  for (const name of SCRIPTS) {
    if (!name.startsWith("cdn/"))
      fs.copyFileSync(path.join(ROOT, "dist", `${name}.js`), path.join(folder, `${name}.js`));
    const scripts = `<script src="/babylon.js"></script><script src="/${name}.js"></script>`;
    fs.writeFileSync(path.join(folder, `${name}.html`), `<!doctype html><title>page</title>${scripts}`);
  }
  server = await serveFolder(folder);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

it.each(SCRIPTS)("%s.js works beside the BABYLON global", async (name) => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${server.url}${name}.html`);
  const result = await page.evaluate(async () => {
    const { BABYLON, PLIANT } = globalThis as unknown as Page;
    const engine = new BABYLON.NullEngine();
    const scene = new BABYLON.Scene(engine);
    const plugin = await PLIANT.PliantPlugin.CreateAsync(engine, { backend: "cpu" });
    const enabled = scene.enablePhysics(new BABYLON.Vector3(0, -9.81, 0), plugin);
    const { strain } = PLIANT.defineEnergy({ strain: "distance", energy: "k/2*c^2", parameters: { k: 1 } });
    return { enabled, cloth: typeof PLIANT.ClothAggregate, strain };
  });
  expect(errors).toEqual([]);
  expect(result).toEqual({ enabled: true, cloth: "function", strain: "distance" });
  await page.close();
});

it("the script of content networks loads the parts that a scene needs", async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  let size = 0;
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.includes("/cdn/"))
      size += zlib.gzipSync(fs.readFileSync(path.join(folder, pathname)), { level: 9 }).length;
  });
  await page.goto(`${server.url}cdn/pliant.min.html`);
  const start = size;
  const lowest = await page.evaluate(async () => {
    const { BABYLON, PLIANT } = globalThis as unknown as Page;
    const engine = new BABYLON.NullEngine();
    const scene = new BABYLON.Scene(engine);
    const plugin = await PLIANT.PliantPlugin.CreateAsync(engine, { backend: "cpu", load: "needed" });
    scene.enablePhysics(new BABYLON.Vector3(0, -9.81, 0), plugin);
    const sheet = BABYLON.MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 4, updatable: true });
    sheet.position.y = 1;
    const { body } = new PLIANT.ClothAggregate(sheet, {}, scene);
    await plugin.world.whenReadyAsync();
    for (let frame = 0; frame < 30; frame++) scene._advancePhysicsEngineStep(1000 / 60);
    return Math.min(...(await body.readPositions()).filter((_, i) => i % 3 === 1));
  });
  expect(errors).toEqual([]);
  // g t² / 2, less the drag of air
  expect(lowest).toBeGreaterThan(-0.23);
  expect(lowest).toBeLessThan(0.5);
  expect(start).toBeLessThan(427 * KB);
  expect(size).toBeLessThan(463 * KB);
  await page.close();
});

it("the plugin takes nothing from Babylon that the BABYLON global of a script tag does not have", async () => {
  const names = importedNames();
  expect(names.length).toBeGreaterThan(20);
  const page = await browser.newPage();
  await page.goto(`${server.url}pliant.umd.html`);
  const missing = await page.evaluate((list) => {
    const { BABYLON } = globalThis as unknown as Page;
    return list.filter(([name]) => !(name in BABYLON));
  }, names);
  expect(missing).toEqual([]);
  await page.close();
});
