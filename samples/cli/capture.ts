import fs from "node:fs/promises";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { withServedPages } from "../../scripts/environment/served-pages";

const WIDTH = 1280;
const HEIGHT = 800;
/** A software GPU needs seconds for the first frame, and minutes for a long run. */
const LONGEST_MS = 30 * 60_000;

export interface CaptureRequest {
  readonly scene: string;
  readonly frames: number;
  readonly backend: "cpu" | "reference" | "webgpu";
  readonly settings: Readonly<Record<string, string>>;
  /** PNG to write; its folder is made if it is missing */
  readonly file: string;
}

/**
 * Draws a scene through the plugin, in the gallery's page and a headless browser, and saves the canvas after exactly
 * `frames` frames.
 *
 * @throws Error if the page reports one, or if no browser can be started
 */
export async function captureScene(request: CaptureRequest): Promise<void> {
  const build = async (output: string): Promise<void> => {
    const { buildGallery } = await import("../../scripts/build-gallery.mjs");
    await buildGallery({ output });
  };
  await withServedPages(build, async (browser, url) => {
    await fs.mkdir(path.dirname(path.resolve(request.file)), { recursive: true });
    await fs.writeFile(request.file, await drawnImage(browser, captureAddress(url, request)));
  });
}

/** Address of the page that draws the request. */
export function captureAddress(url: string, request: Omit<CaptureRequest, "file">): string {
  const address = new URL(url);
  address.searchParams.set("capture", "");
  address.searchParams.set("scene", request.scene);
  address.searchParams.set("frames", String(request.frames));
  address.searchParams.set("backend", request.backend);
  for (const [key, value] of Object.entries(request.settings)) address.searchParams.append("set", `${key}=${value}`);
  return address.href;
}

async function drawnImage(browser: Browser, address: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, deviceScaleFactor: 1 });
  const complaint = firstComplaint(page);
  await page.goto(address);
  const ready = page.waitForFunction(() => document.documentElement.dataset.state === "captured", undefined, {
    timeout: LONGEST_MS,
    polling: 200,
  });
  const error = await Promise.race([ready.then(() => undefined), complaint]);
  if (error !== undefined) throw new Error(`the page failed: ${error}`);
  // The canvas fills the page; a busy machine takes a while for a frame.
  return page.screenshot({ type: "png", timeout: LONGEST_MS });
}

/** Resolves with the first error of the page; without an error it never does. */
function firstComplaint(page: Page): Promise<string> {
  return new Promise((resolve) => {
    page.on("pageerror", (error) => resolve(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") resolve(message.text());
    });
  });
}
