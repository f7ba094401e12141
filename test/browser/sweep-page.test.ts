import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { pageOf } from "../../bench/sweep/page";
import type { StoredResult } from "../../bench/sweep/store";
import { tableOf } from "../../bench/sweep/table";
import { launchBrowser } from "../../scripts/environment/browser";

const scene = { name: "curtain", title: "Curtain", parameters: [], metrics: [] };

/** Two winds, two fabrics, three seeds; the last job failed. */
const results = Array.from({ length: 12 }, (_, i): StoredResult => {
  const settings = { wind: 1 + (i % 2), fabric: i % 4 < 2 ? "silk" : "denim", gather: i / 40 };
  const job = { scene: "curtain", settings, seed: 1 + Math.floor(i / 4), backend: "cpu" } as const;
  const outcome =
    i < 11 ? { metrics: { maxStretchPercent: i }, frames: 9, ms: i + 1 } : { error: "<b>", frames: 2, ms: 1 };
  return { key: `k${i}`, version: "1", job, outcome, node: "20", host: "here" };
});

it("the page of a sweep draws every result, whatever is chosen, and loads nothing", async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "sweep-page-")), "index.html");
  fs.writeFileSync(file, await pageOf(scene, tableOf(results), [results[11]]));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const [errors, requests]: [string[], string[]] = [[], []];
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    const counts = await page.evaluate(() => {
      const [across, up, color, scale] = [...document.querySelectorAll("select")];
      const choose = (select: HTMLSelectElement, value: string): void => {
        select.value = value;
        select.dispatchEvent(new Event("change"));
      };
      const all: string[] = [];
      // A failed job has no color by a metric, which are last in the list.
      for (const x of [...across.options])
        for (const c of [...color.options].slice(0, 1 + across.options.length))
          for (const [y, kind] of [
            ["maxStretchPercent", "linear"],
            ["maxStretchPercent", "logarithmic"],
            ["ms", "linear"],
          ]) {
            choose(across, x.value);
            choose(up, y);
            choose(color, c.value);
            choose(scale, kind);
            const dots = document.querySelectorAll("#plot [aria-label=dot] circle").length;
            all.push(`${y} ${kind}: ${dots}`);
          }
      return [...new Set(all)].sort();
    });
    // Stretch 0 has no logarithm, and the failed job no stretch.
    const stretch = ["maxStretchPercent linear: 11", "maxStretchPercent logarithmic: 10"];
    expect(counts).toEqual([...stretch, "ms linear: 12"]);
    expect(await page.locator("#failed p").textContent()).toBe("<b>");
    expect(await page.locator("#failed pre").textContent()).toContain(
      "scene -- curtain --set wind=2 --set fabric=denim",
    );
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith("data:"))).toEqual([pathToFileURL(file).href]);
  } finally {
    await browser.close();
    fs.rmSync(path.dirname(file), { recursive: true });
  }
});
