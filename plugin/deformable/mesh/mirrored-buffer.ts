import { Buffer } from "@babylonjs/core/Buffers/buffer";
import type { DataBuffer } from "@babylonjs/core/Buffers/dataBuffer";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";

/**
 * A buffer that only the GPU writes, with a copy on the CPU for all parts of Babylon that read data: picking,
 * serializers, exporters, `getVerticesData`, `clone`.
 */
export class MirroredBuffer extends Buffer {
  /**
   * @param stride floats a vertex
   * @param mirror returns the present copy, in the layout of the buffer
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
