// The headless Chromium, its libraries and SwiftShader from the npm package, unpacked once into a cache folder.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { unpackBrotli, unpackTarBrotli } from "./archive";

const PACKAGE = "@sparticuz/chromium";

/**
 * The package's own file looks for fonts in folders of one cloud service. Without any font the browser crashes at the first
 * form control.
 */
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/** Folder of the npm package, found from its entry point since its package.json may not be exported. */
function packageFolder(): string {
  const require = createRequire(import.meta.url);
  let folder = path.dirname(require.resolve(PACKAGE));
  while (!fs.existsSync(path.join(folder, "bin"))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error(`${PACKAGE} has no bin folder`);
    folder = parent;
  }
  return folder;
}

/** Whether the package's binaries can run here at all. */
export function hasBundledBinaries(): boolean {
  return process.platform === "linux" && process.arch === "x64";
}

/**
 * Makes a folder appear completely or not at all: it is filled under another name and renamed. If two processes race, the later one drops
 * its copy.
 */
function once(folder: string, fill: (temporary: string) => void): string {
  if (fs.existsSync(folder)) return folder;
  const temporary = `${folder}.${process.pid}.tmp`;
  fs.rmSync(temporary, { recursive: true, force: true });
  fs.mkdirSync(temporary, { recursive: true });
  fill(temporary);
  try {
    fs.renameSync(temporary, folder);
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
  return folder;
}

function cacheFolder(name: string): string {
  const source = packageFolder();
  const description: unknown = JSON.parse(fs.readFileSync(path.join(source, "package.json"), "utf8"));
  const version = String((description as { version?: unknown }).version);
  // node_modules/.cache: npm leaves it alone, and `npm ci` clears it together with the package.
  return path.join(source, "..", "..", ".cache", "pliant", `${name}-${version}`);
}

/** Folder with libvulkan.so.1, libvk_swiftshader.so and vk_swiftshader_icd.json. */
export function swiftShaderFolder(): string {
  return once(cacheFolder("swiftshader"), (folder) => {
    unpackTarBrotli(path.join(packageFolder(), "bin/swiftshader.tar.br"), folder);
  });
}

/** The paths that are needed to start the browser. */
export interface BrowserFiles {
  readonly executable: string;
  /** Folder for LD_LIBRARY_PATH: nss, nspr and expat. */
  readonly libraries: string;
  /** Folder for FONTCONFIG_PATH. */
  readonly fonts: string;
}

/** Unpacks the browser (about 200 MB, a few seconds the first time). */
export function browserFiles(): BrowserFiles {
  const bin = path.join(packageFolder(), "bin");
  const folder = once(cacheFolder("chromium-with-fonts"), (target) => {
    unpackBrotli(path.join(bin, "chromium.br"), path.join(target, "chromium"));
    // The graphics libraries are looked for beside the executable.
    unpackTarBrotli(path.join(bin, "swiftshader.tar.br"), target);
    unpackTarBrotli(path.join(bin, "al2023.tar.br"), target);
    unpackTarBrotli(path.join(bin, "fonts.tar.br"), target);
    fs.writeFileSync(path.join(target, "fonts.conf"), FONT_CONFIGURATION);
  });
  return { executable: path.join(folder, "chromium"), libraries: path.join(folder, "lib"), fonts: folder };
}
