/**
 * Only the GPU knows whether a later pass of a step happens: all its dispatches are encoded, with numbers of workgroups that are zero
 * if it is not needed.
 */
import { shaders } from "../../../../generated/shaders/local-global";
import type { GpuContext } from "../../../../gpu/device";
import { Kernel } from "../../../../gpu/kernel";

/** Room for so many numbers of workgroups. */
const ROOM = 256;
/** Bytes of a number as an indirect dispatch wants it. */
const GROUP = 16;
const noOffsets = new Uint32Array(1);

/** Dispatches the kernels of a pass: always, or only if a gate is open. */
export interface Gate {
  dispatchWorkgroups(kernel: Kernel, pass: GPUComputePassEncoder, workgroups: number, offsets: Uint32Array): void;
}

/** Of the first pass. */
export const openGate: Gate = {
  dispatchWorkgroups: (kernel, pass, workgroups, offsets) => kernel.dispatchWorkgroups(pass, workgroups, offsets),
};

/** As `Kernel.dispatch`. */
export function dispatch(
  gate: Gate,
  kernel: Kernel,
  pass: GPUComputePassEncoder,
  threads: number,
  offsets: Uint32Array,
): void {
  const workgroups = kernel.workgroupsFor(threads);
  if (workgroups > 0) gate.dispatchWorkgroups(kernel, pass, workgroups, offsets);
}

export class PassGate implements Gate {
  /** by their names in the shader */
  private readonly buffers: { readonly gateCounts: GPUBuffer; readonly gateGroups: GPUBuffer };
  private readonly kernel: Kernel;
  /** places of numbers of workgroups */
  private readonly places = new Map<number, number>();

  /** @param control of contact */
  constructor(
    private readonly context: GpuContext,
    control: GPUBuffer,
  ) {
    this.buffers = {
      gateCounts: context.createBuffer("local-global gate counts", 4 * ROOM),
      gateGroups: context.createBuffer("local-global gate workgroups", GROUP * ROOM, GPUBufferUsage.INDIRECT),
    };
    const name = "local-global/pass-gate";
    this.kernel = Kernel.create(context, name, shaders[name], "openGate", { ...this.buffers, control });
  }

  /** After the detection for a pass. */
  encode(pass: GPUComputePassEncoder): void {
    this.kernel.dispatch(pass, ROOM, noOffsets);
  }

  /** Before a frame: numbers of workgroups that are in use no more make place. */
  begin(): void {
    if (this.places.size > ROOM / 2) this.places.clear();
  }

  dispatchWorkgroups(kernel: Kernel, pass: GPUComputePassEncoder, workgroups: number, offsets: Uint32Array): void {
    let place = this.places.get(workgroups);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(workgroups, place);
      // frames are submitted in the order in which they are encoded
      this.context.device.queue.writeBuffer(this.buffers.gateCounts, 4 * place, Uint32Array.of(workgroups));
    }
    kernel.dispatchIndirect(pass, this.buffers.gateGroups, offsets, GROUP * place);
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }
}
