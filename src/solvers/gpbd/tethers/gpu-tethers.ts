import { shaders } from "../../../generated/shaders/tethers";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import type { GpbdStepOptions } from "../options";
import { TETHERS, Tethers } from "./tethers";

interface BodyBuffers {
  readonly start: GPUBuffer;
  readonly displacement: GPUBuffer;
}

const NO_OFFSETS = new Uint32Array();

/** Tethers of a body on the GPU. */
export class GpuTethers extends Tethers {
  private readonly buffer: GPUBuffer;
  private readonly uniform: GPUBuffer;
  private readonly writer;
  private readonly parameters = new StructWriter(structs.TetherParameters, 1);
  private kernel: Kernel | undefined;
  private written = 0;
  /** whether they hold in the frame */
  private holds = false;

  constructor(
    private readonly context: GpuContext,
    name: string,
    private readonly particleCount: number,
  ) {
    super();
    this.writer = new StructWriter(structs.Tether, TETHERS * particleCount);
    this.buffer = context.createBuffer(`${name} tethers`, this.writer.bytes.byteLength);
    this.uniform = context.createUniformBuffer(`${name} tether parameters`, structs.TetherParameters.size);
  }

  /** @param h time of a substep [s] */
  beginFrame({ start, displacement }: BodyBuffers, { tetherSlack: slack }: Readonly<GpbdStepOptions>, h: number): void {
    const { context, buffer: tethers, uniform: parameters, particleCount } = this;
    const { queue } = context.device;
    this.holds = slack !== undefined;
    if (slack === undefined) return;
    this.kernel ??= Kernel.create(context, "tethers/tethers", shaders["tethers/tethers"], "holdTethers", {
      start,
      displacement,
      tethers,
      parameters,
    });
    this.parameters.put(0, { slack, rest: this.rest(h), particleCount });
    queue.writeBuffer(parameters, 0, this.parameters.bytes);
    if (this.version === this.written) return;
    this.written = this.version;
    this.anchors.forEach((anchor, i) => {
      this.writer.put(i, { anchor, reach: Math.min(this.lengths[i], 1e30) });
    });
    queue.writeBuffer(tethers, 0, this.writer.bytes);
  }

  dispatch(recorder: PassRecorder): void {
    if (this.holds) this.kernel!.dispatch(recorder.stage("tethers"), this.particleCount, NO_OFFSETS);
  }

  dispose(): void {
    this.buffer.destroy();
    this.uniform.destroy();
  }
}
