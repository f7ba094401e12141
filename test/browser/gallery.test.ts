import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { XRDevice } from "iwer";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { captureAddress } from "../../samples/cli/capture";
import { sceneNamed, scenes } from "../../samples/scenes/index";
import { catalogue } from "../../samples/gallery/catalogue";
import { showcases } from "../../samples/showcases/index";
import { buildGallery } from "../../scripts/build-gallery.mjs";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { colorCount } from "./color-count";

/** A full run has just built the site, and the gallery with it. */
const isBuilt = process.env.PLIANT_ALL_TESTS !== undefined;
const folder = isBuilt
  ? path.resolve("dist/site/gallery")
  : fs.mkdtempSync(path.join(os.tmpdir(), "pliant-gallery-test-"));
declare global {
  var headset: XRDevice;
}

let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;

beforeAll(async () => {
  if (!isBuilt) await buildGallery({ output: folder, minify: false });
  server = await serveFolder(folder);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (!isBuilt) fs.rmSync(folder, { recursive: true, force: true });
});

/** Small pictures and coarse cloth: two CPU cores draw and compute everything. */
async function open(address: string, width = 620, first?: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 240 } });
  if (first) await page.addInitScript(first);
  // Other tests run at the same time.
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.state !== undefined);
  return { page, complaints };
}

const coarse = { resolution: "12", substeps: "4", iterations: "1" };

/** Every kind of drawing once: cloth of yarns, a strand, a membrane, links, props, a skin. The command line visits others with `--png`. */
const visited = [
  ["hylc-drape", "&backend=cpu"],
  ["balloon", ""],
  ["robot-arm", "&engine=webgl"],
  ["armadillo-like", "&backend=cpu"],
];

/** Part of the pixels that differ visibly between two pictures. */
function difference(one: Buffer, other: Buffer): number {
  const [a, b] = [PNG.sync.read(one).data, PNG.sync.read(other).data];
  let differing = 0;
  for (let i = 0; i < a.length; i += 4)
    if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 30) differing++;
  return differing / (a.length / 4);
}

/** Part of the pixels that are as blue as cotton. */
function blueShare(picture: Buffer): number {
  const { data } = PNG.sync.read(picture);
  let blue = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 2] - data[i] > 40) blue++;
  return blue / (data.length / 4);
}

describe("capture", () => {
  it("shows the same scene on WebGL and the CPU", async () => {
    const request = { scene: "cloth-on-sphere", frames: 8, settings: coarse };
    const gpu = await open(captureAddress(server.url, { ...request, backend: "webgpu" }));
    const drawnByGpu = await gpu.page.locator("#view").screenshot();
    await gpu.page.close();
    const cpu = await open(`${captureAddress(server.url, { ...request, backend: "cpu" })}&engine=webgl`);
    const drawnByCpu = await cpu.page.locator("#view").screenshot();
    await cpu.page.close();
    expect([...gpu.complaints, ...cpu.complaints]).toEqual([]);
    expect(difference(drawnByGpu, drawnByCpu)).toBeLessThan(0.02);
  });

  it("shows a cloth that is folded in half, though nothing is measured", async () => {
    const settings = { resolution: "8", folds: "1", substeps: "8" };
    const { page } = await open(
      captureAddress(server.url, { scene: "folded-cloth", frames: 85, backend: "cpu", settings }),
    );
    const picture = await page.locator("#view").screenshot();
    await page.close();
    // Unfolded it covers 6.4 % of the picture.
    expect(blueShare(picture)).toBeGreaterThan(0.015);
    expect(blueShare(picture)).toBeLessThan(0.04);
  });

  it("says what is wrong with an unknown scene", async () => {
    const { page } = await open(
      captureAddress(server.url, { scene: "nothing", frames: 1, backend: "cpu", settings: {} }),
    );
    expect(await page.evaluate(() => document.documentElement.dataset.state)).toBe("failed");
    expect(await page.locator("#message").textContent()).toContain("must be one of cloth-on-sphere");
    await page.close();
  });
});

