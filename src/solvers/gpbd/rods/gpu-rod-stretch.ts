/** Stretch of rods on the GPU, see rod-stretch.ts. */
import { shaders } from "../../../generated/shaders/rods";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import { StructWriter } from "../../../gpu/struct";
import { uniformSlot, type SharedBuffers } from "../elements/gpu-term";
import type { EnergyTerm } from "../model";
import { BLOCK, elementsOfEdges } from "./rod-stretch";
import type { RodSet } from "./rod-set";

export class GpuRodStretch {
  private readonly buffers;
  private readonly edgeCount: number = this.rods.inertias.length;
  private readonly offsets = new Uint32Array(2);
  private kernel: Kernel | undefined;

  constructor(
    private readonly context: GpuContext,
    name: string,
    private readonly rods: RodSet,
    term: EnergyTerm,
  ) {
    this.buffers = {
      stretchEdges: context.createBuffer(`${name} stretch edges`, structs.StretchEdge.size * this.edgeCount),
      tensions: context.createBuffer(`${name} tensions`, 4 * this.edgeCount),
      range: context.createUniformBuffer(`${name} stretch ranges`, 4 * uniformSlot),
    };
    const writer = new StructWriter(structs.ElementRange, 4, uniformSlot);
    for (const slot of [0, 1, 2, 3]) {
      writer.set(slot, "first", slot >> 1);
      writer.set(slot, "count", this.edgeCount);
      writer.set(slot, "loadTracked", slot & 1);
    }
    context.device.queue.writeBuffer(this.buffers.range, 0, writer.bytes);
    this.write(term);
  }

  /** Takes over lengths and compliances. */
  write(term: EnergyTerm): void {
    const { edges } = this.rods;
    const writer = new StructWriter(structs.StretchEdge, this.edgeCount);
    elementsOfEdges(this.rods, term).forEach((element, e) => {
      writer.set(e, "vertices", edges.subarray(2 * e, 2 * e + 2));
      writer.set(e, "restLength", term.rest[2 * element]);
      writer.set(e, "compliance", term.rest[2 * element + 1]);
    });
    this.context.device.queue.writeBuffer(this.buffers.stretchEdges, 0, writer.bytes);
  }

  configure(shared: SharedBuffers): void {
    const module = shaders["rods/rod-stretch"];
    this.kernel = Kernel.create(this.context, "rods/rod-stretch", module, "stretch", { ...this.buffers, ...shared });
  }

  sweep(pass: GPUComputePassEncoder, substep: number, iteration: number): void {
    const blocks = Math.ceil(this.edgeCount / BLOCK);
    this.offsets[0] = substep * uniformSlot;
    for (const parity of [0, 1]) {
      const pieces = (blocks + 1 - parity) >> 1;
      if (pieces === 0) continue;
      this.offsets[1] = (2 * parity + (iteration > 0 ? 1 : 0)) * uniformSlot;
      this.kernel!.dispatchWorkgroups(pass, pieces, this.offsets);
    }
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }
}
