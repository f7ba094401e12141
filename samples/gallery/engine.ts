import { Engine } from "@babylonjs/core/Engines/engine";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";

/**
 * Babylon's WebGPU engine if the browser has one, with timestamp queries if the adapter has them; otherwise WebGL. The
 * tab key reaches the canvas in its turn, not first.
 *
 * @param wish "webgl" takes WebGL in any case
 */
export async function createEngine(canvas: HTMLCanvasElement, wish: "webgpu" | "webgl"): Promise<AbstractEngine> {
  if (wish === "webgpu" && (await WebGPUEngine.IsSupportedAsync)) {
    const adapter = await navigator.gpu.requestAdapter();
    const timestamps: GPUFeatureName[] = adapter?.features.has("timestamp-query") ? ["timestamp-query"] : [];
    const engine = new WebGPUEngine(canvas, {
      antialias: true,
      adaptToDeviceRatio: true,
      powerPreference: "high-performance",
      deviceDescriptor: { requiredFeatures: timestamps },
      setMaximumLimits: false,
      canvasTabIndex: 0,
    });
    await engine.initAsync();
    return engine;
  }
  return new Engine(canvas, true, {
    adaptToDeviceRatio: true,
    preserveDrawingBuffer: true,
    stencil: false,
    canvasTabIndex: 0,
  });
}
