import fs from "node:fs";
import path from "node:path";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build, transform } from "esbuild";
import { rollup } from "rollup";
import esbuild from "rollup-plugin-esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleNames } from "../../scripts/build-site.mjs";
import { inOneFile } from "../../scripts/one-file.mjs";
import { showcases } from "../../samples/showcases/index";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { complaintsOf, expectFalling, readmePage, WINDOW } from "../browser/readme-picture";
import { docExamples, exampleFile } from "./doc-examples";
import { guideCode } from "./guide-code";
import {
  linkPackages,
  makeProject,
  ROOT,
  runJest,
  runNode,
  runVite,
  runWebpack,
  temporaryFolder,
  typeCheck,
  type BlankProject,
} from "./blank-project";

/** The app with the full file names of Babylon's modules, as projects of ES modules need them. */
const appWithFullNames = (project: string): string =>
  fs.readFileSync(path.join(project, "app.ts"), "utf8").replace(/"(@babylonjs\/core\/[^"]+)"/g, '"$1.js"');

let folder: string;
let installed: BlankProject;
let project: string;

beforeAll(() => {
  folder = temporaryFolder();
  installed = makeProject(folder, "blank", "--strict-peer-deps");
  project = installed.folder;
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("package", () => {
  it("holds bundles, declarations and papers, nothing else", () => {
    const expected =
      /^(dist\/(index|engine|gltf|babylon-file|optimize-worker|pliant\.umd|pliant\.umd\.min)\.js(\.map)?|dist\/modules\/.*\.js(\.map)?|dist\/cdn\/(pliant\.min|parts\/\d+)\.js|dist\/types\/(src|plugin)\/.*\.d\.ts|docs\/.*\.(md|webp)|bench\/results\/.*\.svg|(ARCHITECTURE|BIBLIOGRAPHY|CHANGELOG|CONTRIBUTING|README)\.md|LICENSE|package\.json)$/;
    expect(installed.files.filter((file) => !expected.test(file))).toEqual([]);
    expect(installed.files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md"]));
  });

  it("holds every file and picture that its pages link to", () => {
    const pages = installed.files.filter((file) => file.endsWith(".md"));
    const links = pages.flatMap((page) => {
      const text = fs.readFileSync(path.join(ROOT, page), "utf8");
      const targets = [...text.matchAll(/\]\((?!\w+:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target);
      return targets.map((target) => path.posix.join(path.posix.dirname(page), target));
    });
    expect(links).toContain("docs/images/silk.webp");
    // The guides are read on the site or in the repository.
    const isMissing = (file: string): boolean =>
      file.startsWith("site/") ? !fs.existsSync(path.join(ROOT, file)) : !installed.files.includes(file);
    expect([...new Set(links)].filter(isMissing)).toEqual([]);
  });

  it("holds every file that package.json promises", () => {
    const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as Record<string, unknown>;
    const promised: string[] = [];
    const collect = (value: unknown): void => {
      if (typeof value === "string") promised.push(path.posix.normalize(value));
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
    };
    [manifest.main, manifest.module, manifest.types, manifest.unpkg, manifest.exports].forEach(collect);
    expect(promised.length).toBeGreaterThan(5);
    expect(promised.filter((file) => !installed.files.includes(file))).toEqual([]);
  });
});

describe("without Babylon", () => {
  it("runs the engine in plain Node, and installs nothing of Babylon", () => {
    expect(fs.existsSync(path.join(project, "node_modules/@babylonjs"))).toBe(false);
    expect(JSON.parse(runNode(project, "engine-only.mjs"))).toEqual({ backend: "cpu", frame: 1 });
  });

  it("optimises in a worker", () => {
    const script = path.join(project, "worker.mjs");
    fs.writeFileSync(
      script,
      `import { createRequire } from "node:module";
       import { Worker } from "node:worker_threads";
       import { runInWorker } from "babylon-pliant/engine";
       const worker = new Worker(createRequire(import.meta.url).resolve("babylon-pliant/optimize-worker"));
       const joint = { type: "prismatic", axis: [1, 0, 0] };
       const mechanism = { name: "cart", links: [{ name: "cart", mass: 1, joint }] };
       const cost = [{ of: "position", when: "final", target: 1, weight: 1 }];
       const { cost: last } = await runInWorker(worker, { mechanism, steps: 50, cost, simulation: { timeStep: 0.01 } });
       console.log(JSON.stringify(last < 1e-6));
       await worker.terminate();`,
    );
    expect(JSON.parse(runNode(project, script))).toBe(true);
  });

  it.each(["typescript-native", "typescript"] as const)("has declarations that stand alone for %s", (compiler) => {
    fs.writeFileSync(path.join(project, "engine.ts"), `export * from "babylon-pliant/engine";\n`);
    const options = { module: "NodeNext", skipLibCheck: false };
    expect(typeCheck(project, ["engine.ts"], options, compiler)).toBe("");
  });
});

/** Modules of a bundle, and what the bundler complained of. */
interface Bundled {
  readonly modules: readonly string[];
  readonly warnings: readonly string[];
}

async function bundleByRollup(input: string, file: string): Promise<Bundled> {
  const warnings: string[] = [];
  const bundle = await rollup({
    input,
    plugins: [nodeResolve({ browser: true }), esbuild({ target: "es2022", include: /app\.ts$/ })],
    // Babylon's own modules import each other in circles; the check is that nothing is unresolved.
    onwarn: (warning) => {
      if (warning.code !== "CIRCULAR_DEPENDENCY") warnings.push(warning.message);
    },
  });
  const { output } = await bundle.write({ file, format: "es", inlineDynamicImports: true });
  await bundle.close();
  return { modules: output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])), warnings };
}

async function bundleByEsbuild(input: string, outfile: string): Promise<Bundled> {
  const { metafile, warnings } = await build({
    entryPoints: [input],
    outfile,
    bundle: true,
    format: "esm",
    metafile: true,
    logLevel: "silent",
  });
  return { modules: Object.keys(metafile.inputs), warnings: warnings.map(({ text }) => text) };
}

/** The answer of the app in a page of the headless browser. */
async function toldBy(url: string): Promise<unknown> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(url);
    await page.waitForFunction(() => "run" in globalThis);
    return await page.evaluate(() => (globalThis as unknown as { run: () => Promise<unknown> }).run());
  } finally {
    await browser.close();
  }
}
const TOLD = { enabled: true, backend: "cpu", cloth: "function" };

