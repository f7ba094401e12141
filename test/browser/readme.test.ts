import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { complaintsOf, expectDraped, readmePage, WINDOW } from "./readme-picture";

let folder: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;
/** Modules of Pliant that load on demand, by their files. */
let late: Map<string, string>;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-readme-"));
  const names = [...readmePage().matchAll(/import \{([^}]*)\} from "@babylonjs\/core"/g)].map(([, list]) => list);
  const babylon = path.join(folder, "babylon.js");
  fs.writeFileSync(babylon, `export {${names.join(",")}} from "@babylonjs/core";`);
  const { metafile } = await build({
    metafile: true,
    entryPoints: { babylon, pliant: path.join(import.meta.dirname, "readme-module.ts") },
    bundle: true,
    format: "esm",
    splitting: true,
    outdir: path.join(folder, "served"),
    nodePaths: [path.resolve(import.meta.dirname, "../../node_modules")],
    logLevel: "error",
  });
  late = new Map(
    Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) => {
      const [, module] = /\/(?:src\/|plugin\/)((?:world|deformable)\/.*)\.ts$/.exec(`/${entryPoint}`) ?? [];
      return module ? [[path.basename(file), module] as const] : [];
    }),
  );
  // The page is that of the README; an import map replaces a bundler's work on its names.
  const imports = { "@babylonjs/core": "/babylon.js", "babylon-pliant": "/pliant.js" };
  const head = `<script type="importmap">${JSON.stringify({ imports })}</script>\n`;
  fs.writeFileSync(path.join(folder, "served/index.html"), html.replace("\n", `\n${head}`));
  server = await serveFolder(path.join(folder, "served"));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Cells a side: with the README's own 64 a step takes 0.7 s of a core on a GPU in software; `PLIANT_README_CELLS=64` runs it. */
const cells = Number(process.env.PLIANT_README_CELLS ?? 24);
const html = readmePage().replace("subdivisions: 64", `subdivisions: ${cells}`);

/** After 0.6 s the sheet hangs down around the ball: `PLIANT_README=5` runs five seconds. */
const seconds = Number(process.env.PLIANT_README ?? 0.6);
const limit = 1000 * (120 + 120 * seconds);

it("the page of the README shows a cloth that lies on the ball", { timeout: limit }, async () => {
  const page = await browser.newPage({ viewport: WINDOW });
  page.setDefaultTimeout(limit);
  const complaints = complaintsOf(page);
  const fetched: string[] = [];
  page.on("request", (request) => {
    const module = late.get(path.basename(request.url()));
    if (module) fetched.push(module);
  });
  await page.goto(server.url);
  await page.waitForFunction((time) => "readmeCloth" in globalThis && readmeCloth.plugin.world.time >= time, seconds);
  expect(await page.evaluate(() => readmeCloth.plugin.world.backend)).toBe("webgpu");
  // test/package/bundle.test.ts weighs these: no other solver, and none of rigid bodies for a ball that stands still
  expect(late.size).toBeGreaterThan(8);
  // The page draws with WebGL, so it does not load what draws from buffers of WebGPU.
  expect(fetched.sort()).toEqual(["world/backend/gpu-backend", "world/lanes/gpbd-gpu"]);
  const { vertices, heights, distances, middle } = await page.evaluate(async () => {
    readmeCloth.mesh.getScene().getPhysicsEngine()!.setTimeStep(0);
    const positions = await readmeCloth.readPositions();
    const count = positions.length / 3;
    const points = Array.from({ length: count }, (_, i) => [0, 1, 2].map((k) => positions[3 * i + k]));
    return {
      vertices: count,
      heights: points.map(([, y]) => y),
      distances: points.map((point) => Math.hypot(...point)),
      middle: [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k] / count, 0)),
    };
  });
  // It lies on the ball of 0.3 m, at most its thickness above it, hangs down around it, and does not reach into it.
  expect(vertices).toBe((cells + 1) ** 2);
  expect(Math.max(...heights)).toBeGreaterThan(0.3);
  expect(Math.max(...heights)).toBeLessThan(0.31);
  expect(Math.min(...heights)).toBeLessThan(-0.1);
  expect(Math.min(...distances)).toBeGreaterThan(0.299);
  expect(Math.hypot(middle[0], middle[2])).toBeLessThan(0.03);
  await expectDraped(page, 3);
  expect(complaints).toEqual([]);
  await page.close();
});
