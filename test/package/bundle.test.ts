import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build as esbuild, transform } from "esbuild";
import { rollup } from "rollup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkedProject, temporaryFolder } from "./blank-project";

/** A file of a bundle: the files that a page fetches with it at once, and its contents. */
interface Chunk {
  readonly size: number;
  readonly imports: readonly string[];
  readonly modules: readonly string[];
}
type Bundle = ReadonlyMap<string, Chunk>;

const KB = 1000;
const zipped = (code: string | Uint8Array): number => zlib.gzipSync(code, { level: 9 }).length;

let folder: string;
let project: string;
beforeAll(() => {
  folder = temporaryFolder();
  project = linkedProject(folder, "page");
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function writeApp(names: string): string {
  const file = path.join(project, "page.js");
  fs.writeFileSync(file, `import { ${names} } from "babylon-pliant";\nconsole.log(${names});\n`);
  return file;
}

/** Bundles like Vite for production: Rollup, then esbuild for the size. */
async function withRollup(names: string): Promise<Bundle> {
  const external = (id: string): boolean => id.startsWith("@babylonjs/");
  const build = await rollup({ input: writeApp(names), external, plugins: [nodeResolve({ browser: true })] });
  const { output } = await build.generate({ format: "es" });
  await build.close();
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [file] : []));
  const sized = chunks.map(async ({ fileName, code, imports, moduleIds }) => {
    const minified = await transform(code, { minify: true, format: "esm", legalComments: "none" });
    return [fileName, { size: zipped(minified.code), imports, modules: moduleIds }] as const;
  });
  return new Map(await Promise.all(sized));
}

async function withEsbuild(names: string): Promise<Bundle> {
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [writeApp(names)],
    absWorkingDir: project,
    outdir: "out",
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    legalComments: "none",
    external: ["@babylonjs/*"],
    metafile: true,
    write: false,
  });
  const texts = new Map(outputFiles.map((file) => [path.basename(file.path), file.contents]));
  return new Map(
    Object.entries(metafile.outputs).map(([file, { imports, inputs }]) => [
      path.basename(file),
      {
        size: zipped(texts.get(path.basename(file))!),
        imports: imports.filter(({ kind }) => kind === "import-statement").map((item) => path.basename(item.path)),
        modules: Object.keys(inputs),
      },
    ]),
  );
}

/** Bytes that a page fetches for modules, each named by the end of its path, and all their imports. */
function sizeOf(bundle: Bundle, modules: readonly string[]): number {
  const fetched = new Set<string>();
  const visit = (name: string): void => {
    const chunk = bundle.get(name);
    if (!chunk || fetched.has(name)) return;
    fetched.add(name);
    chunk.imports.forEach(visit);
  };
  for (const module of modules) {
    const found = [...bundle].filter(([, chunk]) => chunk.modules.some((id) => id.endsWith(module)));
    expect(found.length, module).toBe(1);
    visit(found[0][0]);
  }
  return [...fetched].reduce((sum, name) => sum + bundle.get(name)!.size, 0);
}

const START = ["page.js"];
// Bodies on the CPU can sleep.
const ON_REFERENCE = [...START, "lanes/gpbd-cpu.js", "sleep/sleepers.js"];
const ON_CPU = [...START, "lanes/gpbd-simd.js", "sleep/sleepers.js"];
const ON_GPU = [...START, "backend/gpu-backend.js", "lanes/gpbd-gpu.js", "mesh/gpu-vertices.js"];

describe.each([
  ["Rollup", withRollup],
  ["esbuild", withEsbuild],
])("a page with cloth alone, bundled by %s", (_name, bundleOf) => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundleOf("PliantPlugin, ClothAggregate");
  });

  it("starts with at most 158 kB, compressed", () => {
    expect(sizeOf(bundle, START)).toBeLessThan(158 * KB);
  });

  // test/browser/readme.test.ts checks that a page fetches these and no others.
  it("takes in all, with its solver, at most 212 kB on the CPU, 195 kB there in f64 alone, and 234 kB on WebGPU, compressed", () => {
    expect(sizeOf(bundle, ON_REFERENCE)).toBeLessThan(195 * KB);
    expect(sizeOf(bundle, ON_CPU)).toBeLessThan(212 * KB);
    expect(sizeOf(bundle, ON_GPU)).toBeLessThan(234 * KB);
  });

  it("starts with at most 120 kB, and takes in 175 kB on the CPU and 196 kB on WebGPU, without queries", async () => {
    const small = await bundleOf("ClothPlugin, ClothAggregate");
    expect(sizeOf(small, START)).toBeLessThan(120 * KB);
    expect(sizeOf(small, ON_REFERENCE)).toBeLessThan(158 * KB);
    expect(sizeOf(small, ON_CPU)).toBeLessThan(175 * KB);
    expect(sizeOf(small, ON_GPU)).toBeLessThan(196 * KB);
  });

  it("leaves every other solver to who needs it", () => {
    const inOwnChunk = ["parts/solver-part.js", "lanes/local-global-cpu.js", "lanes/newton-gpu.js"];
    for (const module of inOwnChunk)
      expect(sizeOf(bundle, [...ON_GPU, module])).toBeGreaterThan(sizeOf(bundle, ON_GPU));
  });

  it("has no mechanisms, loaders, or soft bodies", () => {
    const all = [...bundle.values()].flatMap(({ modules }) => modules);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((id) => /parse-xml|articulated\/|loaders\/|soft-body-aggregate|rope-aggregate/.test(id))).toEqual(
      [],
    );
  });
});

it("has all that the page of the README imports", async () => {
  const readme = fs.readFileSync(path.join(project, "node_modules/babylon-pliant/README.md"), "utf8");
  const [, contents] = /<script type="module">([^]*?)<\/script>/.exec(readme)!;
  const { outputFiles, warnings } = await esbuild({
    stdin: { contents, resolveDir: project },
    bundle: true,
    format: "esm",
    external: ["@babylonjs/*"],
    write: false,
  });
  expect(warnings).toEqual([]);
  expect(/class ClothAggregate|ClothAggregate = class/.test(outputFiles[0].text)).toBe(true);
});
