import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import type { StartOptions } from "./plugin-page";

const SIDE = 17;
const CORNERS = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1];

let folder: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;
let page: Page;
/** Complaints of the page, including WebGPU's own errors. */
let complaints: string[];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-plugin-"));
  await build({
    entryPoints: [path.join(import.meta.dirname, "plugin-page.ts")],
    bundle: true,
    format: "esm",
    splitting: true,
    outdir: folder,
    logLevel: "error",
  });
  const html = `<!doctype html><title>page</title><style>body{margin:0}canvas{width:320px;height:240px}</style>
    <canvas width="320" height="240"></canvas><script type="module" src="plugin-page.js"></script>`;
  fs.writeFileSync(path.join(folder, "index.html"), html);
  server = await serveFolder(folder);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function openPage(): Promise<void> {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  page.setDefaultTimeout(90_000);
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || /uncaptured/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(server.url);
  await page.waitForFunction(() => "startPage" in globalThis);
}

/** Starts a scene. The page and its engine serve one test after the other, because a new device compiles all kernels anew. */
async function start(options: StartOptions): Promise<void> {
  complaints = [];
  const isKept = await page?.evaluate((kind) => globalThis.current?.leave(kind) ?? false, options.engine);
  if (!isKept) await openPage();
  // Options of cloth may name nodes of the scene, whose types are too deep for those of `evaluate`.
  const plain: object = options;
  await page.evaluate(async (chosen) => {
    globalThis.current = await startPage(chosen as StartOptions);
  }, plain);
}

const frames = (count: number): Promise<void> => page.evaluate((n) => current.frames(n), count);
const positions = (): Promise<number[]> => page.evaluate(() => current.positions());
const heights = (values: readonly number[]): number[] => values.filter((_, i) => i % 3 === 1);

async function screenshot(): Promise<PNG> {
  return PNG.sync.read(await page.screenshot());
}

/** Pixels that differ clearly. */
function differing(a: PNG, b: PNG): number {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if (Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) > 12) count++;
  return count;
}

/** Pixels of the cloth's color. */
function orange(image: PNG): number {
  let count = 0;
  for (let i = 0; i < image.data.length; i += 4)
    if (image.data[i] > 90 && image.data[i] > 1.7 * image.data[i + 1] && image.data[i] > 2 * image.data[i + 2]) count++;
  return count;
}

/** Mean row of the pixels of the soft ball's color, and their number. */
function green(image: PNG): { row: number; count: number } {
  let [row, count] = [0, 0];
  for (let i = 0; i < image.data.length; i += 4)
    if (
      image.data[i + 1] > 60 &&
      image.data[i + 1] > 2 * image.data[i] &&
      image.data[i + 1] > 1.5 * image.data[i + 2]
    ) {
      row += Math.floor(i / 4 / image.width);
      count++;
    }
  return { row: row / count, count };
}

