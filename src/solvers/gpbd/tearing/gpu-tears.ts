import { buildIncidence } from "../../../geometry/surface/incidence";
import { shaders } from "../../../generated/shaders/gpbd";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { GpbdModel } from "../model";
import type { Tear } from "../../deformable";
import type { BuffersOf } from "../../../words";

/** Buffers of the body that tears change. */
type TornBuffers = BuffersOf<"start velocity clearance faces faceOffsets faceEntries">;

const noOffsets = new Uint32Array();

/** Tears of a body on the GPU: its state stays there, new particles copy theirs. */
export class GpuTears {
  private readonly splits: GPUBuffer;
  private readonly kernel: Kernel;

  constructor(
    private readonly context: GpuContext,
    private readonly model: GpbdModel,
    private readonly body: TornBuffers,
  ) {
    // Each particle can be new once.
    this.splits = context.createBuffer(`${model.name} splits`, 4 + 8 * model.particleCount);
    const { start, velocity, clearance } = body;
    const all = { start, velocity, clearance, splits: this.splits };
    const name = "gpbd/split-particles";
    this.kernel = Kernel.create(context, name, shaders[name], "splitParticles", all);
  }

  apply({ splits }: Tear): void {
    const { device } = this.context;
    const { queue } = device;
    const { faces, particleCount } = this.model;
    const { offsets, entries } = buildIncidence(faces, particleCount);
    queue.writeBuffer(this.body.faces, 0, faces as Uint32Array<ArrayBuffer>);
    queue.writeBuffer(this.body.faceOffsets, 0, offsets as Uint32Array<ArrayBuffer>);
    queue.writeBuffer(this.body.faceEntries, 0, entries as Uint32Array<ArrayBuffer>);
    // All at once: what comes from a new particle comes from where that does.
    const roots = new Map<number, number>();
    const pairs = splits.flatMap(({ from, to }) => {
      const root = roots.get(from) ?? from;
      roots.set(to, root);
      return [root, to];
    });
    queue.writeBuffer(this.splits, 0, Uint32Array.of(splits.length, ...pairs));
    const encoder = device.createCommandEncoder({ label: "Pliant tear" });
    const pass = encoder.beginComputePass({ label: "tear" });
    this.kernel.dispatch(pass, splits.length, noOffsets);
    pass.end();
    queue.submit([encoder.finish()]);
  }

  dispose(): void {
    this.splits.destroy();
  }
}
