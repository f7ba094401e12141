import { buildIncidence } from "../../../geometry/surface/incidence";
import { vertexRings } from "../../../geometry/surface/rings";
import * as constants from "../../../generated/constants";
import { shaders } from "../../../generated/shaders/gpbd";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { KernelMaker } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import { type DeformableModel, pinHolds, type PinTable } from "../../deformable";
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
    body: InflatedBuffers,
  ) {
    const n = model.particleCount;
    const rings = vertexRings(model.faces, buildIncidence(model.faces, n));
    const named = (what: string): string => `${model.name} ${what}`;
    this.buffers = {
      places: context.createBuffer(named("places"), 16 * n),
      directions: context.createBuffer(named("directions of pressure"), 16 * n),
      partialSums: context.createBuffer(named("volume sums"), structs.InflationSums.size * Math.ceil(n / CHUNK)),
      ringOffsets: context.createBuffer(named("ring offsets"), rings.offsets),
      ringEntries: context.createBuffer(named("ring entries"), rings.entries),
      inflationState: context.createBuffer(named("pressure"), structs.InflationState.size),
      inflation: context.createUniformBuffer(named("pressure law"), this.parameters.bytes.byteLength),
    };
    this.parameters.set(0, "side", side);
    this.configure(body);
  }

  /** To be called when a buffer of the body was replaced. */
  configure(body: InflatedBuffers): void {
    this.kernels = this.createKernels({ ...body, ...this.buffers });
  }

  private createKernels(all: InflatedBuffers & GpuInflation["buffers"]) {
    const make = new KernelMaker(this.context, shaders);
    return {
      ...make.some("gpbd/inflation", ["findPlaces", "gatherVolume", "solvePressure", "noteTurning", "pushOut"], all),
      begin: make.one("gpbd/inflation", "solvePressure", all, { isFirst: 1 }),
    };
  }

  /** The particle about which the body has angular momentum, see kept-turn.ts. */
  private pivotOf(pins: PinTable): number {
    const { masses, particleCount } = this.model;
    let pivot = constants.TURNS_FREELY;
    for (let p = 0; p < particleCount; p++)
      if (masses[p] === 0 || pinHolds(pins, p)) {
        if (pivot !== constants.TURNS_FREELY) return constants.TURN_HELD;
        pivot = p;
      }
    return pivot;
  }

  /** Before a frame. */
  write(law: PressureLaw, pins: PinTable): void {
    this.parameters.set(0, "pivot", this.pivotOf(pins));
    for (const field of ["gauge", "amount", "slope", "floor"] as const) this.parameters.set(0, field, law[field]);
    this.context.device.queue.writeBuffer(this.buffers.inflation, 0, this.parameters.bytes);
  }

  /** @param isFirst after the prediction, else after a sweep over the other terms */
  dispatch(recorder: PassRecorder, offsets: Uint32Array, isFirst: boolean): void {
    const { findPlaces, gatherVolume, begin, solvePressure, pushOut } = this.kernels!;
    const pass = recorder.stage("pressure");
    const n = this.model.particleCount;
    findPlaces.dispatch(pass, n, offsets);
    gatherVolume.dispatch(pass, Math.ceil(n / CHUNK), offsets);
    (isFirst ? begin : solvePressure).dispatchWorkgroups(pass, 1, offsets);
    pushOut.dispatch(pass, n, offsets);
  }

  /** Before a sweep whose start is not that of the last pressure. */
  note(recorder: PassRecorder, offsets: Uint32Array): void {
    const { findPlaces, gatherVolume, noteTurning } = this.kernels!;
    const pass = recorder.stage("pressure");
    const n = this.model.particleCount;
    findPlaces.dispatch(pass, n, offsets);
    gatherVolume.dispatch(pass, Math.ceil(n / CHUNK), offsets);
    noteTurning.dispatchWorkgroups(pass, 1, offsets);
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }
}
