import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import hashes from "../golden/hashes.json";

it("rigid bodies end in the same bits in Chromium as in Node", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-golden-"));
  const entryPoints = [path.join(import.meta.dirname, "golden-page.ts")];
  await build({ entryPoints, bundle: true, format: "esm", outdir: folder, logLevel: "error" });
  const html = `<!doctype html><title>page</title><script type="module" src="golden-page.js"></script>`;
  fs.writeFileSync(path.join(folder, "index.html"), html);
  const server = await serveFolder(folder);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => "goldenHashes" in globalThis);
    expect(await page.evaluate(() => goldenHashes())).toEqual(hashes);
  } finally {
    await browser.close();
    await server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
