import type { shaders as folds } from "../../../generated/shaders/folds";
import type { shaders as solids } from "../../../generated/shaders/solids";
import { PlasticParameters, PlasticRows } from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import type { EnergyTerm, GpbdModel } from "../model";
import type { ResolvedPlasticity } from "./plasticity";

/** In place of an infinite strain or curvature. Its square is finite in f32. */
const ANY = 1e18;
/** Numbers of `PlasticRows` on the GPU. */
const ROWS = PlasticRows.size / 4;
const UNIT = ROWS - 1;

/** Elements that flow: how their rest data are nine numbers, and which shader lets these flow. */
export interface PlasticElements {
  /** of the module */
  readonly name: string;
  readonly module: (typeof folds)["folds/folds"] | (typeof solids)["solids/plastic-flow"];
  /** first of the nine numbers in the rest data of an element */
  readonly at: number;
  /** of nine numbers that have not flowed, number i */
  readonly unflowed: (i: number) => number;
  /** see `curvatureUnits` */
  readonly unitsOf?: (model: GpbdModel) => Float64Array;
  readonly plasticityOf: (model: GpbdModel, units?: Float64Array) => ResolvedPlasticity | undefined;
}

/** The part of a body's elements that flows, on the GPU: its last term. */
export class GpuPlasticBody {
  private readonly permanent: GPUBuffer;
  private readonly rests: GPUBuffer;
  private readonly parameters: GPUBuffer;
  private readonly writer = new StructWriter(PlasticParameters, 1);
  private readonly none = new Uint32Array();
  private plasticity: ResolvedPlasticity | undefined;
  private kernels: { readonly flow: Kernel; readonly restore: Kernel } | undefined;
  /** whether elements were written since they took what has flowed */
  private isStale = false;

  constructor(
    private readonly context: GpuContext,
    private model: GpbdModel,
    private readonly elements: PlasticElements,
  ) {
    const size = 4 * ROWS * this.term.elementCount;
    this.permanent = context.createBuffer(`${model.name} plastic shapes`, size);
    this.rests = context.createBuffer(`${model.name} shapes at rest`, size);
    this.parameters = context.createBuffer(`${model.name} plasticity`, this.writer.bytes.byteLength);
    this.write();
    this.replaceModel(model);
  }

  private get term(): EnergyTerm {
    return this.model.terms.at(-1)!;
  }

  /** Goes on with another material of the same elements. */
  replaceModel(model: GpbdModel): void {
    this.model = model;
    const { rest, elementCount } = this.term;
    const { at, unitsOf, plasticityOf } = this.elements;
    const units = unitsOf?.(model);
    this.plasticity = plasticityOf(model, units);
    this.writeRows(this.rests, (e, i) => rest[(rest.length / elementCount) * e + at + i]!, units);
  }

  /** @param buffers positions at the end of a frame, and elements of the term */
  configure(buffers: { readonly start: GPUBuffer; readonly elements: GPUBuffer }): void {
    const { name, module } = this.elements;
    const { permanent, rests, parameters: plasticity, context } = this;
    const all = { ...buffers, permanent, rests, plasticity };
    this.kernels = {
      flow: Kernel.create(context, name, module, "flow", all),
      restore: Kernel.create(context, name, module, "restore", all),
    };
    this.isStale = true;
  }

  /** @param dt frame time [s] */
  beginFrame(recorder: PassRecorder, dt: number): void {
    const { plasticity } = this;
    const { elementCount } = this.term;
    this.writer.put(0, {
      yieldAt: plasticity?.yield ?? ANY,
      kept: plasticity ? 1 / (1 + plasticity.creep * dt) : 1,
      most: Math.min(ANY, plasticity?.max ?? ANY),
      elementCount,
    });
    this.context.device.queue.writeBuffer(this.parameters, 0, this.writer.bytes);
    if (this.isStale) this.kernels!.restore.dispatch(recorder.stage("plasticity"), elementCount, this.none);
    this.isStale = false;
  }

  /** At the end of a frame. */
  dispatch(recorder: PassRecorder): void {
    this.kernels!.flow.dispatch(recorder.stage("plasticity"), this.term.elementCount, this.none);
  }

  /** See `BodyState.plastic`. */
  async read(): Promise<Float32Array> {
    const rows = new Float32Array(await readBuffer(this.context, this.permanent));
    return rows.filter((_, i) => i % 4 < 3);
  }

  /** @param values default: nothing has flowed */
  write(values?: ArrayLike<number>): void {
    this.writeRows(this.permanent, (e, i) => values?.[9 * e + i] ?? this.elements.unflowed(i));
    this.isStale = true;
  }

  private writeRows(buffer: GPUBuffer, valueOf: (element: number, i: number) => number, units?: Float64Array): void {
    const rows = new Float32Array(ROWS * this.term.elementCount);
    for (let e = 0; e < this.term.elementCount; e++) {
      for (let i = 0; i < 9; i++) rows[ROWS * e + 4 * Math.floor(i / 3) + (i % 3)] = valueOf(e, i);
      rows[ROWS * e + UNIT] = units?.[e] ?? 0;
    }
    this.context.device.queue.writeBuffer(buffer, 0, rows);
  }

  dispose(): void {
    for (const buffer of [this.permanent, this.rests, this.parameters]) buffer.destroy();
  }
}
