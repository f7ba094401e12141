import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import { PliantError } from "../src/errors";

/** Whether an engine draws with WebGPU. */
export function isWebGPU(engine: AbstractEngine): engine is WebGPUEngine {
  return engine.isWebGPU;
}

/**
 * The device that a `WebGPUEngine` draws with. Babylon makes it itself and takes none from outside, so simulation and
 * drawing can only share buffers by using Babylon's.
 *
 * @throws PliantError before `engine.initAsync()`
 */
export function deviceOf(engine: WebGPUEngine): GPUDevice {
  const device = engine._device as GPUDevice | undefined;
  if (!device)
    throw new PliantError(
      "invalid-argument",
      "PliantPlugin.CreateAsync engine",
      "WebGPUEngine",
      "must be initialised (await engine.initAsync())",
    );
  return device;
}
