import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser";
import { serveFolder } from "./static-server.mjs";

/**
 * Builds pages into a temporary folder, and serves them to a headless browser until the work is done.
 *
 * @param build writes the pages into a folder
 * @param work gets the browser and the address of the folder
 * @throws Error if the pages do not build, or if no browser can be started
 */
export async function withServedPages(
  build: (folder: string) => Promise<void>,
  work: (browser: Browser, url: string) => Promise<void>,
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-pages-"));
  try {
    await build(folder);
    const server = await serveFolder(folder);
    try {
      const browser = await launchBrowser();
      try {
        await work(browser, server.url);
      } finally {
        await browser.close();
      }
    } finally {
      await server.close();
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
