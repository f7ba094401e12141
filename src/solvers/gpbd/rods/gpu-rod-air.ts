import { shaders } from "../../../generated/shaders/rods";
import { buildIncidence } from "../../../geometry/surface/incidence";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import type { RodSet } from "./rod-set";

/** Drag of the air on the particles of rods, as `RodAir` has it. */
export class GpuRodAir {
  private readonly buffers: Readonly<Record<"edges" | "edgeOffsets" | "edgeEntries", GPUBuffer>>;
  private kernel: Kernel | undefined;

  constructor(
    private readonly context: GpuContext,
    name: string,
    private readonly particleCount: number,
    { edges }: RodSet,
  ) {
    const incidence = buildIncidence(edges, particleCount);
    this.buffers = {
      edges: context.createBuffer(`${name} edges in the air`, edges),
      edgeOffsets: context.createBuffer(`${name} edge offsets`, incidence.offsets),
      edgeEntries: context.createBuffer(`${name} edge entries`, incidence.entries),
    };
  }

  configure(shared: Readonly<Record<"start" | "velocity" | "particleAir" | "step" | "windField", GPUBuffer>>): void {
    const all = { ...this.buffers, ...shared };
    this.kernel = Kernel.create(this.context, "rods/rod-air", shaders["rods/rod-air"], "airOnRods", all);
  }

  dispatch(recorder: PassRecorder, slot: Uint32Array): void {
    this.kernel!.dispatch(recorder.stage("air"), this.particleCount, slot);
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }
}
