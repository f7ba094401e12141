import { shaders } from "../../../generated/shaders/gpbd";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import { TETHERS, Tethers } from "./tethers";

interface BodyBuffers {
  readonly start: GPUBuffer;
  readonly displacement: GPUBuffer;
  readonly step: GPUBuffer;
}

/** Tethers of a body on the GPU. */
export class GpuTethers extends Tethers {
  private readonly buffer: GPUBuffer;
  private readonly writer;
  private kernel: Kernel | undefined;
  private written = 0;

  constructor(
    private readonly context: GpuContext,
    name: string,
    private readonly particleCount: number,
  ) {
    super();
    this.writer = new StructWriter(structs.Tether, TETHERS * particleCount);
    this.buffer = context.createBuffer(`${name} tethers`, this.writer.bytes.byteLength);
  }

  /** To be called when a buffer of the body was replaced. */
  configure(body: BodyBuffers): void {
    const all = { ...body, tethers: this.buffer };
    this.kernel = Kernel.create(this.context, "gpbd/tethers", shaders["gpbd/tethers"], "holdTethers", all);
  }

  /** Before a frame in which they hold. */
  beginFrame(body: BodyBuffers): void {
    if (!this.kernel) this.configure(body);
    if (this.version === this.written) return;
    this.written = this.version;
    this.anchors.forEach((anchor, i) => {
      this.writer.put(i, { anchor, reach: Math.min(this.lengths[i], 1e30) });
    });
    this.context.device.queue.writeBuffer(this.buffer, 0, this.writer.bytes);
  }

  dispatch(recorder: PassRecorder, offsets: Uint32Array): void {
    this.kernel!.dispatch(recorder.stage("tethers"), this.particleCount, offsets);
  }

  dispose(): void {
    this.buffer.destroy();
  }
}
