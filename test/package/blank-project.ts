// A blank project outside the repository with the packed tarball installed, like a user's.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../..");
const FIXTURE = path.join(import.meta.dirname, "fixture");

/** Runs npm: the one that called this process if there is one, since PATH may hold another. */
function npm(cwd: string, ...args: string[]): string {
  const script = process.env.npm_execpath;
  const isNpm = script !== undefined && /npm-cli\.[cm]?js$/.test(script);
  const [program, first] = isNpm ? [process.execPath, [script]] : ["npm", []];
  // npm passes its own settings down in variables; a blank project has none of them.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_(?!cache)|package)/.test(name)),
  );
  return execFileSync(program, [...first, ...args], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function checkBuilt(): void {
  if (!fs.existsSync(path.join(ROOT, "dist/index.js"))) throw new Error("dist/ is missing: run `npm run build` first");
}

/** A project that has the package, as npm packs it. */
export interface BlankProject {
  readonly folder: string;
  /** Files of the package, sorted. */
  readonly files: readonly string[];
}

/**
 * Makes a project outside the repository with the package installed. npm packs what it would publish and unpacks it there at once.
 *
 * @param flags of `npm install`
 * @throws Error if the bundles have not been built.
 */
export function makeProject(parent: string, name: string, ...flags: readonly string[]): BlankProject {
  checkBuilt();
  // The real path: bundlers compare modules by it, and the system's temporary folder may be a link.
  const folder = path.join(fs.realpathSync(parent), name);
  fs.mkdirSync(folder);
  const dependencies = { "babylon-pliant": `file:${ROOT}` };
  fs.writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ name, private: true, type: "module", dependencies }),
  );
  for (const file of fs.readdirSync(FIXTURE)) fs.copyFileSync(path.join(FIXTURE, file), path.join(folder, file));
  const quick = ["--offline", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];
  npm(folder, "install", "--install-links", ...quick, ...flags);
  const installed = path.join(folder, "node_modules/babylon-pliant");
  const entries = fs.readdirSync(installed, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return { folder, files: files.map((file) => path.relative(installed, file).replaceAll(path.sep, "/")).sort() };
}

/** Installs packages from the registry. */
export function installFrom(project: string, ...packages: readonly string[]): void {
  npm(
    project,
    "install",
    "--install-links",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
    "--ignore-scripts",
    ...packages,
  );
}

/** Gives a project links to packages of this repository, so that nothing is downloaded or copied. */
export function linkPackages(project: string, packages: readonly string[]): void {
  for (const name of [...packages, ".bin"]) {
    const link = path.join(project, "node_modules", name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(ROOT, "node_modules", name), link, "dir");
  }
}

/**
 * Makes a project that has the package as a link to this repository: its bundles are those that are packed, and that the package holds
 * them is another test's matter.
 *
 * @returns the project's folder
 * @throws Error if the bundles have not been built.
 */
export function linkedProject(parent: string, name: string): string {
  checkBuilt();
  const folder = path.join(fs.realpathSync(parent), name);
  fs.mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  fs.symlinkSync(ROOT, path.join(folder, "node_modules/babylon-pliant"), "dir");
  return folder;
}

/** A fresh temporary folder. */
export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "pliant-package-"));
}

/**
 * Type-checks files of a project at once.
 *
 * @param compiler the package with the compiler: TypeScript 7, or "typescript", which is 6
 * @returns the compiler's complaints, empty if there are none
 */
export function typeCheck(
  project: string,
  files: readonly string[],
  options: Record<string, unknown>,
  compiler: "typescript-native" | "typescript" = "typescript-native",
): string {
  const config = {
    compilerOptions: { strict: true, noEmit: true, target: "ES2022", lib: ["ES2022", "DOM"], types: [], ...options },
    files,
  };
  const configFile = path.join(project, `tsconfig-${path.parse(files[0]).name}.json`);
  fs.writeFileSync(configFile, JSON.stringify(config));
  const tsc = path.join(ROOT, "node_modules", compiler, "bin/tsc");
  const result = spawnSync(process.execPath, [tsc, "-p", configFile], { cwd: project, encoding: "utf8" });
  return result.stdout + result.stderr;
}

/**
 * Bundles a module of a project with webpack and its defaults, but without making names short, which takes most of the time.
 *
 * @returns its complaints, and the scripts that it wrote
 */
export function runWebpack(
  project: string,
  entry: string,
  folder: string,
): { errors: string[]; warnings: string[]; scripts: string[] } {
  fs.writeFileSync(
    path.join(project, "webpack.mjs"),
    `import webpack from "webpack";
     const optimization = { minimize: false };
     const settings = { mode: "production", entry: ${JSON.stringify(entry)}, output: { path: ${JSON.stringify(folder)} }, optimization };
     webpack({ ...settings, performance: false }, (error, stats) => {
       if (error) throw error;
       const { errors, warnings, assets } = stats.toJson({ all: false, errors: true, warnings: true, assets: true });
       const texts = (list) => list.map(({ message }) => message);
       const scripts = assets.map(({ name }) => name);
       console.log(JSON.stringify({ errors: texts(errors), warnings: texts(warnings), scripts }));
     });`,
  );
  return JSON.parse(runNode(project, "webpack.mjs")) as ReturnType<typeof runWebpack>;
}

/** Runs Jest in a project whose tests are ES modules. @returns what it prints */
export function runJest(project: string): string {
  const config = JSON.stringify({ testEnvironment: "node", transform: {}, testMatch: ["**/*.spec.mjs"] });
  const jest = path.join(project, "node_modules/jest/bin/jest.js");
  const flags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning", jest];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, "--ci", "--config", config], {
    cwd: project,
    encoding: "utf8",
  });
  return stdout + stderr;
}

/** Runs a module of a project in plain Node and returns the last line that it prints. */
export function runNode(project: string, file: string): string {
  const output = execFileSync(process.execPath, [file], { cwd: project, encoding: "utf8" });
  return output.trimEnd().split("\n").at(-1) ?? "";
}

/**
 * Runs `vite` in a project, like a user who has just installed it.
 *
 * @throws Error with its output if it ends before it serves
 */
export async function runVite(project: string): Promise<{ url: string; close: () => void }> {
  const program = path.join(project, "node_modules/.bin/vite");
  const env = { ...process.env, NO_COLOR: "1" };
  const server = spawn(process.execPath, [program], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    const look = (piece: Buffer): void => {
      output += piece.toString();
      const found = /http:\/\/localhost:\d+\//.exec(output);
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", look);
    server.stderr.on("data", look);
    server.on("exit", () => reject(new Error(`vite ended: ${output}`)));
  });
  return { url, close: () => void server.kill() };
}
