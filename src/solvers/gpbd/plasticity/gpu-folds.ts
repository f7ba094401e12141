import { shaders } from "../../../generated/shaders/folds";
import { Fold, FoldParameters } from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import { termLayout, type EnergyTerm, type GpbdModel } from "../model";
import { REST_CURVATURE } from "../strains/curvature-vectors";
import { curvatureUnits, plasticityByCurvature } from "./curvature-units";
import type { GpuPlasticBody } from "./gpu-plastic-body";
import type { ResolvedPlasticity } from "./plasticity";

/** In place of an infinite curvature. Its square is finite in f32. */
const ANY = 1e18;
/** Numbers of `Fold` on the GPU. */
const FOLD = Fold.size / 4;
const UNIT = FOLD - 1;
const { rest: REST } = termLayout["dihedral-bending"];

/** Folds of cloth that stay on the GPU, see folds.ts and folds.wgsl. */
export class GpuFolds implements GpuPlasticBody {
  private readonly bends: GPUBuffer;
  private readonly rests: GPUBuffer;
  private readonly parameters: GPUBuffer;
  private readonly writer = new StructWriter(FoldParameters, 1);
  private readonly none = new Uint32Array();
  private plasticity: ResolvedPlasticity | undefined;
  private kernels: { readonly fold: Kernel; readonly takeBends: Kernel } | undefined;
  /** whether elements were written since they took their curvatures */
  private isStale = false;

  constructor(
    private readonly context: GpuContext,
    private model: GpbdModel,
  ) {
    const size = 4 * FOLD * this.term.elementCount;
    this.bends = context.createBuffer(`${model.name} folds`, size);
    this.rests = context.createBuffer(`${model.name} curvature at rest`, size);
    this.parameters = context.createBuffer(`${model.name} plasticity`, this.writer.bytes.byteLength);
    this.write();
    this.replaceModel(model);
  }

  private get term(): EnergyTerm {
    return this.model.terms.at(-1)!;
  }

  replaceModel(model: GpbdModel): void {
    this.model = model;
    const { rest } = this.term;
    const units = curvatureUnits(model);
    this.plasticity = plasticityByCurvature(model, units);
    this.writeFolds(this.rests, (e, i) => rest[REST * e + REST_CURVATURE + i]!, units);
  }

  configure(buffers: { readonly start: GPUBuffer; readonly elements: GPUBuffer }): void {
    const module = shaders["folds/folds"];
    const { bends, rests, parameters: plasticity, context } = this;
    const all = { ...buffers, bends, rests, plasticity };
    this.kernels = {
      fold: Kernel.create(context, "folds/folds", module, "fold", all),
      takeBends: Kernel.create(context, "folds/folds", module, "takeBends", all),
    };
    this.isStale = true;
  }

  beginFrame(recorder: PassRecorder, dt: number): void {
    const { plasticity } = this;
    const { elementCount } = this.term;
    this.writer.put(0, {
      yieldCurvature: plasticity?.yield ?? ANY,
      kept: plasticity ? 1 / (1 + plasticity.creep * dt) : 1,
      most: Math.min(ANY, plasticity?.max ?? ANY),
      elementCount,
    });
    this.context.device.queue.writeBuffer(this.parameters, 0, this.writer.bytes);
    if (this.isStale) this.kernels!.takeBends.dispatch(recorder.stage("plasticity"), elementCount, this.none);
    this.isStale = false;
  }

  dispatch(recorder: PassRecorder): void {
    this.kernels!.fold.dispatch(recorder.stage("plasticity"), this.term.elementCount, this.none);
  }

  async read(): Promise<Float32Array> {
    const folds = new Float32Array(await readBuffer(this.context, this.bends));
    return folds.filter((_, i) => i % 4 < 3);
  }

  write(bends?: ArrayLike<number>): void {
    this.writeFolds(this.bends, (e, i) => bends?.[9 * e + i] ?? 0);
    this.isStale = true;
  }

  private writeFolds(buffer: GPUBuffer, valueOf: (element: number, i: number) => number, units?: Float64Array): void {
    const folds = new Float32Array(FOLD * this.term.elementCount);
    for (let e = 0; e < this.term.elementCount; e++) {
      for (let i = 0; i < 9; i++) folds[FOLD * e + 4 * Math.floor(i / 3) + (i % 3)] = valueOf(e, i);
      folds[FOLD * e + UNIT] = units?.[e] ?? 0;
    }
    this.context.device.queue.writeBuffer(buffer, 0, folds);
  }

  dispose(): void {
    for (const buffer of [this.bends, this.rests, this.parameters]) buffer.destroy();
  }
}
