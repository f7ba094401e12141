// Pictures of the guide "Troubleshooting" into site/public/pictures:
//
//     node scripts/run-ts.mjs scripts/symptom-pictures.ts [NAME …]

import fs from "node:fs";
import path from "node:path";
import { bundlePages } from "./bundle-pages.mjs";
import { withServedPages } from "./environment/served-pages";

const ROOT = path.resolve(import.meta.dirname, "..");

async function build(folder: string): Promise<void> {
  await bundlePages([{ in: path.join(ROOT, "site/symptoms/symptoms.ts"), out: "symptoms" }], folder);
  const html =
    '<!doctype html><link rel="icon" href="data:,"><body></body><script type="module" src="symptoms.js"></script>';
  fs.writeFileSync(path.join(folder, "index.html"), html);
}

await withServedPages(build, async (browser, url) => {
  const page = await browser.newPage();
  page.setDefaultTimeout(600_000);
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.symptoms);
  const names = (await page.evaluate(() => document.documentElement.dataset.symptoms!)).split(",");
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : names) {
    const picture = await page.evaluate((key) => symptomPicture(key), name);
    const file = path.join(ROOT, `site/public/pictures/symptom-${name}.webp`);
    fs.writeFileSync(file, Buffer.from(picture.split(",")[1], "base64"));
    console.error(name);
  }
});