/** Rollup, webpack, Vite and Jest read the same project, each with files of its own. */
const PACKAGES = [
  "@babylonjs/core",
  "@babylonjs/havok",
  "@babylonjs/loaders",
  "@babylonjs/serializers",
  "babylonjs-gltf2interface",
  "vite",
  "webpack",
  "jest",
  "react",
  "@types/react",
  "vue",
];

describe("with Babylon", () => {
  beforeAll(() => {
    linkPackages(project, PACKAGES);
    for (const name of fs.readdirSync(path.join(ROOT, "site/frameworks")))
      fs.copyFileSync(path.join(ROOT, "site/frameworks", name), path.join(project, name));
  });

  describe("in a blank project", () => {
    it.each(["esbuild", "Rollup"] as const)(
      "is bundled by %s with one Babylon, and runs: enablePhysics needs no other import",
      async (bundler) => {
        const bundle = bundler === "Rollup" ? bundleByRollup : bundleByEsbuild;
        const { modules, warnings } = await bundle(path.join(project, "app.ts"), path.join(project, "bundle.mjs"));
        expect(warnings).toEqual([]);
        const roots = (name: string): string[] => {
          const found = modules.filter((id) => id.includes(`node_modules/${name}/`));
          return [...new Set(found.map((id) => id.slice(0, id.lastIndexOf(`node_modules/${name}/`))))];
        };
        expect(roots("@babylonjs/core")).toHaveLength(1);
        expect(modules.filter((id) => id.endsWith("/Maths/math.vector.pure.js")).length).toBeLessThanOrEqual(1);
        const runner = path.join(project, "run.mjs");
        fs.writeFileSync(runner, `import { run } from "./bundle.mjs";\nconsole.log(JSON.stringify(await run()));\n`);
        expect(JSON.parse(runNode(project, runner))).toEqual(TOLD);
      },
    );

    it("reads physics of glTF files by its own entry, in plain Node", () => {
      fs.writeFileSync(
        path.join(project, "gltf.mjs"),
        `import { registerGltfPhysics } from "babylon-pliant/gltf";
       import { registeredGLTFExtensions } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";
       registerGltfPhysics();
       console.log(JSON.stringify([...registeredGLTFExtensions.keys()]));`,
      );
      expect(JSON.parse(runNode(project, "gltf.mjs"))).toEqual([
        "KHR_physics_rigid_bodies",
        "MSFT_rigid_bodies",
        "KHR_implicit_shapes",
        "MSFT_collision_primitives",
        "PLIANT_deformables",
      ]);
    });

    it("type-checks under nodenext resolution", () => {
      fs.writeFileSync(path.join(project, "app-nodenext.ts"), appWithFullNames(project));
      expect(typeCheck(project, ["app-nodenext.ts"], { module: "NodeNext", skipLibCheck: false })).toBe("");
    });

    it("type-checks an app under bundler resolution, with the examples, showcases, code of guides and examples of classes", () => {
      const files = [
        ...exampleNames().map((name: string) => `site/examples/${name}.ts`),
        ...Object.keys(showcases).map((name) => `samples/showcases/${name}.ts`),
      ];
      files.forEach((file, k) =>
        fs.writeFileSync(path.join(project, `example-${k}.ts`), inOneFile(path.join(ROOT, file))),
      );
      const documented = docExamples();
      for (const [name, example] of documented)
        fs.writeFileSync(path.join(project, `class-${name}.ts`), exampleFile(example));
      const inGuides = guideCode();
      expect(inGuides.size).toBeGreaterThan(30);
      for (const [name, code] of inGuides) fs.writeFileSync(path.join(project, `guide-${name}.ts`), code);
      // Without its template, a component of Vue is a module.
      const vue = fs.readFileSync(path.join(project, "ClothScene.vue"), "utf8");
      fs.writeFileSync(path.join(project, "vue-scene.ts"), /<script setup lang="ts">\n([^]*)<\/script>/.exec(vue)![1]);
      const frameworks = ["vue-scene", "ClothScene"];
      const names = [
        "app",
        ...frameworks,
        ...files.map((_, k) => `example-${k}`),
        ...[...documented.keys()].map((n) => `class-${n}`),
        ...[...inGuides.keys()].map((n) => `guide-${n}`),
      ];
      const all = names.map((name) => `import "./${name}";\n`).join("");
      fs.writeFileSync(path.join(project, "examples.ts"), all);
      const language = { module: "ESNext", moduleResolution: "bundler", jsx: "react-jsx", lib: ["ES2023", "DOM"] };
      const options = { ...language, skipLibCheck: true };
      expect(typeCheck(project, ["examples.ts"], options)).toBe("");
    });

    it("has declarations that refuse what is wrong", () => {
      const wrong = { "wrong-engine.ts": '"abacus"', "wrong-plugin.ts": "'number' is not assignable" };
      const complaints = typeCheck(project, Object.keys(wrong), { module: "NodeNext", skipLibCheck: true });
      for (const [file, complaint] of Object.entries(wrong)) {
        const ofFile = complaints.split("\n").filter((line) => line.startsWith(`${file}(`));
        expect(ofFile.join("\n"), file).toContain(complaint);
      }
      expect(complaints).not.toContain("TS2307");
    });
  });

  describe("in a blank webpack project", () => {
    it("bundles an app in parts without a warning, which runs in a browser", async () => {
      const { code } = await transform(appWithFullNames(project), { loader: "ts" });
      fs.writeFileSync(path.join(project, "webpack-app.js"), `${code}globalThis.run = run;\n`);
      const site = path.join(project, "webpacked");
      const { warnings, errors, scripts } = runWebpack(project, "./webpack-app.js", site);
      expect([...errors, ...warnings]).toEqual([]);
      // Babylon and the plugin at the start; solvers and their kernels when a scene needs them.
      expect(scripts).toContain("main.js");
      expect(scripts.length).toBeGreaterThan(10);
      fs.writeFileSync(
        path.join(site, "index.html"),
        `<!doctype html><title>app</title><script src="main.js"></script>`,
      );
      const server = await serveFolder(site);
      try {
        expect(await toldBy(server.url)).toEqual(TOLD);
      } finally {
        await server.close();
      }
    });
  });

  describe("in a blank Jest project", () => {
    it("runs a test of a scene", () => {
      expect(runJest(project)).toMatch(/Tests: +1 passed, 1 total/);
    });
  });

  describe("in an empty folder, with Vite", () => {
    it("an app is served, which runs in a browser", async () => {
      const script = `import { run } from "./app.ts"; globalThis.run = run;`;
      const html = `<!doctype html><title>app</title><script type="module">${script}</script>`;
      fs.writeFileSync(path.join(project, "index.html"), html);
      const server = await runVite(project);
      try {
        expect(await toldBy(server.url)).toEqual(TOLD);
      } finally {
        server.close();
      }
    });

    // test/browser/readme.test.ts has the page with WebGPU.
    it("the page of the README shows a sheet that falls, without WebGPU", { timeout: 400_000 }, async () => {
      fs.writeFileSync(path.join(project, "index.html"), readmePage());
      const [server, browser] = [await runVite(project), await launchBrowser()];
      try {
        const page = await browser.newPage({ viewport: WINDOW });
        await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
        page.setDefaultTimeout(120_000);
        const complaints = complaintsOf(page);
        await page.goto(server.url);
        await expectFalling(page, 200);
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
        server.close();
      }
    });
  });
});
