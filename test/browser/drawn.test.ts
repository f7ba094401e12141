import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { softLight } from "../../site/examples/studio";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import type { DrawnOptions } from "./drawn-page";

let folder: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-drawn-"));
  const pages = ["drawn-page", "sky-page"];
  const entryPoints = pages.map((name) => path.join(import.meta.dirname, `${name}.ts`));
  await build({ entryPoints, bundle: true, format: "esm", splitting: true, outdir: folder, logLevel: "error" });
  const html = `<!doctype html><title>page</title><style>body{margin:0}canvas{width:320px;height:240px}</style>
    <canvas width="320" height="240"></canvas>
    ${pages.map((name) => `<script type="module" src="${name}.js"></script>`).join("")}`;
  fs.writeFileSync(path.join(folder, "index.html"), html);
  server = await serveFolder(folder);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Shows a page after some frames, or after a trial. */
async function shown<T>(act: (page: Page) => Promise<T>): Promise<{ image: PNG; told: T }> {
  const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || /uncaptured/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(server.url);
  await page.waitForFunction(() => "drawn" in globalThis && "sky" in globalThis);
  const told = await act(page);
  const address = await page.evaluate(() => drawnPicture());
  await page.close();
  expect(complaints).toEqual([]);
  return { image: PNG.sync.read(Buffer.from(address.slice(address.indexOf(",") + 1), "base64")), told };
}

const picture = async (options: DrawnOptions): Promise<PNG> =>
  (await shown((page) => page.evaluate((chosen) => drawn(chosen), options))).image;

/** For each row that has a color: first and last pixel of that color, and their number. */
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

/** Number of pixels without a color that have it on all four sides. */
function holesOf({ data, width, height }: PNG, channel: 0 | 1): number {
  const isLit = (i: number): boolean => data[4 * i + channel] >= 128;
  const isBetween = (i: number, step: number, before: number, after: number): boolean =>
    [
      [-step, before],
      [step, after],
    ].every(([way, count]) => Array.from({ length: count }, (_, k) => i + (k + 1) * way).some(isLit));
  let holes = 0;
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (!isLit(i) && isBetween(i, 1, x, width - 1 - x) && isBetween(i, width, y, height - 1 - y)) holes++;
  }
  return holes;
}

/** Rows and columns of each patch of a color: patches lie beside each other. */
function patchesOf({ data, width, height }: PNG, channel: 0 | 1): { rows: number; columns: number }[] {
  const patches: { rows: number; columns: number }[] = [];
  let isIn = false;
  for (let x = 0; x < width; x++) {
    const lit = Array.from({ length: height }, (_, y) => y).filter((y) => data[4 * (y * width + x) + channel] >= 128);
    if (lit.length > 0) {
      if (!isIn) patches.push({ rows: 0, columns: 0 });
      const patch = patches.at(-1)!;
      patch.rows = Math.max(patch.rows, lit.at(-1)! - lit[0] + 1);
      patch.columns++;
    }
    isIn = lit.length > 0;
  }
  return patches;
}

it.each(["webgl", "webgpu"] as const)(
  "node materials and thin instances draw cloth as it moves (%s)",
  async (engine) => {
    const { image } = await shown((page) => page.evaluate((kind) => varied(kind, 12), engine));
    const patches = [...patchesOf(image, 0), ...patchesOf(image, 1)];
    expect(patches.length).toBe(3);
    for (const { rows, columns } of patches) {
      // Three rows before the fall. The lower edge of the one in the middle is seen from the front.
      expect(rows).toBeGreaterThan(10);
      expect(Math.abs(rows - patches[0].rows)).toBeLessThanOrEqual(1);
      expect(Math.abs(columns - patches[0].columns)).toBeLessThanOrEqual(5);
    }
  },
);

it("far from the origin the same is drawn, without holes, and a jelly from a box bends", async () => {
  const near = await picture({ engine: "webgl", far: 0, frames: 12 });
  const sheet = rowsOf(near, 0);
  expect(sheet.length).toBeGreaterThan(60);
  for (const engine of ["webgl", "webgpu"] as const) {
    const far = await picture({ engine, far: 1e5, frames: 12 });
    for (const channel of [0, 1] as const) expect(holesOf(far, channel), `${engine}, color ${channel}`).toBe(0);
    let differing = 0;
    for (let i = 0; i < near.data.length; i += 4)
      if (Math.abs(near.data[i] - far.data[i]) + Math.abs(near.data[i + 1] - far.data[i + 1]) > 60) differing++;
    // along the edges
    expect(differing, engine).toBeLessThan(0.02 * sheet.reduce((sum, { count }) => sum + count, 0));
    // held by a corner its side is a curve; eight corners would draw a line
    const jelly = rowsOf(far, 1).slice(5, -5);
    const [top, bottom] = [jelly[0], jelly.at(-1)];
    const bulges = jelly.map(({ y, first }) => {
      const share = (y - top.y) / (bottom.y - top.y);
      return Math.abs(first - (1 - share) * top.first - share * bottom.first);
    });
    expect(Math.max(...bulges), engine).toBeGreaterThan(2);
  }
});

