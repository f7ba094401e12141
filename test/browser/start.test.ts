import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PageResult } from "../../bench/page/messages";
import { launchBrowser } from "../../scripts/environment/browser";

const ROOT = path.resolve(import.meta.dirname, "../..");
const GUIDES = fs.readdirSync(path.join(ROOT, "site/guide")).filter((file) => file.endsWith(".md"));
const CHECKER = fs.readFileSync(createRequire(import.meta.url).resolve("accessibility-checker-engine/ace.js"), "utf8");
/** Parts of the theme of VitePress with faults of its own: its search, sidebar, menu, and the tabs of code. */
const THEME = /DocSearch|VPSidebar|VPNavScreen|id="tab-/;

/** The parts of the engine of IBM's Accessibility Checker that are used, and its results. */
interface Checker {
  check(document: Document, rules: readonly string[]): Promise<{ readonly results: readonly Finding[] }>;
}
interface Finding {
  readonly ruleId: string;
  readonly value: readonly [string, string];
  readonly message: string;
  readonly snippet: string;
}

let browser: Browser;
let server: ChildProcess;
let address: string;

beforeAll(async () => {
  browser = await launchBrowser();
  const env = { ...process.env, PORT: "0" };
  server = spawn(process.execPath, ["scripts/start.mjs"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  address = await new Promise((resolve, reject) => {
    let output = "";
    server.stdout?.on("data", (piece: Buffer) => {
      output += piece.toString();
      const found = /http:\/\/localhost:\d+\//.exec(output);
      if (found) resolve(found[0]);
    });
    server.on("exit", (code) => reject(new Error(`npm start ended with code ${code}: ${output}`)));
  });
  // It builds the site first, unless that is up to date.
}, 400_000);

afterAll(async () => {
  server?.removeAllListeners("exit");
  server?.kill("SIGTERM");
  await browser?.close();
});

async function open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage(options);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("requestfailed", (request) => errors.push(`${request.url()} failed`));
  page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(address + path);
  return { page, errors };
}

it("npm start serves a gallery that opens without an error", async () => {
  const { page, errors } = await open("gallery/");
  await page.locator(".card").first().waitFor();
  expect(await page.title()).toContain("Pliant");
  expect(await page.isVisible("[role=alert]")).toBe(false);
  expect(
    await page
      .locator("nav a")
      .first()
      .evaluate((link: HTMLAnchorElement) => link.href),
  ).toBe(address);
  expect(errors).toEqual([]);
  await page.close();
});

it("npm start serves guides, whose links to the gallery and the API lead somewhere", async () => {
  const text = GUIDES.map((file) => fs.readFileSync(path.join(ROOT, "site/guide", file), "utf8"));
  const links = text.flatMap((guide) =>
    [...guide.matchAll(/\]\(\.\.\/((?:api|gallery|benchmark)[^)]+)\)/g)].map(([, link]) => link),
  );
  expect(links.length).toBeGreaterThan(3);
  for (const link of new Set(["", "gallery/", "api/", "examples/flag.html", "examples/flag.txt", ...links]))
    expect((await fetch(address + link)).status, link).toBe(200);
  const { page, errors } = await open("guide/limits.html");
  // The page is alive when its search has opened.
  await page.locator(".VPNavBarSearch button").first().click();
  await page.locator(".VPLocalSearchBox input").fill("substeps");
  await page.locator(".VPLocalSearchBox .result").first().waitFor();
  expect(errors).toEqual([]);
  await page.close();
});

/** Resolves when nothing fades in or out, such as the sidebar of a page that has become narrow. */
const transitionsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });

/** The guides, with pictures in the place of live ones. */
const guidesAtRest: [path: string, ready: string, options: BrowserContextOptions][] = GUIDES.map((file) => [
  `guide/${path.parse(file).name}.html`,
  ".VPDoc h1",
  { reducedMotion: "reduce" },
]);

