import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import { invalid } from "../src/errors";

/** Whether an engine draws with WebGPU. */
export function isWebGPU(engine: AbstractEngine): engine is WebGPUEngine {
  return engine.isWebGPU;
}

/**
 * The device that a `WebGPUEngine` draws with. Babylon makes this device itself and accepts none from outside, so
 * simulation and drawing can share buffers only on Babylon's device.
 *
 * @throws PliantError before `engine.initAsync()`
 */
export function deviceOf(engine: WebGPUEngine): GPUDevice {
  const device = engine._device as GPUDevice | undefined;
  if (!device)
    throw invalid("PliantPlugin.CreateAsync engine", "WebGPUEngine", "must be initialised (await engine.initAsync())");
  return device;
}
