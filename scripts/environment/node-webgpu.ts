// WebGPU in plain Node: Dawn from the `webgpu` package, over the system's driver or over SwiftShader from npm.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { hasBundledBinaries, swiftShaderFolder } from "./browser-files";
import { pollGently } from "./poll-gently";
import { inFolder, swiftShaderSettings } from "./swiftshader-settings";

/** The result of `loadWebGpu`. */
export interface NodeWebGpu {
  readonly gpu: GPU;
  readonly adapterInfo: AdapterFacts;
}

/** Plain copy of GPUAdapterInfo. */
export interface AdapterFacts {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  /** "system" for a driver of this machine, "swiftshader" for the software driver from npm. */
  readonly source: "system" | "swiftshader";
}

type Dawn = Pick<typeof import("webgpu"), "create" | "globals">;

let loading: Promise<NodeWebGpu> | undefined;

/**
 * Loads Dawn and finds an adapter. A driver of the system goes first if it gives an adapter that is not itself a
 * software one; otherwise SwiftShader is loaded. The GPU classes (GPUBufferUsage and so on) become globals. Later calls
 * return the same object: Dawn's instance must outlive every device made from it.
 *
 * The environment variable PLIANT_ADAPTER=swiftshader or PLIANT_ADAPTER=system skips the other choice.
 * PLIANT_ADAPTER_THREADS is the number of threads of SwiftShader; unset, it has one per core.
 *
 * @throws Error if no adapter exists, or if a variable has another value.
 */
export function loadWebGpu(): Promise<NodeWebGpu> {
  loading ??= load();
  return loading;
}

async function load(): Promise<NodeWebGpu> {
  const wish = process.env.PLIANT_ADAPTER ?? "";
  if (wish !== "" && wish !== "system" && wish !== "swiftshader") {
    throw new Error(`PLIANT_ADAPTER is "${wish}"; valid are "system" and "swiftshader"`);
  }
  pollGently();
  const system = wish === "swiftshader" ? undefined : await loadSystemDriver();
  if (system) return system;
  const software = wish === "system" ? undefined : await loadSwiftShader();
  if (software) return software;
  throw new Error("no WebGPU adapter: neither a system driver nor the bundled SwiftShader gives one");
}

async function loadSystemDriver(): Promise<NodeWebGpu | undefined> {
  // Asked first because Dawn writes a warning if the loader is missing.
  if (process.platform === "linux" && !openGlobally("libvulkan.so.1")) return undefined;
  return attempt("system");
}

async function loadSwiftShader(): Promise<NodeWebGpu | undefined> {
  if (!hasBundledBinaries()) return undefined;
  const folder = swiftShaderFolder();
  const driver = path.join(folder, "vk_swiftshader_icd.json");
  process.env.VK_ICD_FILENAMES = driver;
  process.env.VK_DRIVER_FILES = driver;
  if (!openGlobally(path.join(folder, "libvulkan.so.1"))) return undefined;
  const found = await attempt("swiftshader");
  if (found && process.env.PLIANT_ADAPTER_THREADS) await limitThreads(found.gpu, process.env.PLIANT_ADAPTER_THREADS);
  return found;
}

/** SwiftShader reads its settings once, from the working directory, while the first device of the process is made. */
async function limitThreads(gpu: GPU, threads: string): Promise<void> {
  const adapter = await gpu.requestAdapter();
  const folder = swiftShaderSettings(threads);
  const device = await inFolder(folder, async () => adapter?.requestDevice());
  device?.destroy();
  fs.rmSync(folder, { recursive: true });
}

/** dlfcn.h: the library stays although its handle is closed. The GNU C library's value; Node does not name it. */
const RTLD_NODELETE = 0x1000;

/**
 * Loads a Vulkan loader so that Dawn, which asks for it by name, finds it without LD_LIBRARY_PATH. Node complains that
 * the library is no add-on and closes it again, hence RTLD_NODELETE.
 *
 * @returns false if there is no such library
 */
function openGlobally(library: string): boolean {
  const { RTLD_NOW, RTLD_GLOBAL } = os.constants.dlopen;
  try {
    process.dlopen({ exports: {} }, library, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes("self-register");
  }
}

async function attempt(source: AdapterFacts["source"]): Promise<NodeWebGpu | undefined> {
  const dawn: Dawn = await import("webgpu");
  Object.assign(globalThis, dawn.globals);
  // Each instance looks for drivers anew, so a failed try leaves nothing behind.
  const gpu = dawn.create([]);
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) return undefined;
  const { vendor, architecture, device, description } = adapter.info;
  const isSoftware = /llvmpipe|lavapipe|swiftshader/i.test(`${architecture} ${device} ${description}`);
  if (source === "system" && isSoftware) return undefined;
  return { gpu, adapterInfo: { vendor, architecture, device, description, source } };
}