/** Pages with a live picture get a moment's work each: two cores draw them. */
const LOOKED_AT: [path: string, ready: string, options?: BrowserContextOptions][] = [
  // With a picture in the place of the live one, which takes more time than all that is looked at; and with it.
  ["", ".home h1", { reducedMotion: "reduce" }],
  ["index.html", ".home h1"],
  ["guide/pin-attach-tear.html?live", ".VPDoc h1"],
  ...guidesAtRest,
  ["gallery/", ".card"],
  ["gallery/?scene=cloth-on-sphere&set=resolution=12&set=substeps=4", "#caption h1"],
  ["gallery/?scene=finish-line&engine=webgl", "#caption h1"],
];

it.each(LOOKED_AT)(
  "page %j is accessible and fits, large and small",
  { timeout: 120_000 },
  async (path, ready, options) => {
    const { page, errors } = await open(path, options);
    page.setDefaultTimeout(90_000);
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.locator(ready).first().waitFor();
    await expectToFit(page);
    expect(errors).toEqual([]);
    await page.close();
  },
);

async function expectToFit(page: Page): Promise<void> {
  await page.evaluate(CHECKER);
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    await transitionsEnd(page);
    const found = await page.evaluate(async () => {
      const { ace } = globalThis as unknown as { ace: { Checker: new () => Checker } };
      const { results } = await new ace.Checker().check(document, ["WCAG_2_2"]);
      return results
        .filter(({ value: [level, result] }) => level === "VIOLATION" && result === "FAIL")
        .map(({ ruleId, message, snippet }) => `${ruleId}: ${message}: ${snippet}`);
    });
    const faults = found.filter((fault) => !THEME.test(fault));
    expect(faults, `${width} × ${height}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

it("menus and lists of the API documentation suit fingers on a phone", async () => {
  const { page, errors } = await open("api/", {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await page.locator("#tsd-toolbar-menu-trigger").click();
  const links = page.locator(".tsd-navigation a, .tsd-member-summary-name > a:first-of-type, .tsd-widget");
  await page.locator(".tsd-navigation a:visible").first().waitFor();
  const heights = await links.evaluateAll((all) =>
    all.map((link) => link.getBoundingClientRect().height).filter((height) => height > 0),
  );
  expect(heights.length).toBeGreaterThan(10);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(errors).toEqual([]);
  await page.close();
});

it("the benchmark page measures every engine, and gives its result as a file", { timeout: 120_000 }, async () => {
  const { page, errors } = await open("benchmark/?quick");
  page.setDefaultTimeout(100_000);
  await page.locator("#run").click();
  await page.locator("[data-state=done], [data-state=failed]").waitFor();
  expect(await page.locator("[role=alert]").allTextContents()).toEqual([]);
  await expectToFit(page);
  const waiting = page.waitForEvent("download");
  await page.locator("#save").click();
  const file = await (await waiting).path();
  const { versions, rounds } = JSON.parse(fs.readFileSync(file, "utf8")) as PageResult;
  expect(Object.values(versions)).toEqual(Array(5).fill(expect.stringMatching(/^\d+\.\d+\.\d+/)));
  const engines = Object.entries(rounds).map(([name, rows]) => [name, [...new Set(rows.map((row) => row.contestant))]]);
  const pliant = ["Pliant, CPU", "Pliant, WebGPU"];
  expect(Object.fromEntries(engines)).toEqual({
    reach: pliant,
    "cloth-8": [...pliant, "Jolt"],
    "hanging-cloth": [...pliant, "Rapier", "Jolt"],
    "soft-cube": [...pliant, "Jolt", "Rapier"],
    pile: ["Pliant, CPU", "Havok", "Rapier", "Jolt"],
    pyramid: ["Pliant, CPU", "Havok", "Rapier", "Jolt"],
  });
  for (const { msPerFrame, metrics } of Object.values(rounds).flat()) {
    // Browsers round their clocks to 0.1 ms, which is longer than some frames of tiny scenes.
    expect(msPerFrame).toBeGreaterThanOrEqual(0);
    expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
  }
  expect(errors).toEqual([]);
  await page.close();
});
