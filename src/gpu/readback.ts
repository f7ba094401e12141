import type { GpuContext } from "./device";

/** Copies a buffer to the CPU once and waits for it. */
export async function readBuffer(
  context: GpuContext,
  source: GPUBuffer,
  byteLength = source.size,
): Promise<ArrayBuffer> {
  const { device } = context;
  const staging = device.createBuffer({
    label: `readback of ${source.label}`,
    size: byteLength,
    usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, 0, staging, 0, byteLength);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const bytes = staging.getMappedRange().slice(0);
  staging.destroy();
  return bytes;
}

/**
 * A few staging buffers used in turn: the copy of one frame is mapped while the next frames run, so nothing waits. If
 * all buffers are in use, a frame is skipped.
 */
export class ReadbackRing {
  private readonly staging: { buffer: GPUBuffer; busy: boolean }[];
  private disposed = false;

  constructor(
    context: GpuContext,
    private readonly source: GPUBuffer,
    private readonly byteLength: number,
    depth = 3,
  ) {
    this.staging = Array.from({ length: depth }, () => ({
      buffer: context.device.createBuffer({
        label: `readback ring of ${source.label}`,
        size: byteLength,
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
      }),
      busy: false,
    }));
  }

  /**
   * Encodes the copy; call the returned function after the submit. It resolves when the bytes have been handed to
   * `receive`, which must not keep them.
   *
   * @param sourceOffset offset of the bytes in the source
   * @returns undefined if every staging buffer is still in use
   */
  encode(
    encoder: GPUCommandEncoder,
    receive: (bytes: ArrayBuffer) => void,
    sourceOffset = 0,
  ): (() => Promise<void>) | undefined {
    const slot = this.staging.find((candidate) => !candidate.busy);
    if (!slot) return undefined;
    slot.busy = true;
    encoder.copyBufferToBuffer(this.source, sourceOffset, slot.buffer, 0, this.byteLength);
    return async () => {
      // Copies of one frame are mapped one after the other: the body may be removed before this copy arrives.
      if (this.disposed) {
        slot.buffer.destroy();
        return;
      }
      try {
        await slot.buffer.mapAsync(GPUMapMode.READ);
        if (!this.disposed) receive(slot.buffer.getMappedRange());
        slot.buffer.unmap();
      } catch {
        // The device was lost during the copy: no data arrives.
      } finally {
        slot.busy = false;
        if (this.disposed) slot.buffer.destroy();
      }
    };
  }

  /** Frees the buffers; those that a copy is under way to, after it: Dawn's binding for Node does not survive a map that is broken off. */
  dispose(): void {
    this.disposed = true;
    for (const { buffer, busy } of this.staging) if (!busy) buffer.destroy();
  }
}
