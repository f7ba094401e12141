import { PliantError } from "../errors";

/** @throws PliantError `no-adapter` */
export async function requestAdapter(gpu: GPU | undefined): Promise<GPUAdapter> {
  const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter)
    throw new PliantError("no-adapter", "WebGPU", gpu ? "no adapter" : "no navigator.gpu", "needs an adapter");
  return adapter;
}
