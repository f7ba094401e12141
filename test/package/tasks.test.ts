/** Seven tasks, each by the code that a guide lets readers copy, draw moving pictures in an app of Vite and in a page of script tags. */
import fs from "node:fs";
import path from "node:path";
import { build, transform } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { drawSteadily } from "../../scripts/environment/steady-clock";
import { inOneFile } from "../../scripts/one-file.mjs";
import { colorCount } from "../browser/color-count";
import { complaintsOf } from "../browser/readme-picture";
import { linkedProject, linkPackages, ROOT, runVite, temporaryFolder } from "./blank-project";

const TASKS = {
  "a flag on a pole": "flag",
  "a cape on an animated character": "cape",
  "a jelly cube on terrain": "jelly",
  "a rope that holds a box": "rope",
  "a tablecloth whose fabric is chosen": "fabrics",
  "cloth that the pointer drags": "dragging",
  "cloth beside Havok": "beside-havok",
} as const;
const CANVAS = `<canvas style="width: 100vw; height: 100vh"></canvas>`;
/** The globals of the scripts that a page loads, by the package. */
const GLOBALS: Readonly<Record<string, string>> = {
  "@babylonjs/core": "BABYLON",
  "babylon-pliant": "PLIANT",
  "@babylonjs/havok": "HavokPhysics",
};

/** Code of a module as that of a page with script tags: names come from globals, as the guide "Install" tells. */
async function withGlobals(code: string): Promise<string> {
  const { code: script } = await transform(code, { loader: "ts", target: "es2022" });
  const names = /^import (?:\{([^}]*)\}|(\w+)) from "([^"]+)";$/gm;
  return script.replace(names, (_line, list: string | undefined, whole: string | undefined, from: string) =>
    list === undefined && whole === GLOBALS[from]
      ? ""
      : `const {${(list ?? `default: ${whole}`).replaceAll(" as ", ": ")}} = ${GLOBALS[from]};`,
  );
}

let folder: string;
let browser: Browser;
let vite: Awaited<ReturnType<typeof runVite>>;
let plain: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  folder = temporaryFolder();
  const app = linkedProject(folder, "app");
  linkPackages(app, ["@babylonjs/core", "vite"]);
  // Vite serves no file of a package outside of the project.
  const havok = "node_modules/@babylonjs/havok";
  fs.cpSync(path.join(ROOT, havok), path.join(app, havok), { recursive: true });
  // The settings of Vite that the guide "Beside Havok" names.
  const guide = fs.readFileSync(path.join(ROOT, "site/guide/beside-havok.md"), "utf8");
  fs.writeFileSync(path.join(app, "vite.config.js"), /\/\/ vite\.config\.js\n([^]*?)```/.exec(guide)![1]);
  const site = path.join(folder, "plain");
  fs.mkdirSync(site);
  // A substitute for Babylon's script from a CDN: everything it exports, as one global.
  await build({
    stdin: { contents: 'export * from "@babylonjs/core";', resolveDir: ROOT },
    bundle: true,
    format: "iife",
    globalName: "BABYLON",
    outfile: path.join(site, "babylon.js"),
    logLevel: "error",
  });
  fs.cpSync(path.join(ROOT, "dist/cdn"), path.join(site, "cdn"), { recursive: true });
  fs.cpSync(path.join(ROOT, havok, "lib/umd"), site, { recursive: true });
  const scripts = ["babylon.js", "cdn/pliant.min.js", "HavokPhysics_umd.js"].map(
    (file) => `<script src="${file}"></script>`,
  );
  for (const name of Object.values(TASKS)) {
    const code = inOneFile(path.join(ROOT, `site/examples/${name}.ts`));
    const head = `<!doctype html><title>${name}</title><link rel="icon" href="data:,">`;
    fs.writeFileSync(path.join(app, `${name}.ts`), code);
    fs.writeFileSync(
      path.join(app, `${name}.html`),
      `${head}${CANVAS}<script type="module" src="/${name}.ts"></script>`,
    );
    const script = `<script type="module">${await withGlobals(code)}</script>`;
    fs.writeFileSync(path.join(site, `${name}.html`), `${head}${CANVAS}${scripts.join("")}${script}`);
  }
  plain = await serveFolder(site);
  vite = await runVite(app);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  vite?.close();
  await plain?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const kinds = ["an app of Vite", "a page of script tags"] as const;
it.each(Object.keys(TASKS).flatMap((task) => kinds.map((kind) => [task, kind] as const)))(
  "%s moves in %s",
  { timeout: 300_000 },
  async (task, kind) => {
    const page = await browser.newPage({ viewport: { width: 240, height: 150 } });
    page.setDefaultTimeout(250_000);
    await page.addInitScript(drawSteadily, 1000 / 60);
    const complaints = complaintsOf(page);
    const { url } = kind === "an app of Vite" ? vite : plain;
    await page.goto(`${url}${TASKS[task as keyof typeof TASKS]}.html`);
    const pictures: string[] = [];
    // The first picture with a scene in it, and one that differs from it: something moves.
    while (new Set(pictures).size < 2 && complaints.length === 0) {
      const picture = await page.screenshot();
      if (colorCount(picture) > 12) pictures.push(picture.toString("base64"));
    }
    await page.close();
    expect(complaints).toEqual([]);
  },
);
