import { Buffer } from "@babylonjs/core/Buffers/buffer";
import type { DataBuffer } from "@babylonjs/core/Buffers/dataBuffer";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";

/**
 * A buffer that only the GPU writes, with a copy on the CPU for all of Babylon that asks for data: picking, serializers,
 * exporters, `getVerticesData`, `clone`.
 */
export class MirroredBuffer extends Buffer {
  /**
   * @param stride floats a vertex
   * @param mirror the copy as it is now, laid out as the buffer
   */
  constructor(
    engine: AbstractEngine,
    buffer: DataBuffer,
    stride: number,
    private readonly mirror: () => Float32Array,
  ) {
    super(engine, buffer, false, stride);
  }

  override getData(): Float32Array {
    return this.mirror();
  }
}
