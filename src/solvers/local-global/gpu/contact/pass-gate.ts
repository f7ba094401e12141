/**
 * Only the GPU knows whether a later pass of a step happens, another attempt at a frame, or its repair: all their dispatches are encoded,
 * with numbers of workgroups that are zero if they are not needed.
 */
import * as constants from "../../../../generated/constants";
import { shaders } from "../../../../generated/shaders/local-global";
import type { GpuContext } from "../../../../gpu/device";
import { Kernel } from "../../../../gpu/kernel";

/** Room for so many numbers of workgroups. */
const ROOM = 512;
/** Bytes of a number as an indirect dispatch wants it. */
const GROUP = 16;
/** Bytes of a `GateCount`. */
const COUNT = 8;
const noOffsets = new Uint32Array(1);

/** Dispatches kernels: always, or only if a gate is open. */
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

export class PassGate {
  readonly pass = this.on(constants.GATE_PASS);
  readonly attempt = this.on(constants.GATE_ATTEMPT);
  readonly hold = this.on(constants.GATE_HOLD);
  /** by their names in the shader */
  private readonly buffers: { readonly gateCounts: GPUBuffer; readonly gateGroups: GPUBuffer };
  private readonly kernel: Kernel;
  /** places of numbers of workgroups, for each condition */
  private readonly places = new Map<number, number>();

  /** @param bindings of contact */
  constructor(
    private readonly context: GpuContext,
    bindings: { readonly control: GPUBuffer; readonly trust: GPUBuffer },
  ) {
    this.buffers = {
      gateCounts: context.createBuffer("local-global gate counts", COUNT * ROOM),
      gateGroups: context.createBuffer("local-global gate workgroups", GROUP * ROOM, GPUBufferUsage.INDIRECT),
    };
    const name = "local-global/pass-gate";
    this.kernel = Kernel.create(context, name, shaders[name], "openGate", { ...this.buffers, ...bindings });
  }

  /** After what the conditions depend on. */
  encode(pass: GPUComputePassEncoder): void {
    this.kernel.dispatch(pass, ROOM, noOffsets);
  }

  /** Before a frame: numbers of workgroups that are in use no more make place. */
  begin(): void {
    if (this.places.size > ROOM / 2) this.places.clear();
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }

  private on(condition: number): Gate {
    return {
      dispatchWorkgroups: (kernel, pass, workgroups, offsets) => {
        const key = workgroups * CONDITIONS + condition;
        let place = this.places.get(key);
        if (place === undefined) {
          place = this.places.size;
          this.places.set(key, place);
          // frames are submitted in the order in which they are encoded
          const count = Uint32Array.of(workgroups, condition);
          this.context.device.queue.writeBuffer(this.buffers.gateCounts, COUNT * place, count);
        }
        kernel.dispatchIndirect(pass, this.buffers.gateGroups, offsets, GROUP * place);
      },
    };
  }
}

const CONDITIONS = 4;
