// A headless browser with WebGPU, from npm packages alone.

import fs from "node:fs";
import path from "node:path";
import { chromium, type Browser } from "playwright-core";
import { browserFiles, hasBundledBinaries } from "./browser-files";
import { inFolder, swiftShaderSettings } from "./swiftshader-settings";

/** WebGPU and WebGL over SwiftShader, no sandbox (containers run as root), no traffic of the browser's own. */
const FLAGS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Options of `launchBrowser`. */
export interface LaunchOptions {
  /** Further command line flags. */
  readonly flags?: readonly string[];
}

/**
 * Starts Chromium. On Linux x64 it is the one from npm, elsewhere an installed Chrome. Close it when done.
 *
 * @throws Error if no browser can be started.
 */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const browser = await startBrowser(options);
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (pageOptions) => {
    const page = await newPage(pageOptions);
    // Functions that are sent to a page name those within them by this, where tsx has compiled them.
    await page.addInitScript("globalThis.__name ??= (value) => value");
    return page;
  };
  return browser;
}

async function startBrowser(options: LaunchOptions): Promise<Browser> {
  const args = [...FLAGS, ...(options.flags ?? [])];
  if (!hasBundledBinaries()) return chromium.launch({ channel: "chrome", headless: true, args });
  const files = browserFiles();
  const env = {
    ...definedVariables(process.env),
    LD_LIBRARY_PATH: [process.env.LD_LIBRARY_PATH, files.libraries].filter(Boolean).join(path.delimiter),
    FONTCONFIG_PATH: files.fonts,
  };
  const launch = (): Promise<Browser> =>
    chromium.launch({ executablePath: files.executable, headless: true, args, env });
  const threads = process.env.PLIANT_ADAPTER_THREADS;
  if (!threads) return launch();
  // Its GPU process looks there when a page wants a device.
  const folder = swiftShaderSettings(threads);
  const browser = await inFolder(folder, launch);
  browser.on("disconnected", () => fs.rmSync(folder, { recursive: true, force: true }));
  return browser;
}

function definedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Set by loadWebGpu for Dawn in this process; the browser brings its own driver list.
  return Object.fromEntries(entries.filter(([name]) => name !== "VK_ICD_FILENAMES" && name !== "VK_DRIVER_FILES"));
}