describe("the overview", () => {
  let page: Page;
  let complaints: string[];
  const shown = (): Promise<string[]> =>
    page.locator(".card:visible").evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset.scene!));

  beforeAll(async () => {
    ({ page, complaints } = await open(server.url));
  });

  afterAll(async () => {
    await page?.close();
  });

  it("lists all scenes with a picture each", async () => {
    const names = [...scenes.map((scene) => scene.name), ...Object.keys(showcases)];
    expect((await shown()).sort()).toEqual(names.sort());
    for (const name of names) expect(fs.existsSync(path.join(folder, `previews/${name}.webp`)), name).toBe(true);
  });

  it("finds scenes by words and tags, which the address keeps", async () => {
    await page.locator("input[type=search]").fill("Silicone ball");
    expect(await shown()).toEqual(["pneunet"]);
    await page.locator("input[type=search]").fill("");
    await page.locator("[data-tag=wind]").click();
    expect(await shown()).toEqual(["daylight-curtain", "harbour", "poncho", "flag", "curtain"]);
    await page.reload();
    await page.locator(".card:visible").first().waitFor();
    expect(await shown()).toEqual(["daylight-curtain", "harbour", "poncho", "flag", "curtain"]);
    await page.locator("[data-tag=wind]").click();
  });

  it("fits a phone, with targets of a finger's size", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { width, heights } = await page.evaluate(() => ({
      width: document.querySelector("#overview")!.scrollWidth,
      heights: [...document.querySelectorAll<HTMLElement>("#overview button, #overview input")].map(
        (e) => e.offsetHeight,
      ),
    }));
    expect(width).toBeLessThanOrEqual(390);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    expect(complaints).toEqual([]);
  });
});

