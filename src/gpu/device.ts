import { deviceLimit } from "../errors";
import { requestAdapter } from "./adapter";

/** Pipelines by device: a scene that is made again on the same engine does not compile them again. */
const pipelinesOf = new WeakMap<GPUDevice, Map<string, unknown>>();

/** A WebGPU device with the operations that the engine needs. It knows nothing of physics. */
export class GpuContext {
  private readonly pipelines: Map<string, unknown> = pipelinesOf.get(this.device) ?? new Map<string, unknown>();
  /** buffers made by the innermost running `allOrNothing` */
  private made: GPUBuffer[] | undefined;

  /** @param adapterName the adapter's own name */
  constructor(
    readonly device: GPUDevice,
    readonly adapterName: string,
  ) {
    pipelinesOf.set(device, this.pipelines);
  }

  /**
   * Creates a storage buffer filled with `data`, or with zeros for a number of bytes.
   *
   * @throws PliantError `device-limit` if the device cannot bind a buffer of that size
   */
  createBuffer(label: string, data: ArrayBufferView | number, usage: GPUBufferUsageFlags = 0): GPUBuffer {
    const byteLength = typeof data === "number" ? data : data.byteLength;
    // Bindings must not be empty, and writes need multiples of four bytes.
    const size = Math.max(16, Math.ceil(byteLength / 4) * 4);
    const limit = Math.min(this.device.limits.maxStorageBufferBindingSize, this.device.limits.maxBufferSize);
    if (size > limit) throw deviceLimit(`GPU buffer "${label}"`, size, `must not exceed this device's ${limit} bytes`);
    const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC | usage;
    const buffer = this.device.createBuffer({ label, size, usage: all });
    this.made?.push(buffer);
    if (typeof data !== "number" && data.byteLength > 0)
      this.device.queue.writeBuffer(buffer, 0, data.buffer, data.byteOffset, data.byteLength);
    return buffer;
  }

  createUniformBuffer(label: string, byteLength: number): GPUBuffer {
    const buffer = this.device.createBuffer({
      label,
      size: Math.ceil(byteLength / 16) * 16,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
    });
    this.made?.push(buffer);
    return buffer;
  }

  /** Calls `create` and returns its result. If it throws, the buffers that it had made by then are destroyed. */
  allOrNothing<T>(create: () => T): T {
    const outer = this.made;
    const made: GPUBuffer[] = [];
    this.made = made;
    try {
      return create();
    } catch (error) {
      for (const buffer of made) buffer.destroy();
      throw error;
    } finally {
      this.made = outer;
    }
  }

  /** The cached object for this key, made by `create` on the first call: all worlds on the device share pipelines. */
  cached<T>(key: string, create: () => T): T {
    let value = this.pipelines.get(key) as T | undefined;
    if (value === undefined) {
      value = create();
      this.pipelines.set(key, value);
    }
    return value;
  }
}

/** Requests a device of the engine's own. @throws PliantError `no-adapter` */
export async function requestContext(gpu: GPU | undefined): Promise<GpuContext> {
  return contextOn(await requestAdapter(gpu));
}

/** As `requestContext`, of an adapter. */
export async function contextOn(adapter: GPUAdapter): Promise<GpuContext> {
  const requiredFeatures: GPUFeatureName[] = adapter.features.has("timestamp-query") ? ["timestamp-query"] : [];
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const device = await adapter.requestDevice({
    label: "Pliant",
    requiredFeatures,
    // Raised limits allow larger bodies; everything else fits the default limits.
    requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
  });
  return new GpuContext(device, describeAdapter(adapter.info));
}

export function describeAdapter(info: GPUAdapterInfo | undefined): string {
  if (!info) return "webgpu";
  return [info.vendor, info.architecture, info.description].filter(Boolean).join(" ") || "webgpu";
}
