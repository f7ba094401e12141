import { shaders } from "../../../generated/shaders/tethers";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import type { GpuTerm } from "../elements/gpu-term";
import type { GpbdModel } from "../model";
import { membraneOf, membraneStiffness } from "./swing";

interface MovingBuffers {
  readonly start: GPUBuffer;
  readonly velocity: GPUBuffer;
}

const NO_OFFSETS = new Uint32Array();

/** Damping of the swing of a sheet on the GPU, see swing.ts: a kernel writes the material that the sweeps after it read. */
export class GpuSwing {
  private readonly uniform: GPUBuffer;
  private readonly parameters = new StructWriter(structs.SwingParameters, 1);
  private kernel: Kernel | undefined;
  /** that the kernel writes */
  private material: GPUBuffer | undefined;
  private isOn = false;

  constructor(
    private readonly context: GpuContext,
    name: string,
  ) {
    this.uniform = context.createUniformBuffer(`${name} swing parameters`, structs.SwingParameters.size);
  }

  /** @param time τ in the frame; undefined where nothing is damped [s] */
  beginFrame({ start, velocity }: MovingBuffers, model: GpbdModel, terms: readonly GpuTerm[], time?: number): void {
    const { context, uniform: parameters, parameters: writer } = this;
    const { queue } = context.device;
    const term = membraneOf(model);
    const wasOn = this.isOn;
    this.isOn = term !== undefined && time !== undefined;
    if (!term || !(wasOn || this.isOn)) return;
    const { elements, material } = terms[model.terms.indexOf(term)];
    const coefficients = term.material.subarray(0, 4);
    if (!this.isOn) {
      // As it was.
      queue.writeBuffer(material, 0, Float32Array.from(coefficients));
      return;
    }
    if (material !== this.material) {
      this.material = material;
      const all = { start, velocity, elements, material, parameters };
      this.kernel = Kernel.create(context, "tethers/swing", shaders["tethers/swing"], "stiffen", all);
    }
    const stiffness = membraneStiffness(model.sheet!);
    writer.put(0, { stiffness, coefficients, time, elementCount: term.elementCount });
    queue.writeBuffer(parameters, 0, writer.bytes);
  }

  /** At the start of a substep. */
  dispatch(recorder: PassRecorder): void {
    if (this.isOn) this.kernel!.dispatchWorkgroups(recorder.stage("tethers"), 1, NO_OFFSETS);
  }

  dispose(): void {
    this.uniform.destroy();
  }
}