describe("the page", () => {
  let page: Page;
  let complaints: string[];
  const frame = (): Promise<number> => page.evaluate(() => Number(document.documentElement.dataset.frame));
  const waitForFrame = (least: number): Promise<unknown> =>
    page.waitForFunction((n) => Number(document.documentElement.dataset.frame) >= n, least);

  beforeAll(async () => {
    const settings = "set=resolution=12&set=substeps=4&set=iterations=1";
    ({ page, complaints } = await open(`${server.url}?scene=cloth-on-sphere&${settings}`));
  });

  afterAll(async () => {
    await page?.close();
  });

  it("runs the chosen scene", async () => {
    expect(await page.locator("#caption h1").textContent()).toBe("Cloth on a sphere");
    await waitForFrame(3);
  });

  it("pauses, steps and resets", async () => {
    await page.keyboard.press("Space");
    // the frame that was in flight
    await page.waitForTimeout(500);
    const paused = await frame();
    await page.waitForTimeout(500);
    expect(await frame()).toBe(paused);
    await page.locator("[data-action=step]").click();
    await page.locator("[data-action=step]").click();
    expect(await frame()).toBe(paused + 2);
    await page.locator("[data-action=reset]").click();
    await page.waitForFunction(() => document.documentElement.dataset.session === "1");
    expect(await frame()).toBe(0);
    await page.locator("[data-action=pause]").click();
    await waitForFrame(2);
  });

  it("shows figures and metrics", async () => {
    await page.locator("[data-tab=Figures]").click();
    await page.locator("[data-action=measure]").click();
    await page.locator("dt:text-is('rmsSpeed')").waitFor();
    const names = await page.locator("dt").allTextContents();
    expect(names).toEqual(expect.arrayContaining(["step on this thread", "step on the GPU", "backend", "rmsSpeed"]));
    await page.locator("[data-action=measure]").click();
  });

  it("shows the file of the scene", async () => {
    await page.locator("[data-tab=Code]").click();
    const file = fs.readFileSync("samples/scenes/cloth-on-sphere.ts", "utf8");
    await page.waitForFunction((length) => document.querySelector("pre")!.textContent!.length === length, file.length);
    await page.locator("[data-tab=Controls]").click();
  });

  it("changes a parameter", async () => {
    await page.locator("summary").click();
    await page.locator("[data-parameter=method]").selectOption("jacobi");
    await page.waitForFunction(() => document.documentElement.dataset.session === "2");
    expect(new URL(page.url()).searchParams.getAll("set")).toContain("method=jacobi");
    await waitForFrame(2);
  });

  it("shows strain and wireframe", async () => {
    await page.locator("[data-action=pause]").click();
    const cloth = await page.locator("#view").screenshot();
    const changes: number[] = [];
    for (const view of ["strain", "wireframe"]) {
      await page.locator("[data-action=view]").selectOption(view);
      expect(await page.locator("#legend").isVisible()).toBe(view === "strain");
      await page.waitForTimeout(1500);
      changes.push(difference(cloth, await page.locator("#view").screenshot()));
    }
    await page.locator("[data-action=view]").selectOption("cloth");
    await page.locator("[data-action=pause]").click();
    for (const change of changes) expect(change).toBeGreaterThan(0.005);
  });

  it("keeps the place of the camera in the address", async () => {
    const view = (await page.locator("#view").boundingBox())!;
    await page.mouse.move(view.x + view.width / 2, view.y + 20);
    await page.mouse.down();
    await page.mouse.move(view.x + view.width / 2 + 60, view.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => new URLSearchParams(location.search).has("alpha"));
    expect(new URL(page.url()).searchParams.getAll("set")).toContain("method=jacobi");
  });

  it("switches the backend", async () => {
    await page.locator("button[data-value=cpu]").click();
    await page.locator("[data-tab=Figures]").click();
    await page.locator("dt:text-is('backend') + dd:text-is('cpu')").waitFor();
    await page.locator("[data-tab=Controls]").click();
  });

  it("goes to another scene", async () => {
    const session = await page.evaluate(() => Number(document.documentElement.dataset.session));
    await page.locator("[data-action=next]").click();
    await page.waitForFunction((next) => Number(document.documentElement.dataset.session) === next, session + 1);
    const names = catalogue.flatMap((group) => Object.keys(group.scenes));
    const next = names[names.indexOf("cloth-on-sphere") + 1];
    expect(await page.locator("#caption h1").textContent()).toBe(sceneNamed(next).title);
    expect(new URL(page.url()).search).toContain(`scene=${next}`);
  });

  it("fits a phone: picture, bar and panel do not cover one another, and a finger finds its targets", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const tab of ["Controls", "Code", "Figures"]) {
      await page.locator(`[data-tab=${tab}]`).click();
      const { boxes, widths, small } = await page.evaluate(() => {
        const parts = ["#view", "#bar", "#panel"].map((name) => document.querySelector<HTMLElement>(name)!);
        // A tick box is pressed by its label as well.
        const targets = [...document.querySelectorAll<HTMLElement>("#player :is(button, select, input, summary, a)")]
          .filter((e) => e.offsetParent !== null)
          .map((e) => e.closest<HTMLElement>("label:has([type=checkbox])") ?? e);
        return {
          boxes: parts.map((e) => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom]),
          widths: [document.documentElement, ...parts.slice(1)].map((e) => e.scrollWidth),
          small: targets.filter((e) => Math.min(e.offsetHeight, e.offsetWidth) < 44).map((e) => e.outerHTML),
        };
      });
      const edges = boxes.flat().map(Math.round);
      expect(edges).toEqual([...edges].sort((a, b) => a - b));
      expect([edges[0], edges.at(-1)]).toEqual([0, 844]);
      for (const width of widths) expect(width).toBeLessThanOrEqual(390);
      expect(small, tab).toEqual([]);
    }
  });

  it("has complained about nothing", () => {
    expect(complaints).toEqual([]);
  });
});

