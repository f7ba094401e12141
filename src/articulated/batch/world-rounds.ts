import * as structs from "../../generated/structs";
import { MANY_LANES } from "../../generated/constants";
import type { GpuContext } from "../../gpu/device";
import type { Kernel } from "../../gpu/kernel";
import { StructWriter } from "../../gpu/struct";

/** Bytes between slots of a uniform with dynamic offset (minUniformBufferOffsetAlignment of every device). */
const uniformSlot = 256;

/** The worlds of a workgroup, and the invocations of a world. */
export interface WorldLayout {
  readonly together: number;
  readonly lanes: number;
}

export const laneAWorld: WorldLayout = { together: 64, lanes: 1 };
export const workgroupAWorld: WorldLayout = { together: 1, lanes: MANY_LANES };

/** Values of `BatchParameters` by name. */
export type ParameterValues = Parameters<StructWriter<typeof structs.BatchParameters>["put"]>[1];

/** Dispatches over all worlds: in rounds, if the device does not hold the scratch memory of all of them at once. */
export class WorldRounds {
  readonly scratch: GPUBuffer;
  readonly parameters: GPUBuffer;
  private readonly writer: StructWriter<typeof structs.BatchParameters>;
  /** worlds of a dispatch */
  private readonly size: number;
  private readonly offsets = new Uint32Array(1);
  private isWritten = false;

  /**
   * @param scratchSize numbers of scratch memory for each world
   * @throws PliantError `device-limit` if the device does not hold the scratch memory of a single workgroup
   */
  constructor(
    private readonly context: GpuContext,
    label: string,
    private readonly worlds: number,
    scratchSize: number,
    values: ParameterValues,
    private readonly layout: WorldLayout = laneAWorld,
  ) {
    const { together } = layout;
    const { maxStorageBufferBindingSize, maxBufferSize, maxComputeWorkgroupsPerDimension } = context.device.limits;
    const limit = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    const fitting = Math.max(1, Math.floor(limit / (4 * scratchSize * together))) * together;
    const most = together * maxComputeWorkgroupsPerDimension;
    this.size = Math.min(fitting, most, Math.ceil(worlds / together) * together);
    this.scratch = context.createBuffer(`${label} scratch`, 4 * scratchSize * this.size);
    const rounds = Math.ceil(worlds / this.size);
    this.parameters = context.createUniformBuffer(`${label} parameters`, rounds * uniformSlot);
    this.writer = new StructWriter(structs.BatchParameters, rounds, uniformSlot);
    for (let round = 0; round < rounds; round++)
      this.writer.put(round, { ...values, firstWorld: round * this.size, lanes: this.size, scratchSize });
  }

  /** Changes values for later dispatches. */
  set(values: ParameterValues): void {
    for (let round = 0; round < this.writer.count; round++) this.writer.put(round, values);
    this.isWritten = false;
  }

  /** Writes values that changed. */
  write(): void {
    if (this.isWritten) return;
    this.isWritten = true;
    this.context.device.queue.writeBuffer(this.parameters, 0, this.writer.bytes);
  }

  /** Encodes a kernel for all worlds. */
  dispatch(kernel: Kernel, encoder: GPUCommandEncoder): void {
    const pass = encoder.beginComputePass({ label: kernel.label });
    for (let round = 0; round < this.writer.count; round++) {
      this.offsets[0] = round * uniformSlot;
      const worlds = Math.min(this.size, this.worlds - round * this.size);
      kernel.dispatch(pass, worlds * this.layout.lanes, this.offsets);
    }
    pass.end();
  }

  dispose(): void {
    this.scratch.destroy();
    this.parameters.destroy();
  }
}
