import { shaders } from "../../../generated/shaders/gpbd";
import { ParticleRange } from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import type { GpbdModel } from "../model";
import type { RangeTable } from "../../deformable";

/** In place of an infinite distance [m]. */
const FAR = 1e30;

/** Keeps particles of a body near places that an animation moves, as `holdInRange` does. */
export class GpuRange {
  private readonly writer: StructWriter<typeof ParticleRange>;
  private readonly ranges: GPUBuffer;
  private kernel: Kernel | undefined;
  private configuredFor: GPUBuffer | undefined;

  constructor(
    private readonly context: GpuContext,
    { name, particleCount }: GpbdModel,
  ) {
    this.writer = new StructWriter(ParticleRange, particleCount);
    this.ranges = context.createBuffer(`${name} ranges`, this.writer.bytes.byteLength);
  }

  /**
   * Before a frame.
   *
   * @param buffers of the body, whose buffer of substeps may have been made anew
   */
  write(
    { before, places, normals, maxDistances, backstops }: RangeTable,
    buffers: Readonly<Record<"start" | "displacement" | "pins" | "step", GPUBuffer>>,
  ): void {
    if (this.configuredFor !== buffers.step) {
      this.configuredFor = buffers.step;
      const all = { ...buffers, ranges: this.ranges };
      this.kernel = Kernel.create(this.context, "gpbd/range", shaders["gpbd/range"], "holdInRange", all);
    }
    const { writer } = this;
    for (let p = 0; p < this.writer.count; p++) {
      const three = (list: Float64Array): Float64Array => list.subarray(3 * p, 3 * p + 3);
      writer.put(p, {
        before: three(before),
        maxDistance: Math.min(FAR, maxDistances[p]),
        place: three(places),
        backstop: Math.min(FAR, backstops[p]),
        normal: three(normals),
      });
    }
    this.context.device.queue.writeBuffer(this.ranges, 0, writer.bytes);
  }

  dispatch(recorder: PassRecorder, slot: Uint32Array): void {
    this.kernel!.dispatch(recorder.stage("range"), this.writer.count, slot);
  }

  dispose(): void {
    this.ranges.destroy();
  }
}