describe("with WebGPUEngine", () => {
  it("draws a soft body from the GPU while it falls", async () => {
    await start({ engine: "webgpu" });
    const vertices = await page.evaluate(() => current.addSoftBall());
    expect(vertices).toBeGreaterThan(300);
    // Frames continue while a picture is taken.
    const fall = (goes: boolean) => page.evaluate((on) => void (current.scene.physicsEnabled = on), goes);
    await fall(false);
    await frames(2);
    const before = green(await screenshot());
    await fall(true);
    await frames(8);
    await fall(false);
    await frames(2);
    const after = green(await screenshot());
    expect(before.count).toBeGreaterThan(500);
    expect(after.count).toBeGreaterThan(500);
    expect(after.row).toBeGreaterThan(before.row + 3);
    const points = await page.evaluate(async () => Array.from(await current.jelly!.readPositions()));
    expect(points).toHaveLength(3 * vertices);
    expect(complaints).toEqual([]);
  });

  it("draws cloth without it leaving the GPU, and allocates nothing in a frame", async () => {
    await start({ engine: "webgpu" });
    expect(await page.evaluate(() => current.plugin.world.backend)).toBe("webgpu");
    expect(await page.evaluate(() => current.plugin.drawsFromGpu)).toBe(true);
    await frames(10);
    const calls = await page.evaluate(() => current.callsDuring(60));
    expect(calls).toEqual({
      mapAsync: 0,
      createBuffer: 0,
      createComputePipeline: 0,
      createRenderPipeline: 0,
      createBindGroup: 0,
      createShaderModule: 0,
    });
    const points = await positions();
    expect(Math.min(...heights(points))).toBeLessThan(0.2);
    for (let i = 0; i < points.length; i += 3)
      expect(Math.hypot(points[i], points[i + 1], points[i + 2])).toBeGreaterThan(0.299);
    const drawn = await page.evaluate(() => current.drawn());
    const again = await positions();
    expect(drawn.positions).toHaveLength(again.length);
    expect(orange(await screenshot())).toBeGreaterThan(2000);
    expect(complaints).toEqual([]);
  });

  it("knows the box of its vertices while they fall", async () => {
    await start({ engine: "webgpu" });
    for (let i = 0; i < 4; i++) {
      await frames(12);
      // positions are those of some step after the request for the box, so request it before and after
      const [before, points, after, time] = await page.evaluate(async () => {
        const first = current.box();
        const values = await current.positions();
        return [first, values, current.box(), current.plugin.world.time] as const;
      });
      for (let k = 0; k < points.length; k++) {
        const c = k % 3;
        expect(points[k]).toBeGreaterThanOrEqual(Math.min(before.min[c], after.min[c]) - 1e-4);
        expect(points[k]).toBeLessThanOrEqual(Math.max(before.max[c], after.max[c]) + 1e-4);
      }
      // no looser than the distance of a fall in all this time, to either side
      for (let c = 0; c < 3; c++) expect(after.max[c] - after.min[c]).toBeLessThan(3 + 9.81 * time ** 2);
    }
    expect(complaints).toEqual([]);
  });

  it("throws shadows, and shows wires and strain", async () => {
    await start({ engine: "webgpu", cloth: { pins: CORNERS } });
    await frames(20);
    await page.evaluate(() => (current.scene.physicsEnabled = false));
    await frames(3);
    const lit = await screenshot();
    await page.evaluate(() => (current.light.shadowEnabled = false));
    await frames(3);
    expect(differing(lit, await screenshot())).toBeGreaterThan(500);
    await page.evaluate(() => {
      current.light.shadowEnabled = true;
      current.mesh.material!.wireframe = true;
    });
    await frames(3);
    const wires = await screenshot();
    expect(differing(lit, wires)).toBeGreaterThan(500);
    await page.evaluate(() => {
      current.mesh.material!.wireframe = false;
      current.cloth.showStrain(true, 0.01);
    });
    await frames(3);
    const strain = await screenshot();
    expect(differing(lit, strain)).toBeGreaterThan(100);
    await page.evaluate(() => current.cloth.showStrain(false));
    await frames(3);
    expect(differing(lit, await screenshot())).toBeLessThan(20);
    expect(complaints).toEqual([]);
  });

  it("keeps the side of the normals of a mirrored, turned and scaled mesh", async () => {
    await start({ engine: "webgpu", mirrored: true, cloth: { gravityFactor: 0, airDensity: 0 }, withoutBall: true });
    await frames(3);
    const { positions: drawn, normals } = await page.evaluate(() => current.drawn());
    const read = await positions();
    drawn.forEach((value, i) => expect(Math.abs(value - read[i])).toBeLessThan(1e-4));
    for (let i = 1; i < normals.length; i += 3) expect(normals[i]).toBeGreaterThan(0.99);
    const [moved, calls] = await page.evaluate(async () => {
      current.scene.onBeforeRenderObservable.add(() => (current.mesh.position.x += 0.01));
      const during = await current.callsDuring(20);
      return [await current.drawn(), during];
    });
    expect(calls).toMatchObject({ createBuffer: 0, createBindGroup: 0, createComputePipeline: 0 });
    moved.positions.forEach((value, i) => expect(Math.abs(value - read[i])).toBeLessThan(1e-3));
    expect(complaints).toEqual([]);
  });

  it("pins and attaches vertices of moving cloth where they are", async () => {
    await start({ engine: "webgpu", withoutBall: true, cloth: { airDensity: 3 } });
    await frames(8);
    const [y, held] = await page.evaluate(async () => {
      await current.cloth.pin([0]);
      await current.cloth.attach([16], current.node("hand"));
      // a step may have passed while the place was read: the next one brings them back to it
      await current.frames(1);
      const first = await current.positions();
      await current.frames(10);
      return [first[1], await current.positions()];
    });
    expect(y).toBeLessThan(0.4);
    expect(held[1]).toBeCloseTo(y, 4);
    expect(held[3 * 16 + 1]).toBeLessThan(0.4);
    expect(Math.min(...heights(held))).toBeLessThan(y - 0.05);
    const after = await page.evaluate(async () => {
      current.scene.getTransformNodeByName("hand")!.position.z = 0.1;
      await current.frames(3);
      return current.positions();
    });
    expect(after[3 * 16 + 2] - held[3 * 16 + 2]).toBeCloseTo(0.1, 4);
    // a bone carries them as well, and takes the whole cloth along when it jumps
    const [worn, carried, jumped] = await page.evaluate(async () => {
      current.cloth.unpin();
      await current.wearOn([0, 16]);
      await current.frames(2);
      const places = [await current.positions()];
      for (const way of [0.1, 20]) {
        current.arm!.mesh.position.x += way;
        // the jump waits for the state from the GPU, like the reads here
        await current.frames(3);
        await current.positions();
        await current.frames(3);
        places.push(await current.positions());
      }
      return places;
    });
    expect(carried[0] - worn[0]).toBeCloseTo(0.1, 4);
    expect(jumped[0] - carried[0]).toBeCloseTo(20, 3);
    for (let i = 0; i < jumped.length; i += 3) expect(jumped[i] - carried[i]).toBeGreaterThan(19);
    expect(complaints).toEqual([]);
  });

  it("lets the pointer drag cloth, while the camera stays", async () => {
    await start({ engine: "webgpu", withoutBall: true, cloth: { pins: CORNERS } });
    await frames(20);
    const vertex = Math.floor((SIDE * SIDE) / 2);
    const at = await page.evaluate((v) => current.onCanvas(v), vertex);
    const before = await positions();
    const alpha = await page.evaluate(() => current.camera.alpha);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.waitForFunction(() => current.drag.dragging);
    await page.mouse.move(at.x, at.y - 40, { steps: 4 });
    await frames(5);
    const lifted = await positions();
    expect(lifted[3 * vertex + 1]).toBeGreaterThan(before[3 * vertex + 1] + 0.1);
    expect(await page.evaluate(() => current.camera.alpha)).toBe(alpha);
    await page.mouse.up();
    await page.waitForFunction(() => !current.drag.dragging);
    await frames(30);
    expect((await positions())[3 * vertex + 1]).toBeLessThan(lifted[3 * vertex + 1] - 0.05);
    // away from the cloth the pointer turns the camera
    await page.mouse.move(10, 10);
    await page.mouse.down();
    await page.mouse.move(60, 10, { steps: 4 });
    await frames(5);
    expect(await page.evaluate(() => current.drag.dragging)).toBe(false);
    expect(await page.evaluate(() => current.camera.alpha)).not.toBe(alpha);
    await page.mouse.up();
    expect(complaints).toEqual([]);
  });

  it("goes on from the last snapshot when the device is lost", async () => {
    await start({ engine: "webgpu", cloth: { pins: [0] } });
    await frames(20);
    await page.evaluate(async () => void (await current.plugin.world.snapshot()));
    const before = await positions();
    await page.evaluate(async () => {
      current.cloth.showStrain(true);
      await current.loseDevice();
    });
    await frames(2);
    const after = await positions();
    expect(after.every(Number.isFinite)).toBe(true);
    after.forEach((value, i) => expect(Math.abs(value - before[i])).toBeLessThan(0.3));
    await page.evaluate(() => current.cloth.showStrain(false));
    await frames(30);
    const later = await positions();
    expect(Math.min(...heights(later))).toBeLessThan(Math.min(...heights(after)));
    expect(later[1]).toBeCloseTo(before[1], 4);
    expect(orange(await screenshot())).toBeGreaterThan(1500);
    // a second time, without a snapshot in between
    await page.evaluate(() => current.loseDevice());
    await frames(3);
    expect((await positions()).every(Number.isFinite)).toBe(true);
    expect(orange(await screenshot())).toBeGreaterThan(1500);
  });

  it("runs on the CPU there too, and leaves nothing behind", async () => {
    await start({ engine: "webgpu", backend: "cpu" });
    await frames(30);
    expect(Math.min(...heights(await positions()))).toBeLessThan(0.35);
    expect(orange(await screenshot())).toBeGreaterThan(1000);
    await page.evaluate(() => {
      current.cloth.dispose();
      current.stop();
    });
    expect(complaints).toEqual([]);
  });

  it("factors in a worker, and finds the factor in the page's database the next time", async () => {
    await start({ engine: "webgl", backend: "cpu", withoutBall: true });
    const run = (): ReturnType<typeof current.factorInWorker> => page.evaluate(() => current.factorInWorker(0.2));
    const [first, second] = [await run(), await run()];
    expect([first.workers, second.workers]).toEqual([1, 1]);
    expect(first.shares.length).toBeGreaterThan(3);
    expect(second.shares).toEqual([1]);
    for (const { fallen } of [first, second]) expect(fallen).toBeGreaterThan(0.01);
    expect(complaints).toEqual([]);
  });

  it("has vertices on the CPU when somebody asks for them", async () => {
    await start({ engine: "webgpu" });
    const rest = await page.evaluate(() => current.onCpu());
    expect(Math.max(...heights(rest))).toBe(0);
    // 100 frames without a request: it is still read back from time to time
    await frames(100);
    const [pick, calls] = await page.evaluate(async () => [current.pickDown(), await current.callsDuring(5)]);
    // the ball's top is 0.3 m up, the mesh of the cloth began at 0.4
    expect(pick).toMatchObject({ mesh: "sheet" });
    expect(pick.y).toBeGreaterThan(0.29);
    expect(pick.y).toBeLessThan(0.33);
    expect(calls.mapAsync).toBeGreaterThan(0);
    const others = await page.evaluate(() => current.whatOthersRead());
    expect(others).toEqual({ extracted: 867, serialized: 867, merged: 867, cloned: 867 });
    await page.evaluate(() => current.mesh.createNormals(false));
    await frames(3);
    const { onCpu, drawn } = await page.evaluate(async () => {
      await current.cloth.bakeToMesh();
      current.scene.physicsEnabled = false;
      await current.frames(1);
      await current.cloth.bakeToMesh();
      return { onCpu: current.onCpu(), drawn: await current.drawn() };
    });
    drawn.positions.forEach((value, i) =>
      expect(Math.abs(value - onCpu[i] - (i % 3 === 1 ? 0.4 : 0))).toBeLessThan(1e-5),
    );
    expect(complaints).toEqual([]);
  });

  it("keeps the last shape of a cloth that is disposed, on the CPU too", async () => {
    await start({ engine: "webgpu" });
    await frames(25);
    const drawn = await page.evaluate(async () => {
      current.scene.physicsEnabled = false;
      await current.frames(1);
      const { positions } = await current.drawn();
      current.cloth.dispose();
      current.cloth.dispose();
      if (current.onCpu().length !== positions.length) throw new Error("no vertices at once");
      return positions;
    });
    await frames(5);
    const kept = await page.evaluate(() => current.onCpu());
    drawn.forEach((value, i) => expect(Math.abs(value - kept[i] - (i % 3 === 1 ? 0.4 : 0))).toBeLessThan(1e-5));
    expect(await page.evaluate(() => current.buffersOfMesh())).toBe(2);
    expect(orange(await screenshot())).toBeGreaterThan(1500);
    // it becomes cloth again, falls further, and returns to its state from before
    const [again, lower, restored] = await page.evaluate(async () => {
      current.scene.physicsEnabled = true;
      const before = current.onCpu();
      const cloth = current.makeCloth();
      await current.frames(20);
      const after = await cloth.readPositions();
      cloth.dispose({ restore: true });
      await current.frames(3);
      return [before, Array.from(after), current.onCpu()];
    });
    expect(Math.min(...heights(lower))).toBeLessThan(Math.min(...heights(again)) + 0.4);
    restored.forEach((value, i) => expect(Math.abs(value - again[i])).toBeLessThan(1e-6));
    expect(orange(await screenshot())).toBeGreaterThan(1500);
    await page.evaluate(() => current.mesh.dispose());
    await frames(3);
    expect(orange(await screenshot())).toBeLessThan(50);
    expect(complaints).toEqual([]);
  });
});

describe("with Engine (WebGL)", () => {
  it("simulates on a device of its own and reads positions back", async () => {
    await start({ engine: "webgl", backend: "webgpu" });
    expect(await page.evaluate(() => current.plugin.drawsFromGpu)).toBe(false);
    await page.waitForFunction(() => current.plugin.world.frame >= 40);
    // at once, because frames continue
    const { shown, box } = await page.evaluate(() => ({ shown: current.onCpu(), box: current.box() }));
    // the mesh stands 0.4 m up
    expect(Math.min(...heights(shown)) + 0.4).toBeLessThan(0.3);
    const { min } = box;
    expect(min[1]).toBeCloseTo(Math.min(...heights(shown)) + 0.4, 3);
    expect(orange(await screenshot())).toBeGreaterThan(2000);
    expect(complaints).toEqual([]);
  });
});