it.each([
  ["webgl", 0],
  ["webgpu", 0],
  ["webgpu", 0.02],
] as const)("finer triangles cover the sheet without holes: %s, %f m thick", async (engine, thickness) => {
  const rows = rowsOf(await picture({ engine, far: 0, frames: 2, smooth: { levels: 2, thickness } }), 0);
  for (const { y, first, last, count } of rows) expect(last - first + 1 - count, `row ${y}`).toBe(0);
  // one square meter, 3 m from the camera
  const meter = 240 / (2 * 3 * Math.tan(0.4));
  const area = rows.reduce((sum, { count }) => sum + count, 0) / (meter * meter);
  expect(Math.abs(area - 1)).toBeLessThan(0.05);
});

it.each(["webgl", "webgpu"] as const)(
  "a balloon shows its outside, cloth its vertices and a new fabric: %s",
  async (engine) => {
    const { image, told } = await shown((page) => page.evaluate((kind) => tried(kind), engine));
    const { vertices, jump, fall, left, reset, moved, restored } = told;
    expect(vertices).toBe(3 * 81);
    expect(told).toMatchObject({ moving: vertices, cloned: vertices, merged: vertices, serialized: vertices });
    expect(jump).toBeLessThan(1e-6);
    expect(fall).toBeGreaterThan(0.001);
    expect(left).toBeLessThan(1e-5);
    expect(reset).toBeLessThan(1e-6);
    expect(moved).toBeGreaterThan(0.005);
    expect(restored).toBeLessThan(1e-6);
    // The light is at the camera: surfaces facing it are bright, brightest in the middle, and inside-out ones are dark.
    const balloons = rowsOf(image, 0);
    const red = (x: number, y: number): number => image.data[4 * (image.width * y + x)];
    for (const isLower of [false, true]) {
      const balloon = balloons.filter(({ y }) => y > image.height / 2 === isLower);
      expect(balloon.length).toBeGreaterThan(40);
      const middle = balloon[balloon.length >> 1];
      const across = (middle.first + middle.last) >> 1;
      expect(red(across, middle.y)).toBeGreaterThan(240);
      expect(red(middle.first + 2, middle.y)).toBeLessThan(red(across, middle.y) - 20);
    }
  },
);

it.each([
  ["webgl", "local-global"],
  ["webgl", "newton"],
  ["webgpu", "local-global"],
  ["webgpu", "newton"],
] as const)("a new fabric changes nothing at once, and cloth moves on: %s, %s", async (engine, solver) => {
  const { image, told } = await shown((page) => page.evaluate(([a, b]) => refitted(a, b), [engine, solver] as const));
  const { backend, jump, heights } = told;
  expect(backend).toBe(engine === "webgpu" ? "webgpu" : "cpu");
  expect(jump).toBeLessThan(1e-6);
  for (let i = 1; i < heights.length; i++) expect(heights[i]).toBeLessThan(heights[i - 1] - 1e-3);
  expect(rowsOf(image, 1).length).toBeGreaterThan(10);
});

/** The middles of the six faces of the cube, of its twelve edges and eight corners. */
const axes = [-1, 0, 1];
const directions = axes
  .flatMap((x) => axes.flatMap((y) => axes.map((z) => [x, y, z] as const)))
  .filter((direction) => direction.some((value) => value !== 0));

it.each(["webgl", "webgpu"] as const)(
  "the studio is lit from where its lamps are, in 26 directions: %s",
  async (engine) => {
    const azimuth = 0.4;
    const { image, told } = await shown((page) =>
      page.evaluate(([kind, turn, all]) => sky(kind, turn, [...all]), [engine, azimuth, directions] as const),
    );
    const { columns, rows } = told;
    directions.forEach((direction, i) => {
      const x = Math.round((image.width * ((i % columns) + 0.5)) / columns);
      const y = Math.round((image.height * (Math.floor(i / columns) + 0.5)) / rows);
      const drawn = [...image.data.subarray(4 * (image.width * y + x), 4 * (image.width * y + x) + 3)];
      const wanted = softLight(new Vector3(...direction).normalize(), azimuth).map(
        (light) => 255 * Math.min(1, light) ** (1 / 2.2),
      );
      wanted.forEach((value, c) =>
        expect(Math.abs(drawn[c] - value), `${String(direction)}: ${String(drawn)}`).toBeLessThan(4),
      );
    });
  },
);
