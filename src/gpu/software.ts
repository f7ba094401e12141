import type { GpuContext } from "./device";

/** Whether the adapter is a program on the CPU, where a workgroup has one core of few. */
export function isSoftware({ adapterName }: GpuContext): boolean {
  return /swiftshader|llvmpipe|basic render/i.test(adapterName);
}