describe("an optimisation", () => {
  it("runs in a worker and is drawn while it goes on", async () => {
    const { page, complaints } = await open(`${server.url}?scene=cartpole&set=iterations=30`);
    const curve = page.locator("#cost-curve");
    await page.waitForFunction(() => {
      const { iterations } = document.querySelector<HTMLElement>("#cost-curve")?.dataset ?? {};
      return Number(iterations) >= 10;
    });
    expect(await curve.locator("figcaption").textContent()).toMatch(/iteration \d+, cost/);
    expect(page.workers()).toHaveLength(1);
    await page.locator("[data-action=previous]").click();
    await curve.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.documentElement.dataset.session === "1");
    expect(page.workers()).toHaveLength(0);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe("a showcase", () => {
  it("runs, with its controls in the address and its code in one file", async () => {
    const { page, complaints } = await open(`${server.url}?scene=finish-line&engine=webgl&set=speed=2`);
    await page.waitForFunction(() => Number(document.documentElement.dataset.frame) >= 2);
    expect(await page.locator("#caption h1").textContent()).toBe("Finish line");
    expect(await page.locator("label:has([data-parameter=speed]) output").textContent()).toBe("2 m/s");
    await page.locator("button:text-is('Again')").click();
    await page.locator("[data-tab=Code]").click();
    await page.waitForFunction(() => document.querySelector("pre")!.textContent!.includes("await createScene()"));
    expect(await page.locator("a:text-is('Run it alone')").getAttribute("href")).toBe("alone.html?scene=finish-line");
    await page.locator("[data-action=reset]").click();
    await page.waitForFunction(() => document.documentElement.dataset.session === "1");
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe("each kind of scene", () => {
  it.each(visited.map(([name, kept]) => ({ scene: sceneNamed(name), kept })))(
    "$scene.name is drawn",
    async ({ scene, kept }) => {
      // never more than the scene's own number
      const lower = Object.entries({ ...coarse, rows: "10" }).filter(([key, value]) =>
        scene.parameters.some((parameter) => parameter.name === key && Number(parameter.default) > Number(value)),
      );
      const settings = lower.map(([key, value]) => `&set=${key}=${value}`).join("");
      // The pages above draw from the GPU; kernels of yarns and links take a software GPU long to compile.
      const { page, complaints } = await open(`${server.url}?scene=${scene.name}${settings}${kept}`, 520);
      try {
        expect(await page.locator("#caption h1").textContent()).toBe(scene.title);
        await page.waitForFunction(() => Number(document.documentElement.dataset.frame) >= 1);
        expect(colorCount(await page.locator("#view").screenshot())).toBeGreaterThan(12);
        expect(complaints).toEqual([]);
      } finally {
        // A page left open would keep drawing, and slow down the next scenes.
        await page.close();
      }
    },
  );
});

describe("with a headset", () => {
  /** A page with an emulated headset, as a browser of a headset has one. */
  async function openWithHeadset(query: string): Promise<{ page: Page; complaints: string[] }> {
    const contents = `import { metaQuest3, XRDevice } from "iwer";
      const device = new XRDevice(metaQuest3);
      device.stereoEnabled = false;
      device.installRuntime({ forceInstall: true });
      globalThis.headset = device;`;
    const stdin = { contents, resolveDir: import.meta.dirname };
    const { outputFiles } = await build({ stdin, bundle: true, format: "iife", write: false, logLevel: "error" });
    return open(`${server.url}${query}`, 620, outputFiles[0].text);
  }

  it("shows a scene in it by a button, takes steps there, and returns to the page", { timeout: 240_000 }, async () => {
    const { page, complaints } = await openWithHeadset("?scene=double-pendulum&engine=webgl&backend=cpu");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.click("[data-action=headset]");
    await page.waitForFunction(() => headset.activeSession !== undefined);
    const frame = await page.evaluate(() => Number(document.documentElement.dataset.frame));
    await page.waitForFunction((before) => Number(document.documentElement.dataset.frame) > before + 3, frame);
    // The code of XR comes when it is asked for.
    expect(asked.filter((name) => /headset/.test(name)).length).toBe(1);
    await page.evaluate(() => headset.activeSession!.end());
    const end = await page.evaluate(() => Number(document.documentElement.dataset.frame));
    await page.waitForFunction((before) => Number(document.documentElement.dataset.frame) > before + 3, end);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
