import { buildIncidence } from "../../../geometry/surface/incidence";
import { vertexRings } from "../../../geometry/surface/rings";
import * as constants from "../../../generated/constants";
import { shaders } from "../../../generated/shaders/gpbd";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { KernelMaker } from "../../../gpu/kernel";
import { StructWriter } from "../../../gpu/struct";
import type { DeformableModel } from "../../deformable";
import type { PressureLaw } from "./inflation";

/** Particles of an invocation of inflation.wgsl. */
const CHUNK = constants.VOLUME_CHUNK;

/** Buffers of the body that pressure works on. */
export interface InflatedBuffers {
  readonly start: GPUBuffer;
  readonly displacement: GPUBuffer;
  readonly step: GPUBuffer;
}

/** Pressure in a closed surface on the GPU. */
export class GpuInflation {
  readonly buffers;
  private readonly parameters = new StructWriter(structs.InflationParameters, 1);
  private kernels: ReturnType<GpuInflation["createKernels"]> | undefined;

  constructor(
    private readonly context: GpuContext,
    private readonly model: DeformableModel,
    side: number,
  ) {
    const n = model.particleCount;
    const rings = vertexRings(model.faces, buildIncidence(model.faces, n));
    const named = (what: string): string => `${model.name} ${what}`;
    this.buffers = {
      places: context.createBuffer(named("places"), 16 * n),
      directions: context.createBuffer(named("directions of pressure"), 16 * n),
      partialSums: context.createBuffer(named("volume sums"), 8 * Math.ceil(n / CHUNK)),
      ringOffsets: context.createBuffer(named("ring offsets"), rings.offsets),
      ringEntries: context.createBuffer(named("ring entries"), rings.entries),
      inflationState: context.createBuffer(named("pressure"), structs.InflationState.size),
      inflation: context.createUniformBuffer(named("pressure law"), this.parameters.bytes.byteLength),
    };
    this.parameters.set(0, "side", side);
  }

  /** To be called when a buffer of the body was replaced. */
  configure(body: InflatedBuffers): void {
    this.kernels = this.createKernels({ ...body, ...this.buffers });
  }

  private createKernels(all: InflatedBuffers & GpuInflation["buffers"]) {
    const make = new KernelMaker(this.context, shaders);
    return {
      ...make.some("gpbd/inflation", ["findPlaces", "gatherVolume", "solvePressure", "pushOut"], all),
      begin: make.one("gpbd/inflation", "solvePressure", all, { isFirst: 1 }),
    };
  }

  /** Before a frame. */
  write(law: PressureLaw): void {
    for (const field of ["gauge", "amount", "slope", "floor"] as const) this.parameters.set(0, field, law[field]);
    this.context.device.queue.writeBuffer(this.buffers.inflation, 0, this.parameters.bytes);
  }

  /** @param isFirst after the prediction, else after a sweep over the other terms */
  dispatch(pass: GPUComputePassEncoder, offsets: Uint32Array, isFirst: boolean): void {
    const { findPlaces, gatherVolume, begin, solvePressure, pushOut } = this.kernels!;
    const n = this.model.particleCount;
    findPlaces.dispatch(pass, n, offsets);
    gatherVolume.dispatch(pass, Math.ceil(n / CHUNK), offsets);
    (isFirst ? begin : solvePressure).dispatchWorkgroups(pass, 1, offsets);
    pushOut.dispatch(pass, n, offsets);
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }
}
